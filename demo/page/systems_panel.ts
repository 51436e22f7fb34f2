// The table of all systems: busy ones first, or in the order in which they run. Debug systems are folded away below.
import type { SystemInfo } from "crateful/module";
import { element, make } from "./element.js";
import type { Game } from "./game.js";
import type { SystemSwitches } from "./system_switches.js";
import { milliseconds, whole } from "./text.js";

const MANY = 100;
const SHOWS_APART = 4; // of 250 ms each, between two times of sorting
const FIGURES = ["tracked", "visited", "ms"] as const;

interface Row {
  row: HTMLTableRowElement;
  box: HTMLInputElement;
  cells: Record<(typeof FIGURES)[number], HTMLTableCellElement>;
}

export class SystemsPanel {
  readonly every = 250;
  readonly #rows = new Map<string, Row>();
  readonly #body = element("systems", HTMLTableSectionElement);
  readonly #debugBody = element("debug-systems", HTMLTableSectionElement);
  #sorting: "order" | "busy" = "busy";
  #shows = 0;

  constructor(
    readonly game: Game,
    readonly switches: SystemSwitches,
  ) {
    switches.changed.listen(() => this.show());
    game.changed.listen(() => this.show());
    for (const sorting of ["order", "busy"] as const)
      element(`sort-${sorting}`, HTMLButtonElement).addEventListener("click", () => {
        this.#sorting = sorting;
        this.#showSorting();
        this.#sort();
      });
    this.#showSorting();
    const fold = element("debug-fold", HTMLButtonElement);
    fold.addEventListener("click", () => {
      this.#debugBody.hidden = !this.#debugBody.hidden;
      fold.ariaExpanded = String(!this.#debugBody.hidden);
    });
  }

  show(): void {
    const { ecs, busy } = this.game;
    const clocks = ecs.profiler.report().find((group) => group.name === "Systems")?.clocks ?? [];
    const averages = new Map(clocks.map((clock) => [clock.name, clock.average]));
    for (const system of ecs.systems) {
      const { row, box, cells } = this.#rows.get(system.name) ?? this.#add(system);
      const visited = this.#visited(system);
      box.checked = system.enabled;
      box.disabled = busy !== "" && !system.debug;
      row.classList.toggle("off", !system.enabled);
      // A debug system visits many on purpose.
      row.classList.toggle("busy", system.enabled && !system.debug && visited >= MANY);
      const show = (figure: (typeof FIGURES)[number], text: string) => {
        if (cells[figure].textContent !== text) cells[figure].textContent = text;
      };
      show("tracked", whole(system.tracked));
      show("visited", system.enabled ? whole(visited) : "–");
      show("ms", system.enabled ? milliseconds(averages.get(system.name)) : "–");
    }
    // Rows do not move more often than they can be read, under the pointer, or while one of them has the focus.
    if (this.#shows++ % SHOWS_APART === 0 && !this.#body.matches(":hover, :focus-within")) this.#sort();
  }

  /** With tracking off, C++ systems visit all entities that they track, not only their dirty set. */
  #visited({ name, dirty }: SystemInfo): number {
    return this.switches.isScript(name) ? dirty : this.game.room.visited(name);
  }

  #sort(): void {
    const busyness = (system: SystemInfo) => (system.enabled ? this.#visited(system) : -1);
    const systems = this.game.ecs.systems.filter((system) => !system.debug);
    if (this.#sorting === "busy") {
      const of = new Map(systems.map((system) => [system, busyness(system)]));
      systems.sort((a, b) => of.get(b)! - of.get(a)!); // keeps the order of equal ones
    }
    systems.forEach(({ name }, at) => {
      const row = this.#rows.get(name)?.row;
      if (row !== undefined && this.#body.rows[at] !== row) this.#body.insertBefore(row, this.#body.rows[at] ?? null);
    });
  }
  #showSorting(): void {
    for (const sorting of ["order", "busy"] as const) {
      const heading = element(`sort-${sorting}`, HTMLButtonElement).parentElement!;
      if (sorting !== this.#sorting) heading.removeAttribute("aria-sort");
      else heading.ariaSort = sorting === "busy" ? "descending" : "ascending";
    }
  }

  #add({ name, priority, debug }: SystemInfo): Row {
    const row = (debug ? this.#debugBody : this.#body).insertRow();
    row.dataset["system"] = name;
    row.classList.toggle("script", this.switches.isScript(name));
    if (debug) row.title = "A debug system: it also runs while the room is paused";
    const box = make("input", { type: "checkbox", ariaLabel: `${name} enabled` });
    box.addEventListener("change", () => this.switches.set(name, box.checked));
    row.insertCell().append(box);
    row.insertCell().append(String(Math.trunc(priority))); // the phase of the frame
    row.append(make("th", { scope: "row" }, name));
    const cell = (figure: string) => {
      const made = row.insertCell();
      made.dataset["figure"] = figure;
      return made;
    };
    const added = { row, box, cells: { tracked: cell("tracked"), visited: cell("visited"), ms: cell("ms") } };
    this.#rows.set(name, added);
    return added;
  }
}
