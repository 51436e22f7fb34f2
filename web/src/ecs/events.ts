import type { CoreWorld } from "../core/core_world.js";
import { EcsError, badArgument, requireNone, requireObject, show } from "../module/errors.js";
import { heap } from "../module/heap.js";
import { Times, WorldMemory } from "../module/layout.js";
import { requireEventClass, requireHandler, type EventClass } from "./event_class.js";
import type { Inbox } from "./inbox.js";

interface Handler {
  call: (event: never) => void;
  transient: boolean;
  live: boolean;
}

/** What waits, and the handlers by class. @internal */
export interface EventsParts {
  readonly queue: readonly QueuedEvent[];
  readonly inboxes: ReadonlyMap<EventClass, readonly object[]>;
  readonly fields: ReadonlySet<Inbox>;
  readonly handlers: ReadonlyMap<EventClass, unknown>;
  /** The classes of events that were dispatched with a delay. */
  readonly delayed: ReadonlySet<EventClass>;
}

/** An event with a delay. @internal */
export interface QueuedEvent {
  /** The game time at which it is delivered. */
  readonly due: number;
  readonly event: object;
}

/**
 * Typed events of one ECS (rule V1). There are two ways to receive them. `subscribe` registers a handler that is called
 * at dispatch. An `inbox` collects events, so that a system processes them in its own update; the point in the frame at
 * which they take effect is then the system's priority.
 */
export class EventsManager {
  readonly #handlers = new Map<EventClass, Handler[]>();
  readonly #inboxes = new Map<EventClass, object[]>();
  /** Those of systems. */
  readonly #fields = new Set<Inbox>();
  readonly #world: CoreWorld;
  readonly #delayed = new Set<EventClass>();
  #queue: QueuedEvent[] = [];
  #disposed = false;

  /** @internal */
  constructor(world: CoreWorld) {
    this.#world = world;
  }

  /**
   * Calls `handler` at every dispatch of an event of exactly that class, in the order of subscription. A handler that is
   * added during a dispatch is called from the next dispatch on. Returns a function that ends the subscription; it may
   * be called at any time.
   */
  subscribe<E extends object>(
    cls: EventClass<E>,
    handler: (event: E) => void,
    options: {
      /** Whether the subscription ends at `ecs.clear()`. Default false. */
      readonly transient?: boolean;
    } = {},
  ): () => void {
    this.#requireLive();
    requireHandler(cls, handler);
    requireObject("subscribe: the options", options);
    const { transient = false, ...others } = options;
    requireNone("subscribe", others);
    const entry: Handler = { call: handler, transient, live: true };
    // Lists are replaced, not changed, so that a dispatch in progress keeps its own list.
    this.#handlers.set(cls, [...(this.#handlers.get(cls) ?? []), entry]);
    return () => {
      entry.live = false;
      this.#prune();
    };
  }

  /**
   * The events of exactly that class, in the order of dispatch; always the same array. Empty it after processing. Events
   * are collected from the first call of `inbox` for the class on. For code outside of systems; a system has
   * `System.inbox`, which it need not empty.
   */
  inbox<E extends object>(cls: EventClass<E>, ...options: never[]): E[] {
    this.#requireLive();
    requireEventClass("inbox", cls);
    if (options.length > 0) throw badArgument("inbox: that of ecs.events has no options; that of a system has a limit");
    let box = this.#inboxes.get(cls);
    if (box === undefined) this.#inboxes.set(cls, (box = []));
    return box as E[];
  }

  /**
   * Delivers `event` immediately. With a delay in seconds, delivers it at the start of the first update in which that
   * much game time has passed. If a handler throws, the others still run, then the first error is rethrown (rule V2).
   */
  dispatch(event: object, delay = 0): void {
    this.#requireLive();
    if (typeof event !== "object" || event === null || event.constructor === Object)
      throw badArgument(`dispatch: the event must be an instance of a class, not ${show(event)}`);
    if (typeof delay !== "number" || !Number.isFinite(delay) || delay < 0) {
      throw badArgument(`dispatch: the delay must be a finite, non-negative number of seconds, not ${show(delay)}`);
    }
    if (delay === 0) {
      this.$deliver(event);
      return;
    }
    this.#delayed.add(event.constructor as EventClass);
    const due = this.#world.time(Times.game) + delay;
    const at = this.#queue.findIndex((queued) => queued.due > due);
    this.#queue.splice(at < 0 ? this.#queue.length : at, 0, { due, event });
    this.$exchangeQueue(this.#queue);
  }

  #requireLive(): void {
    if (this.#disposed) throw new EcsError("DISPOSED", "the ECS of these events was disposed");
  }

  /** Calls the handlers; tools replace it. @internal */
  $deliver(event: object): void {
    const cls = event.constructor as EventClass;
    this.#inboxes.get(cls)?.push(event);
    for (const inbox of this.#fields) if (inbox.$cls === cls) inbox.$push(event);
    const handlers = this.#handlers.get(cls);
    if (handlers !== undefined && handlers.length > 0)
      this.#world.callback(`dispatch of ${cls.name}`, () => this.#call(handlers, event));
  }
  #call(handlers: readonly Handler[], event: object): void {
    const errors: unknown[] = [];
    for (const handler of handlers) {
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

  /** A system with inboxes was added or removed. @internal */
  $collect(inboxes: readonly Inbox[], on: boolean): void {
    for (const inbox of inboxes) {
      if (on) this.#fields.add(inbox);
      else this.#fields.delete(inbox);
      inbox.clear();
    }
  }

  /** Delivers the events that are due at `gameTime`, earliest first. Deltas can add up to less by a rounding error. @internal */
  $advance(gameTime: number): void {
    const errors: unknown[] = [];
    while (this.#queue.length > 0 && this.#queue[0].due <= gameTime + 1e-9) {
      try {
        this.$deliver(this.#queue.shift()!.event);
      } catch (error) {
        errors.push(error);
      }
    }
    if (!this.#disposed) this.$exchangeQueue(this.#queue);
    if (errors.length > 0) throw errors[0];
  }

  /** For snapshots. @internal */
  get $parts(): EventsParts {
    const delayed = this.#delayed;
    return { queue: this.#queue, inboxes: this.#inboxes, fields: this.#fields, handlers: this.#handlers, delayed };
  }
  /**
   * Replaces the events with a delay. The call `timeAdvanced` costs time in every frame, so the core makes it only if there are some.
   * @internal
   */
  $exchangeQueue(queue: QueuedEvent[]): void {
    this.#queue = queue;
    heap.u32[this.#world.memory + WorldMemory.awaitsTime] = queue.length;
  }

  /** Called when the ECS is disposed. @internal */
  $dispose(): void {
    this.$clear();
    this.#disposed = true;
  }

  /** Discards queued events, the contents of inboxes, and transient subscriptions (rule K1). @internal */
  $clear(): void {
    this.#queue = [];
    for (const box of this.#inboxes.values()) box.length = 0;
    for (const inbox of this.#fields) inbox.clear();
    for (const handlers of this.#handlers.values()) {
      for (const handler of handlers) if (handler.transient) handler.live = false;
    }
    this.#prune();
  }
}
