import { Component, infos, type ComponentClass } from "../component/component.js";
import type { ComponentTable } from "../component/component_table.js";
import type { ECS } from "../ecs/ecs.js";
import type { EventClass } from "../ecs/event_class.js";
import { NONE, withMap, type Entity } from "../module/entity.js";
import { EcsError, badArgument, requireNone, requireObject, show } from "../module/errors.js";
import { heap, keep } from "../module/heap.js";
import { core } from "../module/instance.js";
import { Handle, StateBytes, StateClass } from "../module/layout.js";
import { Decoder, assignAll, type Assigned, type EntityMap } from "./codec.js";
import { eventClasses, readEvents } from "./events.js";
import { memoryFor, nameOf, namesOf, withCall, worldOf, type ClassNames, type ReadingCall } from "./state_call.js";

/** What `restore` accepts. */
export interface RestoreOptions {
  /**
   * Classes of components and events of the snapshot, or their names, and names of systems, that are left out; all others must exist in this
   * program. With "unknown", those that do not exist here are left out; a value whose enum has no such name here is the default of its field.
   */
  readonly ignore?: ClassNames | "unknown";
  /**
   * Component classes of the snapshot that the program may not have used yet. `restore` finds classes by name, and knows those that
   * were used: added to an entity, required by a system, asked for by a query.
   */
  readonly components?: readonly ComponentClass[];
  /** Classes of events of the snapshot that the program may not have used yet: subscribed, collected or dispatched. */
  readonly events?: readonly EventClass[];
  /** The new names of classes and fields by those in the snapshot: `{ Speed: "Velocity", "Speed.dx": "x" }`. */
  readonly rename?: Readonly<Record<string, string>>;
  /** Bounds for what the bytes may ask for, which are checked before memory is allocated (rule N8). */
  readonly limits?: {
    /** How many entities exist at one time; 1,000,000 by default. */
    readonly entities?: number;
    /** Above the highest index of an entity of the sender; 4,000,000 by default. */
    readonly index?: number;
    /**
     * Of memory that the bytes ask for: the tables of entities, and the components that are added; and the length of a snapshot. Of a class
     * with the policy `linear`, a snapshot asks for as many components as the highest index of its entities. 2³⁰ by default.
     */
    readonly bytes?: number;
  };
}

type Limits = NonNullable<RestoreOptions["limits"]>;
/** The limits that are given, otherwise the defaults. @internal */
export function limitsOf(call: string, given: Limits): Required<Limits> {
  requireObject(`${call}: limits`, given);
  const limits: Record<string, number> = { entities: 1_000_000, index: 4_000_000, bytes: 2 ** 30 };
  for (const [name, value] of Object.entries(given) as [string, unknown][]) {
    if (!Object.hasOwn(limits, name)) throw badArgument(`${call}: limits: there is no limit ${name}`);
    if (value === undefined) continue;
    if (typeof value !== "number" || !(value >= 0))
      throw badArgument(`${call}: limits: ${name} must be a number that is not negative, not ${show(value)}`);
    limits[name] = Math.min(Math.floor(value), Handle.none);
  }
  return limits as unknown as Required<Limits>;
}

/** The option `ignore`, as the core takes it. @internal */
export const ignoredNames = (call: string, ignore: ClassNames | "unknown", events: readonly EventClass[]): string[] =>
  ignore === "unknown" ? ["u"] : namesOf(call, "ignore", "i", ignore, events);

/** Any buffer or view as bytes that growing memory does not detach. @internal */
export function bytesOf(call: string, data: unknown): Uint8Array {
  if (ArrayBuffer.isView(data) && data.byteLength === 0) return new Uint8Array(0); // detached, perhaps
  if (ArrayBuffer.isView(data)) return keep(new Uint8Array(data.buffer, data.byteOffset, data.byteLength));
  if (/^\[object (Shared)?ArrayBuffer\]$/.test(Object.prototype.toString.call(data))) {
    const buffer = data as ArrayBuffer;
    return buffer.byteLength === 0 ? new Uint8Array(0) : new Uint8Array(buffer);
  }
  throw badArgument(`${call}: the bytes must be a Uint8Array or ArrayBuffer, not ${show(data)}`);
}

/** Object components that replace those of a class, and those that are written to. */
interface Replacement {
  table: ComponentTable;
  entities: number[];
  components: Component[];
  assigned: Assigned[];
}

/** Decodes the components of an object class in the bytes that the world does not have. `at` is the word of the StateClass. */
function decodeClass(name: ReadingCall, table: ComponentTable, at: number, reading: Reading): Replacement {
  const word = (which: StateClass): number => heap.u32[at + which]; // `decode` can make memory grow
  const decoder = new Decoder(name, table, fieldNames(nameOf(table.info.cls), reading.renamed), reading.map);
  const replacement: Replacement = { table, entities: [], components: [], assigned: [] };
  const count = word(StateClass.count);
  let from = word(StateClass.bytes);
  for (let i = 0; i < count; ++i) {
    const e = heap.u32[(word(StateClass.entities) >> 2) + i];
    const length = heap.u32[(word(StateClass.lengths) >> 2) + i];
    const present = table.world.alive(e) ? table.find(e) : undefined;
    if (e === NONE) {
      // of the world, which is not merged
    } else if (present !== undefined && decoder.has(present, from, length)) {
      heap.u8[word(StateClass.differs) + i] = 0;
    } else {
      const read = decoder.read(from, length, from - reading.bytes, present);
      if (read instanceof Component) {
        replacement.entities.push(e);
        replacement.components.push(read);
      } else {
        replacement.assigned.push(read);
      }
    }
    from += length;
  }
  return replacement;
}

/** The new names of the fields of a class, by those in the bytes. */
function fieldNames(name: string, rename: ReadonlyMap<string, string>): Map<string, string> {
  const fields = new Map<string, string>();
  for (const [before, now] of rename) {
    const [cls, field] = before.split(/\.(.*)/s);
    if (field !== undefined && (rename.get(cls) ?? cls) === name)
      fields.set(field, now.slice(now.lastIndexOf(".") + 1));
  }
  return fields;
}

/** What the bytes need that were read. @internal */
export interface Reading {
  /** Their address, for messages. */
  readonly bytes: number;
  readonly renamed: ReadonlyMap<string, string>;
  /** Classes of events that the program may not have used yet. */
  readonly events: readonly EventClass[];
  /** Whether events without a class are left out. */
  readonly unknown: boolean;
  /** For references in object components, if entities get other handles. */
  readonly map?: EntityMap;
}

/** Decodes what was read, and makes the ECS equal to it. @internal */
export function exchange(name: ReadingCall, call: number, ecs: ECS, reading: Reading): void {
  const { events, unknown } = reading;
  const world = ecs.$world;
  const replacements: Replacement[] = [];
  for (let k = 0; ; ++k) {
    const cls = core._crateful_restore_class(call, k) >> 2;
    if (cls === 0) break;
    const info = infos.find(({ id }) => id === heap.u32[cls + StateClass.id]);
    if (info === undefined) continue; // only C++ has used it
    const table = world.table(info.cls);
    if (info.kind === "object") replacements.push(decodeClass(name, table, cls, reading));
  }
  const exchangeEvents = readEvents(name, call, ecs, events, unknown);
  world.check(core._crateful_restore_exchange(call));
  exchangeEvents();
  for (const { table, entities, components } of replacements)
    components.forEach((component, i) => table.attach(component, entities[i]));
  const error = assignAll(replacements.flatMap(({ assigned }) => assigned));
  world.check(core._crateful_restore_finish(call));
  if (error !== undefined) throw error.thrown;
}

/**
 * Makes the ECS equal to a snapshot (rule N2). First `onRemove` is called for what systems stop to track, then the values are
 * exchanged, then `onAdd` is called. What differs is dirty; entities that are equal keep their components, aspects and object
 * components, and are not dirty. Callbacks must not change the ECS; what they throw is rethrown when the ECS has been restored.
 *
 * Classes and fields are found by name (rule N4). A field that the snapshot does not contain gets its default value. Throws
 * `BAD_DATA`, with the position, unless the bytes are a valid snapshot; `BAD_ARGUMENT` if a class or field is not known, or a value
 * does not fit into its field, or if an iteration over what moves is in progress; `REENTRANT_UPDATE` inside an update or a callback;
 * `OUT_OF_MEMORY`; and what `static decode` throws. Then the ECS is unchanged. O(entities + components).
 */
export function restore(ecs: ECS, bytes: ArrayBufferView | ArrayBufferLike, options: RestoreOptions = {}): void {
  read("restore", ecs, bytes, options, (call, reading) => exchange("restore", call, ecs, reading));
}

/**
 * Adds the entities of a snapshot to the ECS, with new handles (rule N9). Returns the new handle of each by the one in the snapshot.
 * Components, parents, the order of siblings and marks for removal are those of the snapshot; children of its world become children of
 * `ecs.world`. Handles in fields and links are replaced, and `NONE` if the entity is not in the snapshot; those in object components by
 * `static mapEntities(data, map)`. Time, events, inboxes, systems and components of the world are left out. When everything is there,
 * `onAdd` is called, which may change anything; what it throws is rethrown at the end.
 *
 * Classes and fields are found as by `restore`, with the same errors; then the ECS is unchanged. O(entities + components) of the snapshot.
 *
 *     const door = merge(ecs, level).get(savedDoor);
 */
export function merge(
  ecs: ECS,
  bytes: ArrayBufferView | ArrayBufferLike,
  options: Omit<RestoreOptions, "events"> = {},
): Map<Entity, Entity> {
  return read("merge", ecs, bytes, options, (call, reading) => {
    const handles = new Map<Entity, Entity>();
    const at = core._crateful_merged(call) >> 2;
    const first = heap.u32[at + StateBytes.first] >> 2;
    for (let k = 0; k < heap.u32[at + StateBytes.count]; ++k)
      handles.set(heap.u32[first + 2 * k], heap.u32[first + 2 * k + 1]);
    const find = (e: Entity): Entity => (e === 0 ? e : (handles.get(e) ?? NONE)); // the world stays
    withMap("merge", find, (map) => exchange("merge", call, ecs, { ...reading, map }));
    return handles;
  });
}

/** Reads bytes, and calls `run`, which exchanges what was read. */
function read<R>(
  name: "restore" | "merge",
  ecs: ECS,
  bytes: ArrayBufferView | ArrayBufferLike,
  options: RestoreOptions,
  run: (call: number, reading: Reading) => R,
): R {
  const world = worldOf(name, ecs, options);
  const { ignore = [], rename = {}, components = [], events = [], limits = {}, ...others } = options;
  requireNone(name, name === "merge" && options.events !== undefined ? { events } : others);
  requireObject(`${name}: rename`, rename);
  if (rename instanceof Map || Array.isArray(rename))
    throw badArgument(`${name}: rename must be an object with the new names by the old ones, not ${show(rename)}`);
  const renamed = new Map(Object.entries(rename));
  for (const [before, now] of renamed)
    if (typeof now !== "string")
      throw badArgument(`${name}: rename: the new name of ${before} must be a string, not ${show(now)}`);
  const names = [
    ...ignoredNames(name, ignore, [...eventClasses(ecs), ...events]),
    ...[...renamed].flatMap(([before, now]) => [`r${before}`, `n${now}`]),
  ];
  const most = limitsOf(name, limits);
  namesOf(name, "components", "", components, []);
  const data = bytesOf(name, bytes);
  if (data.length > most.bytes)
    throw new EcsError("BAD_DATA", `${name}: limits: there are more bytes (${data.length})`);
  for (const cls of components) world.table(cls);
  return withCall(world, name, names, (call) => {
    const at = memoryFor(name, data.length, (n) => core._crateful_state_memory(call, n));
    heap.u8.set(data, at);
    world.check(core._crateful_restore_read(call, at, data.length, most.entities, most.index, most.bytes));
    return run(call, { bytes: at, renamed, events, unknown: ignore === "unknown" });
  });
}
