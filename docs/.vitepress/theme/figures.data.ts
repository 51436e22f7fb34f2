// The figures of the first page.
import { readFileSync } from "node:fs";
import { cell } from "../measurements.js";

export interface Figure {
  readonly value: string;
  readonly text: string;
}
declare const data: readonly Figure[];
export { data };

export default {
  watch: ["../../measurements.md"],
  load([file]: string[]): readonly Figure[] {
    const text = readFileSync(file!, "utf8");
    const tracked = cell(text, "demo", "update", "20k").split(" ×")[0]!;
    const untracked = cell(text, "demo", "update", "20k, without tracking").split(" ×")[0]!;
    const tracker = Number(cell(text, "goals", "medians", "sparse 100k/100: best automatic tracker / crateful"));
    const rows = Number(cell(text, "goals", "medians", "packed_5: crateful / best peer with objects"));
    return [
      {
        value: tracked,
        text: `an update of the demo's room with 20,000 crates at rest; without dirty tracking ${untracked}`,
      },
      {
        value: `${tracker.toFixed(1)} ×`,
        text: "as fast as the best other library that tracks changes, where 100 of 100,000 entities change",
      },
      {
        value: `${(1 / rows).toFixed(1)} ×`,
        text: "as fast as the best other library with objects, where all components change",
      },
    ];
  },
};
