import type { Definition } from "../component/component.js";
import type { FieldKind } from "../component/field_kinds.js";
import type { FieldInfo } from "../component/fields.js";
import { badArgument, show } from "../module/errors.js";
import { FieldNumber } from "../module/layout.js";
import { StoredComponent } from "../component/stored_component.js";
import { replace, warnOnce } from "./replace.js";

type Takes = FieldKind["takes"];

/** Warns once for a field that gets a number that it can't store. */
function warnOfValue(cls: string, field: FieldInfo, value: number): void {
  const { name, kind } = field;
  const text =
    value !== value
      ? `${cls}.${name} got NaN. A calculation with undefined or 0 / 0 has this result`
      : `${cls}.${name} got ${value}, which its type ${kind.name} can't store: it is ${kind.round(value)} now. Limit or round the ` +
        "value, or declare a larger type";
  warnOnce(field, "value", text);
}

// One function for each kind of fields, with little to do for a correct value: setters call it, and V8 inlines it into them.
const takesFloat =
  (warn: (value: number) => void): Takes =>
  (value) => {
    if (value !== value) warn(value as number);
    return typeof value === "number";
  };
const takesInteger =
  (kind: FieldKind, warn: (value: number) => void): Takes =>
  (value) => {
    if (typeof value !== "number") return false;
    if (kind.round(value) !== value) warn(value);
    return true;
  };

/** What the field takes in the development build; an error for a string names the class too. */
function checking(cls: string, field: FieldInfo): Takes {
  const { number, names, takes } = field.kind;
  const warn = (value: number) => warnOfValue(cls, field, value);
  if (number === FieldNumber.string)
    return (value) => {
      if (typeof value === "string") return true;
      throw badArgument(`${cls}.${field.name} (string) takes a string, not ${show(value)}`);
    };
  if (names !== undefined || number >= FieldNumber.bool) return takes;
  return number <= FieldNumber.f64 ? takesFloat(warn) : takesInteger(field.kind, warn);
}

/** Detects numbers that a field can't store, where they are assigned or passed for one entity (rule B1). */
export function checkValues(): void {
  replace(
    StoredComponent as unknown as { $defined(definition: Definition): void },
    "$defined",
    () =>
      ({ name, fields }: Definition) => {
        for (const field of fields) field.kind = { ...field.kind, takes: checking(name, field) };
      },
  );
}
