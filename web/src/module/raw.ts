// The module as Emscripten generates it from bindings/src/bindings.cpp and exports.cpp;
// tests/bindings/generated_module.ts compares the two.

/**
 * The core's object for one ECS, as Emscripten declares it. Pass it to C++ functions of your own module that take a
 * `crateful::World&`. Its members are for the package only.
 */
export interface RawWorld {
  // As embind declares the objects of all classes.
  isAliasOf(other: RawWorld): boolean;
  delete(): void;
  deleteLater(): this;
  isDeleted(): boolean;
  [Symbol.dispose](): void;
  clone(): this;
}

/** A module instance that links `crateful::bindings`: the module of the package, or a module of the user. @internal */
export interface RawModule extends Exports {
  HEAPU8: Uint8Array<ArrayBuffer>;
  /** In modules of users only: bindings/src/world_class.cpp. */
  World?: { at(world: number): RawWorld | null };
  addStoredClass(name: string, policy: number, fields: Uint8Array): number;
  addObjectClass(name: string): number;
  describeClass(name: string): number;
  errorMessage(world: number): string;
  makeSystem(world: number, token: number, name: string, flags: number): number;
  record(world: number, group: string, name: string, start: number, duration: number): void;
}

/** The functions of bindings/src/exports.cpp. @internal */
interface Exports {
  _crateful_version(): number;
  /** Returns the address of the World::Memory. */
  _crateful_new_world(token: number): number;
  _crateful_delete_world(world: number): void;
  _crateful_scratch(bytes: number, text: number): number;
  /** Returns the number of the text, or 0 if there is none. */
  _crateful_find_string(world: number, text: number, bytes: number): number;
  _crateful_string(world: number, text: number, bytes: number, sets: number): number;
  /** Returns where the address of the text and its number of bytes are, or 0. */
  _crateful_text(world: number, number: number): number;
  _crateful_storage(world: number, id: number): number;
  _crateful_storage_set(world: number, id: number): number;
  _crateful_reserve(world: number, entity: number, id: number): number;
  _crateful_keep_flags(world: number, id: number): number;
  _crateful_open_iteration(world: number, set: number): number;
  _crateful_find_entities(
    world: number,
    id: number,
    position: number,
    signature: number,
    words: number,
    most: number,
  ): number;
  _crateful_close_iteration(set: number, position: number): void;

  /** An unsigned result arrives as a signed number. */
  _crateful_add_entity(world: number): number;
  _crateful_add_entities(world: number, out: number, n: number): number;
  _crateful_remove_entity(world: number, entity: number): number;
  _crateful_remove_entities(world: number, list: number, n: number): number;
  _crateful_add_component(world: number, entity: number, id: number, packed: number, flags: number): number;
  _crateful_add_components(world: number, list: number, n: number, id: number, columns: number, flags: number): number;
  _crateful_add_prefab(world: number, entries: number, n: number): number;
  _crateful_compose(world: number, prefab: number, list: number, n: number, columns: number): number;
  /** As `_crateful_add_entity`. */
  _crateful_spawn(world: number, prefab: number, entity: number): number;
  _crateful_add_all(world: number, prefab: number, entity: number): number;
  /** As `_crateful_linked`. */
  _crateful_find_cloned(world: number, entity: number, children: number): number;
  _crateful_clone(world: number, prefab: number, list: number, n: number, children: number): number;
  _crateful_remove_component(world: number, entity: number, id: number): number;
  _crateful_remove_all(world: number, entity: number, ids: number, n: number): number;
  _crateful_set_parent(world: number, child: number, parent: number, before: number): number;
  _crateful_remove_marked(world: number): number;
  _crateful_remove_components(world: number, list: number, n: number, id: number): number;
  /** Returns the address of the order, or 0. */
  _crateful_order(world: number, id: number, field: number, descending: number): number;
  /** As `_crateful_linked`. */
  _crateful_sort(world: number, order: number): number;
  /** As `_crateful_linked`. */
  _crateful_find(world: number, order: number, value: number): number;
  _crateful_order_time(order: number): number;
  _crateful_added_since(order: number, entity: number, time: number): number;
  /** Returns where the address of the entities and their number are; 0 if it fails. */
  _crateful_linked(world: number, id: number, field: number, entity: number): number;
  _crateful_mark_dirty(world: number, list: number, n: number, id: number): number;
  _crateful_drain(world: number): number;
  _crateful_append_mark(world: number, id: number, slot: number): number;
  _crateful_read_parked(world: number, entity: number, id: number, packed: number): number;

  _crateful_system_memory(system: number): number;
  _crateful_add_system(world: number, system: number, priority: number, interval: number, lists: number): number;
  _crateful_keep(world: number, system: number, entity: number): number;
  _crateful_dirty_of(world: number, system: number, component: number): number;
  _crateful_sort_top_down(world: number, system: number): number;
  _crateful_remove_system(world: number, system: number): number;
  _crateful_set_enabled(world: number, system: number, on: number): number;

  _crateful_update(world: number, wallDelta: number, timeScale: number): number;
  _crateful_run(world: number, systems: number, n: number, delta: number): number;
  /** The address of a system whose callback runs, or 0; returns what it replaces. */
  _crateful_observe(world: number, observer: number): number;
  /** In the library module only. */
  _crateful_recover?(world: number): void;
  _crateful_begin_callback(world: number): void;
  _crateful_end_callback(world: number): void;
  _crateful_clear(world: number): number;
  _crateful_slow_motion(world: number, factor: number, duration: number): number;
  _crateful_slow_motion_factor(world: number): number;
  _crateful_end_slow_motion(world: number): void;

  /** For `crateful/state`; see bindings/src/state.cpp. */
  _crateful_name_fields(id: number, text: number, bytes: number): void;
  /** Returns the address of the call, or 0. */
  _crateful_open_state(world: number, number: number, options: number, bytes: number): number;
  _crateful_close_state(call: number): void;
  _crateful_state_memory(call: number, bytes: number): number;
  _crateful_state_values(call: number, id: number, n: number, bytes: number): number;
  /** Of a compact snapshot; -1 if the entity is not alive. */
  _crateful_compact_handle(call: number, e: number): number;
  _crateful_state_event(call: number, due: number, text: number, textBytes: number, bytes: number, n: number): number;
  /** Returns the address of the StateEvent, or 0. */
  _crateful_restore_event(call: number, k: number): number;
  /** Returns the address of the StateBytes, or 0. */
  _crateful_snapshot(call: number): number;
  _crateful_restore_read(call: number, bytes: number, n: number, entities: number, index: number, most: number): number;
  /** Returns the address of the StateClass, or 0. */
  _crateful_restore_class(call: number, k: number): number;
  /** Returns the address of the StateBytes. */
  _crateful_merged(call: number): number;
  _crateful_restore_exchange(call: number): number;
  _crateful_restore_finish(call: number): number;

  /** See bindings/src/rewind.cpp. The object is an address, or 0. */
  _crateful_new_rewind(
    world: number,
    token: number,
    bytes: number,
    seconds: number,
    without: number,
    n: number,
  ): number;
  _crateful_rewind_frame(rewind: number, last: number): number;
  _crateful_rewind_bytes(rewind: number, frame: number): number;
  /** Texts, each followed by the byte 255; the last one is empty. */
  _crateful_rewind_unrecorded(rewind: number): number;
  _crateful_rewind_go(call: number, rewind: number, frame: number, shows: number): number;

  /** See bindings/src/history.cpp. The object is an address, or 0. */
  _crateful_new_history(world: number, token: number, bytes: number): number;
  /** The address of a number of 64 bits. */
  _crateful_history_moment(history: number): number;
  _crateful_history_watch(history: number, component: number): number;
  /** A number of bytes, itself included, and entries; or 0. Without a name, `n` is -1. */
  _crateful_history_entries(history: number, entity: number, name: number, n: number): number;
  _crateful_history_between(history: number, from: number, to: number): number;

  /** For `crateful/inspector`; see bindings/src/inspection.cpp. The module of the production build has none of them. */
  _crateful_shuffle?(world: number, seed: number): void;
  _crateful_system_classes(system: number, use: number): number;
  _crateful_system_class(system: number, use: number, i: number): number;
  _crateful_system_has(system: number, entity: number): number;

  /** See bindings/src/changes.cpp. The objects are addresses, or 0. */
  _crateful_delete_object(object: number): void;
  _crateful_require_idle(world: number, call: number): number;
  _crateful_new_changes(world: number, options: number, bytes: number): number;
  _crateful_new_receiver(changes: number, selects: number, lossy: number): number;
  _crateful_acknowledge(receiver: number, a: number, b: number, c: number, d: number, e: number): number;
  _crateful_acknowledgement(replica: number): number;
  _crateful_select(receiver: number, entity: number, how: number): number;
  _crateful_restart(receiver: number): number;
  /** The id of the class, or -1. */
  _crateful_changes_class(changes: number, k: number): number;
  _crateful_open_take(receiver: number): number;
  _crateful_close_take(receiver: number): void;
  /** Returns the address of the StateClass, or 0. */
  _crateful_to_encode(object: number, k: number): number;
  _crateful_encoded(object: number, k: number, bytes: number): number;
  /** Returns the address of the StateBytes, or 0. */
  _crateful_take(receiver: number, maxBytes: number): number;
  _crateful_new_replica(
    world: number,
    entities: number,
    index: number,
    bytes: number,
    ignore: number,
    n: number,
  ): number;
  /** Texts, each followed by the byte 255; the last one is empty. */
  _crateful_replica_ignored(replica: number): number;
  _crateful_apply_memory(replica: number, bytes: number): number;
  /** Returns 1 if the bytes were applied already. */
  _crateful_open_apply(replica: number, bytes: number): number;
  _crateful_close_apply(replica: number): void;
  /** The id of the class, or -1. */
  _crateful_sent_class(replica: number, k: number): number;
  /** Returns the address of the ApplyClass, or 0. */
  _crateful_apply_class(replica: number, k: number): number;
  _crateful_apply_exchange(replica: number): number;
  _crateful_lock_replica(replica: number, on: number): void;
  _crateful_apply_finish(replica: number): number;
  _crateful_apply_again(replica: number): void;
  /** As `_crateful_add_entity`. */
  _crateful_replica_at(replica: number, index: number): number;
  /** As `_crateful_add_entity`. */
  _crateful_replica_entity(replica: number, remote: number): number;
  _crateful_replica_remote(replica: number, local: number): number;
  _crateful_map_entity(replica: number, id: number, index: number, entity: number, back: number): number;
  _crateful_adopt(replica: number, local: number, remote: number): number;
  _crateful_replica_frame(replica: number): number;
  _crateful_open_predict(replica: number, entity: number): number;
  _crateful_predict(replica: number): number;
  _crateful_close_predict(replica: number): void;
  _crateful_stop_predicting(replica: number, entity: number): void;
  _crateful_open_reset(replica: number): number;

  /** Each report returns its number of rows; see core/reports.ts. */
  _crateful_systems(world: number): number;
  _crateful_memory_report(world: number): number;
  _crateful_profile(world: number): number;
  _crateful_spans(world: number): number;
  _crateful_report_names(): number;
  _crateful_report_numbers(): number;
  _crateful_forget_profile(world: number): void;
}
