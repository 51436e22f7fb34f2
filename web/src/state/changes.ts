/// <reference lib="esnext.disposable" preserve="true" />
import type { ComponentClass } from "../component/component.js";
import { requireList } from "../core/core_world.js";
import type { ECS } from "../ecs/ecs.js";
import { isHandle, stale, type Entity } from "../module/entity.js";
import { EcsError, badArgument, requireNone, requireObject, show } from "../module/errors.js";
import { heap } from "../module/heap.js";
import { core } from "../module/instance.js";
import { Handle, StateBytes } from "../module/layout.js";
import { requireCodec } from "./codec.js";
import { CoreObject, makeDisposable } from "./core_object.js";
import { eachTable, encodeObjects } from "./object_values.js";
import { bytesOf } from "./restore.js";
import type { Bytes } from "./snapshot.js";
import { checkAddress, nameClasses, namesOf, put, worldOf, type ClassNames } from "./state_call.js";

/**
 * What changes in an ECS, for any number of receivers (rule N5): each gets, with `take`, the bytes for what was created, removed and
 * changed since its last `take`, and a `Replica` applies them to another ECS.
 *
 *     const changes = new Changes(ecs);
 *     const receiver = changes.receiver();
 *     ecs.update();
 *     socket.send(receiver.take());
 *
 * An entity is part of it while it has a component of one of the classes, or a parent. Changes are found by signals, at the cost of what
 * changed, once for all receivers; writes to columns count after `markDirty`. Object components are encoded when they signal, as for
 * `snapshot`, and sent if the bytes differ. Memory by entity index: 52 bytes; for each class that has had components, their values once
 * more, 4 bytes for each field, and 4; for each object class, 12 and the encoded bytes; for each receiver, what was not taken yet, and 12 bytes for each entity
 * that it selects; with `lossy`, 28 for each entity in flight, and 8 in each packet; and 32 for each component, which all sources of
 * changes, recordings and histories of an ECS share.
 */
export class Changes {
  readonly #source: CoreObject;

  /**
   * Throws `BAD_ARGUMENT` for a class that does not exist or whose values can't be encoded, and for two classes of one name that the
   * ECS uses; `DISPOSED`; `OUT_OF_MEMORY`.
   */
  constructor(
    ecs: ECS,
    options: {
      /**
       * Classes of components, or their names. Without it: all classes that the ECS has used when the source is created, in components,
       * systems, queries, prefabs or storages. It is an error if `without` leaves none of them.
       */
      readonly components?: ClassNames;
      /** Classes of components, or their names, that are left out. */
      readonly without?: ClassNames;
    } = {},
  ) {
    makeDisposable(Changes);
    makeDisposable(Receiver);
    const world = worldOf("Changes", ecs, options);
    const { components, without = [], ...others } = options;
    requireNone("Changes", others);
    const names = [
      ...namesOf("Changes", "components", "c", components ?? [], []),
      ...namesOf("Changes", "without", "w", without, []),
    ];
    if (components?.length === 0)
      throw badArgument("Changes: the list of components is empty; name classes, or leave it out to send all");
    for (const cls of components ?? []) if (typeof cls === "function") world.table(cls as ComponentClass);
    nameClasses(world, "Changes");
    const [address, bytes] = put(world, "Changes", names);
    const source = checkAddress(world, core._crateful_new_changes(world.self, address, bytes));
    this.#source = new CoreObject(world, "source of changes", source);
    const classAt = (k: number) => core._crateful_changes_class(source, k);
    eachTable(world, classAt, ({ info }) => requireCodec("Changes", info.cls, info.name));
  }

  /** A new receiver, which starts with everything. Throws `BAD_ARGUMENT` and `STALE_ENTITY` for what is selected. */
  receiver(
    options: {
      /**
       * The receiver gets only the entities that are selected: at first these, then those that `receiver.select` names. Without it, all
       * entities.
       */
      readonly select?: Iterable<Entity>;
      /**
       * The channel can lose, double and delay what `take` returns (WebRTC without retransmission, WebTransport): the receiver sends again what is
       * not acknowledged. Without it, all bytes must arrive, in their order (WebSocket).
       */
      readonly lossy?: boolean;
    } = {},
  ): Receiver {
    this.#source.live();
    requireObject("receiver: the options", options);
    const { select, lossy = false, ...others } = options;
    requireNone("receiver", others);
    if (typeof lossy !== "boolean") throw badArgument(`receiver: lossy must be true or false, not ${show(lossy)}`);
    if (select !== undefined && typeof (select as unknown as Set<Entity> | null)?.[Symbol.iterator] !== "function")
      throw badArgument(`receiver: select must be an iterable with entities, not ${show(select)}`);
    if (ArrayBuffer.isView(select)) requireList("receiver: select", select as unknown as Uint32Array); // detached, perhaps
    const selected = select === undefined ? undefined : [...select];
    const { world } = this.#source;
    const address = checkAddress(
      world,
      core._crateful_new_receiver(this.#source.live(), Number(selected !== undefined), Number(lossy)),
    );
    return new Receiver(new CoreObject(world, "receiver", address), selected);
  }

  /** Frees the memory of the source; using it afterwards throws `DISPOSED`. Its receivers can still be used. */
  dispose(): void {
    this.#source.dispose();
  }
  /** For `using`: calls `dispose`. */
  declare readonly [Symbol.dispose]: () => void;
}

/** One receiver of changes; `changes.receiver()` creates it. It can be used longer than its `Changes`. */
export class Receiver {
  readonly #object: CoreObject;
  readonly #selects: boolean;

  /** @internal */
  constructor(object: CoreObject, selected: readonly Entity[] | undefined) {
    this.#object = object;
    this.#selects = selected !== undefined;
    for (const e of selected ?? []) this.select(e);
  }

  /**
   * The bytes for what changed since the last call, as a copy; of length 0 if nothing has. What it does not return is returned by the next
   * call; each entity gets its turn. Throws `BAD_ARGUMENT` at the turn of an entity whose changes alone do not fit into `maxBytes`: they wait
   * until they do, and the next call returns those of others; `BAD_ARGUMENT` for a bool that is not 0 or 1 and a number of an enum without a
   * name, in a column; `REENTRANT_UPDATE` inside an update or a callback; `DISPOSED`; `OUT_OF_MEMORY`; and what `static encode` throws,
   * during which the ECS can't be changed. O(changes).
   */
  take(
    options: {
      /** How many bytes it returns at most. What does not fit stays for the next call. */
      readonly maxBytes?: number;
    } = {},
  ): Bytes {
    const object = this.#object;
    object.live();
    requireObject("take: the options", options);
    const { maxBytes, ...others } = options;
    requireNone("take", others);
    if (maxBytes !== undefined && !(typeof maxBytes === "number" && maxBytes >= 1))
      throw badArgument(`take: maxBytes must be a number of bytes, at least 1, not ${show(maxBytes)}`);
    const most = maxBytes === undefined || maxBytes >= Handle.none ? 0 : Math.floor(maxBytes);
    return object.alone("take", (receiver) => {
      const { world } = object;
      try {
        world.check(core._crateful_open_take(receiver));
        encodeObjects("take", world, receiver);
        object.live(); // `encode` can have disposed it
        const bytes = checkAddress(world, core._crateful_take(receiver, most)) >> 2;
        const first = heap.u32[bytes + StateBytes.first];
        return heap.u8.slice(first, first + heap.u32[bytes + StateBytes.count]);
      } finally {
        core._crateful_close_take(receiver);
      }
    });
  }

  /**
   * For a receiver with `lossy`: what a replica has received, the bytes of `replica.acknowledgement()`. What is lost is then part of the
   * next `take`, with its newest values; without acknowledgements, what was not acknowledged within one and a half times as many frames
   * with a `take` as they usually need, is lost, too. Bytes that were acknowledged already have no effect, and neither have none. Throws `BAD_DATA` for bytes
   * that are damaged, of another receiver, or acknowledge what was not sent, and `BAD_ARGUMENT` without `lossy`: nothing has changed then;
   * `DISPOSED`; `OUT_OF_MEMORY`. O(entities in flight).
   */
  acknowledge(bytes: ArrayBufferView | ArrayBufferLike): void {
    const receiver = this.#object.live();
    const data = bytesOf("acknowledge", bytes);
    if (data.length === 0) return;
    if (data.length !== 20)
      throw new EcsError("BAD_DATA", "acknowledge: these are not the 20 bytes of replica.acknowledgement()");
    const view = new DataView(data.buffer, data.byteOffset, 20);
    const word = (k: number) => view.getUint32(4 * k, true);
    this.#object.world.check(core._crateful_acknowledge(receiver, word(0), word(1), word(2), word(3), word(4)));
  }

  /**
   * The receiver gets the entity from now on. The selection ends with `deselect`, or when the entity is removed, also by `restore` or a
   * `Rewind`; an entity that these bring back is not selected. Throws `BAD_ARGUMENT` unless the receiver was created with `select`, and
   * `STALE_ENTITY`. O(1).
   */
  select(e: Entity): void {
    this.#requireSelects("select");
    if (!this.#object.world.alive(e)) throw stale("select", e);
    this.#object.world.check(core._crateful_select(this.#object.live(), e, 1));
  }
  /**
   * The receiver does not get it any more: it is removed there. With `keep`, it stays there as it is, and nothing is sent for it until it is
   * selected again; then what has changed meanwhile is. Its removal is sent, also that of its last component, and another `deselect` without it
   * removes it. An entity whose creation was not sent, or with `lossy` not acknowledged, is forgotten, and so are kept ones by `restart`. An entity
   * that others arrive below is moved to its parent nevertheless. No effect if it was not selected. Throws `BAD_ARGUMENT`. O(1).
   */
  deselect(e: Entity, options: { readonly keep?: boolean } = {}): void {
    this.#requireSelects("deselect");
    requireObject("deselect: the options", options);
    const { keep = false, ...others } = options;
    requireNone("deselect", others);
    if (typeof keep !== "boolean") throw badArgument(`deselect: keep must be a boolean, not ${show(keep)}`);
    if (typeof e !== "number") throw stale("deselect", e);
    if (isHandle(e)) this.#object.world.check(core._crateful_select(this.#object.live(), e, keep ? 2 : 0));
  }
  /**
   * The next `take` returns everything, as the first one does: for a replica that has missed or refused bytes, or a new one. What a replica
   * has besides is removed: entities, components of the classes, and parents that are entities of the sender. What it has stays, with its
   * handle, and signals if it differs. With `maxBytes`, this takes several calls, whose bytes are applied in their order. Throws
   * `BAD_ARGUMENT` with `lossy`, because what is lost is sent again without it; `DISPOSED`. O(selected entities); the next `take` is
   * O(entities).
   */
  restart(): void {
    this.#object.world.check(core._crateful_restart(this.#object.live()));
  }
  #requireSelects(call: string): void {
    this.#object.live();
    if (!this.#selects)
      throw badArgument(`${call}: the receiver gets all entities; create it with changes.receiver({ select: [] })`);
  }

  /** Ends the receiver and frees its memory; using it afterwards throws `DISPOSED`. Further calls have no effect. */
  dispose(): void {
    this.#object.dispose();
  }
  /** For `using`: calls `dispose`. */
  declare readonly [Symbol.dispose]: () => void;
}
