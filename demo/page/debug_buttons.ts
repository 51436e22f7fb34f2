// The buttons of the debug view. They show the same state as the check boxes of the inspector.
import { element, make } from "./element.js";
import type { Game } from "./game.js";
import type { SystemSwitches } from "./system_switches.js";

const BUTTONS = [
  { label: "Boxes", system: "DebugCollision", about: "Collision shapes" },
  { label: "Cells", system: "DebugHash", about: "Cells of the spatial hash" },
  { label: "Heat", system: "DebugHeat", about: "Marks the entities that systems visited" },
  { label: "Inspect", system: "DebugInspection", about: "Brackets around the inspected entity" },
];

export function connectDebugButtons(game: Game, switches: SystemSwitches): void {
  const { debug, heat: heatOf } = game.settings;
  const wanted = debug.map((name) => name.toLowerCase());
  const place = element("debug-buttons", HTMLElement);
  const heat = element("heat", HTMLSelectElement);

  const buttons = BUTTONS.map(({ label, system, about }) => {
    const button = make("button", {
      type: "button",
      textContent: label,
      title: about,
      disabled: !switches.has(system),
    });
    button.addEventListener("click", () => switches.set(system, !switches.enabled(system)));
    place.append(button);
    if (label === "Heat") place.append(heat); // the choice of the system is beside the button
    if (wanted.includes(label.toLowerCase()) || wanted.includes(system.toLowerCase())) switches.set(system, true);
    return { button, system };
  });
  const update = () => {
    for (const { button, system } of buttons) button.setAttribute("aria-pressed", String(switches.enabled(system)));
  };
  switches.changed.listen(update);

  if (heatOf !== undefined) switches.set("DebugHeat", true);
  if ([...heat.options].some((option) => option.value === heatOf)) heat.value = heatOf!;
  const choose = () => {
    game.room.heat = heat.value;
  };
  heat.addEventListener("change", () => {
    choose();
    switches.set("DebugHeat", true);
  });
  choose();
  update();
}
