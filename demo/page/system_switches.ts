// Enables and disables systems, for the check boxes of the table and for the debug buttons.
import type { AnySystem } from "crateful/module";
import type { Game } from "./game.js";
import { Signal } from "./signal.js";

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
  /** The debug views that are on, without Inspect, which is on at the start: their work is a part of each update. */
  get views(): string[] {
    const shown = this.game.ecs.systems.filter(({ debug, enabled }) => debug && enabled);
    return shown.map(({ name }) => name).filter((name) => !INSPECTION.includes(name));
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
