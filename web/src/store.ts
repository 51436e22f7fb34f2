import type { ClassInfo, Component } from "./component.js";
import { INDEX_MASK, NONE, type Entity } from "./entity.js";
import * as heap from "./heap.js";
import type { SetMemory } from "./live_sets.js";
import { StoredComponent, detach, freeze, makeView } from "./stored.js";
import type { World } from "./world.js";

// Words of Storage::Control, in core/include/crateful/storage.hpp.
const COUNT = 0, WATCHERS = 1, EXTENT = 2, ENTITIES = 3, PAGES = 4, PAGE_COUNT = 5, FLAGS = 6, MASK = 7, COLUMNS = 8;
// Words of MarkQueue::Control.
const MARKS = 0, SIZE = 1, CAPACITY = 2;
const PAGE_BITS = 10;
const ABSENT = 0xffffffff;
const QUEUED = 1;
/** The flag of a slot that an object of ours stands for: the core then tells when it goes. @internal */
export const OBJECT = 2;

/** The components of one class in one world: where they are, and the objects that show them. @internal */
export class ClassStore {
  /** The object of each entity that has one, by entity index. */
  readonly objects: (Component | undefined)[] = [];
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
    this.set = { world, address: world.raw.storageSet(info.id) };
    this.columnTable = heap.u32[this.#control + COLUMNS] >> 2;
  }

  get count(): number {
    return heap.u32[this.#control + COUNT];
  }
  get extent(): number {
    return heap.u32[this.#control + EXTENT];
  }
  get entitiesAddress(): number {
    return heap.u32[this.#control + ENTITIES];
  }
  get maskAddress(): number {
    return heap.u32[this.#control + MASK];
  }

  // The word that holds the slot of an entity, or 0 while its page does not exist.
  #cell(e: Entity): number {
    const index = e & INDEX_MASK;
    const page = index >>> PAGE_BITS;
    if (page >= heap.u32[this.#control + PAGE_COUNT]) return 0;
    return (heap.u32[(heap.u32[this.#control + PAGES] >> 2) + page] >> 2) + (index & ((1 << PAGE_BITS) - 1));
  }

  /** The slot of a living entity's component, or -1. */
  slot(e: Entity): number {
    if (this.info.linear) {
      const index = e & INDEX_MASK;
      if (index >= this.extent) return -1;
      const word = heap.u32[(this.maskAddress >> 2) + (index >> 5)];
      return (word >>> (index & 31)) & 1 && heap.u32[(this.entitiesAddress >> 2) + index] === e ? index : -1;
    }
    const cell = this.#cell(e);
    const slot = cell === 0 ? ABSENT : heap.u32[cell];
    return slot !== ABSENT && heap.u32[(this.entitiesAddress >> 2) + slot] === e ? slot : -1;
  }

  /** The component of an entity, or undefined; always the same object while the entity has it. */
  find(e: Entity): Component | undefined {
    const object = this.objects[e & INDEX_MASK];
    if (object !== undefined && object.$entity === e) return object;
    if (this.info.kind === "object") return undefined;
    const slot = this.slot(e);
    if (slot < 0) return undefined;
    const view = makeView(this.info.cls);
    this.attach(view, e);
    this.#setObject(e, true);
    return view;
  }

  /** Makes the object show the entity's component, which is there or will be in a moment. */
  attach(component: Component, e: Entity): void {
    component.$store = this;
    component.$entity = e;
    if (component instanceof StoredComponent) {
      if (this.info.linear) {
        component.$cell = ~(e & INDEX_MASK);
      } else {
        this.world.check(this.world.raw.reserve(e, this.info.id));
        component.$cell = this.#cell(e);
      }
      component.$row = null;
    }
    this.objects[e & INDEX_MASK] = component;
  }

  /** The world goes. */
  end(): void {
    for (const object of this.objects) if (object !== undefined) this.drop(object);
    this.set.address = 0;
  }

  /** Undoes `attach` for good: the object shows nothing any more. */
  drop(component: Component): void {
    if (this.objects[component.$entity & INDEX_MASK] === component) this.objects[component.$entity & INDEX_MASK] = undefined;
    if (component instanceof StoredComponent) detach(component);
    else component.$store = undefined;
  }

  /** The same, but what it showed can still be read. */
  release(component: Component): void {
    this.objects[component.$entity & INDEX_MASK] = undefined;
    if (component instanceof StoredComponent) freeze(component, this.info.fields);
    else component.$store = undefined;
  }

  /**
   * Makes `component` show what the core is about to give the entity, in place of the object that did
   * so far. Returns what takes that back, if the core refuses.
   */
  replace(e: Entity, component: Component): () => void {
    const old = this.objects[e & INDEX_MASK];
    const row = component instanceof StoredComponent ? component.$row : null;
    this.attach(component, e);
    if (old !== undefined) {
      this.#setObject(e, false); // or the core would tell of its leaving
      this.drop(old);
    }
    return () => {
      // It did not refuse, but a callback threw; the component may have gone again meanwhile.
      if (component.$store !== this || component.$entity !== e) return;
      const slot = this.slot(e);
      if (slot >= 0 && (heap.u8[heap.u32[this.#control + FLAGS] + slot] & OBJECT) !== 0) return;
      this.drop(component);
      component.$entity = NONE;
      if (component instanceof StoredComponent) component.$row = row;
      if (old !== undefined) {
        this.attach(old, e);
        this.#setObject(e, true);
      }
    };
  }
  #setObject(e: Entity, on: boolean): void {
    const flag = heap.u32[this.#control + FLAGS] + this.slot(e);
    heap.u8[flag] = on ? heap.u8[flag] | OBJECT : heap.u8[flag] & ~OBJECT;
  }

  /** Writes a plain value to `address`, as the core takes it: 8 bytes a field. */
  writeRow(component: StoredComponent, address: number): void {
    this.info.fields.forEach(({ kind }, k) => {
      kind.memory()[(address + 8 * k) >> kind.shift] = Number(component.$row![k]);
    });
  }

  /** Marks a component dirty, without entering the core (rules D1, D2). */
  mark(e: Entity, slot: number): void {
    if (heap.u32[this.#control + WATCHERS] === 0) return;
    const flag = heap.u32[this.#control + FLAGS] + slot;
    if ((heap.u8[flag] & QUEUED) !== 0) return;
    if (heap.u32[this.#marks + SIZE] === heap.u32[this.#marks + CAPACITY]) this.world.drain();
    heap.u8[flag] |= QUEUED;
    const at = (heap.u32[this.#marks + MARKS] >> 2) + 2 * heap.u32[this.#marks + SIZE]++;
    heap.u32[at] = this.info.id;
    heap.u32[at + 1] = e;
  }
}
