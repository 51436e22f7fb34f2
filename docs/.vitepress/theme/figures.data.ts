// The figures of the first page, from the tables of benchmarks.md.
import { readFileSync } from "node:fs";

export interface Figure {
  readonly value: string;
  readonly text: string;
}
declare const data: readonly Figure[];
export { data };

/** The cells of the row with this title, in a table of the document. */
function row(text: string, table: string, title: string): readonly string[] {
  const rows = new RegExp(`<!-- table:${table} -->([^]*?)<!-- /table:${table} -->`).exec(text)?.[1] ?? "";
  const line = rows.split("\n").find((each) => each.replaceAll("*", "").startsWith(`| ${title} |`));
  if (line === undefined) throw new Error(`benchmarks.md: the table ${table} has no row ${title}`);
  return line
    .split("|")
    .slice(2, -1)
    .map((cell) => cell.trim());
}

export default {
  watch: ["../../benchmarks.md"],
  load([file]: string[]): readonly Figure[] {
    const text = readFileSync(file!, "utf8");
    const tracked = row(text, "demo", "20k")[0]!.split(" ×")[0]!;
    const untracked = row(text, "demo", "20k, without tracking")[0]!.split(" ×")[0]!;
    const tracker = Number(row(text, "bars", "sparse 100k/100: best automatic tracker / crateful")[0]);
    const rows = Number(row(text, "bars", "packed_5: crateful / best peer with objects")[0]);
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
