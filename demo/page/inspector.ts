// The inspector of the package, beside the room (rule I1). It is loaded when the room runs, so that the room begins earlier.
import { NONE } from "crateful/module";
import type { Inspector } from "crateful/inspector";
import { element } from "./element.js";
import type { Game } from "./game.js";
import type { SystemSwitches } from "./system_switches.js";

export class InspectorPanel {
  readonly every = 250;
  readonly #place = element("panel-inspector", HTMLElement);
  #inspector: Inspector | undefined;
  #selected = NONE;

  constructor(
    readonly game: Game,
    readonly switches: SystemSwitches,
  ) {}

  async load(): Promise<void> {
    const { attachInspector } = await import("crateful/inspector");
    this.#inspector = attachInspector(this.game.ecs, { container: this.#place });
  }
  /** Shows the entity that was picked in the room. Call it after each frame. */
  frame(): void {
    const { picked, inspected } = this.game.room;
    const selected = picked ? inspected : NONE;
    if (selected === this.#selected) return;
    this.#selected = selected;
    if (selected !== NONE) this.#inspector?.select(selected);
  }
  /** It can have paused the room, and switched systems on or off. */
  show(): void {
    this.game.noticePause();
    this.switches.notice();
  }
}
