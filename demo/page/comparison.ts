// The update times of the room with dirty tracking and without it, as bars. The room runs in one of these modes; the
// other one is measured in a twin of the room, in a few updates that are not shown. So are both if the room does other
// work than usually.
import type { Game } from "./game.js";
import type { Figures } from "./figures.js";
import { element, write } from "./element.js";
import { mean } from "./history.js";
import { SETTLED, type Scaling } from "./scaling.js";
import { BUDGET, meanMilliseconds, times, whole } from "./text.js";

const SETTLING = 20; // updates of the twin that are not measured: at first all of its entities are dirty
const LONG = 2; // milliseconds
// Frames between two long updates of the twin, so that the page keeps responding; and how many updates are measured.
const APART = 3;
const LONG_SAMPLES = 5;
const SHORT_SAMPLES = 20; // more, because the clock may advance in only some of them

const about = (estimated: boolean) => (estimated ? "≈ " : "");

const MODES = [
  { name: "on", tracking: true },
  { name: "off", tracking: false },
] as const;

export class Comparison {
  readonly every = 250;
  #measurement: { crates: number; steps: Iterator<void> } | undefined;

  constructor(
    readonly game: Game,
    readonly figures: Figures,
    readonly scaling: Scaling,
  ) {}

  /** Call it after each frame of the loop: it continues a measurement, or starts one that is missing. */
  frame(): void {
    const { game, scaling } = this;
    const { crates } = game.settings;
    if (this.#measurement !== undefined && (this.#measurement.crates !== crates || game.busy !== "")) this.#cancel();
    if (game.busy !== "") return;
    if (this.#measurement !== undefined) {
      if (this.#measurement.steps.next().done) this.#measurement = undefined;
      return;
    }
    if (this.figures.update.span < SETTLED) return;
    const missing = MODES.find(
      ({ tracking }) => scaling.at(crates, tracking) === undefined && (tracking !== game.tracking || !scaling.usual),
    );
    if (missing === undefined) return;
    this.#measurement = { crates, steps: this.#measure(missing.tracking) };
  }

  show(): void {
    const { ecs, tracking } = this.game;
    const shown = MODES.map((mode) => ({ ...mode, ...this.#time(mode.tracking) }));
    const longest = Math.max(BUDGET, ...shown.map(({ time }) => time ?? 0));
    const share = (time: number) => time / (1.05 * longest);
    for (const { name, time, estimated } of shown) {
      write(`cost-${name}`, time === undefined ? "measuring …" : `${about(estimated)}${meanMilliseconds(time)} ms`);
      element(`bar-${name}`, HTMLElement).style.width = `${100 * share(time ?? 0)}%`;
      element(`row-${name}`, HTMLElement).classList.toggle("running", tracking === (name === "on"));
    }
    element("comparison", HTMLElement).style.setProperty("--budget", String(share(BUDGET)));
    const [on, off] = shown.map(({ time }) => time);
    write(
      "ratio",
      on === undefined || off === undefined ? "–" : about(shown.some(({ estimated }) => estimated)) + times(off, on),
    );
    write("comparison-of", whole(ecs.count));
  }

  /** The update time in one mode. Until it is measured for this number of crates, it is estimated from other numbers. */
  #time(tracking: boolean): { time?: number; estimated: boolean } {
    const { game, scaling } = this;
    const { crates } = game.settings;
    const exact = scaling.at(crates, tracking);
    if (exact !== undefined) return { time: exact.update, estimated: false };
    const far = (other: { crates: number }) => Math.abs(Math.log(other.crates / crates));
    const nearest = scaling.points(tracking).sort((a, b) => far(a) - far(b))[0];
    if (nearest === undefined) return { estimated: true };
    // Without tracking the time follows the number of entities.
    return { time: tracking ? nearest.update : (nearest.update * crates) / nearest.crates, estimated: true };
  }

  *#measure(tracking: boolean): Generator<undefined, void> {
    const { game, scaling } = this;
    const twin = game.room.twin();
    try {
      yield;
      twin.update(SETTLING);
      twin.tracking = tracking;
      const samples: number[] = [];
      let long = true;
      while (samples.length < (long ? LONG_SAMPLES : SHORT_SAMPLES)) {
        for (let frame = 0; frame < (long ? APART : 1); frame++) yield;
        const started = game.clock();
        twin.update(1); // one in a frame, with cold caches, as in the room
        samples.push(game.clock() - started);
        long = samples[0]! > LONG;
      }
      scaling.record(tracking, mean(samples)!);
    } finally {
      twin.delete();
    }
  }
  #cancel(): void {
    this.#measurement?.steps.return?.();
    this.#measurement = undefined;
  }
}
