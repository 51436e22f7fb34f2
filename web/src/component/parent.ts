import { badArgument, type EcsError } from "../module/errors.js";
import { KINDS, type FieldKind } from "./field_kinds.js";
import { makeFields } from "./fields.js";
import { makeNative } from "./native_component.js";
import type { StoredClass } from "./stored_class.js";

/** The id of its class: `PARENT_ID` in hierarchy.hpp. @internal */
export const PARENT_ID = 0;

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
export const Parent = makeNative("Parent", PARENT_ID, makeFields("entity", readOnly)) as StoredClass<
  {
    readonly entity: "entity";
  },
  "Parent"
>;
export type Parent = InstanceType<typeof Parent>;

/** The error for a call that is given `Parent`, or a class derived from it: it has the same id. @internal */
export const isParent = (call: string): EcsError =>
  badArgument(`${call}: only ecs.setParent adds, changes and removes a Parent`);
