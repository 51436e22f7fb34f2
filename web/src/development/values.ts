import type { Definition } from "../component/component.js";
import type { FieldInfo } from "../component/fields.js";
import { StoredComponent } from "../component/stored_component.js";
import { ComponentTable } from "../component/component_table.js";
import { replace, warnOnce } from "./replace.js";

const isInteger = ({ kind }: FieldInfo): boolean => /^[iu]\d/.test(kind.name);

/** Warns once for a field that gets a number that it can't store (rule B1). */
function checkValue(cls: string, field: FieldInfo, value: unknown): void {
  if (typeof value !== "number" || field.kind.name === "entity") return;
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
  replace(
    ComponentTable.prototype,
    "writeValues",
    (writeValues) =>
      function (this: ComponentTable, ...args) {
        const { info } = this;
        writeValues.apply(this, args);
        const values = args[1] as Readonly<Record<string, unknown>> | undefined;
        if (values === undefined) return;
        for (const [name, k] of info.names) {
          const { length } = info.fields[k];
          const given = length > 1 ? ((values[name] ?? []) as ArrayLike<unknown>) : [values[name]];
          for (let i = 0; i < given.length; ++i) checkValue(info.name, info.fields[k + i], given[i]);
        }
      },
  );
}
