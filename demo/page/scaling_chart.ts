// The chart of the tab "History", drawn by uPlot.
import uPlot from "uplot";
import "uplot/dist/uPlot.min.css";
import { RESOLUTION, whole } from "./text.js";
import type { Measured } from "./scaling.js";

const HEIGHT = 260;
const AXIS = {
  stroke: "#b9aa9b",
  grid: { stroke: "#3a2f28", width: 1 },
  ticks: { stroke: "#3a2f28", width: 1 },
  font: "12px system-ui, sans-serif",
};

const series = (label: string, stroke: string, dash?: number[]): uPlot.Series => ({
  label,
  stroke,
  width: 2,
  spanGaps: true,
  ...(dash && { dash }),
  points: { show: true, size: 7, fill: stroke },
});
/** Grid lines at powers of ten. */
const powers = (_: uPlot, _axis: number, low: number, high: number): number[] => {
  const [first, last] = [Math.round(Math.log10(low)), Math.round(Math.log10(high))];
  return Array.from({ length: last - first + 1 }, (_line, i) => Number(`1e${first + i}`));
};
/** Labels all of these lines; uPlot would otherwise omit some. */
const every = (_: uPlot, lines: number[]): number[] => lines;
const written = (format: (n: number) => string) => (_: uPlot, lines: number[]) => lines.map(format);
/** Extends a range to powers of ten. */
const decades = (low: number, high: number): uPlot.Range.MinMax => [
  10 ** Math.floor(Math.log10(low)),
  10 ** Math.ceil(Math.log10(high)),
];

export class ScalingChart {
  readonly #plot: uPlot;

  constructor(readonly place: HTMLElement) {
    this.#plot = new uPlot(
      {
        width: 320,
        height: HEIGHT,
        scales: {
          x: { time: false, distr: 3, range: (_, low, high) => decades(low ?? 100, Math.max(high ?? 0, 100_000)) },
          y: { distr: 3, range: (_, low, high) => decades(Math.min(low ?? 1, RESOLUTION), Math.max(high ?? 0, 10)) },
        },
        axes: [
          {
            ...AXIS,
            label: "entities",
            labelSize: 18,
            labelFont: AXIS.font,
            splits: powers,
            filter: every,
            values: written(whole),
          },
          {
            ...AXIS,
            label: "update, ms (mean)",
            labelSize: 18,
            labelFont: AXIS.font,
            size: 48,
            splits: powers,
            filter: every,
            values: written(String),
          },
        ],
        series: [{}, series("tracking on", "#7fd39b"), series("tracking off", "#f5876a", [6, 4])],
        cursor: { show: false }, // the table below has the numbers
        legend: { live: false },
      },
      [[], [], []],
      place,
    );
    new ResizeObserver(() => this.fit()).observe(place);
  }

  fit(): void {
    const { clientWidth } = this.place;
    if (clientWidth > 0 && clientWidth !== this.#plot.width) this.#plot.setSize({ width: clientWidth, height: HEIGHT });
  }
  show(on: Measured[], off: Measured[]): void {
    const entities = [...new Set([...on, ...off].map((point) => point.entities))].sort((a, b) => a - b);
    const along = (points: Measured[]) =>
      entities.map((n) => points.find((point) => point.entities === n)?.update ?? null);
    this.#plot.setData([entities, along(on), along(off)]);
  }
}
