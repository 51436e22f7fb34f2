// Cursors: objects that access the component of one entity after another, without an object for each (rule Q2).
import type { CoreWorld } from "../core/core_world.js";
import { appendMark } from "../core/marks.js";
import { describe, NONE, type Entity } from "../module/entity.js";
import { EcsError } from "../module/errors.js";
import * as heap from "../module/heap.js";
import { StorageControl } from "../module/layout.js";
import { noInline } from "../module/v8.js";
import type { Component } from "./component.js";
import type { ComponentTable, TableCursor } from "./component_table.js";
import { checked, type FieldInfo, type FieldKind, type Plain } from "./fields.js";

/**
 * The entity at which the cursors of one row are. While storages contain the same entities in the same order, it is in a
 * *stretch*: the iteration only increments `index`, up to the `stretchEnd` of its IterationPosition.
 * @internal
 */
export class Place {
  entity: Entity = NONE;
  /** A position to which the slots of the cursors are relative. */
  index = -1;
  /** In a stretch: the word at which the IterationPosition begins. Otherwise that of zeros. */
  position: number;
  /** In a stretch: the word with the address of the entities. */
  entities = 0;
  readonly #zeros: number;
  constructor(world: CoreWorld) {
    this.position = this.#zeros = world.emptySet >> 2;
  }
  leaveStretch(): void {
    this.position = this.#zeros;
  }
}

/** A relative slot that makes every slot negative. */
const NOWHERE = -0x40000000;

/** The component of one class at which a row is, and the object through which games access it. @internal */
export class Cursor implements TableCursor {
  /** Its slot minus the index of its place. */
  delta = NOWHERE;
  /** An instance of the component class, with accessors for the component in `slot`. */
  readonly view: Component;
  /** Whether the slots of the table are those of its list of entities. */
  readonly dense: boolean;
  /** The word at which the control block of the table begins. */
  readonly control: number;
  readonly #columns: (() => void)[] = [];

  constructor(
    readonly table: ComponentTable,
    readonly at: Place,
  ) {
    this.dense = !table.info.linear;
    this.control = table.control;
    this.view = this.#makeView();
    this.findColumns();
    table.cursors.push(this);
  }

  /** The slot of the entity's component; negative if it has none. */
  get slot(): number {
    return this.at.index + this.delta;
  }
  set slot(slot: number) {
    this.delta = slot < 0 ? NOWHERE : slot - this.at.index;
  }
  detach(): void {
    this.delta = NOWHERE;
  }
  follow(): void {
    this.at.leaveStretch();
    if (this.slot >= 0) this.slot = this.table.slot(this.at.entity);
  }

  findColumns(): void {
    for (const find of this.#columns) find();
  }

  #makeView(): Component {
    const { table, at } = this;
    const { cls, fields } = table.info;
    const hidden = (value: unknown) => ({ value, writable: true });
    const prototype = Object.create(cls.prototype as object, {
      $table: hidden(table), // so that it can't be added to an entity
      $entity: { get: () => at.entity },
      dirty: hidden(() => (this.slot < 0 ? lost(this) : table.changed(at.entity, this.slot))),
    }) as object;
    fields.forEach((field, k) => {
      const { kind, stride } = field;
      const { read, write, takes } = kind;
      const { setBase, ...property } = accessor(
        at,
        this,
        stride,
        read,
        write,
        takes,
        field,
        table.world,
        this.control,
        table.info.id,
        0,
      );
      this.#columns.push(() => setBase(heap.u32[table.columnTable + k] >> kind.shift));
      Object.defineProperty(prototype, field.name, property);
    });
    return Object.create(prototype) as Component;
  }
}

/**
 * The accessors of one field, and what to call with the index in memory of the value in slot 0. Short, so that V8 inlines
 * them into loops, where everything except the slot and `base` is constant. The variables are parameters, because V8
 * checks at each use whether a constant is initialised.
 */
function accessor(
  at: Place,
  cursor: Cursor,
  stride: number,
  read: FieldKind["read"],
  write: FieldKind["write"],
  takes: FieldKind["takes"],
  field: FieldInfo,
  world: CoreWorld,
  control: number,
  id: number,
  base: number,
): PropertyDescriptor & { setBase: (index: number) => void } {
  return {
    enumerable: true,
    get() {
      const slot = at.index + cursor.delta;
      return slot < 0 ? lost(cursor) : read(base + slot * stride);
    },
    set(value: Plain) {
      const slot = at.index + cursor.delta;
      if (slot < 0 || !takes(value)) refuse(cursor, field, value);
      else if (write(base + slot * stride, value) && heap.u32[control + StorageControl.watchers] !== 0)
        appendMark(world, control + StorageControl.flags, id, at.entity, slot);
    },
    setBase(index) {
      base = index;
    },
  };
}

const lost = noInline(({ table, at }: Cursor): never => {
  throw new EcsError("MISSING_COMPONENT", `${table.info.name}: ${describe(at.entity)} no longer has this component`);
});
const refuse = noInline((cursor: Cursor, field: FieldInfo, value: unknown): void => {
  checked(field, value); // throws
  lost(cursor);
});
