import type { Definition } from "../component/component.js";
import type { FieldInfo } from "../component/fields.js";
import { badArgument, show } from "../module/errors.js";
import { FieldNumber } from "../module/layout.js";
import { StoredComponent } from "../component/stored_component.js";
import { replace, warnOnce } from "./replace.js";

const isInteger = ({ kind }: FieldInfo): boolean => /^[iu]\d/.test(kind.name);

/** Warns once for a field that gets a number that it can't store; an error for a string names the class too (rule B1). */
function checkValue(cls: string, field: FieldInfo, value: unknown): void {
  if (field.kind.number === FieldNumber.string && typeof value !== "string")
    throw badArgument(`${cls}.${field.name} (string) takes a string, not ${show(value)}`);
  if (typeof value !== "number" || field.kind.number >= FieldNumber.bool) return;
  const { name, kind } = field;
  if (value !== value)
    warnOnce(field, "value", `${cls}.${name} got NaN. A calculation with undefined or 0 / 0 has this result`);
  else if (isInteger(field) && kind.round(value) !== value)
    warnOnce(
      field,
      "value",
      `${cls}.${name} got ${value}, which its type ${kind.name} can't store: it is ${kind.round(value)} now. Limit or round the ` +
        "value, or declare a larger type",
    );
}

/** Detects numbers that a field can't store, where they are assigned or passed for one entity. */
export function checkValues(): void {
  replace(
    StoredComponent as unknown as { $defined(definition: Definition): void },
    "$defined",
    () =>
      ({ name, fields }: Definition) => {
        for (const field of fields) {
          const { kind } = field;
          field.kind = {
            ...kind,
            takes: (value) => {
              checkValue(name, field, value);
              return kind.takes(value);
            },
          };
        }
      },
  );
}
