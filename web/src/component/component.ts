import type { Entity } from "../module/entity.js";
import { COPY, badArgument, show, thisCopy } from "../module/errors.js";
import { rawModule } from "../module/instance.js";
import { FieldBytes, Handle, Packed, PolicyNumber } from "../module/layout.js";
import { isField, type FieldInfo } from "./fields.js";
import { numberOf, type Plain } from "./field_kinds.js";

/** The values of one field in one world. @internal */
export interface Column {
  /** The index, in the views of memory, of the value in slot 0. */
  base: number;
}

/** The storage to which a component belongs, as the component uses it; implemented by ComponentTable. @internal */
export interface ComponentOwner {
  readonly fields: readonly FieldInfo[];
  readonly columns: readonly Column[];
  /** The objects of the components, by entity index. */
  readonly objects: readonly (Component | undefined)[];
  /** Signals for the component in a slot. */
  changed(slot: number): void;
  slot(e: Entity): number;
}

/**
 * Data of one entity. Derive from it for an *object* component: its fields are ordinary JavaScript, and it calls
 * `this.dirty()` when they changed. Derive from `defineComponent(...)` for a *stored* component: its fields are in
 * WebAssembly memory, and its setters signal (rules C3, D2).
 */
export abstract class Component {
  /** The table it belongs to while an entity has it. @internal */
  declare $table: ComponentOwner | undefined;
  /** The entity it belongs to or belonged to; of an object component, read after `$table`. @internal */
  declare $entity: Entity;

  /**
   * Signals that the component changed: its entity becomes dirty for every system that watches the class and tracks the
   * entity (rule D2). Does nothing while no entity has the component. O(systems that watch the class).
   */
  dirty(): void {
    const { $table } = this;
    $table?.changed($table.slot(this.$entity));
  }
  /** @internal */
  get [COPY](): object {
    return thisCopy;
  }
}

/** A base class whose constructor returns its argument, so that a derived class adds private fields to an existing object. */
function Same(object: object): object {
  return object;
}

/**
 * The private fields of an object component, so that its own properties are those of its class (rule C8). It has them from
 * its first entity on. They say where it was last added: a removal only erases it from `table.objects`, because V8 accesses
 * private fields slowly where many classes have them.
 * @internal
 */
export class Owned extends (Same as unknown as new (object: object) => object) {
  #table: ComponentOwner | undefined;
  #entity!: Entity;

  /** The table that has the component, if any. The component has the fields afterwards. */
  static table(component: object): ComponentOwner | undefined {
    if (!(#table in component)) return void new Owned(component);
    const table = component.#table;
    return table?.objects[component.#entity & Handle.indexMask] === (component as object) ? table : undefined;
  }
  /** Makes the component that of an entity, for as long as `table.objects` contains it; after `table`. */
  static set(component: object, table: ComponentOwner, e: Entity): void {
    (component as Owned).#table = table;
    (component as Owned).#entity = e;
  }
  static entity(component: object): Entity {
    return (component as Owned).#entity;
  }
}
Object.defineProperties(Component.prototype, {
  $table: {
    get(this: Component) {
      return Owned.table(this);
    },
  },
  $entity: {
    get(this: Component) {
      return Owned.entity(this);
    },
  },
});

/** A component class, as `get(Position)` takes it. */
export type ComponentClass<C extends Component = Component> = abstract new (...args: never[]) => C;

/**
 * The only world that uses a class, if there is only one: its components then find their values without reading from
 * themselves what all of them have in common. V8 reads a property of `this` slowly in accessors that many classes share.
 * @internal
 */
export interface Solo {
  owner: ComponentOwner | undefined;
  /** Those of the owner; without an owner, each `base` is negative. */
  readonly columns: readonly Column[];
  /** Whether several worlds have used the class at the same time; then there is never an owner again. */
  shared: boolean;
  /** Replaces the setters of the class by those that signal. */
  watch(): void;
}

/** @internal */
export interface Definition {
  kind: "stored" | "native";
  name: string;
  /** Of a native class, the core's id. */
  id?: number;
  linear: boolean;
  fields: readonly FieldInfo[];
  solo?: Solo;
  /** Finds what is missing, until it has succeeded. Throws `NOT_INITIALISED` before `init()` has resolved. */
  complete?: (() => void) | undefined;
}

/** The registration of a component class. @internal */
export interface ClassInfo {
  cls: ComponentClass;
  /** The core's id of the class. */
  id: number;
  name: string;
  kind: "stored" | "native" | "object";
  linear: boolean;
  fields: readonly FieldInfo[];
  /** The default values of the fields. */
  initial: readonly Plain[];
  /** The same, packed. */
  packed: Float64Array;
  /** The position of each field by its name. */
  names: ReadonlyMap<string, number>;
  /** Undefined for object classes. */
  solo: Solo | undefined;
  /** Whether an instance was added, and no stored field was hidden (rule C9). */
  checked: boolean;
}

/** The registrations of all classes. @internal */
export const infos: ClassInfo[] = [];

/** Where a class keeps its registration. Another copy of the package has another symbol, and so does not find it. */
const INFO = Symbol();
interface Statics {
  [INFO]?: ClassInfo;
  $definition?: Definition;
  /** Of a class of `defineObject`. */
  $name?: string;
}

/** The registration of the class, or undefined if it was not used yet. @internal */
export function knownInfo(cls: ComponentClass): ClassInfo | undefined {
  const known = (cls as Statics | undefined)?.[INFO];
  // A class inherits the static members of its base class, but is a component class of its own.
  return known !== undefined && known.cls === cls ? known : undefined;
}

/** The default values of fields, packed. */
function packedDefaults(fields: readonly FieldInfo[]): Float64Array {
  const packed = new Float64Array(fields.length);
  fields.forEach(({ kind, initial }, k) => {
    new kind.array(packed.buffer, Packed.fieldBytes * k, 1)[0] = numberOf(kind, initial);
  });
  return packed;
}
/** Fields as the core registers them. */
function registered(fields: readonly FieldInfo[], packed: Float64Array): Uint8Array {
  const bytes = new Uint8Array(FieldBytes.size * fields.length);
  fields.forEach((field, k) => {
    bytes[FieldBytes.size * k + FieldBytes.type] = field.kind.number | (isField(field) ? 0 : FieldBytes.continues);
    const initial = new Uint8Array(packed.buffer, Packed.fieldBytes * k, Packed.fieldBytes);
    bytes.set(initial, FieldBytes.size * k + FieldBytes.initial);
  });
  return bytes;
}

/** The registration of the class; registers it on first use. Throws for a value that is no component class. @internal */
export function classInfo(cls: ComponentClass): ClassInfo {
  return knownInfo(cls) ?? register(cls);
}

function register(cls: ComponentClass): ClassInfo {
  if (typeof cls !== "function" || !(cls.prototype instanceof Component)) {
    throw badArgument(
      `${show(cls)} is not a component class; derive a class from Component or defineComponent(...) of the same copy of crateful`,
    );
  }
  const raw = rawModule();
  const definition = (cls as Statics).$definition;
  let info: ClassInfo;
  if (definition === undefined) {
    const name = (cls as Statics).$name ?? cls.name;
    info = {
      cls,
      id: raw.addObjectClass(name),
      name,
      kind: "object",
      linear: false,
      fields: [],
      initial: [],
      packed: new Float64Array(0),
      names: new Map(),
      solo: undefined,
      checked: true,
    };
  } else {
    definition.complete?.();
    const { kind, name, linear, fields, solo } = definition;
    const packed = packedDefaults(fields);
    const id =
      kind === "native"
        ? definition.id!
        : raw.addStoredClass(name, linear ? PolicyNumber.linear : PolicyNumber.sparse, registered(fields, packed));
    const initial = fields.map((field) => field.initial);
    const names = new Map(fields.map((field, k) => [field.name, k] as const).filter(([, k]) => isField(fields[k])));
    info = { cls, id, name, kind, linear, fields, initial, packed, names, solo, checked: false };
  }
  infos.push(info);
  Object.defineProperty(cls, INFO, { value: info, configurable: true });
  return info;
}
