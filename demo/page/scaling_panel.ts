// The tab "Scaling": update time against the number of entities, as a chart and as a table.
import { element, make, write } from "./element.js";
import { COUNTS, measure, type Measuring } from "./measurement.js";
import type { Measured, Scaling } from "./scaling.js";
import { ScalingChart } from "./scaling_chart.js";
import { meanMilliseconds, times, whole } from "./text.js";

export class ScalingPanel {
  readonly every = 250;
  readonly #scaling: Scaling;
  readonly #chart: ScalingChart | undefined;
  #shown = -1;

  constructor(parts: Measuring) {
    this.#scaling = parts.scaling;
    const place = element("scaling-chart", HTMLElement);
    try {
      this.#chart = new ScalingChart(place);
    } catch {
      place.hidden = true; // without a 2D canvas there is only the table
    }
    this.#connect(parts);
  }

  show(): void {
    this.#chart?.fit();
    if (this.#shown === this.#scaling.version) return;
    this.#shown = this.#scaling.version;
    const [on, off] = [this.#scaling.points(true), this.#scaling.points(false)];
    this.#chart?.show(on, off);
    const counts = [...new Set([...on, ...off].map(({ crates }) => crates))].sort((a, b) => a - b);
    element("scaling", HTMLTableSectionElement).replaceChildren(
      ...counts.map((crates) => {
        const find = (points: Measured[]) => points.find((point) => point.crates === crates);
        const [with_, without] = [find(on), find(off)];
        return make(
          "tr",
          {},
          make("th", { scope: "row", textContent: whole(crates) }),
          make("td", { textContent: whole((with_ ?? without)!.entities) }),
          make("td", { textContent: meanMilliseconds(with_?.update) }),
          make("td", { textContent: meanMilliseconds(without?.update) }),
          make("td", { textContent: with_ && without ? times(without.update, with_.update) : "–" }),
        );
      }),
    );
  }

  #connect(parts: Measuring): void {
    const button = element("measure", HTMLButtonElement);
    const bar = element("measure-progress", HTMLProgressElement);
    let running: AbortController | undefined;
    const say = (text: string) => write("measure-status", text);
    button.addEventListener("click", async () => {
      if (running !== undefined) {
        running.abort();
        return;
      }
      running = new AbortController();
      button.textContent = "Cancel";
      bar.hidden = false;
      try {
        await measure(
          parts,
          (share, what) => {
            bar.value = share;
            say(what);
          },
          running.signal,
        );
        say(
          running.signal.aborted
            ? "Cancelled. The previous settings are set again, in a new run."
            : `Measured ${COUNTS.length} sizes, with tracking and without.`,
        );
      } finally {
        running = undefined;
        bar.hidden = true;
        button.textContent = "Measure";
      }
    });
    parts.game.changed.listen(() => {
      button.disabled = parts.game.busy === "replay";
    });
  }
}
