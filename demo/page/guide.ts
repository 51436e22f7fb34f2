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
    text: () => "Explosions keep systems busy. What a system looks at is framed: it is only what changes.",
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
];
const TEXT_AT_THE_END = "The same crates. The cost of a frame follows what changed, not what exists.";
/** With the heat view an update takes longer, so it is off where the visitor is to watch the time. */
const HEAT_UNTIL = 3;
const CRATES = 5000;

const KEY = "crate-room.guide";

export class Guide {
  readonly every = 250;
  /** The current step; undefined if the guide is not shown. */
  #at: number | undefined;
  /** How many steps are shown. */
  #last = STEPS.length;
  #ended = false;

  constructor(
    readonly game: Game,
    readonly switches: SystemSwitches,
  ) {
    element("guide", HTMLButtonElement).addEventListener("click", () => {
      if (this.#at === undefined) this.start();
      else this.#leave(false);
    });
    game.changed.listen(() => this.show());
  }

  /** For a visitor who has just arrived: if this browser has shown it before, only the first step. */
  welcome(): void {
    try {
      this.#last = localStorage.getItem(KEY) === null ? STEPS.length : 1;
    } catch {
      this.#last = STEPS.length; // the browser does not keep anything for this page
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
    this.#last = STEPS.length;
    this.#begin();
  }
  #begin(): void {
    this.#at = 0;
    this.switches.set("DebugHeat", true);
    this.show();
  }

  /** Goes on to the next step if the current one has ended. */
  show(): void {
    const { game } = this;
    if (this.#at !== undefined && game.busy === "" && STEPS[this.#at]!.ended(game)) {
      this.#at += 1;
      if (this.#at === HEAT_UNTIL) this.switches.set("DebugHeat", false);
      if (this.#at === this.#last) this.#leave(this.#last === STEPS.length);
    }
    this.#write();
  }

  #leave(ended: boolean): void {
    if (this.#at! < HEAT_UNTIL) this.switches.set("DebugHeat", false);
    this.#at = undefined;
    this.#ended = ended;
    try {
      localStorage.setItem(KEY, "seen");
    } catch {
      // It starts again at the next visit.
    }
    this.#write();
  }

  #write(): void {
    const { ecs, tracking } = this.game;
    const step = this.#at === undefined ? undefined : STEPS[this.#at]!;
    const entities = whole(ecs.count);
    const advice = this.#ended
      ? TEXT_AT_THE_END
      : tracking
        ? `Without it, systems look at all ${entities} entities in each frame.`
        : `Systems look at all ${entities} entities in each frame. Nothing else has changed.`;
    write("advice", step?.text(this.game) ?? advice);
    write("guide", step === undefined ? "Guide" : "Skip");
    write("guide-step", step?.control === undefined ? "" : `${this.#at} of 3`);
    element("comparison", HTMLElement).dataset["guide"] = step === undefined ? "" : (step.control ?? "wait");
  }
}
