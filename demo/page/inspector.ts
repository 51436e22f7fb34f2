// The inspector of the package, beside the room (rule I1). It is loaded when the room runs, so that the room begins earlier.
import { NONE } from "crateful/module";
import type { attachInspector } from "crateful/inspector";
import { element } from "./element.js";
import type { Game } from "./game.js";
import type { SystemSwitches } from "./system_switches.js";

export class InspectorPanel {
  readonly every = 250;
  /** Whether it records. */
  #recording = () => false;
  readonly #place = element("panel-inspector", HTMLElement);
  #inspector: ReturnType<typeof attachInspector> | undefined;
  #selected = NONE;

  constructor(
    readonly game: Game,
    readonly switches: SystemSwitches,
  ) {}

  async load(): Promise<void> {
    const { attachInspector, inspect } = await import("crateful/inspector");
    const { ecs } = this.game;
    this.#inspector = attachInspector(ecs, { container: this.#place });
    this.#recording = () => {
      const world = inspect(ecs, { ask: "world" });
      return "recording" in world && world.recording;
    };
  }
  /** Shows the entity that was picked in the room. Call it after each frame. */
  frame(): void {
    const { picked, inspected } = this.game.room;
    const selected = picked ? inspected : NONE;
    if (selected === this.#selected) return;
    this.#selected = selected;
    if (selected !== NONE) this.#inspector?.select(selected);
  }
  /** It can have paused the room, switched systems on or off, and begun to record. */
  show(): void {
    const { game } = this;
    game.noticePause();
    game.room.recordTimes = game.keepsPast || this.#recording();
    this.switches.notice();
  }
}
