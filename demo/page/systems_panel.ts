// The table of all systems, in the order in which they run.
import type { SystemInfo } from "crateful/module";
import { element, make } from "./element.js";
import type { Game } from "./game.js";
import type { SystemSwitches } from "./system_switches.js";
import { milliseconds, whole } from "./text.js";

const MANY = 100;
const FIGURES = ["tracked", "looked-at", "ms"] as const;

interface Row {
  row: HTMLTableRowElement;
  box: HTMLInputElement;
  cells: Record<(typeof FIGURES)[number], HTMLTableCellElement>;
}

export class SystemsPanel {
  readonly every = 250;
  readonly #rows = new Map<string, Row>();

  constructor(
    readonly game: Game,
    readonly switches: SystemSwitches,
  ) {
    switches.changed.listen(() => this.show());
    game.changed.listen(() => this.show());
  }

  show(): void {
    const { ecs, busy } = this.game;
    const clocks = ecs.profiler.report().find((group) => group.name === "Systems")?.clocks ?? [];
    const averages = new Map(clocks.map((clock) => [clock.name, clock.average]));
    for (const system of ecs.systems) {
      const { row, box, cells } = this.#rows.get(system.name) ?? this.#add(system);
      // With tracking off, C++ systems visit all entities that they track, not only their dirty set.
      const visited = this.switches.isScript(system.name) ? system.dirty : this.game.room.visited(system.name);
      box.checked = system.enabled;
      box.disabled = busy !== "" && !system.debug;
      row.classList.toggle("off", !system.enabled);
      row.classList.toggle("busy", system.enabled && visited >= MANY);
      const show = (figure: (typeof FIGURES)[number], text: string) => {
        if (cells[figure].textContent !== text) cells[figure].textContent = text;
      };
      show("tracked", whole(system.tracked));
      show("looked-at", system.enabled ? whole(visited) : "–");
      show("ms", system.enabled ? milliseconds(averages.get(system.name)) : "–");
    }
  }

  #add({ name, priority, debug }: SystemInfo): Row {
    const row = element("systems", HTMLTableSectionElement).insertRow();
    row.dataset["system"] = name;
    row.classList.toggle("script", this.switches.isScript(name));
    row.classList.toggle("debug", debug);
    if (debug) row.title = "A debug system: it also runs while the room is paused";
    const box = make("input", { type: "checkbox", ariaLabel: `${name} enabled` });
    box.addEventListener("change", () => this.switches.set(name, box.checked));
    row.insertCell().append(box);
    row.insertCell().append(String(Math.trunc(priority))); // the phase of the frame
    const label = make("th", { scope: "row" }, name);
    if (debug) label.append(make("span", { className: "tag", textContent: "debug" }));
    row.append(label);
    const cell = (figure: string) => {
      const made = row.insertCell();
      made.dataset["figure"] = figure;
      return made;
    };
    const added = { row, box, cells: { tracked: cell("tracked"), "looked-at": cell("looked-at"), ms: cell("ms") } };
    this.#rows.set(name, added);
    return added;
  }
}
