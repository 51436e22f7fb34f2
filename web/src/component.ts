import { NONE, type Entity } from "./entity.js";
import { badArgument } from "./errors.js";
import type { FieldInfo } from "./fields.js";
import { rawModule } from "./module.js";
import type { ClassStore } from "./store.js";

/**
 * Data of one entity. Derive a class from it for an *object* component, whose fields are ordinary
 * JavaScript and which calls `this.dirty()` when they changed; or from `defineComponent(...)` for a
 * *stored* one, whose fields lie in WebAssembly memory and signal by themselves.
 */
export abstract class Component {
  /** Where it belongs while an entity has it. @internal */
  $store: ClassStore | undefined = undefined;
  /** @internal */
  $entity: Entity = NONE;

  /**
   * Says that its state has changed: every system that watches its class and tracks its entity finds
   * the entity in its dirty set. Nothing happens while no entity has it. O(systems that watch the class).
   */
  dirty(): void {
    this.$store?.changed(this.$entity, this.$store.slot(this.$entity));
  }
}

/** A component class, as `get(Position)` takes it. */
export type ComponentClass<C extends Component = Component> = abstract new (...args: never[]) => C;

/** @internal */
export type Definition =
  | { kind: "stored"; name: string; linear: boolean; fields: FieldInfo[] }
  | { kind: "native"; name: string; linear: boolean; fields: FieldInfo[]; id: number };

/** What is known of a component class. @internal */
export interface ClassInfo {
  cls: ComponentClass;
  id: number;
  name: string;
  kind: "stored" | "native" | "object";
  linear: boolean;
  fields: readonly FieldInfo[];
}

interface Statics {
  $info?: ClassInfo;
  $definition?: Definition;
}

/** The class's entry, if there is one yet. @internal */
export function knownInfo(cls: ComponentClass): ClassInfo | undefined {
  const known = (cls as Statics | undefined)?.$info;
  // A class inherits its parent's statics, but is a component class of its own.
  return known !== undefined && known.cls === cls ? known : undefined;
}

/** The class's entry, made when it is first used; an error for what is no component class. @internal */
export function classInfo(cls: ComponentClass): ClassInfo {
  return knownInfo(cls) ?? register(cls);
}

function register(cls: ComponentClass): ClassInfo {
  if (typeof cls !== "function" || !(cls.prototype instanceof Component)) {
    throw badArgument(`${String((cls as { name?: string } | undefined)?.name ?? cls)} is no component class`);
  }
  const raw = rawModule();
  const definition = (cls as Statics).$definition;
  let info: ClassInfo;
  if (definition === undefined) {
    info = { cls, id: raw.addObjectClass(cls.name), name: cls.name, kind: "object", linear: false, fields: [] };
  } else {
    const { kind, name, linear, fields } = definition;
    const id =
      kind === "native" ? definition.id : raw.addStoredClass(name, linear ? 1 : 0, fields.map((f) => f.type).join(""));
    info = { cls, id, name, kind, linear, fields };
  }
  Object.defineProperty(cls, "$info", { value: info, configurable: true });
  return info;
}
