/// <reference lib="esnext.disposable" preserve="true" />
import type { ComponentClass } from "../component/component.js";
import type { ECS } from "../ecs/ecs.js";
import { NONE, isHandle, stale, type Entity } from "../module/entity.js";
import { badArgument, requireNone, show } from "../module/errors.js";
import { heap } from "../module/heap.js";
import { core } from "../module/instance.js";
import { CoreObject, makeDisposable } from "./core_object.js";
import { decodeArrived, eachTable, encodePredicted, exchange } from "./object_values.js";
import { bytesOf, ignoredNames, limitsOf, type RestoreOptions } from "./restore.js";
import type { Bytes } from "./snapshot.js";
import { checkAddress, memoryFor, nameClasses, namesOf, put, textsAt, worldOf } from "./state_call.js";

/**
 * A copy of what a `Changes` sends, among the entities of another ECS (rule N6). The entities that it creates have other handles here,
 * also in `entity` and `link` fields and in the hierarchy. A reference to an entity that was not sent is NONE, until it arrives. Handles
 * in object components are mapped by `static mapEntities(data, map)`; without it, they are those of the sender, for `replica.entity`.
 *
 *     const replica = new Replica(ecs);
 *     socket.onmessage = ({ data }) => replica.apply(data);
 */
export class Replica {
  readonly #ecs: ECS;
  readonly #object: CoreObject;

  /** Throws `BAD_ARGUMENT` and `OUT_OF_MEMORY`. */
  constructor(
    ecs: ECS,
    options: {
      /**
       * Component classes of the sender that the program may not have used yet. A replica finds classes by name, and knows those that were
       * used: added to an entity, required by a system, asked for by a query.
       */
      readonly components?: readonly ComponentClass[];
      /**
       * Component classes of the sender, or their names, that are passed over. With "unknown", those that do not exist here; a value whose enum
       * has no such name here is the default of its field.
       */
      readonly ignore?: RestoreOptions["ignore"];
      /** Bounds for what the bytes may ask for, which are checked before memory is allocated (rule N8). */
      readonly limits?: RestoreOptions["limits"];
    } = {},
  ) {
    makeDisposable(Replica);
    const world = worldOf("Replica", ecs, options);
    const { components = [], ignore = [], limits = {}, ...others } = options;
    requireNone("Replica", others);
    namesOf("Replica", "components", "", components, []);
    const names = ignoredNames("Replica", ignore, []);
    const most = limitsOf("Replica", limits);
    for (const cls of components) world.table(cls);
    nameClasses(world, "Replica");
    const [list, n] = put(world, "Replica", names);
    const { entities, index, bytes } = most;
    const replica = checkAddress(world, core._crateful_new_replica(world.self, entities, index, bytes, list, n));
    this.#ecs = ecs;
    this.#object = new CoreObject(world, "replica", replica);
  }

  /**
   * Applies the bytes of one `take`; they must arrive in their order, unless the channel is lossy: what arrives behind later bytes has no
   * effect then. Bytes that were applied already have no effect, and neither have none. First `onRemove` is called for what systems stop to
   * track, which must not change the ECS; then everything becomes true that the bytes contain, and what differs signals; then `onAdd` is
   * called, which may change anything. What they throw is rethrown at the end. Removals that the program has marked (rule E3) are not
   * performed. Throws `BAD_DATA`, and changes nothing, for bytes that are damaged, not the next ones, or
   * of another receiver; `BAD_ARGUMENT` for classes and fields that do not exist here; what `static decode` throws, during which the ECS
   * can't be changed; `REENTRANT_UPDATE` inside an update or a callback; `DISPOSED`. In these cases nothing has changed. Throws
   * `OUT_OF_MEMORY`: then call it again with the same bytes, which does the rest. An object component that is encoded as the same bytes is
   * not replaced. O(changes).
   */
  apply(bytes: ArrayBufferView | ArrayBufferLike): void {
    const object = this.#object;
    const { world } = object;
    object.live();
    const data = bytesOf("apply", bytes);
    if (data.length === 0) return;
    nameClasses(world, "apply");
    object.alone("apply", (replica) => {
      const at = memoryFor("apply", data.length, (n) => core._crateful_apply_memory(replica, n));
      heap.u8.set(data, at);
      try {
        if (world.check(core._crateful_open_apply(replica, data.length)) === 1) return;
        eachTable(
          world,
          (k) => core._crateful_sent_class(replica, k),
          () => {},
        ); // callbacks can read its components
        const arrived = decodeArrived("apply", world, replica);
        object.live(); // `decode` can have disposed it
        exchange(this.#ecs, replica, arrived);
      } finally {
        core._crateful_close_apply(replica);
      }
    });
  }

  /**
   * For a lossy channel: what has arrived of the last 64 bytes, for `receiver.acknowledge`; 20 bytes as a copy, or of length 0 if nothing
   * has arrived. The receiving program sends it, on any channel, after `apply` or with its own messages. Throws `DISPOSED`.
   */
  acknowledgement(): Bytes {
    const replica = this.#object.live();
    const at = core._crateful_acknowledgement(replica);
    return heap.u8.slice(at, at === 0 ? 0 : at + 20);
  }

  /** The entity here for one of the sender, or NONE. O(1). */
  entity(remote: Entity): Entity {
    const replica = this.#object.live();
    if (typeof remote !== "number") throw stale("entity", remote);
    return isHandle(remote) ? core._crateful_replica_entity(replica, remote) >>> 0 : NONE;
  }
  /** The entity of the sender for one here, or NONE. O(1). */
  remote(e: Entity): Entity {
    const replica = this.#object.live();
    if (typeof e !== "number") throw stale("remote", e);
    return isHandle(e) ? core._crateful_replica_remote(replica, e) >>> 0 : NONE;
  }
  /**
   * An entity that the program has created becomes that of the sender when `remote` arrives, and keeps its handle, objects and pictures: a
   * shot that a page shows before the server has. Until then, it belongs to the program. When it arrives, components of the classes that
   * the sender does not send are removed, as after `receiver.restart()`; others stay. Systems that select it before and afterwards call neither
   * `onRemove` nor `onAdd`. If it is removed before, or the state exchanged, another one is created. A further call for the same `remote` or
   * `local` replaces this one. Throws `STALE_ENTITY`; `BAD_ARGUMENT` for `NONE`, for the world of either side, for an entity that is already
   * one of this sender, if `remote` has arrived, and as `apply` when the state was exchanged; and `REENTRANT_UPDATE` while bytes are applied,
   * except in `onAdd`. O(pending calls).
   */
  adopt(local: Entity, remote: Entity): void {
    const replica = this.#object.live();
    if (!isHandle(local)) throw stale("adopt", local);
    if (!isHandle(remote)) throw badArgument(`adopt: remote must be an entity of the sender, not ${show(remote)}`);
    this.#object.world.check(core._crateful_adopt(replica, local, remote));
  }
  /**
   * The classes, fields and names of enums of the sender that are passed over, which the first bytes list: "Class", "Class.field" and
   * "Class.field: name". Fields that the class does not have here are always passed over.
   */
  get ignored(): string[] {
    const replica = this.#object.live();
    return textsAt(checkAddress(this.#object.world, core._crateful_replica_ignored(replica)));
  }
  /** How many updates the sender had completed when it took the bytes that were applied last. */
  get frame(): number {
    return core._crateful_replica_frame(this.#object.live());
  }

  /**
   * From now on, the last received values of an entity are kept, which are at first those that it has now: the program changes them
   * before the sender does, and calls `reset` before it applies what the sender has decided. Throws `BAD_ARGUMENT` unless the entity
   * is one of the sender, and what `static encode` of its object components throws. It ends with `stopPredicting`, and when the entity
   * is removed here; the world stays predicted also while the sender does not send it.
   */
  predict(e: Entity): void {
    const object = this.#object;
    const { world } = object;
    object.live();
    if (!isHandle(e)) throw stale("predict", e);
    object.during((replica) => {
      world.check(core._crateful_open_predict(replica, e));
      try {
        encodePredicted(world, replica);
        world.check(core._crateful_predict(replica));
      } finally {
        core._crateful_close_predict(replica);
      }
    });
  }
  /** They are not kept any more. No effect if they were not. */
  stopPredicting(e: Entity): void {
    const replica = this.#object.live();
    if (typeof e !== "number") throw stale("stopPredicting", e);
    if (isHandle(e)) core._crateful_stop_predicting(replica, e);
  }
  /**
   * Writes the kept values back, with signals where they differ; components that the program has removed are added again, and parents
   * do not change. `onAdd` is called when all are written, and what it throws is rethrown at the end. Throws `REENTRANT_UPDATE` inside an
   * update or a callback; and what `static decode` throws: then nothing has changed. O(predicted entities).
   */
  reset(): void {
    const object = this.#object;
    const { world } = object;
    object.alone("reset", (replica) => {
      try {
        world.check(core._crateful_open_reset(replica));
        const arrived = decodeArrived("reset", world, replica);
        object.live(); // `decode` can have disposed it
        exchange(this.#ecs, replica, arrived);
      } finally {
        core._crateful_close_apply(replica);
      }
    });
  }

  /** Ends the replica and frees its memory; using it afterwards throws `DISPOSED`. Its entities stay. Further calls have no effect. */
  dispose(): void {
    this.#object.dispose();
  }
  /** For `using`: calls `dispose`. */
  declare readonly [Symbol.dispose]: () => void;
}
