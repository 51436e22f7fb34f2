// Object components in changes (rules N5, N6): the core has no values of them.
import { Component, infos } from "../component/component.js";
import type { ComponentTable } from "../component/component_table.js";
import type { ECS } from "../ecs/ecs.js";
import { NONE, withMap, type Entity } from "../module/entity.js";
import { heap } from "../module/heap.js";
import { core } from "../module/instance.js";
import { ApplyClass, ApplyValue, StateClass } from "../module/layout.js";
import type { World } from "../world/world.js";
import { Decoder, Encoded, assignAll, encodeValue, requireCodec, type Assigned, type EntityMap } from "./codec.js";
import { memoryFor } from "./state_call.js";

/** The table of a class with this id; undefined if only C++ has used it. */
function tableOf(world: World, id: number): ComponentTable | undefined {
  const info = infos.find((each) => each.id === id);
  return info === undefined ? undefined : world.table(info.cls);
}
/** Calls `visit` with each id that the core returns, until it returns -1. @internal */
export function eachTable(world: World, idAt: (k: number) => number, visit: (table: ComponentTable) => void): void {
  for (let k = 0, id: number; (id = idAt(k)) >= 0; ++k) {
    const table = tableOf(world, id);
    if (table !== undefined) visit(table);
  }
}

/** A value of a replica: the id of its class, and the index of the sender's entity. */
interface ReplicaValue {
  id: number;
  index: number;
}
/** The entity here for one of the sender, or with `back` the reverse, in a value. */
function mapEntity(world: World, replica: number, { id, index }: ReplicaValue, e: Entity, back: boolean): Entity {
  const found = core._crateful_map_entity(replica, id, index, e, Number(back));
  if (found < 0) world.throwLast();
  return found;
}

/** Encodes the object components that the core asks for, with the handles that `map` returns. Throws what `encode` throws. @internal */
export function encodeObjects(call: "take" | "predict", world: World, object: number, map?: EntityMap): void {
  for (let k = 0; ; ++k) {
    const at = core._crateful_to_encode(object, k) >> 2;
    if (at === 0) return;
    const encoded = new Encoded();
    const table = world.tables[heap.u32[at + StateClass.id]]!;
    const { cls, name } = table.info;
    const statics = requireCodec(call, cls, name);
    const count = heap.u32[at + StateClass.count];
    const entities = heap.u32[at + StateClass.entities] >> 2;
    // `encode` can make memory grow.
    for (let i = 0; i < count; ++i) encodeValue(call, statics, table.find(heap.u32[entities + i])!, name, encoded, map);
    const { lengths, bytes, size } = encoded;
    const to = memoryFor(call, size, (n) => core._crateful_encoded(object, k, n));
    heap.u32.set(lengths, to >> 2);
    heap.u8.set(bytes.subarray(0, size), to + 4 * count);
  }
}
/** The same for `predict`, as the sender would encode them. @internal */
export function encodePredicted(world: World, replica: number): void {
  const find = (e: Entity): Entity => mapEntity(world, replica, { id: 0, index: 0 }, e, true);
  withMap("predict", find, (map) => encodeObjects("predict", world, replica, map));
}

/** An object component of the sender. @internal */
export interface Arrived {
  readonly table: ComponentTable;
  /** Of the sender's entity. */
  readonly index: number;
  /** Whether it is added if the entity has none. */
  readonly isNew: boolean;
  readonly read: Component | Assigned;
}

/**
 * Decodes the object components in the bytes, or that are kept, except those that the world has. Throws what
 * `decode` throws.
 * @internal
 */
export function decodeArrived(call: "apply" | "reset", world: World, replica: number): Arrived[] {
  const of: ReplicaValue = { id: 0, index: 0 }; // which is decoded
  const toHere = (e: Entity): Entity => mapEntity(world, replica, of, e, false);
  const toSender = (e: Entity): Entity => {
    const remote = mapEntity(world, replica, of, e, true);
    if (remote === NONE && e !== NONE) throw new Error("the sender does not have this entity"); // so the value differs
    return remote;
  };
  return withMap(call, toHere, (map) =>
    withMap(call, toSender, (mapBack) => decodeWith(call, world, replica, of, map, mapBack)),
  );
}
function decodeWith(
  call: "apply" | "reset",
  world: World,
  replica: number,
  of: ReplicaValue,
  map: EntityMap,
  mapBack: EntityMap,
): Arrived[] {
  const arrived: Arrived[] = [];
  const decoders = new Map<ComponentTable, Decoder>();
  for (let k = 0; ; ++k) {
    const at = core._crateful_apply_class(replica, k) >> 2;
    if (at === 0) return arrived;
    of.id = heap.u32[at + ApplyClass.id];
    const table = tableOf(world, of.id)!;
    const decoder = decoders.get(table) ?? new Decoder(call, table, new Map(), map, mapBack);
    decoders.set(table, decoder);
    const count = heap.u32[at + ApplyClass.count];
    let value = heap.u32[at + ApplyClass.values] >> 2;
    for (let i = 0; i < count; ++i, value += ApplyValue.size) {
      const word = (which: ApplyValue): number => heap.u32[value + which]; // `decode` can make memory grow
      const first = word(ApplyValue.first);
      const length = word(ApplyValue.count);
      const local = word(ApplyValue.local);
      const present = local === NONE ? undefined : table.find(local);
      of.index = word(ApplyValue.index);
      if (present !== undefined && decoder.has(present, first, length)) continue;
      const read = decoder.read(first, length, word(ApplyValue.position), present);
      arrived.push({ table, index: of.index, isNew: word(ApplyValue.isNew) === 1, read });
    }
  }
}

/** Applies or resets what was read: everything else, then the object components, then `onAdd` is called. @internal */
export function exchange(ecs: ECS, replica: number, arrived: readonly Arrived[]): void {
  const world = ecs.$world;
  world.check(core._crateful_apply_exchange(replica));
  const assigned: Assigned[] = [];
  let error: ReturnType<typeof assignAll>;
  try {
    for (const { table, index, isNew, read } of arrived) {
      const e = core._crateful_replica_at(replica, index) >>> 0;
      if (e === NONE || !(isNew || table.hasObject(e))) continue; // the program has removed it
      if (read instanceof Component) ecs.addComponent(e, read);
      else assigned.push(read);
    }
    for (const { component } of assigned) component.dirty(); // first, because it can fail
    core._crateful_lock_replica(replica, 1);
    error = assignAll(assigned);
    core._crateful_lock_replica(replica, 0);
  } catch (thrown) {
    core._crateful_apply_again(replica); // there was no memory
    throw thrown;
  } finally {
    world.check(core._crateful_apply_finish(replica));
  }
  if (error !== undefined) throw error.thrown;
}
