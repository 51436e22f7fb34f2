// The last frames and events of a world, while it is measured.
import type { Json } from "../state/codec.js";
import type { ECS } from "./internals.js";
import { nameOf, toJson } from "./json.js";
import type { EventsAnswer, FramesAnswer } from "./protocol.js";

const FRAMES = 120;
const EVENTS = 200;
/** Measuring ends when nothing was asked for so many milliseconds. */
const PATIENCE = 10_000;

interface Frame {
  readonly frame: number;
  readonly total: number;
  readonly times: readonly (readonly [system: number, time: number])[];
}
interface Event {
  readonly frame: number;
  readonly name: string;
  readonly value: Json;
}

/** Milliseconds, to a tenth of a microsecond. */
export const round = (time: number): number => Math.round(time * 10_000) / 10_000;

/** Collects what happens in a world. While it is off, the world has nothing of it. */
export class Measurement {
  readonly #ecs: ECS;
  #wasEnabled = false;
  #asked = 0;
  readonly #names: string[] = [];
  readonly #frames: Frame[] = [];
  readonly #counts = new Map<string, number>();
  readonly #events: Event[] = [];
  on = false;

  constructor(ecs: ECS) {
    this.#ecs = ecs;
  }

  start(): void {
    this.touch();
    if (this.on) return;
    this.on = true;
    const { profiler, events } = this.#ecs;
    this.#wasEnabled = profiler.enabled;
    profiler.enabled = true;
    // The methods of these two objects are replaced, so that other worlds are not slower.
    profiler.$frameEnded = () => {
      Object.getPrototypeOf(profiler).$frameEnded.call(profiler);
      this.#frameEnded();
    };
    events.$deliver = (event) => {
      this.#add(event);
      Object.getPrototypeOf(events).$deliver.call(events, event);
    };
  }
  stop(): void {
    if (!this.on) return;
    this.on = false;
    const { profiler, events } = this.#ecs as { profiler: { $frameEnded?: unknown }; events: { $deliver?: unknown } };
    delete profiler.$frameEnded;
    delete events.$deliver;
    if (!this.#ecs.$world.disposed) this.#ecs.profiler.enabled = this.#wasEnabled;
  }
  /** A request has come, so the measurement continues. */
  touch(): void {
    this.#asked = performance.now();
  }

  #frameEnded(): void {
    if (performance.now() - this.#asked > PATIENCE) {
      this.stop();
      return;
    }
    let total = 0;
    const times: [number, number][] = [];
    for (const { group, name, duration } of this.#ecs.profiler.spans()) {
      if (group === "Overall" && name === "update") total = round(duration);
      if (group !== "Systems") continue;
      let at = this.#names.indexOf(name);
      if (at < 0) at = this.#names.push(name) - 1;
      times.push([at, round(duration)]);
    }
    this.#frames.push({ frame: this.#ecs.frame, total, times });
    if (this.#frames.length > FRAMES) this.#frames.shift();
  }
  /** Milliseconds a frame by clock, over the frames that are kept; undefined unless it measures. */
  averages(): Map<string, number> | undefined {
    const sums = new Map<string, number>();
    for (const { times } of this.#frames)
      for (const [at, time] of times) {
        const name = this.#names[at];
        sums.set(name, (sums.get(name) ?? 0) + time / this.#frames.length);
      }
    return this.on ? sums : undefined;
  }
  /** `nameOfClock` returns the name of the system with a clock. */
  frames(nameOfClock: (clock: string) => string, since = -1): FramesAnswer {
    return { systems: this.#names.map(nameOfClock), frames: this.#frames.filter(({ frame }) => frame > since) };
  }
  /** Forgets the frames after one to which the world has gone back. */
  wentTo(frame: number): void {
    while (this.#frames.length > 0 && this.#frames.at(-1)!.frame > frame) this.#frames.pop();
  }

  #add(event: object): void {
    const name = nameOf(event);
    this.#counts.set(name, (this.#counts.get(name) ?? 0) + 1);
    this.#events.push({ frame: this.#ecs.frame, name, value: toJson({ ...event }) });
    if (this.#events.length > EVENTS) this.#events.shift();
  }
  events(count: number): EventsAnswer {
    const { queue, handlers, inboxes, fields } = this.#ecs.events.$parts;
    const names = new Map([...this.#counts].map(([name, n]) => [name, { name, count: n, handlers: 0 }]));
    const listens = ({ name }: { readonly name: string }, n: number): void => {
      const known = names.get(name) ?? { name, count: 0, handlers: 0 };
      names.set(name, { ...known, handlers: known.handlers + n });
    };
    for (const [cls, list] of handlers) listens(cls, (list as readonly unknown[]).length);
    for (const cls of inboxes.keys()) listens(cls, 1);
    for (const { $cls } of fields) listens($cls, 1);
    return {
      names: [...names.values()],
      events: this.#events.slice(-count).reverse(),
      delayed: queue.slice(0, count).map(({ due, event }) => ({ name: nameOf(event), due })),
    };
  }
}
