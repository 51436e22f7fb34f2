import type { CoreWorld } from "../core/core_world.js";
import { markFunction } from "../core/marks.js";
import { closeSet, findSlot, pageWord, setMemory, type SetMemory } from "../core/sparse_set.js";
import { NONE, type Entity } from "../module/entity.js";
import { badArgument, show } from "../module/errors.js";
import { beginTurn, heap, requireTurn } from "../module/heap.js";
import { core } from "../module/instance.js";
import { FieldNumber, Handle, Page, Packed, SlotFlag, StorageControl } from "../module/layout.js";
import { withRoom } from "../module/v8.js";
import { Owned, type ClassInfo, type Column, type Component, type ComponentOwner, type Solo } from "./component.js";
import { stringKind, type Plain } from "./field_kinds.js";
import { requireEach, writePacked, type FieldInfo } from "./fields.js";
import {
  StoredComponent,
  detach,
  makePlain,
  makeViewOf,
  park,
  requireFields,
  type Values,
} from "./stored_component.js";
import { makeView } from "./stored_class.js";

/**
 * The slot of an entity under the policy `linear`, or -1: its index, if the presence mask has its bit. `handles` is the
 * word at which the handles of all entities begin, by index. O(1).
 */
function findLinearSlot(u32: Uint32Array, mask: number, handles: number, extent: number, e: Entity): number {
  if (typeof e !== "number") return -1;
  const index = e & Handle.indexMask;
  if (index >= extent) return -1;
  return (u32[mask + (index >> 5)] >>> (index & 31)) & 1 && u32[handles + index] === e ? index : -1;
}

/** A cursor, as its table uses it; implemented by Cursor. @internal */
export interface TableCursor {
  /** Whether its table notifies it of the next removal. */
  placed: boolean;
  /** Whether its setters signal. */
  signals: boolean;
  /** The class is watched: its setters signal from now on. */
  watch(): void;
  /** From now on it looks its slot up. */
  detach(): void;
}

/** The components of one class in one world: where their values are, and their JavaScript objects. @internal */
export class ComponentTable implements ComponentOwner {
  /**
   * The object of each entity that has one, by entity index. The core reports the removal of a component, so an object
   * in this list belongs to the living entity with that index.
   */
  objects: (Component | undefined)[] = [];
  /** The word at which the addresses of the columns begin. */
  readonly columnTable: number;
  /** The entities that have the component; an empty set under `linear`. */
  readonly set: SetMemory;
  /** The cursors that must be notified of the next removal. Others look their slot up, and are then among these. */
  readonly placed: TableCursor[] = [];
  /** The word at which the control block begins. */
  readonly control: number;
  /** Appends a signal to the mark queue. Only for a class that is watched. */
  readonly mark: (slot: number) => void;
  /** The fields of the class; in this world, strings have numbers. */
  readonly fields: readonly FieldInfo[];
  readonly #strings: readonly number[];
  /** The values of each field. */
  readonly columns: readonly Column[];
  // Copies of the control block, so that a look-up reads memory as few times as possible. Addresses are words.
  watchers = 0;
  /** Whether it has ever had watchers. */
  watched = false;
  dense = 0;
  pages = 0;
  pageCount = 0;
  mask = 0;

  constructor(
    readonly world: CoreWorld,
    readonly info: ClassInfo,
    control: number,
  ) {
    this.control = control >> 2;
    this.set = setMemory(world, core._crateful_storage_set(world.self, info.id));
    this.mark = markFunction(world, info.id);
    this.columns = info.fields.map(() => ({ base: 0 }));
    this.#strings = [...info.fields.keys()].filter((k) => info.fields[k].kind.number === FieldNumber.string);
    this.fields = info.fields.map((field, k) =>
      this.#strings.includes(k) ? { ...field, kind: stringKind(field.kind, world.strings) } : field,
    );
    this.#claim();
    this.columnTable = heap.u32[this.control + StorageControl.columns] >> 2;
    this.readControl();
  }
  /** The control block has changed. */
  readControl(): void {
    const { control } = this;
    const { u32 } = heap;
    this.watchers = u32[control + StorageControl.watchers];
    this.dense = u32[control + StorageControl.entities] >> 2;
    this.pages = u32[control + StorageControl.pages] >> 2;
    this.pageCount = u32[control + StorageControl.pageCount];
    this.mask = u32[control + StorageControl.mask] >> 2;
    this.#readColumns();
    if (this.watchers === 0 || this.watched) return;
    this.watched = true;
    this.info.solo?.watch();
    for (const cursor of this.placed) cursor.watch();
  }
  #readColumns(): void {
    const { solo, fields } = this.info;
    for (let k = 0; k < fields.length; ++k) {
      const base = heap.u32[this.columnTable + k] >> fields[k].kind.shift;
      this.columns[k].base = base;
      if (solo?.owner === this) solo.columns[k].base = base;
    }
  }
  /** Becomes the owner of the class, unless another world uses it. */
  #claim(): void {
    const { solo } = this.info;
    if (solo === undefined) return;
    if (solo.owner !== undefined) {
      this.#disown(solo);
      solo.shared = true;
    } else if (!solo.shared) {
      solo.owner = this;
    }
  }
  #disown(solo: Solo): void {
    solo.owner = undefined;
    for (const column of solo.columns) column.base = -1;
  }

  get count(): number {
    return heap.u32[this.control + StorageControl.count];
  }
  get extent(): number {
    return heap.u32[this.control + StorageControl.extent];
  }
  get entitiesAddress(): number {
    return heap.u32[this.control + StorageControl.entities];
  }
  /** What an iteration over it alone requires besides. */
  readonly signature: readonly number[] = [];
  versions(): number {
    return this.version;
  }
  /** Changes whenever a component is added or removed. */
  get version(): number {
    return heap.u32[this.control + StorageControl.version];
  }
  get maskAddress(): number {
    return heap.u32[this.control + StorageControl.mask];
  }

  /** The slot of a living entity's component, or -1; -1 also for anything that is no living entity. */
  slot(e: Entity): number {
    // As findSlot(), written out because look-ups by handle are frequent. Under `linear`, there are no pages.
    if (typeof e !== "number" || e >>> 0 !== e) return -1;
    const { u32 } = heap;
    const page = (e & Handle.indexMask) >>> Page.bits;
    if (page >= this.pageCount) return this.#linearSlot(e);
    const slot = (u32[(u32[this.pages + page] >> 2) + (e & Page.mask)] ^ (e & ~Handle.indexMask)) >>> 0;
    return slot < Page.slotLimit ? slot : -1;
  }
  #linearSlot(e: Entity): number {
    if (!this.info.linear || this.world.disposed) return -1;
    const { u32 } = heap;
    return findLinearSlot(u32, this.mask, this.dense, u32[this.control + StorageControl.extent], e);
  }
  /** Writes the slots of many entities to `to`; returns the position of the first that has none, or -1. */
  slots(entities: ArrayLike<Entity>, to: Uint32Array): number {
    const n = entities.length;
    const u32 = heap.u32;
    const { dense, pages, pageCount, mask } = this;
    if (this.info.linear) {
      const extent = u32[this.control + StorageControl.extent];
      for (let i = 0; i < n; ++i) {
        const slot = findLinearSlot(u32, mask, dense, extent, entities[i]);
        if (slot < 0) return i;
        to[i] = slot;
      }
      return -1;
    }
    for (let i = 0; i < n; ++i) {
      const slot = findSlot(u32, pages, pageCount, entities[i]);
      if (slot < 0) return i;
      to[i] = slot;
    }
    return -1;
  }
  /** Of a packed class: the slot of the entity with this index, which must have a component. */
  slotAt(u32: Uint32Array, index: number): number {
    return u32[(u32[this.pages + (index >>> Page.bits)] >> 2) + (index & Page.mask)] & Handle.indexMask;
  }
  // The word with the entry of an entity in the sparse index. Its page is allocated first if necessary; a page never moves.
  #cell(e: Entity): number {
    const index = e & Handle.indexMask;
    let page = this.#pageWord(index);
    if (page < 0 || page === this.world.emptyPage >> 2) {
      this.world.check(core._crateful_reserve(this.world.self, e, this.info.id));
      page = this.#pageWord(index);
    }
    return page + (index & Page.mask);
  }
  #pageWord(index: number): number {
    return pageWord(heap.u32, this.pages, this.pageCount, index);
  }

  // --- the objects of components ------------------------------------------------------------------

  /** Of a class of object components: whether an entity, which must be alive, has one. */
  hasObject(e: Entity): boolean {
    const { objects } = this;
    const index = e & Handle.indexMask;
    return index < objects.length && objects[index] !== undefined;
  }

  /** The component of a living entity, or undefined; the same object for as long as the entity has the component. */
  find(e: Entity): Component | undefined {
    const index = e & Handle.indexMask;
    const object = index < this.objects.length ? this.objects[index] : undefined;
    if (object !== undefined || this.info.kind === "object" || this.slot(e) < 0) return object;
    const view = makeView(this.info.cls);
    this.attach(view, e);
    this.#setHasObject(e, true);
    return view;
  }

  /** Keeps the hidden class of the objects alive, as `last` in core/iteration.ts. */
  last: Component | undefined;
  /** Makes the object the entity's component, which exists in the core or is about to be added. */
  attach(component: Component, e: Entity): void {
    const index = e & Handle.indexMask;
    if (this.info.kind === "object") {
      Owned.set(component, this, e);
    } else {
      makeViewOf(component as StoredComponent, this.info.linear ? index : this.#cell(e));
      component.$table = this;
      component.$entity = e;
    }
    this.last = component;
    if (index >= this.objects.length) this.objects = withRoom(this.objects, index);
    this.objects[index] = component;
  }

  /** Detaches the object from its entity for good (rule C5). */
  detach(component: Component, e: Entity): void {
    const index = e & Handle.indexMask;
    if (this.objects[index] === component) this.objects[index] = undefined;
    if (this.info.kind !== "object") detach(component as StoredComponent);
  }

  /** Detaches the object from its entity, but keeps its values readable (rule A2). */
  park(component: Component, e: Entity): void {
    this.objects[e & Handle.indexMask] = undefined;
    if (component instanceof StoredComponent) park(component, this.info.linear);
  }

  /** From now on, look-ups find nothing: the world is disposed. Its memory is freed when no callback runs. */
  hide(): void {
    this.pageCount = 0;
  }
  /** Detaches all objects, before the world is freed. */
  close(): void {
    for (const object of this.objects) if (object instanceof StoredComponent) detach(object);
    this.objects = [];
    this.last = undefined;
    for (const cursor of this.placed) cursor.detach();
    this.placed.length = 0;
    if (this.info.solo?.owner === this) this.#disown(this.info.solo);
    closeSet(this.set);
  }

  /**
   * Attaches `component`, which the core is about to add, in place of the entity's current object. Returns the current
   * object. This happens before the core adds the component, because callbacks that run meanwhile can read it.
   */
  replace(e: Entity, component: Component): Component | undefined {
    const index = e & Handle.indexMask;
    const old = index < this.objects.length ? this.objects[index] : undefined;
    this.attach(component, e);
    if (old !== undefined) {
      this.#setHasObject(e, false); // otherwise the core would report the removal of the old component
      this.detach(old, e);
    }
    return old;
  }
  /**
   * Undoes `replace` if the core refused to add the component. `values` are what `component` held before. Does nothing
   * if the component was added and only a callback threw.
   */
  undoReplace(e: Entity, component: Component, old: Component | undefined, values: Values | null): void {
    if (component.$table !== this || component.$entity !== e) return; // a callback has removed it again
    const slot = this.slot(e);
    const flags = heap.u32[this.control + StorageControl.flags];
    if (slot >= 0 && flags !== 0 && (heap.u8[flags + slot] & SlotFlag.hasObject) !== 0) return;
    this.detach(component, e);
    if (component instanceof StoredComponent) {
      component.$entity = NONE;
      makePlain(component, values);
    }
    if (old !== undefined) {
      this.attach(old, e);
      this.#setHasObject(e, true);
    }
  }
  #setHasObject(e: Entity, on: boolean): void {
    const { world, control } = this;
    if (heap.u32[control + StorageControl.flags] === 0)
      world.check(core._crateful_keep_flags(world.self, this.info.id));
    const slot = this.slot(e);
    if (slot < 0) return;
    const flag = heap.u32[control + StorageControl.flags] + slot;
    heap.u8[flag] = on ? heap.u8[flag] | SlotFlag.hasObject : heap.u8[flag] & ~SlotFlag.hasObject;
  }

  // --- values -------------------------------------------------------------------------------------

  /** Writes the plain values of `component`, which is about to be added, to `address`, packed. Throws `BAD_ARGUMENT`. */
  writePacked(call: string, component: StoredComponent, address: number): void {
    const { info, fields } = this;
    if (!info.checked) requireFields(call, component, info);
    const values = component.$values!;
    beginTurn();
    for (let k = 0; k < fields.length; ++k) writePacked(fields[k], address + Packed.fieldBytes * k, values[k]);
  }

  /**
   * Writes values by field name to `address`, packed; omitted fields get those of `defaults` from position `first` on, and omitted
   * strings those of `texts`. Throws `BAD_ARGUMENT`.
   */
  writeValues(
    call: string,
    values: Readonly<Record<string, unknown>> | undefined,
    address: number,
    texts: readonly Plain[] = this.info.initial,
    defaults = this.info.packed,
    first = 0,
  ): void {
    const { fields } = this;
    const turn = beginTurn();
    const { f64 } = heap;
    for (let k = 0; k < fields.length; ++k) f64[(address >> 3) + k] = defaults[first + k];
    const strings = this.#strings;
    for (let i = 0; i < strings.length; ++i) {
      const k = strings[i];
      writePacked(fields[k], address + Packed.fieldBytes * k, texts[k]);
    }
    if (values !== undefined) this.#overwrite(call, values, address, turn);
  }
  #overwrite(call: string, values: Readonly<Record<string, unknown>>, address: number, turn: number): void {
    const { fields } = this;
    const { names, name } = this.info;
    if (typeof values !== "object" || values === null)
      throw badArgument(`${call}: the values of ${name} must be an object with its fields, not ${show(values)}`);
    for (const key in values) {
      const k = names.get(key);
      if (k === undefined) {
        if (values instanceof StoredComponent) continue; // its internal properties
        throw badArgument(`${call}: ${name} has no field ${key}`);
      }
      const value = values[key];
      requireTurn(call, turn);
      if (value === undefined) continue;
      if (fields[k].length === 1) writePacked(fields[k], address + Packed.fieldBytes * k, value);
      else this.#overwriteVector(call, k, value, address, turn);
    }
    requireTurn(call, turn);
  }

  #overwriteVector(call: string, k: number, value: unknown, address: number, turn: number): void {
    const { fields } = this;
    requireEach(fields, k, value, (i, element) => {
      requireTurn(call, turn);
      writePacked(fields[i], address + Packed.fieldBytes * i, element);
    });
  }

  // --- cursors ------------------------------------------------------------------------------------

  /** The cursor will probably not be used again. */
  release(cursor: TableCursor): void {
    cursor.detach();
    if (cursor.placed) this.placed.splice(this.placed.indexOf(cursor), 1);
    cursor.placed = false;
  }
  /** Notifies the cursor of the next removal. */
  place(cursor: TableCursor): void {
    if (cursor.signals !== this.watched) cursor.watch();
    cursor.placed = true;
    this.placed.push(cursor);
    heap.u32[this.control + StorageControl.cursors] = 1;
  }
  /** A component is about to be removed. */
  slotsChange(): void {
    heap.u32[this.control + StorageControl.cursors] = 0;
    for (const cursor of this.placed) {
      cursor.placed = false;
      cursor.detach();
    }
    this.placed.length = 0;
  }

  /** Signals for the component in a slot, without calling the core (rules D1, D2). */
  changed(slot: number): void {
    if (this.watchers !== 0) this.mark(slot);
  }
}
