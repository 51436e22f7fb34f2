// Measures rooms of several sizes, with tracking and without.
import type { Figures } from "./figures.js";
import type { Game } from "./game.js";
import type { Loop } from "./loop.js";
import type { Scaling } from "./scaling.js";
import type { SystemSwitches } from "./system_switches.js";

export const COUNTS = [500, 2000, 5000, 20_000, 50_000];
const DURATION = 1500; // milliseconds, at least
const FRAMES = 10; // at least

/** The parts of the page that take part in measurements. */
export interface Measuring {
  game: Game;
  figures: Figures;
  loop: Loop;
  scaling: Scaling;
  switches: SystemSwitches;
}

/** Calls `progress` with the finished share and the next measurement. Restores the settings afterwards. */
export async function measure(
  { game, figures, loop, scaling, switches }: Measuring,
  progress: (share: number, what: string) => void,
  signal: AbortSignal,
): Promise<void> {
  const { settings, tracking, speed, paused } = game;
  const { crates } = settings;
  const { unusual } = switches;
  const toggle = () => {
    for (const name of unusual) switches.set(name, !switches.enabled(name));
  };
  game.busy = "measurement";
  try {
    toggle();
    game.speed = "1";
    game.paused = false;
    let done = 0;
    for (const count of COUNTS) {
      for (const on of [true, false]) {
        progress(done++ / (2 * COUNTS.length), `${count.toLocaleString("en")} crates, tracking ${on ? "on" : "off"}`);
        settings.crates = count;
        game.tracking = on;
        game.begin();
        while (figures.update.span < DURATION || figures.update.count < FRAMES) {
          await loop.next(signal);
          if (signal.aborted) return;
        }
        scaling.record(on, figures.update.mean ?? 0);
      }
    }
  } finally {
    settings.crates = crates;
    game.tracking = tracking;
    toggle();
    game.begin();
    game.speed = speed;
    game.paused = paused;
    game.busy = "";
  }
}
