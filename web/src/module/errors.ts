import { ErrorNumber } from "./layout.js";

/** The kinds of misuse (rule X1). The codes are stable across releases. */
export type ErrorCode =
  | "STALE_ENTITY"
  | "MISSING_COMPONENT"
  | "BAD_SYSTEM"
  | "BAD_ARGUMENT"
  | "REENTRANT_UPDATE"
  | "NOT_INITIALISED"
  | "INIT_FAILED"
  | "DISPOSED"
  | "OUT_OF_MEMORY"
  | "TOO_DEEP"
  | "BAD_DATA";

/** Thrown on every misuse of the library; the state of the ECS is then unchanged (rule X1). */
export class EcsError extends Error {
  override readonly name = "EcsError";
  constructor(
    readonly code: ErrorCode,
    message: string,
    options?: { cause?: unknown },
  ) {
    super(message, options);
  }
}

/** The codes by the number that the core returns for them. @internal */
export const CODES: Readonly<Record<number, ErrorCode>> = {
  [ErrorNumber.staleEntity]: "STALE_ENTITY",
  [ErrorNumber.missingComponent]: "MISSING_COMPONENT",
  [ErrorNumber.badSystem]: "BAD_SYSTEM",
  [ErrorNumber.badArgument]: "BAD_ARGUMENT",
  [ErrorNumber.reentrantUpdate]: "REENTRANT_UPDATE",
  [ErrorNumber.notInitialised]: "NOT_INITIALISED",
  [ErrorNumber.disposed]: "DISPOSED",
  [ErrorNumber.outOfMemory]: "OUT_OF_MEMORY",
  [ErrorNumber.tooDeep]: "TOO_DEEP",
  [ErrorNumber.badData]: "BAD_DATA",
};

/** @internal */
export function badArgument(message: string): EcsError {
  return new EcsError("BAD_ARGUMENT", message);
}

/** What the core has as U+FFFD, because texts are UTF-8 there: surrogates that are no pairs. */
const LONE_SURROGATES = /\p{Surrogate}/gu;
/** A text as the core stores it (rule C13). @internal */
export const storedText = (text: string): string => text.replace(LONE_SURROGATES, "\ufffd");

/** Throws if the core would store another name, which can be that of something else, too. @internal */
export function requireStorable(what: string, name: string): void {
  if (storedText(name) !== name) throw badArgument(`${what} has a surrogate that is no pair: ${show(name)}`);
}
/** Throws unless the value can be the name of a class. @internal */
export function requireName(what: string, name: unknown): void {
  if (typeof name !== "string" || name === "")
    throw badArgument(`${what} must be a string that is not empty, not ${show(name)}`);
  requireStorable(what, name);
}

/** Throws unless the value is an object, as options are. @internal */
export function requireObject(what: string, value: unknown): void {
  if (typeof value !== "object" || value === null) throw badArgument(`${what} must be an object, not ${show(value)}`);
}

/** Throws if options are left that the call does not have. @internal */
export function requireNone(call: string, others: object): void {
  for (const name in others) throw badArgument(`${call}: there is no option ${name}`);
}

/** Components and systems have this property; in each copy of the package, its value is another one. @internal */
export const COPY: unique symbol = Symbol.for("crateful.copy") as never;
/** That of this copy. @internal */
export const thisCopy = {};

/** A value as text for an error message. Never throws. @internal */
export function show(value: unknown): string {
  if (typeof value === "string") return JSON.stringify(value);
  if (typeof value === "function") return `function ${String(value.name)}`;
  if (Array.isArray(value)) return "an array";
  if (typeof value !== "object" || value === null) return String(value);
  try {
    const { [COPY]: copy } = value as { [COPY]?: object };
    if (copy !== undefined && copy !== thisCopy) return `a ${value.constructor.name} of another copy of crateful`;
  } catch {
    // a getter or a proxy of the program threw
  }
  return "an object";
}
