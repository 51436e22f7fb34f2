// The charts of the page about benchmarks.
import { readFileSync } from "node:fs";
import { column, nanoseconds } from "../measurements.js";

export interface Chart {
  readonly title: string;
  /** The fastest first; `length` is the share of the width, at most 1. */
  readonly bars: readonly { label: string; ours: boolean; text: string; length: number; cut: boolean }[];
}
declare const data: readonly Chart[];
export { data };

const chosen = [
  { table: "sparse-100k", column: "k = 100", title: "A frame in which 100 of 100,000 entities change" },
  { table: "standard", column: "packed_5", title: "Changing all of five components, for each" },
  { table: "game", column: "5,000", title: "A frame of a game with 5,000 entities" },
  { table: "survivors", column: "5,000", title: "A frame of a survivors-like game with 5,000 entities" },
  { table: "towers", column: "5,000", title: "A frame of a tower defence with 5,000 enemies" },
  { table: "state-units", column: "written and read", title: "Sending what 5,000 units have changed" },
];
/** Longer bars are cut: otherwise the others could not be compared. */
const LONGEST = 8; // times that of `crateful`

export default {
  watch: ["../../measurements.md"],
  load([file]: string[]): readonly Chart[] {
    const text = readFileSync(file!, "utf8");
    return chosen.map(({ table, column: of, title }) => {
      const found = column(text, table, of).map((each) => ({ ...each, time: nanoseconds(each.text) }));
      const own = found.find(({ label }) => label === "crateful")?.time ?? Infinity;
      const longest = Math.min(own * LONGEST, Math.max(...found.map(({ time }) => time)));
      const bars = found
        .sort((a, b) => a.time - b.time)
        .map(({ label, ours, text: cell, time }) => ({
          label,
          ours,
          text: cell.split(" ×")[0]!,
          length: Math.min(time / longest, 1),
          cut: time > longest,
        }));
      return { title, bars };
    });
  },
};
