// The classes of components that C++ describes.
import { CLASS_NUMBERS, describeClass, type NativeField } from "../core/reports.js";
import { badArgument, show } from "../module/errors.js";
import { core } from "../module/instance.js";
import type { Definition } from "./component.js";
import { KINDS, enumKind } from "./field_kinds.js";
import { isField, makeFields, type FieldInfo } from "./fields.js";
import type { NamedSchema, Schema } from "./schema.js";
import { makeClass, type StoredClass } from "./stored_class.js";

/** The classes of native components by name, with the schemas to compare with the C++ description. */
const natives = new Map<string, { made: unknown; expect(schema: Schema): void }>();

function nativeField({ name, type, length, names, initial }: NativeField, valueBytes: number): FieldInfo[] {
  const number = KINDS.find((k) => k.number === type)!;
  const kind = names.length > 0 ? enumKind(names, number) : number;
  const fields = makeFields(name, kind, length, valueBytes >> kind.shift);
  fields.forEach((field, i) => {
    field.initial = kind.read((initial + 8 * CLASS_NUMBERS * i) >> kind.shift);
  });
  return fields;
}

/**
 * The class of a component that C++ describes with `describe_component<T>(name)`; always the same class for a name. It can
 * be called before `init()`: the description is read when the class is first used. Its fields behave like those of a stored
 * component. A given schema provides their types. Throws `BAD_ARGUMENT`, here or when the class is first used, if the module
 * has no such component or the schema differs.
 */
export function nativeComponent<const S extends NamedSchema<S> = {}, const N extends string = string>(
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
      const type = typeof spec === "string" || Array.isArray(spec) ? spec : (spec as { type: unknown })?.type;
      const real = fields.find((f) => f.name === field)?.type;
      if (real === undefined)
        throw badArgument(
          `nativeComponent: ${name} has no field ${field} in C++; its fields are ${fields
            .filter(isField)
            .map((f) => f.name)
            .join(", ")}`,
        );
      if (String(real) !== String(type))
        throw badArgument(`nativeComponent: ${name}.${field} is ${real} in C++, not ${show(type)}`);
    }
  };
  definition.complete = () => {
    const native = describeClass(name);
    if (native === undefined)
      throw badArgument(
        `nativeComponent: the module has no C++ component ${name}; describe it with describe_component`,
      );
    const fields = native.fields.flatMap((f) => nativeField(f, native.bytes));
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
