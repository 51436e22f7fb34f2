// The guide through the first minute: what dirty tracking saves, in three steps that the visitor takes. It begins by
// itself when the page is opened without settings; once a browser has shown it, only what needs nothing of the visitor.
import { Crate, Exploding, Fuse } from "./components.js";
import { element, write } from "./element.js";
import type { Game } from "./game.js";
import { MOST } from "./settings.js";
import type { SystemSwitches } from "./system_switches.js";
import { whole } from "./text.js";

interface Step {
  text(game: Game): string;
  /** The control that the visitor uses in this step. */
  control?: "tracking" | "crates";
  /** The step that the state of the room belongs to, when this one is shown; undefined: none. */
  next(game: Game): number | undefined;
}
const STEPS: Step[] = [
  {
    text: () => "Explosions change crates. Systems visit only these: they are marked.",
    next: ({ ecs }) => (ecs.storage(Fuse).count + ecs.storage(Exploding).count > 0 ? 0 : 1),
  },
  {
    text: ({ ecs }) =>
      `Now ${whole(ecs.storage(Crate).count)} crates rest: systems visit none of them. Turn dirty tracking off.`,
    control: "tracking",
    next: ({ tracking }) => (tracking ? 1 : 2),
  },
  {
    text: () => `Now systems visit all crates in each frame. Drag to ${whole(MOST)} crates.`,
    control: "crates",
    next: ({ settings, tracking }) => (tracking ? 1 : settings.crates < MOST ? 2 : 3),
  },
  {
    text: () => "Nothing moves, yet see how long an update takes. Turn tracking on again.",
    control: "tracking",
    next: ({ settings, tracking }) => (settings.crates < MOST ? 2 : tracking ? 4 : 3),
  },
  {
    text: () => "The same crates. The cost of a frame follows what changed, not what exists.",
    next: ({ settings, tracking }) => (tracking && settings.crates === MOST ? 4 : undefined),
  },
];
const LAST = STEPS.length - 1;
/** Before this step the heat view is on. Then the visitor is to watch the time, and with it an update takes longer. */
const UNHEATED = 3;
const CRATES = 5000;

const KEY = "crate-room.guide";

export class Guide {
  readonly every = 250;
  /** The current step; undefined if the guide is not shown. */
  #at: number | undefined;
  /** Whether it ends after the first step. */
  #short = false;
  /** Whether the guide has switched the heat view on. */
  #heating = false;

  constructor(
    readonly game: Game,
    readonly switches: SystemSwitches,
  ) {
    element("guide", HTMLButtonElement).addEventListener("click", () => {
      if (this.#at === undefined) this.start();
      else this.#leave();
      this.show();
    });
    game.changed.listen(() => this.show());
  }

  /** For a visitor who has just arrived. */
  welcome(): void {
    try {
      this.#short = localStorage.getItem(KEY) !== null;
    } catch {
      // The browser keeps nothing for this page.
    }
    this.#enter(0);
  }
  start(): void {
    const { game } = this;
    if (game.settings.crates === MOST) {
      game.settings.crates = CRATES;
      game.begin();
    }
    game.paused = false;
    game.speed = "1";
    game.tracking = true;
    this.#short = false;
    this.#enter(0);
  }

  /** Shows the step that the state of the room belongs to. */
  show(): void {
    const { game } = this;
    if (this.#at !== undefined && game.busy === "") {
      const next = STEPS[this.#at]!.next(game);
      if (next === undefined || (this.#short && next > 0)) this.#leave();
      else if (next !== this.#at) this.#enter(next);
    }
    this.#write();
  }

  #enter(step: number): void {
    this.#at = step;
    this.#heat(step < UNHEATED);
    if (step === LAST) remember();
  }
  #leave(): void {
    this.#at = undefined;
    this.#heat(false);
    remember();
  }
  /** Leaves a heat view that the visitor has switched on. */
  #heat(on: boolean): void {
    if (on === this.#heating || (on && this.switches.enabled("DebugHeat"))) return;
    this.#heating = on;
    this.switches.set("DebugHeat", on);
  }

  #write(): void {
    const { ecs, tracking } = this.game;
    const step = this.#at === undefined ? undefined : STEPS[this.#at]!;
    const entities = whole(ecs.count);
    const advice = tracking
      ? `Systems visit only what has changed. Without tracking they visit all ${entities} entities in each frame.`
      : `Systems visit all ${entities} entities in each frame, also if nothing has changed.`;
    // A screen reader reads the steps, but not the number of entities whenever it changes.
    element("advice", HTMLElement).ariaLive = step === undefined ? "off" : "polite";
    write("advice", step?.text(this.game) ?? advice);
    write("guide", step === undefined ? "Guide" : this.#at === LAST ? "Close" : "Skip");
    write("guide-step", step?.control === undefined ? "" : `${this.#at} of 3`);
    element("comparison", HTMLElement).dataset["guide"] = step === undefined ? "" : (step.control ?? "wait");
  }
}

/** Keeps in the browser that it has shown the guide. */
function remember(): void {
  try {
    localStorage.setItem(KEY, "seen");
  } catch {
    // The guide begins with all of its steps at the next visit.
  }
}
