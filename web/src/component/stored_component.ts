// The objects of stored and native components.
import { NONE, describe } from "../module/entity.js";
import { EcsError, badArgument } from "../module/errors.js";
import { heap } from "../module/heap.js";
import { Handle } from "../module/layout.js";
import { Component, type ClassInfo, type Definition } from "./component.js";
import type { Plain } from "./field_kinds.js";
import { isField } from "./fields.js";
import { makeVisible } from "./inspection.js";

/** The values of the fields, in the order of the schema. @internal */
export type Values = Plain[];

/** The values of a component without fields. @internal */
export const NO_VALUES: Values = [];
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

  /** The fields of a class are known; the development build checks what they get. */
  static $defined(_definition: Definition): void {}
  // Assigned here and not declared with values: with many classes, V8 takes ten times as long to define a field.
  constructor(values: Values) {
    super();
    this.$table = undefined;
    this.$entity = NONE;
    this.$values = values;
    this.$cell = NO_VIEW;
  }
}
// The first two hide the accessors for object components, so that the constructor's assignments make properties; the others make
// using a prototype an error.
Object.defineProperties(StoredComponent.prototype, {
  $table: { value: undefined, writable: true },
  $entity: { value: NONE, writable: true },
  $values: { value: DETACHED, writable: true },
  $cell: { value: NO_VIEW, writable: true },
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
export function park(component: StoredComponent, linear: boolean): void {
  const slot = slotOf(component, linear);
  const { columns, fields } = component.$table!;
  const values = fields.length === 0 ? NO_VALUES : new Array<Plain>(fields.length);
  for (let k = 0; k < fields.length; ++k) values[k] = fields[k].kind.read(columns[k].base + slot * fields[k].stride);
  makePlain(component, values);
  component.$table = undefined;
}

/** The slot of a view. @internal */
export const slotOf = ({ $cell }: StoredComponent, linear: boolean): number =>
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

/** The values of a component that is no view. Throws `MISSING_COMPONENT` if it is detached. @internal */
export function plainValues(component: StoredComponent, name: string): Values {
  const values = component.$values;
  if (values === DETACHED) {
    throw new EcsError("MISSING_COMPONENT", `${name}: ${describe(component.$entity)} no longer has this component`);
  }
  return values!;
}

/** Throws unless the component can be added to an entity. @internal */
export function requireUnused(call: string, component: Component, name: string): void {
  if (component.$table !== undefined)
    throw badArgument(`${call}: this ${name} belongs to entity ${component.$entity} already`);
  if (!(component instanceof StoredComponent)) {
    (component as { $requireFields?(call: string): void }).$requireFields?.(call);
    return;
  }
  if (component.$values === DETACHED && !wasRemoved(component))
    throw badArgument(`${call}: this ${name} was not created by its constructor; use new ${name}()`);
  if (wasRemoved(component))
    throw new EcsError(
      "MISSING_COMPONENT",
      `${call}: this ${name} was removed from entity ${component.$entity}; create a new one`,
    );
}

/** Throws if own properties of the component hide its stored fields (rule C9). @internal */
export function requireFields(call: string, component: StoredComponent, info: ClassInfo): void {
  const { cls, kind, fields } = info;
  for (const { name, type, initial } of fields.filter(isField)) {
    const own = Object.getOwnPropertyDescriptor(component, name);
    if (own === undefined || !("value" in own)) continue; // tools have asked for the fields (see inspection.ts)
    const value: unknown = typeof own.value === typeof initial ? own.value : initial;
    const declaration =
      kind === "native"
        ? "in the C++ struct"
        : `as { ${name}: { type: ${JSON.stringify(type)}, default: ${JSON.stringify(value)} } }`;
    throw badArgument(
      `${call}: the class field ${name} of ${cls.name} hides the stored field; remove it, and declare a default ${declaration}`,
    );
  }
  info.checked = true;
}
