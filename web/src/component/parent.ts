import { badArgument } from "../module/errors.js";
import type { ComponentClass } from "./component.js";
import { KINDS, fieldInfo, type FieldKind } from "./fields.js";
import { makeNative, type StoredClass } from "./stored_component.js";

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

/** Throws if a class can't be removed from an entity, because it is Parent. @internal */
export function requireRemovable(call: string, cls: ComponentClass): void {
  if (cls === Parent) throw badArgument(`${call}: a Parent is removed by ecs.setParent(child, NONE)`);
}
