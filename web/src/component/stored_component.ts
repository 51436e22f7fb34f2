// Stored and native components: classes with accessors on WebAssembly memory as fields.
import { describeClass, type NativeField } from "../core/reports.js";
import { NONE, describe } from "../module/entity.js";
import { EcsError, badArgument, show } from "../module/errors.js";
import { type Heap, heap } from "../module/heap.js";
import { core } from "../module/instance.js";
import { Handle } from "../module/layout.js";
import { Component, type ClassInfo, type Column, type Definition, type Solo } from "./component.js";
import {
  KINDS,
  checked,
  fieldInfo,
  signalling,
  type FieldInfo,
  type FieldKind,
  type Fields,
  type Plain,
  type Schema,
  type Store,
} from "./fields.js";
import { makeVisible } from "./inspection.js";

/** The values of the fields, in the order of the schema. @internal */
export type Values = Plain[];

/** The values of a component without fields. */
const NO_VALUES: Values = [];
/** The values of a detached component: using it is an error (rule C5). */
const DETACHED: Values = [];
const NO_VIEW = -1;

/**
 * Before it is added, it contains plain values. While an entity has it, it is a view of the value in memory, even when that
 * value moves. After its removal, using it is an error (rule C5).
 * @internal
 */
export abstract class StoredComponent extends Component {
  /** The values of the fields while they are plain values; null while it is a view. */
  declare $values: Values | null;
  /** As a view: the word with its slot and generation (under `linear` the slot itself). Otherwise NO_VIEW. */
  declare $cell: number;

  // Assigned here and not declared with values: with many classes, V8 takes ten times as long to define a field.
  constructor(values: Values) {
    super();
    this.$table = undefined;
    this.$entity = NONE;
    this.$values = values;
    this.$cell = NO_VIEW;
  }
}
// They hide the accessors for object components, so that the constructor's assignments make properties.
Object.defineProperties(StoredComponent.prototype, {
  $table: { value: undefined, writable: true },
  $entity: { value: NONE, writable: true },
});
makeVisible(StoredComponent.prototype);

/** Makes it a view of the value that its table has for its entity. @internal */
export function makeViewOf(component: StoredComponent, cell: number): void {
  component.$cell = cell;
  component.$values = null;
}

/** Sets its plain values; it is then no view. @internal */
export function makePlain(component: StoredComponent, values: Values | null): void {
  component.$cell = NO_VIEW;
  component.$values = values;
}

/** Replaces the view by a copy of the value, so that `onRemove` can read it (rule A2). @internal */
export function park(component: StoredComponent, { fields, linear }: ClassInfo): void {
  const slot = slotOf(component, linear);
  const { columns } = component.$table!;
  const values = fields.length === 0 ? NO_VALUES : new Array<Plain>(fields.length);
  for (let k = 0; k < fields.length; ++k) values[k] = fields[k].kind.read(columns[k].base + slot * fields[k].stride);
  makePlain(component, values);
  component.$table = undefined;
}

const slotOf = ({ $cell }: StoredComponent, linear: boolean): number =>
  linear ? $cell : heap.u32[$cell] & Handle.indexMask;

/** Makes every further use of it an error (rule C5). @internal */
export function detach(component: StoredComponent): void {
  makePlain(component, DETACHED);
  component.$table = undefined;
}

/** Whether it was removed from its entity; its values may still be parked. @internal */
export function wasRemoved(component: StoredComponent): boolean {
  return component.$table === undefined && component.$entity !== NONE;
}

function plainValues(component: StoredComponent, name: string): Values {
  const values = component.$values;
  if (values === DETACHED) {
    throw new EcsError("MISSING_COMPONENT", `${name}: ${describe(component.$entity)} no longer has this component`);
  }
  return values!;
}

function accessor(definition: Definition, k: number, watched: boolean): PropertyDescriptor {
  const { name, linear, fields } = definition;
  const solo = definition.solo!;
  const field = fields[k];
  const { kind, stride } = field;
  const { read, put, write, takes } = kind;
  const getSlowly = (component: StoredComponent): Plain => {
    if (component.$cell < 0) return plainValues(component, name)[k];
    return read(component.$table!.columns[k].base + slotOf(component, linear) * stride);
  };
  const setSlowly = (component: StoredComponent, value: unknown): void => {
    const next = checked(field, value); // throws also for a view
    if (component.$cell < 0) {
      plainValues(component, name)[k] = next;
      return;
    }
    const slot = slotOf(component, linear);
    if (write(component.$table!.columns[k].base + slot * stride, next)) component.$table!.changed(slot);
  };
  const store = watched ? signalling(write, (slot) => solo.owner!.changed(slot)) : put;
  const column = solo.columns[k];
  return {
    enumerable: true,
    configurable: true,
    get: getter(heap, linear, column, stride, read, getSlowly),
    set: setter(heap, linear, column, stride, store, setSlowly, takes),
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
) =>
  function (this: StoredComponent): Plain {
    const cell = this.$cell;
    const { base } = column;
    if ((cell | base) < 0) return getSlowly(this);
    return read(base + (linear ? cell : memory.u32[cell] & Handle.indexMask) * stride);
  };
const setter = (
  memory: Heap,
  linear: boolean,
  column: Column,
  stride: number,
  store: Store,
  setSlowly: (component: StoredComponent, value: unknown) => void,
  takes: FieldKind["takes"],
) =>
  function (this: StoredComponent, value: Plain): void {
    const cell = this.$cell;
    const { base } = column;
    if ((cell | base) >= 0 && takes(value)) {
      const slot = linear ? cell : memory.u32[cell] & Handle.indexMask;
      store(base + slot * stride, value, slot);
    } else {
      setSlowly(this, value);
    }
  };

/** Creates a component class. If the definition is not complete yet, this happens when the class is first used. */
function makeClass(definition: Definition): unknown {
  const { name } = definition;
  const names = new Map<string, number>();
  const initial: Plain[] = [];
  const made = class extends StoredComponent {
    static readonly $definition = definition;
    constructor(values?: Readonly<Record<string, unknown>>) {
      definition.complete?.();
      super(initial.length === 0 ? NO_VALUES : initial.slice());
      for (const key in values) {
        const k = names.get(key);
        if (k === undefined) {
          if (values instanceof StoredComponent) continue; // its internal properties
          throw badArgument(`new ${name}: there is no field ${key}`);
        }
        if (values[key] !== undefined) this.$values![k] = checked(definition.fields[k], values[key]);
      }
    }
  };
  const addFields = () => {
    const { fields } = definition;
    const define = (watched: boolean) =>
      fields.forEach((field, k) => Object.defineProperty(made.prototype, field.name, accessor(definition, k, watched)));
    fields.forEach((field, k) => {
      names.set(field.name, k);
      initial.push(field.initial);
    });
    const solo: Solo = {
      owner: undefined,
      columns: fields.map(() => ({ base: -1 })),
      shared: false,
      watch: () => {
        solo.watch = () => {};
        define(true);
      },
    };
    definition.solo = solo;
    define(false);
  };
  const find = definition.complete;
  if (find === undefined) addFields();
  else
    definition.complete = () => {
      find();
      addFields();
      definition.complete = undefined;
    };
  Object.defineProperty(made, "name", { value: name });
  // For views of existing values, which are created without running a subclass's constructor and field initialisers.
  Object.defineProperty(made, "$base", { value: made });
  return made;
}

/** Creates a component of that class for a value that is in memory already. @internal */
export function makeView(cls: unknown): StoredComponent {
  const base = (cls as { $base: new () => StoredComponent }).$base;
  return Reflect.construct(base, [], cls as new () => unknown) as StoredComponent;
}

/**
 * The class of a stored component; derive from it: `class Position extends defineComponent(...) {}`. Classes with different
 * names are different types, also if they have the same fields.
 */
export interface StoredClass<S extends Schema, N extends string = string> {
  new (
    values?: [keyof S] extends [never] ? Readonly<Record<string, never>> : Readonly<Partial<Fields<S>>>,
  ): Component & Fields<S> & Inspectable<Fields<S>> & { readonly [SCHEMA]: S; readonly [NAME]: N };
}
/** What stored components have besides their fields. */
export interface Inspectable<F> {
  /** A copy of the fields as an ordinary object. Throws `MISSING_COMPONENT` after the component's removal (rules C5, C8). */
  toJSON(): F;
}
/** The keys under which the type carries its schema and name; the properties do not exist at run time. */
declare const SCHEMA: unique symbol;
declare const NAME: unique symbol;

/** The schema of a stored component, from its instance type. */
export type SchemaOf<C> = C extends { readonly [SCHEMA]: infer S } ? (S extends Schema ? S : {}) : {};

/** An instance of a class with a schema. */
export type Stored = Component & { readonly [SCHEMA]: Schema };

/** Values for the fields of a stored or native component. Omitted fields get their defaults. */
export type StoredValues<C> = Readonly<Partial<Fields<SchemaOf<C>>>>;

/** Throws unless the component can be added to an entity. @internal */
export function requireUnused(call: string, component: Component, name: string): void {
  if (component.$table !== undefined)
    throw badArgument(`${call}: this ${name} belongs to entity ${component.$entity} already`);
  if (component instanceof StoredComponent && wasRemoved(component))
    throw new EcsError(
      "MISSING_COMPONENT",
      `${call}: this ${name} was removed from entity ${component.$entity}; create a new one`,
    );
}

/** Throws if own properties of the component hide its stored fields (rule C9). @internal */
export function requireFields(call: string, component: StoredComponent, info: ClassInfo): void {
  const { cls, kind, fields } = info;
  for (const { name, kind: type } of fields) {
    const own = Object.getOwnPropertyDescriptor(component, name);
    if (own === undefined || !("value" in own)) continue; // tools have asked for the fields (see inspection.ts)
    const value: unknown = typeof own.value === typeof type.initial ? own.value : type.initial;
    const declaration =
      kind === "native" ? "in the C++ struct" : `as { ${name}: { type: "${type.name}", default: ${value} } }`;
    throw badArgument(
      `${call}: the class field ${name} of ${cls.name} hides the stored field; remove it, and declare a default ${declaration}`,
    );
  }
  info.checked = true;
}

/** Whether the class has a schema, as stored and native classes do. */
export type IsStored<C> = C extends { readonly [SCHEMA]: Schema } ? true : false;

/** Options of `defineComponent`. */
export interface StoredOptions {
  /**
   * `sparse` (default): memory is proportional to the number of components. `linear`: one slot per entity index, for
   * classes that nearly every entity has (rule T2).
   */
  policy?: "sparse" | "linear";
}

/** Whether a value and what is stored of it differ by no more than the precision of the type. */
const canStore = ({ name }: FieldKind, value: unknown, stored: Plain): boolean =>
  name === "f32" ? Number.isFinite(stored) || !Number.isFinite(value) : stored === value || Object.is(stored, value);

/**
 * Creates the class of a stored component (rule C3). Each field is a column in WebAssembly memory; a setter signals if
 * the stored value changes (rule D2). Without fields, the class is a tag and needs no storage. Throws `BAD_ARGUMENT` for
 * an invalid name, field name, field type or policy.
 *
 *     class Position extends defineComponent("Position", { x: "f32", y: "f32" }) {}
 */
export function defineComponent<const S extends Schema = {}, const N extends string = string>(
  name: N,
  schema?: S,
  options: StoredOptions = {},
): StoredClass<S, N> {
  if (typeof name !== "string" || name === "")
    throw badArgument(`defineComponent: the name must be a string that is not empty, not ${show(name)}`);
  const { policy = "sparse" } = options;
  if (policy !== "sparse" && policy !== "linear")
    throw badArgument(`defineComponent: ${name}: the policy must be "sparse" or "linear", not ${show(policy)}`);
  const fields = Object.entries(schema ?? {}).map(([field, spec]) => {
    const { type, default: initial } = typeof spec === "string" ? { type: spec } : (spec ?? {});
    const kind = KINDS.find((k) => k.name === type);
    if (kind === undefined)
      throw badArgument(`defineComponent: ${name}.${field}: there is no field type ${show(type)}`);
    if (field in StoredComponent.prototype || field.startsWith("$"))
      throw badArgument(`defineComponent: ${name}: the field name ${field} is reserved`);
    const info = fieldInfo(field, kind, initial);
    if (initial !== undefined && !canStore(kind, initial, info.initial))
      throw badArgument(
        `defineComponent: ${name}.${field}: a field of type ${type} can't store the default ${initial}`,
      );
    return info;
  });
  return makeClass({ kind: "stored", name, linear: policy === "linear", fields }) as StoredClass<S, N>;
}

/** The classes of native components by name, with the schemas to compare with the C++ description. */
const natives = new Map<string, { made: unknown; expect(schema: Schema): void }>();

function nativeField({ name, type, initial }: NativeField, valueBytes: number): FieldInfo {
  const kind = KINDS.find((k) => k.number === type)!;
  return fieldInfo(name, kind, kind.read(initial >> kind.shift), valueBytes);
}

/**
 * The class of a component that C++ describes with `describe_component<T>(name)`; always the same class for a name. It can
 * be called before `init()`: the description is read when the class is first used. Its fields behave like those of a stored
 * component. A given schema provides their types. Throws `BAD_ARGUMENT`, here or when the class is first used, if the module
 * has no such component or the schema differs.
 */
export function nativeComponent<const S extends Schema = {}, const N extends string = string>(
  name: N,
  schema?: S,
): StoredClass<S, N> {
  if (typeof name !== "string")
    throw badArgument(`nativeComponent: the name of a C++ component must be a string, not ${show(name)}`);
  const { made, expect } = natives.get(name) ?? findLater(name);
  expect(schema ?? {});
  return made as StoredClass<S, N>;
}

/** The class of a native component whose description is read when it is first used. */
function findLater(name: string) {
  const definition: Definition = { kind: "native", name, id: -1, linear: false, fields: [] };
  const expected: Schema[] = [];
  const compare = (fields: readonly FieldInfo[], schema: Schema) => {
    for (const [field, spec] of Object.entries(schema)) {
      const type = typeof spec === "string" ? spec : spec?.type;
      const real = fields.find((f) => f.name === field)?.kind.name;
      if (real === undefined)
        throw badArgument(
          `nativeComponent: ${name} has no field ${field} in C++; its fields are ${fields.map((f) => f.name).join(", ")}`,
        );
      if (real !== type) throw badArgument(`nativeComponent: ${name}.${field} is ${real} in C++, not ${show(type)}`);
    }
  };
  definition.complete = () => {
    const native = describeClass(name);
    if (native === undefined)
      throw badArgument(
        `nativeComponent: the module has no C++ component ${name}; describe it with describe_component`,
      );
    const fields = native.fields.map((f) => nativeField(f, native.bytes));
    for (const schema of expected) compare(fields, schema);
    Object.assign(definition, { id: native.id, linear: native.linear, fields });
  };
  const expect = (schema: Schema) => {
    if (core === undefined) {
      expected.push(schema);
      return;
    }
    definition.complete?.();
    compare(definition.fields, schema);
  };
  return addNative(name, definition, expect);
}

function addNative(name: string, definition: Definition, expect: (schema: Schema) => void) {
  const entry = { made: makeClass(definition), expect };
  natives.set(name, entry);
  return entry;
}

/** Creates the class of a native component that the package knows. @internal */
export function makeNative(name: string, id: number, fields: FieldInfo[]): unknown {
  return addNative(name, { kind: "native", name, linear: false, fields, id }, () => {}).made;
}
