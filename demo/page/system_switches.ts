// Enables and disables systems, for the check boxes of the table and for the debug buttons.
import type { AnySystem } from "crateful/module";
import type { Game } from "./game.js";
import { Signal } from "./signal.js";

/** The debug systems that are enabled in a new room. */
const INSPECTION = ["DebugInspection", "Inspection"];

export class SystemSwitches {
  readonly changed = new Signal();
  readonly #scripts: Map<string, AnySystem>;

  constructor(readonly game: Game) {
    this.#scripts = new Map(Object.values(game.scripts).map((script: AnySystem) => [script.constructor.name, script]));
  }

  /** Whether a system is written in TypeScript. */
  isScript(name: string): boolean {
    return this.#scripts.has(name);
  }
  has(name: string): boolean {
    return this.game.ecs.systems.some((system) => system.name === name);
  }
  enabled(name: string): boolean {
    return this.game.ecs.systems.find((system) => system.name === name)?.enabled ?? false;
  }
  /** The systems that are enabled or disabled, other than in a new room: an update then does other work. */
  get unusual(): string[] {
    const usual = (name: string, debug: boolean) => !debug || INSPECTION.includes(name);
    return this.game.ecs.systems
      .filter(({ name, debug, enabled }) => enabled !== usual(name, debug))
      .map(({ name }) => name);
  }
  set(name: string, on: boolean): void {
    const { ecs, room } = this.game;
    const script = this.#scripts.get(name);
    if (script === undefined) room.setEnabled(name, on);
    else if (on) ecs.enableSystem(script);
    else ecs.disableSystem(script);
    if (!ecs.systems.find((system) => system.name === name)?.debug)
      this.game.unrecorded = "systems were switched on or off, which is not recorded";
    this.changed.emit();
  }
}
