// The fields of stored components as programs declare them.
import { NONE } from "../module/entity.js";
import { badArgument, requireStorable, show } from "../module/errors.js";
import { FieldNumber } from "../module/layout.js";
import { KINDS, canStore, enumKind, type FieldKind } from "./field_kinds.js";
import { makeFields, plain, requireEach, type FieldInfo } from "./fields.js";
import { StoredComponent } from "./stored_component.js";

/** The field that a schema declares. `where` is for messages. Throws `BAD_ARGUMENT`. @internal */
export function parseField(where: string, name: string, spec: unknown): FieldInfo[] {
  const place = `${where}.${name}`;
  if (name in StoredComponent.prototype || name.startsWith("$"))
    throw badArgument(`${where}: the field name ${name} is reserved`);
  requireStorable(`${where}: a field name`, name);
  const { type, default: initial } = (
    typeof spec === "string" || Array.isArray(spec) ? { type: spec } : (spec ?? {})
  ) as {
    type?: unknown;
    default?: unknown;
  };
  const [, element = type, length] = /^(.\d+)x([1-9]\d?)$/.exec(typeof type === "string" ? type : "") ?? [];
  const kind = Array.isArray(type) ? parseEnum(place, type) : KINDS.find((k) => k.name === element);
  if (kind === undefined || Number(length) < 2 || Number(length) > 64)
    throw badArgument(`${place}: there is no field type ${show(type)}`);
  const fields = makeFields(name, kind, length === undefined ? 1 : Number(length));
  if (initial === undefined) return fields;
  if (fields.length === 1) setDefault(place, fields[0], initial);
  else requireEach(fields, 0, initial, (i, value) => setDefault(place, fields[i], value));
  return fields;
}

function parseEnum(place: string, list: readonly unknown[]): FieldKind {
  if (list.length === 0 || list.length > 65_536)
    throw badArgument(`${place}: an enum has 1 to 65536 names, not ${list.length}`);
  const names = new Set<string>();
  for (const name of list) {
    if (typeof name !== "string" || names.has(name))
      throw badArgument(`${place}: the names of an enum are different strings, not ${show(name)}`);
    requireStorable(`${place}: a name of the enum`, name);
    names.add(name);
  }
  return enumKind([...names], KINDS[names.size > 256 ? FieldNumber.u16 : FieldNumber.u8]);
}

function setDefault(place: string, field: FieldInfo, value: unknown): void {
  field.initial = plain(field, value);
  if (
    typeof value !== "string" &&
    !(canStore(field.kind, value, field.initial) && (field.kind.name !== "link" || field.initial === NONE))
  )
    throw badArgument(`${place}: a field of type ${field.kind.name} can't store the default ${value}`);
}
