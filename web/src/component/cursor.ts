// Cursors: objects that access the component of one entity after another, without an object for each (rule Q2).
import { Indexed, NOWHERE, type Place } from "../core/place.js";
import { NONE, describe, type Entity } from "../module/entity.js";
import { EcsError } from "../module/errors.js";
import { accessorOf, noInline } from "../module/v8.js";
import type { Column, Component } from "./component.js";
import type { ComponentTable, TableCursor } from "./component_table.js";
import { checked, type FieldInfo } from "./fields.js";
import { isFloat, isNumber, signalling, unwatched, type FieldKind, type Plain, type Store } from "./field_kinds.js";
import { numberAccessors } from "./number_accessors.js";
import { writeField } from "./stored_accessors.js";
import { VectorObject, defineElements, vectorAccessor } from "./vector.js";

/** The component of one class at which a row is, and the object through which games access it. @internal */
export class Cursor implements TableCursor {
  /** Contains its slot: its place for a required class at the index of the entity; otherwise an object of its own. */
  readonly #slot: Indexed;
  placed = false;
  signals = false;
  /** An instance of the component class, with accessors for the component in the slot. */
  readonly view: Component;
  /** Whether its component is an object, which is found by the entity. */
  readonly object: boolean;
  /** Whether the slot of its component is not the index of its entity, so that it is looked up. */
  readonly packed: boolean;
  readonly #prototype: object;
  /** The vectors, by the position of their first element. */
  readonly #vectors: (VectorObject | undefined)[] = [];

  /** `optional`: the entities of the place need not have the component, so its accessors work only after `find`. */
  constructor(
    readonly table: ComponentTable,
    readonly at: Place,
    optional = false,
  ) {
    this.object = table.info.kind === "object";
    this.packed = !this.object && !table.info.linear;
    this.#slot = this.packed || optional ? new Indexed() : at;
    this.#prototype = this.#makePrototype();
    this.#defineFields();
    this.view = Object.create(this.#prototype) as Component;
  }

  /** Its table notifies it of the next removal. */
  prepare(): void {
    if (!this.placed) this.table.place(this);
  }
  /** Finds the component of the entity of its place; false if it has none. */
  find(e = this.at.entity): boolean {
    const slot = this.table.slot(e);
    this.#slot.index = slot;
    if (slot < 0) return false; // also if the world is disposed, when no memory is its own any more
    this.prepare();
    return true;
  }
  /** The same for a packed class and an entity that has the component, by its index. */
  findAt(u32: Uint32Array, index: number): void {
    this.#slot.index = this.table.slotAt(u32, index);
  }
  /** Moves its place to an entity; false if the entity has no such component. */
  moveToEntity(e: Entity): boolean {
    const found = this.find(e);
    this.at.moveTo(found ? e : NONE);
    if (!found) this.at.leave();
    return found;
  }
  detach(): void {
    this.#slot.index = NOWHERE;
    this.at.lose();
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
        const { index } = this.#slot;
        table.changed(index < 0 ? findAgain(this) : index);
      }),
    }) as object;
  }
  #defineFields(): void {
    const { table } = this;
    const at = this.#slot;
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
        writeField(table, k, findAgain(this), plain);
      });
      const make = takes === isNumber ? numberAccessors[name] : undefined;
      return {
        enumerable: true,
        configurable: true,
        ...(make?.(at, column, stride, again, assign, table.watched ? table.mark : undefined) ??
          accessorOf(getter(at, column, stride, read, again), setter(at, column, stride, store, assign, takes))),
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
const getter = (at: Indexed, column: Column, stride: number, read: FieldKind["read"], again: () => number) => ({
  get value(): Plain {
    const slot = at.index;
    return read(column.base + (slot < 0 ? again() : slot) * stride);
  },
});
const setter = (
  at: Indexed,
  column: Column,
  stride: number,
  store: Store,
  assign: (value: unknown) => void,
  takes: FieldKind["takes"],
) => ({
  set value(value: Plain) {
    const slot = at.index;
    // Calling `takes` for a number makes a loop in Firefox three times as long.
    if (slot >= 0 && (takes === isNumber ? typeof value === "number" : takes(value)))
      store(column.base + slot * stride, value, slot);
    else assign(value);
  },
});

/** The slot of the entity's component, which is looked up. Throws if the entity has none. */
function findAgain({ table, at }: Cursor): number {
  const slot = table.slot(at.entity);
  if (slot >= 0) return slot;
  throw new EcsError("MISSING_COMPONENT", `${table.info.name}: ${describe(at.entity)} no longer has this component`);
}
