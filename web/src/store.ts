import type { ClassInfo, Component } from "./component.js";
import { INDEX_MASK, NONE, type Entity } from "./entity.js";
import { badArgument } from "./errors.js";
import { checked } from "./fields.js";
import * as heap from "./heap.js";
import { endSet, setMemory, type SetMemory } from "./live_sets.js";
import { StoredComponent, detach, freeze, makeView, show, unshow } from "./stored.js";
import { withRoom } from "./tables.js";
import type { World } from "./world.js";

// Words of Storage::Control, in core/include/crateful/storage.hpp.
const enum Control {
  count,
  watchers,
  extent,
  entities,
  pages,
  pageCount,
  flags,
  mask,
  columns,
  version,
}
// Words of MarkQueue::Control.
const enum Queue {
  first,
  next,
  end,
}
const enum Mark {
  bytes = 12,
}
const enum Page {
  bits = 10,
  mask = (1 << bits) - 1,
}
const QUEUED = 1;
/** The flag of a slot that an object of ours stands for: the core then tells when it goes. @internal */
export const OBJECT = 2;

/** The components of one class in one world: where they are, and the objects that show them. @internal */
export class ClassStore {
  /**
   * The object of each entity that has one, by entity index. The core tells when a component goes, so
   * an object in here belongs to the living entity of that index.
   */
  objects: (Component | undefined)[] = [];
  /** The word from which the columns' addresses stand. */
  readonly columnTable: number;
  /** The entities that have the component; nothing under `linear`. */
  readonly set: SetMemory;
  readonly #control: number;
  readonly #marks: number;

  constructor(
    readonly world: World,
    readonly info: ClassInfo,
    control: number,
  ) {
    this.#control = control >> 2;
    this.#marks = world.raw.marksControl() >> 2;
    this.set = setMemory(world, world.raw.storageSet(info.id));
    this.columnTable = heap.u32[this.#control + Control.columns] >> 2;
  }

  get count(): number {
    return heap.u32[this.#control + Control.count];
  }
  get extent(): number {
    return heap.u32[this.#control + Control.extent];
  }
  get entitiesAddress(): number {
    return heap.u32[this.#control + Control.entities];
  }
  /** Goes up whenever a component comes or goes. */
  get version(): number {
    return heap.u32[this.#control + Control.version];
  }
  get maskAddress(): number {
    return heap.u32[this.#control + Control.mask];
  }

  /** The slot of a living entity's component, or -1; of any other number -1 too. */
  slot(e: Entity): number {
    if (typeof e !== "number") return -1;
    const index = e & INDEX_MASK;
    const control = this.#control;
    const u32 = heap.u32;
    if (this.info.linear) {
      if (index >= u32[control + Control.extent]) return -1;
      const word = u32[(u32[control + Control.mask] >> 2) + (index >> 5)];
      return (word >>> (index & 31)) & 1 && u32[(u32[control + Control.entities] >> 2) + index] === e ? index : -1;
    }
    const page = index >>> Page.bits;
    if (page >= u32[control + Control.pageCount]) return -1;
    const slot = u32[(u32[(u32[control + Control.pages] >> 2) + page] >> 2) + (index & Page.mask)];
    return slot < u32[control + Control.count] && u32[(u32[control + Control.entities] >> 2) + slot] === e ? slot : -1; // ABSENT is beyond every count
  }
  /** Writes the slots of many to `to`; returns the place of the first that has none, or -1. */
  slots(entities: ArrayLike<Entity>, to: Uint32Array): number {
    const n = entities.length;
    if (this.info.linear) {
      for (let i = 0; i < n; ++i) {
        const slot = this.slot(entities[i]);
        if (slot < 0) return i;
        to[i] = slot;
      }
      return -1;
    }
    const u32 = heap.u32;
    const pages = u32[this.#control + Control.pages] >> 2;
    const pageCount = u32[this.#control + Control.pageCount];
    const dense = u32[this.#control + Control.entities] >> 2;
    const count = u32[this.#control + Control.count];
    for (let i = 0; i < n; ++i) {
      const e = entities[i];
      const page = typeof e === "number" ? (e & INDEX_MASK) >>> Page.bits : pageCount;
      if (page >= pageCount) return i;
      const slot = u32[(u32[pages + page] >> 2) + (e & Page.mask)];
      if (slot >= count || u32[dense + slot] !== e) return i; // ABSENT is beyond every count
      to[i] = slot;
    }
    return -1;
  }
  // The word that holds the slot of an entity. Its page is made if need be, and never moves.
  #cell(e: Entity): number {
    const index = e & INDEX_MASK;
    const page = index >>> Page.bits;
    const { world, info } = this;
    const known =
      page < heap.u32[this.#control + Control.pageCount]
        ? heap.u32[(heap.u32[this.#control + Control.pages] >> 2) + page]
        : world.emptyPage;
    if (known === world.emptyPage) world.check(world.raw.reserve(e, info.id));
    return (heap.u32[(heap.u32[this.#control + Control.pages] >> 2) + page] >> 2) + (index & Page.mask);
  }

  /** The component of a living entity, or undefined; always the same object while the entity has it. */
  find(e: Entity): Component | undefined {
    const index = e & INDEX_MASK;
    const object = index < this.objects.length ? this.objects[index] : undefined;
    if (object !== undefined || this.info.kind === "object" || this.slot(e) < 0) return object;
    const view = makeView(this.info.cls);
    this.attach(view, e);
    this.#setObject(e, true);
    return view;
  }

  /** Makes the object show the entity's component, which is there or will be in a moment. */
  attach(component: Component, e: Entity): void {
    const index = e & INDEX_MASK;
    if (component instanceof StoredComponent)
      show(component, this.info.linear ? index : this.#cell(e), this.columnTable);
    component.$store = this;
    component.$entity = e;
    if (index >= this.objects.length) this.objects = withRoom(this.objects, index);
    this.objects[index] = component;
  }

  /** The world goes. */
  end(): void {
    for (const object of this.objects) if (object !== undefined) this.drop(object);
    this.objects = [];
    endSet(this.set);
  }

  /** Undoes `attach` for good: the object shows nothing any more. */
  drop(component: Component): void {
    if (this.objects[component.$entity & INDEX_MASK] === component)
      this.objects[component.$entity & INDEX_MASK] = undefined;
    if (component instanceof StoredComponent) detach(component);
    else component.$store = undefined;
  }

  /** The same, but what it showed can still be read. */
  release(component: Component): void {
    this.objects[component.$entity & INDEX_MASK] = undefined;
    if (component instanceof StoredComponent) freeze(component, this.info);
    else component.$store = undefined;
  }

  /**
   * Makes `component` show what the core is about to give the entity, in place of the object that did
   * so far, which is returned.
   */
  replace(e: Entity, component: Component): Component | undefined {
    const index = e & INDEX_MASK;
    const old = index < this.objects.length ? this.objects[index] : undefined;
    this.attach(component, e);
    if (old !== undefined) {
      this.#setObject(e, false); // or the core would tell of its leaving
      this.drop(old);
    }
    return old;
  }
  /** The core has failed: takes `replace` back, if it did refuse. `row` is what `component` held. */
  undoReplace(e: Entity, component: Component, old: Component | undefined, row: StoredComponent["$row"]): void {
    // It did not refuse, but a callback threw; the component may have gone again meanwhile.
    if (component.$store !== this || component.$entity !== e) return;
    const slot = this.slot(e);
    if (slot >= 0 && (heap.u8[heap.u32[this.#control + Control.flags] + slot] & OBJECT) !== 0) return;
    this.drop(component);
    component.$entity = NONE;
    if (component instanceof StoredComponent) unshow(component, row);
    if (old !== undefined) {
      this.attach(old, e);
      this.#setObject(e, true);
    }
  }
  #setObject(e: Entity, on: boolean): void {
    const flag = heap.u32[this.#control + Control.flags] + this.slot(e);
    heap.u8[flag] = on ? heap.u8[flag] | OBJECT : heap.u8[flag] & ~OBJECT;
  }

  /** Writes a plain value to `address`, as the core takes it: 8 bytes a field. */
  writeRow(component: StoredComponent, address: number): void {
    const { fields } = this.info;
    const row = component.$row!;
    for (let k = 0; k < fields.length; ++k) fields[k].kind.write((address + 8 * k) >> fields[k].kind.shift, row[k]);
  }

  /** The same from values by field name. */
  writeValues(values: Readonly<Record<string, unknown>> | undefined, address: number): void {
    const { fields, kind, name } = this.info;
    if (kind === "object") throw badArgument(`addComponent: a ${name} is an object; give it one`);
    if (values !== undefined && (typeof values !== "object" || values === null))
      throw badArgument(`addComponent: values of ${name} are given by field`);
    for (const key in values) {
      if (!fields.some((field) => field.name === key)) throw badArgument(`${name} has no field ${key}`);
    }
    for (let k = 0; k < fields.length; ++k) {
      const field = fields[k];
      const value = values?.[field.name];
      field.kind.write(
        (address + 8 * k) >> field.kind.shift,
        value === undefined ? field.kind.initial : checked(field, value),
      );
    }
  }

  /** Marks the component in a slot dirty, without entering the core (rules D1, D2). */
  changed(e: Entity, slot: number): void {
    if (heap.u32[this.#control + Control.watchers] !== 0) this.#mark(e, slot);
  }
  #mark(e: Entity, slot: number): void {
    const { u8, u32 } = heap;
    const flag = u32[this.#control + Control.flags] + slot;
    const flags = u8[flag];
    if ((flags & QUEUED) !== 0) return;
    const queue = this.#marks;
    const at = u32[queue + Queue.next];
    if (at === u32[queue + Queue.end]) {
      this.world.drain();
      this.#mark(e, slot); // memory may have grown
      return;
    }
    u8[flag] = flags | QUEUED;
    u32[at >> 2] = this.info.id;
    u32[(at + 4) >> 2] = e;
    u32[(at + 8) >> 2] = slot;
    u32[queue + Queue.next] = at + Mark.bytes;
  }
}
