// Cursors: objects that access the component of one entity after another, without an object for each (rule Q2).
import type { Place } from "../core/place.js";
import { describe, type Entity } from "../module/entity.js";
import { EcsError } from "../module/errors.js";
import { noInline } from "../module/v8.js";
import type { Column, Component } from "./component.js";
import type { ComponentTable, TableCursor } from "./component_table.js";
import { checked, type FieldInfo } from "./fields.js";
import { isFloat, isNumber, signalling, unwatched, type FieldKind, type Plain, type Store } from "./field_kinds.js";
import { numberAccessors } from "./number_accessors.js";
import { VectorObject, defineElements, vectorAccessor } from "./vector.js";

/** A value of `delta` that makes every slot negative: the slot is looked up when the cursor is used next. */
const UNKNOWN = -0x20000000;

/** The component of one class at which a row is, and the object through which games access it. @internal */
export class Cursor implements TableCursor {
  /** Its slot minus the index of its place. If the sum is negative, the slot of the place's entity is looked up. */
  delta = UNKNOWN;
  placed = false;
  signals = false;
  /** An instance of the component class, with accessors for the component in the slot. */
  readonly view: Component;
  /** Whether its component is an object, which is found by the entity: any `delta` that is not negative says that it exists. */
  readonly object: boolean;
  /** Whether its component has a slot, which is that of its entity in the list of the table. */
  readonly dense: boolean;
  readonly #prototype: object;
  /** The vectors, by the position of their first element. */
  readonly #vectors: (VectorObject | undefined)[] = [];

  constructor(
    readonly table: ComponentTable,
    readonly at: Place,
  ) {
    this.object = table.info.kind === "object";
    this.dense = !this.object && !table.info.linear;
    this.#prototype = this.#makePrototype();
    this.#defineFields();
    this.view = Object.create(this.#prototype) as Component;
  }

  /** Whether the entity has the component. */
  get present(): boolean {
    return this.at.index + this.delta >= 0 || this.table.slot(this.at.entity) >= 0;
  }
  /** From now on it accesses the component in this slot, which is that of its place's entity. */
  moveTo(slot: number): void {
    this.delta = slot - this.at.index;
    if (!this.placed) this.table.place(this);
  }
  /** The same for the component of an entity; false if it has none. The index of the place must be 0. */
  moveToEntity(e: Entity): boolean {
    const { at, table } = this;
    const slot = table.slot(e);
    this.delta = slot;
    at.entity = e;
    if (!this.placed) table.place(this);
    return slot >= 0;
  }
  detach(): void {
    if (this.delta === UNKNOWN) return; // the place does not depend on it
    this.at.stop();
    this.delta = UNKNOWN;
  }

  watch(): void {
    this.#defineFields();
  }

  #makePrototype(): object {
    const { table, at } = this;
    const hidden = (value: unknown) => ({ value, writable: true });
    return Object.create(table.info.cls.prototype as object, {
      $table: hidden(table), // so that it can't be added to an entity
      $entity: { get: () => at.entity },
      dirty: hidden(() => {
        const slot = at.index + this.delta;
        table.changed(slot < 0 ? findAgain(this) : slot);
      }),
    }) as object;
  }
  #defineFields(): void {
    const { table, at } = this;
    const again = noInline(() => findAgain(this));
    this.signals = table.watched;
    const { fields } = table;
    const accessors = fields.map((field, k) => {
      const { stride } = field;
      const { name, read, takes } = field.kind;
      const column = table.columns[k];
      const store = table.watched ? signalling(field.kind, table.mark) : unwatched(field.kind, isFloat(field.kind));
      /** Assigns any value, or throws if the field can't store it. */
      const assign = noInline((value: unknown) => {
        const plain = checked(field, value);
        const slot = findAgain(this);
        store(column.base + slot * stride, plain, slot);
      });
      const make = takes === isNumber ? numberAccessors[name] : undefined;
      return {
        enumerable: true,
        configurable: true,
        ...(make?.(at, this, column, stride, again, assign, table.watched ? table.mark : undefined) ?? {
          get: getter(at, this, column, stride, read, again),
          set: setter(at, this, column, stride, store, assign, takes),
        }),
      } as PropertyDescriptor;
    });
    for (const [name, k] of table.info.names) {
      const { length } = fields[k];
      Object.defineProperty(
        this.#prototype,
        name,
        length === 1 ? accessors[k] : this.#vector(k, fields.slice(k, k + length), accessors.slice(k, k + length)),
      );
    }
  }
  #vector(k: number, fields: readonly FieldInfo[], accessors: readonly PropertyDescriptor[]): PropertyDescriptor {
    const vector = (this.#vectors[k] ??= Object.create(
      Object.create(VectorObject.prototype) as object,
    ) as VectorObject);
    defineElements(fields, accessors, Object.getPrototypeOf(vector) as object);
    return vectorAccessor(() => vector);
  }
}

// The accessors of one field. Short, so that V8 inlines them into loops, where everything except the slot and the base is
// constant. The variables are parameters, because V8 checks at each use whether a constant is initialised.
const getter =
  (at: Place, cursor: Cursor, column: Column, stride: number, read: FieldKind["read"], again: () => number) =>
  (): Plain => {
    const slot = at.index + cursor.delta;
    return read(column.base + (slot < 0 ? again() : slot) * stride);
  };
const setter =
  (
    at: Place,
    cursor: Cursor,
    column: Column,
    stride: number,
    store: Store,
    assign: (value: unknown) => void,
    takes: FieldKind["takes"],
  ) =>
  (value: Plain): void => {
    const slot = at.index + cursor.delta;
    // Calling `takes` for a number makes a loop in Firefox three times as long.
    if (slot >= 0 && (takes === isNumber ? typeof value === "number" : takes(value)))
      store(column.base + slot * stride, value, slot);
    else assign(value);
  };

/** The slot of the entity's component, which is looked up. Throws if the entity has none. */
function findAgain(cursor: Cursor): number {
  const { table, at } = cursor;
  const slot = table.slot(at.entity);
  if (slot < 0)
    throw new EcsError("MISSING_COMPONENT", `${table.info.name}: ${describe(at.entity)} no longer has this component`);
  cursor.moveTo(slot);
  return slot;
}
