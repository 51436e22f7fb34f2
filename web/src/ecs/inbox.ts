import type { EventClass } from "./event_class.js";

/**
 * The events of one class for one system (rule V3). Iterating it takes the events out, each when the loop's body for it begins:
 *
 *     class Scores extends defineSystem() {
 *       readonly smashed = this.inbox(Smashed);
 *       override update() {
 *         for (const { points } of this.smashed) this.ecs.get(this.ecs.world, Score).points += points;
 *       }
 *     }
 *
 * Events that are dispatched during the loop stay for the next one, and so does what was not taken out. While the system does not
 * run, events accumulate; beyond the limit, the oldest are dropped with a warning. `ecs.clear()` empties it.
 */
export class Inbox<E extends object = object> implements Iterable<E> {
  #events: E[] = [];
  /** How many of the events in the list were taken out. */
  #taken = 0;
  /** How many events were received before those in the list. */
  #before = 0;
  #warned = false;
  /** @internal */
  constructor(
    readonly $cls: EventClass<E>,
    readonly $limit: number,
    readonly $drops: boolean,
  ) {}

  /** How many events there are. Reading it takes none out. */
  get size(): number {
    return this.#events.length - this.#taken;
  }
  *[Symbol.iterator](): Generator<E, undefined> {
    const end = this.#before + this.#events.length;
    while (this.#before + this.#taken < end && this.size > 0) yield this.#take();
    return undefined;
  }
  #take(): E {
    const event = this.#events[this.#taken++];
    if (this.size === 0) this.clear();
    else if (this.#taken > 1024 && this.#taken > this.size) this.#forget();
    return event;
  }
  #forget(): void {
    this.#events.splice(0, this.#taken);
    this.#before += this.#taken;
    this.#taken = 0;
  }
  /** @internal */
  $push(event: E): void {
    this.#events.push(event);
    if (this.size <= this.$limit) return;
    this.#take();
    if (!this.#warned)
      console.warn(
        `crateful: an inbox of ${this.$cls.name} has dropped events, because it held ${this.$limit} of them`,
      );
    this.#warned = true;
  }
  /** A copy of those that wait. @internal */
  get $waiting(): E[] {
    return this.#events.slice(this.#taken);
  }
  /** Discards all events. */
  clear(): void {
    this.#taken = this.#events.length;
    this.#forget();
  }
}
