import { badArgument, show } from "../module/errors.js";

/** The class of an event. Any class can be one. */
export type EventClass<E extends object = object> = abstract new (...args: never[]) => E;

/** @internal */
export function requireEventClass(call: string, cls: unknown): void {
  if (typeof cls !== "function") throw badArgument(`${call}: the event type must be a class, not ${show(cls)}`);
}

/** @internal */
export function requireHandler(cls: unknown, handler: unknown): void {
  requireEventClass("subscribe", cls);
  if (typeof handler !== "function")
    throw badArgument(`subscribe: the handler must be a function, not ${show(handler)}`);
}
