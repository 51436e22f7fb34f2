import { badArgument } from "../module/errors.js";
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
export class Parent extends (makeNative("Parent", ID, false, [fieldInfo("entity", readOnly, undefined)]) as StoredClass<{
  readonly entity: "entity";
}>) {}
