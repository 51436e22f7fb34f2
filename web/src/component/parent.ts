import { badArgument } from "../module/errors.js";
import { classInfo, type ComponentClass } from "./component.js";
import { KINDS, type FieldKind } from "./field_kinds.js";
import { fieldInfo } from "./fields.js";
import { makeNative } from "./native_component.js";
import type { StoredClass } from "./stored_class.js";

/** `PARENT_ID` in hierarchy.hpp. */
const ID = 0;

const readOnly: FieldKind = {
  ...KINDS.find(({ name }) => name === "entity")!,
  takes: () => {
    throw badArgument("Parent: the parent of an entity can't be assigned; call ecs.setParent(child, parent)");
  },
};

/**
 * The component of every entity that has a parent, which is its field `entity` (rule H3). Systems can require, exclude and
 * watch it. Only `ecs.setParent` adds, changes and removes it.
 */
export const Parent = makeNative("Parent", ID, [fieldInfo("entity", readOnly, undefined)]) as StoredClass<
  {
    readonly entity: "entity";
  },
  "Parent"
>;
export type Parent = InstanceType<typeof Parent>;

/** Whether it is `Parent` or a class derived from it. @internal */
export const isParent = (cls: ComponentClass): boolean => classInfo(cls).id === ID;

/** Throws if only `ecs.setParent` adds and removes the components of a class, because it is Parent. @internal */
export function requireNotParent(call: string, cls: ComponentClass): void {
  if (isParent(cls)) throw badArgument(`${call}: only ecs.setParent adds, changes and removes a Parent`);
}
