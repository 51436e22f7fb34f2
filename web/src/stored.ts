// Stored and native components: classes whose fields are accessors on WebAssembly memory.
import { Component, type ClassInfo, type Definition } from "./component.js";
import { NONE, describe } from "./entity.js";
import { EcsError, badArgument } from "./errors.js";
import { KINDS, checked, fieldInfo, type FieldInfo, type Fields, type Plain, type Schema } from "./fields.js";
import * as heap from "./heap.js";
import { describeClass } from "./reports.js";

/** @internal */
export type Row = Plain[];

/** The state of one that lost its entity: using it is an error (rule C5). */
const DETACHED: Row = [];
const NO_VIEW = -1;

/**
 * Before it is added a plain value, while its entity has it a live view of the value in memory,
 * wherever that moves; afterwards using it is an error.
 * @internal
 */
export abstract class StoredComponent extends Component {
  /** The fields while it is a plain value; null while it is a view. */
  $row: Row | null;
  /** As a view the word that holds its slot (under `linear` the slot itself), otherwise NO_VIEW. */
  $cell = NO_VIEW;
  /** As a view: the word from which the columns' addresses stand. */
  $columns = 0;

  constructor(row: Row) {
    super();
    this.$row = row;
  }
}

/** Makes it a view of the value that its store has for its entity. @internal */
export function show(component: StoredComponent, cell: number, columns: number): void {
  component.$cell = cell;
  component.$columns = columns;
  component.$row = null;
}

/** Makes it a plain value. @internal */
export function unshow(component: StoredComponent, row: Row | null): void {
  component.$cell = NO_VIEW;
  component.$row = row;
}

/** Copies what it views, so that it can still be read. @internal */
export function freeze(component: StoredComponent, { fields, linear }: ClassInfo): void {
  const slot = linear ? component.$cell : heap.u32[component.$cell];
  unshow(
    component,
    fields.map(({ kind, stride }, k) => kind.read((heap.u32[component.$columns + k] >> kind.shift) + slot * stride)),
  );
  component.$store = undefined;
}

/** @internal */
export function detach(component: StoredComponent): void {
  unshow(component, DETACHED);
  component.$store = undefined;
}

/** Whether an entity had it and has it no more, though `onRemove` may still read it. @internal */
export function isDetached(component: StoredComponent): boolean {
  return component.$store === undefined && component.$entity !== NONE;
}

function plainRow(component: StoredComponent, name: string): Row {
  const row = component.$row;
  if (row === DETACHED) {
    throw new EcsError("MISSING_COMPONENT", `${name}: ${describe(component.$entity)} no longer has this component`);
  }
  return row!;
}

// The accessors are what games call most. They are short, so that compilers take them into the loops
// around them, where `k`, `shift`, `read` and so on are constants; what is seldom is kept out of them.
function accessor(name: string, field: FieldInfo, k: number, linear: boolean): PropertyDescriptor {
  const { kind, stride } = field;
  const { shift, read, write, takes } = kind;
  const getPlain = (component: StoredComponent): Plain => plainRow(component, name)[k];
  const setPlain = (component: StoredComponent, value: unknown): void => {
    const next = checked(field, value); // refuses also what a view can't take
    plainRow(component, name)[k] = next;
  };
  const sparse = {
    get(this: StoredComponent) {
      const cell = this.$cell;
      if (cell < 0) return getPlain(this);
      const u32 = heap.u32;
      return read((u32[this.$columns + k] >> shift) + u32[cell] * stride);
    },
    set(this: StoredComponent, value: Plain) {
      const cell = this.$cell;
      if (cell < 0 || !takes(value)) return setPlain(this, value);
      const u32 = heap.u32;
      const slot = u32[cell];
      if (write((u32[this.$columns + k] >> shift) + slot * stride, value)) this.$store!.changed(this.$entity, slot);
    },
  };
  const direct = {
    get(this: StoredComponent) {
      const slot = this.$cell;
      return slot < 0 ? getPlain(this) : read((heap.u32[this.$columns + k] >> shift) + slot * stride);
    },
    set(this: StoredComponent, value: Plain) {
      const slot = this.$cell;
      if (slot < 0 || !takes(value)) return setPlain(this, value);
      if (write((heap.u32[this.$columns + k] >> shift) + slot * stride, value))
        this.$store!.changed(this.$entity, slot);
    },
  };
  return { enumerable: true, configurable: true, ...(linear ? direct : sparse) };
}

function makeClass(definition: Definition): unknown {
  const { name, fields } = definition;
  const names = new Map(fields.map((f, k) => [f.name, k]));
  const initial = fields.map((f) => f.kind.initial);
  const made = class extends StoredComponent {
    static readonly $definition = definition;
    constructor(values?: Readonly<Record<string, unknown>>) {
      super(initial.slice());
      for (const key in values) {
        const k = names.get(key);
        if (k === undefined) throw badArgument(`${name} has no field ${key}`);
        if (values[key] !== undefined) this.$row![k] = checked(fields[k], values[key]);
      }
    }
  };
  fields.forEach((field, k) =>
    Object.defineProperty(made.prototype, field.name, accessor(name, field, k, definition.linear)),
  );
  Object.defineProperty(made, "name", { value: name });
  // What views of existing values are made with: neither a subclass's constructor nor its fields run.
  Object.defineProperty(made, "$base", { value: made });
  return made;
}

/** A component of that class, for a value that is in memory already. @internal */
export function makeView(cls: unknown): StoredComponent {
  const base = (cls as { $base: new () => StoredComponent }).$base;
  return Reflect.construct(base, [], cls as new () => unknown) as StoredComponent;
}

/** The class of a stored component; derive from it: `class Position extends defineComponent(...) {}`. */
export interface StoredClass<S extends Schema> {
  new (
    values?: [keyof S] extends [never] ? Readonly<Record<string, never>> : Readonly<Partial<Fields<S>>>,
  ): Component & Fields<S> & { readonly [SCHEMA]: S };
}
/** Carries the schema through the types; there is no such property. */
declare const SCHEMA: unique symbol;

/** The schema of a stored component, from its instance type. */
export type SchemaOf<C> = C extends { readonly [SCHEMA]: infer S } ? (S extends Schema ? S : {}) : {};

/** An instance of a class with a schema. */
export type Stored = Component & { readonly [SCHEMA]: Schema };

/** Values for the fields of a stored or native component; those left out get their defaults. */
export type StoredValues<C> = Readonly<Partial<Fields<SchemaOf<C>>>>;

/** Whether the class has a schema: stored and native ones do. */
export type IsStored<C> = C extends { readonly [SCHEMA]: Schema } ? true : false;

/** How a stored class keeps its values. */
export interface StoredOptions {
  /** `linear`: one slot per entity index, for what nearly every entity has. Default `sparse`. */
  policy?: "sparse" | "linear";
}

/**
 * Makes the class of a stored component: its fields lie in WebAssembly memory, a column each, and a
 * setter that changes something signals it dirty. Without fields it is a tag and takes no storage.
 * Throws `BAD_ARGUMENT` for a field type or name that can't be.
 *
 *     class Position extends defineComponent("Position", { x: "f32", y: "f32" }) {}
 */
export function defineComponent<const S extends Schema = {}>(
  name: string,
  schema?: S,
  options: StoredOptions = {},
): StoredClass<S> {
  if (typeof name !== "string" || name === "") throw badArgument("defineComponent: a component class needs a name");
  const { policy = "sparse" } = options;
  if (policy !== "sparse" && policy !== "linear")
    throw badArgument(`defineComponent: there is no policy ${String(policy)}`);
  const fields = Object.entries(schema ?? {}).map(([field, type]) => {
    const number = KINDS.findIndex((kind) => kind.name === type);
    if (number < 0) throw badArgument(`${name}: there is no field type ${String(type)}`);
    if (field in Component.prototype || field.startsWith("$"))
      throw badArgument(`${name}: a field can't be called ${field}`);
    return fieldInfo(field, number);
  });
  return makeClass({ kind: "stored", name, linear: policy === "linear", fields }) as StoredClass<S>;
}

const natives = new Map<string, unknown>();

/**
 * The class of a component written in C++ and described there by `describe_component<T>(name)`; always
 * the same one for a name. Its fields behave like those of a stored component. The schema, if given,
 * types the fields and is checked against what C++ says. Throws `NOT_INITIALISED` before `init`,
 * `BAD_ARGUMENT` if there is no such component.
 */
export function nativeComponent<const S extends Schema = {}>(name: string, schema?: S): StoredClass<S> {
  if (typeof name !== "string") throw badArgument("nativeComponent takes the name of a C++ component");
  const native = describeClass(name);
  if (native === undefined) throw badArgument(`nativeComponent: the module has no C++ component ${name}`);
  const fields = native.fields.map((f) => fieldInfo(f.name, f.type, native.bytes));
  for (const [field, type] of Object.entries(schema ?? {})) {
    const real = fields.find((f) => f.name === field)?.kind.name;
    if (real !== type) throw badArgument(`nativeComponent: ${name}.${field} is ${real ?? "not there"}, not ${type}`);
  }
  let made = natives.get(name);
  if (made === undefined) {
    made = makeClass({ kind: "native", name, linear: native.linear, fields, id: native.id });
    natives.set(name, made);
  }
  return made as StoredClass<S>;
}
