/// <reference lib="esnext.disposable" preserve="true" />
import type { Component, ComponentClass } from "../component/component.js";
import { decode, encode } from "../core/strings.js";
import type { ECS } from "../ecs/ecs.js";
import type { Entity } from "../module/entity.js";
import { badArgument, requireNone, show } from "../module/errors.js";
import { heap } from "../module/heap.js";
import { core } from "../module/instance.js";
import type { World } from "../world/world.js";
import { Encoded, dataAt, encodeValue, requireCodec } from "./codec.js";
import { CoreObject, makeDisposable } from "./core_object.js";
import { Recorder } from "./recorder.js";
import { checkAddress, nameClasses, worldOf } from "./state_call.js";

const KINDS: readonly HistoryEntry["kind"][] = ["added", "removed", "changed", "signaled", "moved"];

/** An entry of a history. @internal */
export type HistoryEntry = ReturnType<History["why"]>[number];

/** An entry, and the part of an update in which it happened. @internal */
export interface NumberedEntry extends HistoryEntry {
  readonly moment: number;
}

/** Finds the places in the program for the entries of one history. */
interface PlaceFinder {
  /** The place of an entry that happened in a moment. */
  find(moment: number, entry: HistoryEntry): string;
  end(): void;
}
/** Set by the development build. @internal */
export const places: { watch?(ecs: ECS, moment: () => number): PlaceFinder } = {};

class HistoryRecorder extends Recorder {
  readonly #encoded = new Encoded();
  /** Nothing is thrown: what cannot be encoded is described by its fields that can. */
  protected override encodeComponent(component: Component, cls: ComponentClass, name: string): Encoded {
    const encoded = this.#encoded;
    encoded.clear();
    try {
      encodeValue("History", requireCodec("History", cls, name), component, name, encoded);
    } catch {
      encoded.clear();
      encoded.addJson(describeFields(component));
    }
    return encoded;
  }
}

/** The values of the own fields that JSON can say, and of others what they are. No code of the component is called. */
function describeFields(component: Component): Record<string, unknown> {
  const described: Record<string, unknown> = {};
  for (const [name, { value, enumerable, get }] of Object.entries(Object.getOwnPropertyDescriptors(component)))
    if (enumerable && get === undefined && name[0] !== "$") described[name] = describe(value);
  return described;
}
function describe(value: unknown): unknown {
  try {
    const isPlain = PLAIN.has(Object.getPrototypeOf(Object(value)) as object);
    const text = isPlain && (JSON.stringify(value) as string | undefined);
    if (text && text.length <= MOST_DESCRIBED && (text !== "null" || value === null))
      return JSON.parse(text) as unknown;
  } catch {
    // it has a cycle
  }
  return show(value);
}
const PLAIN = new Set<object>([Object, Array, String, Number, Boolean].map(({ prototype }) => prototype as object));
/** The longest text of a list or an object that is an own field. */
const MOST_DESCRIBED = 1000;

/** Reads what bindings/src/history.cpp has written. */
class EntryReader {
  readonly #view = new DataView(heap.u8.buffer);
  constructor(public at: number) {}
  u8 = (): number => this.#view.getUint8(this.at++);
  u32 = (): number => this.#view.getUint32((this.at += 4) - 4, true);
  f64 = (): number => this.#view.getFloat64((this.at += 8) - 8, true);
  text(): string {
    const length = this.u32();
    return decode((this.at += length) - length, length);
  }
  list<T>(read: () => T): T[] {
    return Array.from({ length: this.u32() }, read);
  }
  value(component: string): unknown {
    const alternatives: (() => unknown)[] = [
      () => undefined,
      () => this.u8() === 1,
      this.f64,
      () => this.text(),
      this.u32,
      () => this.list(this.f64),
      () => {
        const length = this.u32();
        return length === 0 ? undefined : dataAt("History", (this.at += length) - length, length, component);
      },
      () => Object.fromEntries(this.list(() => [this.text(), this.value(component)])),
    ];
    return alternatives[this.u8()]();
  }
}

/**
 * Records who changed what, from which value, and which systems had to run because of it (rule D14).
 *
 *     const history = new History(ecs);
 *     // frames
 *     for (const { system, component, field, before, after } of history.why(crate)) console.log(system, component, field, before, after);
 *
 * There is one entry for each run of a system and field that has changed, with the value before and the value after; and entries for
 * components that were added or removed, and for other parents. Of classes that no system watches, only these, unless you call `watch`. What
 * was changed outside of systems has no system. An entity that is removed at the end of an update was removed by the system that marked it. Unmarked writes to
 * columns are found with the next signal of the component. It goes on when the state is exchanged, by `restore` or a `Rewind`: what
 * differs was changed by no system. A run costs O(classes + changes). Memory, beside the entries: the values of watched classes once more,
 * and for each component 4 bytes (with the policy `sparse` 8), and 32 that all histories, recordings and sources of changes of an ECS share.
 */
export class History {
  readonly #object: CoreObject;
  readonly #recorder: Recorder;
  readonly #places: PlaceFinder | undefined;

  /** Throws `BAD_ARGUMENT` for options; `REENTRANT_UPDATE` inside an update or a callback; `OUT_OF_MEMORY`. */
  constructor(
    ecs: ECS,
    options: {
      /** How many bytes it has at most; the oldest runs of systems are dropped. 4 MiB by default. */
      readonly bytes?: number;
    } = {},
  ) {
    makeDisposable(History);
    const world = worldOf("History", ecs, options);
    const { bytes = 2 ** 22, ...others } = options;
    requireNone("History", others);
    if (typeof bytes !== "number" || !(bytes >= 0))
      throw badArgument(`History: bytes must be a number that is not negative, not ${show(bytes)}`);
    if (core._crateful_new_history === undefined)
      throw badArgument(
        "History: the module has no code for it: use the development build (condition `development`), or link crateful::inspection and crateful::state",
      );
    nameClasses(world, "History", true);
    this.#recorder = new HistoryRecorder(world);
    const address = this.#recorder.begin((token) =>
      core._crateful_new_history(world.self, token, Math.min(bytes, 2 ** 31)),
    );
    this.#recorder.object = this.#object = new CoreObject(world, "History", address);
    const moment = core._crateful_history_moment(address) >> 2;
    this.#places = places.watch?.(ecs, () => heap.u32[moment]);
  }

  /**
   * Also records the values of a class that no system watches, from now on. Its components signal from then on, as long as the ECS exists.
   * Throws `BAD_ARGUMENT` for what is no component class, `OUT_OF_MEMORY` and `DISPOSED`.
   */
  watch(cls: ComponentClass): void {
    const { world } = this.#object;
    const { info } = (world as World).table(cls);
    this.#object.during((address) => world.check(core._crateful_history_watch(address, info.id)));
  }
  /**
   * What happened to an entity, newest first; it need not exist any more. Inside an update, without what the running system has done.
   * Throws `BAD_ARGUMENT` unless it is a number, and `DISPOSED`. O(recorded changes).
   */
  why(entity: Entity): {
    /** Whose component it is. */
    readonly entity: Entity;
    /** The number of the update (`ecs.frame` after it), or of the next one. */
    readonly frame: number;
    /** The running system; undefined: none. */
    readonly system: string | undefined;
    /** The name of the class. */
    readonly component: string;
    /**
     * What happened to the component. `added`: `after` contains its fields. `removed`: `before` does. `changed`: a field, or the whole
     * component of an object class, has another value. `signaled`: it signalled, and no value differs. `moved`: the entity has another
     * parent.
     */
    readonly kind: "added" | "removed" | "changed" | "signaled" | "moved";
    /** The field that has changed. */
    readonly field: string | undefined;
    /** The value before the run of the system. */
    readonly before: unknown;
    /** The value after it. */
    readonly after: unknown;
    /** The systems that became dirty by it. */
    readonly notified: readonly string[];
    /**
     * In the development build, the place in the program, as `game.ts:42`; several, if only these are known. Otherwise empty, as for
     * changes by C++.
     */
    readonly at: string;
  }[] {
    if (typeof entity !== "number") throw badArgument(`why: pass an entity, not ${show(entity)}`);
    return this.#entries((address) => core._crateful_history_entries(address, entity, 0, -1));
  }
  /**
   * What the systems with a name have changed, newest first; with "", what was changed outside of systems. Throws `BAD_ARGUMENT` unless
   * it is a string, and `DISPOSED`. O(recorded changes).
   */
  bySystem(system: string): ReturnType<History["why"]> {
    if (typeof system !== "string") throw badArgument(`bySystem: pass the name of a system, not ${show(system)}`);
    return this.#entries((address) => {
      const name = encode(system);
      const at = this.#object.world.scratch("bySystem", name.length);
      heap.u8.set(name, at);
      return core._crateful_history_entries(address, 0, at, name.length);
    });
  }

  /** Ends what was changed outside of systems until now. Returns the moment that begins. @internal */
  $moment(): number {
    this.$between(0, 0);
    return heap.u32[core._crateful_history_moment(this.#object.live()) >> 2];
  }
  /** All that happened from one moment on and before another one, newest first. @internal */
  $between(from: number, to: number): NumberedEntry[] {
    return this.#read((address) => core._crateful_history_between(address, from, to));
  }

  #entries(find: (address: number) => number): HistoryEntry[] {
    return this.#read(find).map(({ moment: _moment, ...entry }) => entry);
  }
  #read(find: (address: number) => number): NumberedEntry[] {
    const { world } = this.#object;
    nameClasses(world, "History", true);
    return this.#object.during((address) => {
      const at = this.#recorder.asked(() => checkAddress(world, find(address)));
      const reader = new EntryReader(at);
      const end = at + reader.u32();
      const entries: NumberedEntry[] = [];
      while (reader.at < end) entries.push(this.#entry(reader));
      return entries;
    });
  }
  #entry(reader: EntryReader): NumberedEntry {
    const frame = reader.f64();
    const moment = reader.f64();
    const entity = reader.u32() as Entity;
    const kind = KINDS[reader.u8()];
    const system = reader.text() || undefined;
    const component = reader.text();
    const field = reader.text() || undefined;
    const before = reader.value(component);
    const after = reader.value(component);
    const notified = reader.list(() => reader.text());
    const entry = { moment, entity, frame, system, component, kind, field, before, after, notified, at: "" };
    return { ...entry, at: this.#places?.find(moment, entry) ?? "" };
  }

  /** Ends the recording and frees its memory; using it afterwards throws `DISPOSED`. Further calls have no effect. */
  dispose(): void {
    this.#places?.end();
    this.#object.dispose();
  }
  /** For `using`: calls `dispose`. */
  declare readonly [Symbol.dispose]: () => void;
}
