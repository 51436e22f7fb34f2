// The guided first minute: what dirty tracking saves, in three steps that the visitor takes. It can be left at any
// time, and starts by itself only once in a browser.
import { Exploding, Fuse } from "./components.js";
import { element, write } from "./element.js";
import type { Game } from "./game.js";
import { MOST } from "./settings.js";
import type { SystemSwitches } from "./system_switches.js";
import { whole } from "./text.js";

interface Step {
  text(game: Game): string;
  /** The control that the visitor uses in this step. */
  control?: "tracking" | "crates";
  ended(game: Game): boolean;
}
const STEPS: Step[] = [
  {
    text: () => "Explosions keep systems busy. What a system looks at is framed: only what changes.",
    ended: ({ ecs }) => ecs.storage(Fuse).count + ecs.storage(Exploding).count === 0,
  },
  {
    text: ({ settings }) =>
      `Now ${whole(settings.crates)} crates rest, and systems look at none of them. Turn dirty tracking off.`,
    control: "tracking",
    ended: ({ tracking }) => !tracking,
  },
  {
    text: () =>
      `Nothing else has changed, but systems look at all crates in each frame. Drag to ${whole(MOST)} crates.`,
    control: "crates",
    ended: ({ settings }) => settings.crates === MOST,
  },
  {
    text: () => "Nothing moves, yet look at the time of an update. Turn dirty tracking on again.",
    control: "tracking",
    ended: ({ tracking }) => tracking,
  },
  {
    text: () => "The same crates. The cost of a frame follows what changed, not what exists.",
    ended: ({ settings, tracking }) => !tracking || settings.crates !== MOST,
  },
];
/** In these steps the heat view is on. Later the visitor is to watch the time, and with it an update takes longer. */
const HEATED = 3;
const LAST = STEPS.length - 1;
const CRATES = 5000;

const KEY = "crate-room.guide";

export class Guide {
  readonly every = 250;
  /** The current step; undefined if the guide is not shown. */
  #at: number | undefined;
  /** Whether it leaves after the first step, which needs nothing of the visitor. */
  #short = false;

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

  /** For a visitor who has just arrived: if this browser has shown the guide before, only its first step. */
  welcome(): void {
    try {
      this.#short = localStorage.getItem(KEY) !== null;
    } catch {
      // The browser keeps nothing for this page.
    }
    this.#begin();
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
    this.#begin();
  }
  #begin(): void {
    this.#at = 0;
    this.switches.set("DebugHeat", true);
  }
  #leave(): void {
    if (this.#at! < HEATED) this.switches.set("DebugHeat", false);
    this.#at = undefined;
    remember();
  }

  /** Goes on to the next step if the current one has ended. */
  show(): void {
    const { game } = this;
    if (this.#at !== undefined && game.busy === "" && STEPS[this.#at]!.ended(game)) {
      if (this.#short || this.#at === LAST) this.#leave();
      else this.#at += 1;
      if (this.#at === HEATED) this.switches.set("DebugHeat", false);
      if (this.#at === LAST) remember();
    }
    this.#write();
  }

  #write(): void {
    const { ecs, tracking } = this.game;
    const step = this.#at === undefined ? undefined : STEPS[this.#at]!;
    const entities = whole(ecs.count);
    const advice = tracking
      ? `Without it, systems look at all ${entities} entities in each frame.`
      : `Systems look at all ${entities} entities in each frame. Nothing else has changed.`;
    write("advice", step?.text(this.game) ?? advice);
    write("guide", step === undefined ? "Guide" : this.#at === LAST ? "Close" : "Skip");
    write("guide-step", step?.control === undefined ? "" : `${this.#at} of 3`);
    element("comparison", HTMLElement).dataset["guide"] = step === undefined ? "" : (step.control ?? "wait");
  }
}

/** Keeps in the browser that the visitor has seen the guide. */
function remember(): void {
  try {
    localStorage.setItem(KEY, "seen");
  } catch {
    // It starts again at the next visit.
  }
}
