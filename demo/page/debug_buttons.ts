// The buttons of the debug view. They and the table's check boxes are two views of the same state.
import { element, make } from "./element.js";
import type { Game } from "./game.js";
import type { SystemSwitches } from "./system_switches.js";

const BUTTONS = [
  { label: "Boxes", system: "DebugCollision", about: "Collision shapes" },
  { label: "Cells", system: "DebugHash", about: "The spatial hash's cells" },
  { label: "Heat", system: "DebugHeat", about: "What was looked at flashes" },
  { label: "Inspect", system: "DebugInspection", about: "Brackets around what is inspected" },
  { label: "Timing", system: "DebugTiming", about: "The profiler, drawn in the picture" },
];

export function connectDebugButtons(game: Game, switches: SystemSwitches): void {
  const { debug, heat: asked } = game.settings;
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
    if (label === "Heat") place.append(heat); // whose heat stands beside it
    if (wanted.includes(label.toLowerCase()) || wanted.includes(system.toLowerCase())) switches.set(system, true);
    return { button, system };
  });
  const follow = () => {
    for (const { button, system } of buttons) button.setAttribute("aria-pressed", String(switches.enabled(system)));
  };
  switches.changed.listen(follow);

  if (asked !== undefined) switches.set("DebugHeat", true);
  if ([...heat.options].some((option) => option.value === asked)) heat.value = asked!;
  const choose = () => {
    game.room.heat = heat.value;
  };
  heat.addEventListener("change", () => {
    choose();
    switches.set("DebugHeat", true);
  });
  choose();
  follow();
}
