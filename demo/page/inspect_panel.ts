// The components of the inspected entity, as the system Inspection read them.
import { entityIndex, NONE } from "crateful/module";
import { element, make, write } from "./element.js";
import type { Inspection, Value } from "./inspection.js";

const FLASH = 20; // a change stays marked for so many updates

// The meaning of some fields' numbers; see demo/scene/components.hpp.
const KINDS = ["solid", "mobile", "vulnerable", "attack", "shield", "sensor"];
const meanings: Record<string, (n: number) => string> = {
  "CollisionShape.kinds": (n) => KINDS.filter((_, i) => (n >> i) & 1).join(", "),
};
const ENTITIES = new Set(["Defending.shield", "Attack.owner", "Shield.owner", "Blocked.shield"]);

function text(field: string, value: Value): string {
  if (typeof value === "string") return value;
  if (typeof value === "boolean") return value ? "yes" : "no";
  if (ENTITIES.has(field)) return value === NONE ? "none" : `entity ${entityIndex(value)}`;
  const number = Number.isInteger(value) ? String(value) : value.toFixed(3);
  const meaning = meanings[field]?.(value) ?? "";
  return meaning === "" ? number : `${number} (${meaning})`;
}

export class InspectPanel {
  readonly every = 100;
  readonly #list = element("inspected", HTMLElement);

  constructor(readonly inspection: Inspection) {}

  show(): void {
    const { entity, components, room, disabled } = this.inspection;
    write("inspected-title", entity === NONE ? "Nothing is inspected" : `Entity ${entityIndex(entity)}`);
    const how = disabled
      ? "the system Inspection is switched off"
      : entity === NONE
        ? ""
        : room.picked
          ? "picked"
          : "under the pointer";
    write("inspected-how", how);
    this.#list.replaceChildren(
      ...components.map(({ name, fields, unchanged }) =>
        make(
          "section",
          { className: unchanged < FLASH ? "changed" : "" },
          make("h4", { textContent: name }),
          make(
            "dl",
            {},
            ...fields.map(({ name: field, value }) =>
              make(
                "div",
                {},
                make("dt", { textContent: field }),
                make("dd", { textContent: text(`${name}.${field}`, value) }),
              ),
            ),
          ),
        ),
      ),
    );
  }
}
