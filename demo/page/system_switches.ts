// Enables and disables systems, for the check boxes of the table and for the debug buttons.
import type { AnySystem } from "crateful/module";
import type { Game } from "./game.js";
import { Signal } from "./signal.js";

/** The debug system that is enabled in a new room. */
const INSPECTION = "DebugInspection";

export class SystemSwitches {
  readonly changed = new Signal();
  readonly #scripts: Map<string, AnySystem>;
  /** The names of the disabled systems: those of the game, and those of the debug view. */
  #off: readonly [string, string] = ["", ""];

  constructor(readonly game: Game) {
    this.#scripts = new Map(Object.values(game.scripts).map((script: AnySystem) => [script.constructor.name, script]));
  }

  has(name: string): boolean {
    return this.game.ecs.systems.some((system) => system.name === name);
  }
  enabled(name: string): boolean {
    return this.game.ecs.systems.find((system) => system.name === name)?.enabled ?? false;
  }
  /** The systems that are enabled or disabled, other than in a new room: an update then does other work. */
  get unusual(): string[] {
    const usual = (name: string, debug: boolean) => !debug || name === INSPECTION;
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
    this.notice();
  }
  /** Notices systems that were switched on or off, also by the inspector. */
  notice(): void {
    const { game } = this;
    const off = (debug: boolean) =>
      game.ecs.systems
        .filter((system) => system.debug === debug && !system.enabled)
        .map(({ name }) => name)
        .join();
    const [before, beforeDebug] = this.#off;
    this.#off = [off(false), off(true)];
    const [now, nowDebug] = this.#off;
    if (now !== before) game.unrecorded = "systems were switched on or off, which is not recorded";
    if (now !== before || nowDebug !== beforeDebug) this.changed.emit();
  }
}
