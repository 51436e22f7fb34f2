// Steps through single frames around one change, and records how many entities the systems concerned visited.
import { nativeComponent, NONE, type Entity } from "crateful/module";
import type { Game } from "./game.js";
import type { Loop } from "./loop.js";
import type { StepFigures } from "./one_frame_story.js";
import type { SystemSwitches } from "./system_switches.js";

/** Disabled in these frames, so that only Nudge moves an entity. */
const MOVERS = ["Ai", "Movement"];

export class OneFrame {
  readonly steps: StepFigures[] = [];
  readonly #Position = nativeComponent("Position", { x: "f32", y: "f32" });
  readonly #Velocity = nativeComponent("Velocity");
  #lastMoment = "";

  constructor(
    readonly game: Game,
    readonly loop: Loop,
    readonly switches: SystemSwitches,
  ) {}

  /** Runs one frame, with a nudge or without, and records its figures. */
  step(nudged: boolean, holdStill: boolean): void {
    const { game, loop } = this;
    const {
      room,
      scripts: { nudge },
    } = game;
    this.clearIfOver();
    const before = this.steps.at(-1);
    if (nudged) {
      nudge.request();
      game.unrecorded = "a crate was nudged, which is not recorded";
    }
    const places = this.#places();
    const held = holdStill ? MOVERS.filter((name) => this.switches.enabled(name)) : [];
    for (const name of held) room.setEnabled(name, false);
    try {
      loop.step();
    } finally {
      for (const name of held) room.setEnabled(name, true);
    }
    this.steps.push({
      frame: (before?.frame ?? 0) + 1,
      tracking: game.tracking,
      index: this.#figuresOf("SpatialHash"),
      renderer: this.#figuresOf("AnimationRenderer"),
      nudged: nudged && nudge.moved !== NONE,
      // If SpatialHash was disabled, its dirty set still contains the crate.
      due: before !== undefined && (before.nudged || (before.due && !before.index.enabled)),
      drewBefore: before !== undefined && before.renderer.enabled && before.renderer.visited > 0,
      others: this.#movedSince(places),
    });
    this.#lastMoment = this.#moment();
  }
  /** Clears the steps if other frames have run since: the next step would not be the next frame then. */
  clearIfOver(): void {
    if (this.#lastMoment !== this.#moment()) this.steps.length = 0;
  }

  #moment(): string {
    const { ecs, room } = this.game;
    return `${ecs.paused} ${ecs.gameTime} ${room.player}`;
  }

  #figuresOf(name: string): StepFigures["index"] {
    const system = this.game.ecs.systems.find((other) => other.name === name);
    return {
      visited: this.game.room.visited(name),
      tracked: system?.tracked ?? 0,
      enabled: system?.enabled ?? false,
    };
  }
  // Only entities that can move have a Velocity: a few figures, no crates.
  #places(): Map<Entity, [number, number]> {
    const { ecs } = this.game;
    return new Map(
      [...ecs.storage(this.#Velocity)].map((e) => {
        const { x, y } = ecs.getComponents(e).get(this.#Position);
        return [e, [x, y]];
      }),
    );
  }
  #movedSince(before: Map<Entity, [number, number]>): number {
    let moved = 0;
    for (const [e, [x, y]] of this.#places()) {
      const old = before.get(e);
      if (old === undefined || old[0] !== x || old[1] !== y) moved += 1;
    }
    return moved;
  }
}
