// The fields of stored and native components: accessors on WebAssembly memory.
import { type Heap, heap } from "../module/heap.js";
import { FieldNumber, Handle } from "../module/layout.js";
import { accessorOf } from "../module/v8.js";
import type { Column, ComponentOwner, Definition, Solo } from "./component.js";
import { isFloat, signalling, unwatched, type Access, type FieldKind, type Plain, type Store } from "./field_kinds.js";
import { checked, plain, type FieldInfo } from "./fields.js";
import { plainValues, slotOf, type StoredComponent } from "./stored_component.js";
import { VectorObject, defineElements, vectorAccessor } from "./vector.js";

/** A vector of a component object. */
interface ComponentVector extends VectorObject {
  readonly $of: StoredComponent;
}

/** The accessor of a vector, and what defines its elements. @internal */
export function componentVectors(fields: readonly FieldInfo[]) {
  const prototype = Object.create(VectorObject.prototype) as object;
  const name = `$${fields[0].name}`;
  const make = (component: object) => {
    const vector = Object.create(prototype, { $of: { value: component } }) as VectorObject;
    if (Object.hasOwn(component, "$cell")) Reflect.defineProperty(component, name, { value: vector }); // else it is a prototype
    return vector;
  };
  return {
    ...vectorAccessor((component) => (component as never)[name] ?? make(component)),
    define(accessors: readonly PropertyDescriptor[]) {
      const ofComponent = ({ get, set }: PropertyDescriptor): PropertyDescriptor => ({
        configurable: true,
        ...accessorOf(vectorElement(get!, set!)),
      });
      defineElements(fields, accessors.map(ofComponent), prototype);
    },
  };
}

const vectorElement = (
  get: () => unknown,
  set: (value: unknown) => void,
): { value: unknown } & ThisType<ComponentVector> => ({
  get value() {
    return get.call(this.$of);
  },
  set value(value: unknown) {
    set.call(this.$of, value);
  },
});

/** The functions of a string field in the world that owns the class. */
function ownersKind(solo: Solo, k: number): Access {
  const kind = () => solo.owner!.fields[k].kind;
  return {
    read: (at) => kind().read(at),
    round: (value) => kind().round(value),
    put: (at, value) => kind().put(at, value),
  };
}

/** Writes field number `k` of a component in a slot, and signals if it changes. For rare use. @internal */
export const writeField = (table: ComponentOwner, k: number, slot: number, value: Plain): void => {
  const { kind, stride } = table.fields[k];
  signalling(kind, (changed) => table.changed(changed))(table.columns[k].base + slot * stride, value, slot);
};

/** The accessor of field number `k`; `watched` says whether its setter signals. @internal */
export function accessor(definition: Definition, k: number, watched: boolean): PropertyDescriptor {
  const { name, linear, fields } = definition;
  const solo = definition.solo!;
  const field = fields[k];
  const { kind, stride } = field;
  const { takes } = kind;
  const own = kind.number === FieldNumber.string ? ownersKind(solo, k) : kind;
  const { read } = own;
  const getSlowly = (component: StoredComponent): Plain => {
    if (component.$cell < 0) return plainValues(component, name)[k];
    return component.$table!.fields[k].kind.read(
      component.$table!.columns[k].base + slotOf(component, linear) * stride,
    );
  };
  const setSlowly = (component: StoredComponent, value: unknown): void => {
    if (component.$cell < 0) plainValues(component, name)[k] = plain(field, value);
    else writeField(component.$table!, k, slotOf(component, linear), checked(field, value));
  };
  const store = watched ? signalling(own, (slot) => solo.owner!.changed(slot)) : unwatched(own, isFloat(kind));
  const column = solo.columns[k];
  return {
    enumerable: true,
    configurable: true,
    ...accessorOf(
      getter(heap, linear, column, stride, read, getSlowly),
      setter(heap, linear, column, stride, store, setSlowly, takes),
    ),
  };
}

// Games call these accessors most. They are short, so that engines inline them into the loops that use them, where `linear`,
// `column`, `stride`, `read` and so on are constants; these are parameters, because V8 checks at each use whether a captured
// constant is initialised. Rare cases are in separate functions: plain values, classes that several worlds use.
const getter = (
  memory: Heap,
  linear: boolean,
  column: Column,
  stride: number,
  read: FieldKind["read"],
  getSlowly: (component: StoredComponent) => Plain,
): { readonly value: Plain } & ThisType<StoredComponent> => ({
  get value() {
    const cell = this.$cell;
    const { base } = column;
    if ((cell | base) < 0) return getSlowly(this);
    return read(base + (linear ? cell : memory.u32[cell] & Handle.indexMask) * stride);
  },
});
const setter = (
  memory: Heap,
  linear: boolean,
  column: Column,
  stride: number,
  store: Store,
  setSlowly: (component: StoredComponent, value: unknown) => void,
  takes: FieldKind["takes"],
): { value: Plain } & ThisType<StoredComponent> => ({
  set value(value: Plain) {
    const cell = this.$cell;
    const { base } = column;
    if ((cell | base) >= 0 && takes(value)) {
      const slot = linear ? cell : memory.u32[cell] & Handle.indexMask;
      store(base + slot * stride, value, slot);
    } else {
      setSlowly(this, value);
    }
  },
});
