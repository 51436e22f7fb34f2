import { EcsError, badArgument } from "./errors.js";
import type { World } from "./world.js";

/** The class of an event. Any class is one. */
export type EventClass<E extends object = object> = abstract new (...args: never[]) => E;

/** How long a subscription lasts. */
export interface SubscribeOptions {
  /** Ends at `ecs.clear()`. */
  transient?: boolean;
}

interface Handler {
  call: (event: never) => void;
  transient: boolean;
  live: boolean;
}

/**
 * Typed events of one ECS. Two ways to hear of one: `subscribe` calls back at dispatch; an `inbox`
 * keeps events for a system to drain in its own update, which makes it easier to say when in a frame
 * things happen.
 */
export class EventsManager {
  readonly #handlers = new Map<EventClass, Handler[]>();
  readonly #inboxes = new Map<EventClass, object[]>();
  readonly #world: World;
  #queue: { due: number; event: object }[] = [];
  #disposed = false;

  /** @internal */
  constructor(world: World) {
    this.#world = world;
  }

  /**
   * Calls `handler` at every dispatch of an event of exactly that class, in order of subscription. A
   * handler added during a dispatch hears of the next one. The result unsubscribes, at any time.
   */
  subscribe<E extends object>(
    cls: EventClass<E>,
    handler: (event: E) => void,
    options: SubscribeOptions = {},
  ): () => void {
    this.#requireLive();
    if (typeof cls !== "function") throw badArgument("subscribe: an event type is a class");
    if (typeof handler !== "function") throw badArgument("subscribe: a handler is a function");
    const entry: Handler = { call: handler, transient: options.transient === true, live: true };
    // Lists are replaced, not changed, so that a dispatch under way keeps its own.
    this.#handlers.set(cls, [...(this.#handlers.get(cls) ?? []), entry]);
    return () => {
      entry.live = false;
      this.#prune();
    };
  }

  /** The events of that class since the array was last emptied. It fills from the first call on. */
  inbox<E extends object>(cls: EventClass<E>): E[] {
    this.#requireLive();
    if (typeof cls !== "function") throw badArgument("inbox: an event type is a class");
    let box = this.#inboxes.get(cls);
    if (box === undefined) this.#inboxes.set(cls, (box = []));
    return box as E[];
  }

  /**
   * Delivers `event` now or, with a delay, at the start of the first update by whose game time that
   * many seconds have passed. If handlers throw, the others still run, then the first error surfaces.
   */
  dispatch(event: object, delay = 0): void {
    this.#requireLive();
    if (typeof event !== "object" || event === null) throw badArgument("dispatch: an event is an instance of a class");
    if (typeof delay !== "number" || !Number.isFinite(delay) || delay < 0) {
      throw badArgument("dispatch: the delay is a finite number of seconds, not negative");
    }
    if (delay === 0) {
      this.#deliver(event);
      return;
    }
    const due = this.#world.raw.gameTime + delay;
    const at = this.#queue.findIndex((queued) => queued.due > due);
    this.#queue.splice(at < 0 ? this.#queue.length : at, 0, { due, event });
    this.#world.raw.awaitsTime = true; // to hear of game time costs every frame a little
  }

  #requireLive(): void {
    if (this.#disposed) throw new EcsError("DISPOSED", "the ECS of these events was disposed");
  }

  #deliver(event: object): void {
    const cls = event.constructor as EventClass;
    this.#inboxes.get(cls)?.push(event);
    const errors: unknown[] = [];
    for (const handler of this.#handlers.get(cls) ?? []) {
      if (!handler.live || this.#disposed) continue;
      try {
        handler.call(event as never);
      } catch (error) {
        errors.push(error);
      }
    }
    if (errors.length > 0) throw errors[0];
  }

  #prune(): void {
    for (const [cls, handlers] of this.#handlers)
      this.#handlers.set(
        cls,
        handlers.filter((h) => h.live),
      );
  }

  /** Moves game time on and delivers what is due, earliest first. @internal */
  $advance(gameTime: number): void {
    const errors: unknown[] = [];
    while (this.#queue.length > 0 && this.#queue[0].due <= gameTime) {
      try {
        this.#deliver(this.#queue.shift()!.event);
      } catch (error) {
        errors.push(error);
      }
    }
    if (this.#queue.length === 0 && !this.#disposed) this.#world.raw.awaitsTime = false;
    if (errors.length > 0) throw errors[0];
  }

  /** The ECS is gone. @internal */
  $dispose(): void {
    this.$clear();
    this.#disposed = true;
  }

  /** Drops queued events, what inboxes hold, and transient subscriptions. @internal */
  $clear(): void {
    this.#queue = [];
    for (const box of this.#inboxes.values()) box.length = 0;
    for (const handlers of this.#handlers.values()) {
      for (const handler of handlers) if (handler.transient) handler.live = false;
    }
    this.#prune();
  }
}
