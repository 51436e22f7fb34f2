// Prints tables as text on the terminal, and writes them as Markdown to documents.
import { readFileSync, writeFileSync } from "node:fs";
import { fromRoot } from "../../scripts/process.mjs";
import { digits, factor, fill, tables } from "../tables.mjs";

/** The text of a table's cell. */
function text(cell, { format }, { spread = true } = {}) {
  if (cell === undefined) return "";
  if (cell.void) return "VOID";
  const range = spread && cell.low !== cell.high ? ` (${format(cell.low)} – ${format(cell.high)})` : "";
  return `${format(cell.value)}${range}${cell.ratio === undefined ? "" : ` ×${factor(cell.ratio)}`}`;
}

/** The table without its empty columns. */
function shape(table, results) {
  const rows = fill(table, results);
  const used = table.columns.map((_, at) => at).filter((at) => rows.some(({ cells }) => cells[at]));
  return {
    rows: rows.map((row) => ({ ...row, cells: used.map((at) => row.cells[at]) })),
    columns: used.map((at) => table.columns[at]),
  };
}

export function printTables(results, parts) {
  for (const table of tables) {
    const { rows, columns } = shape(table, results);
    const chosen = parts.some((part) => table.name === part || table.name.startsWith(`${part}-`));
    if (rows.length === 0 || !chosen) continue;
    console.log(`\n${table.title}`);
    const grid = [
      ["", ...columns.map(({ title }) => title)],
      ...rows.map(({ label, cells }) => [label, ...cells.map((cell, at) => text(cell, columns[at]))]),
    ];
    const widths = grid[0].map((_, at) => Math.max(...grid.map((line) => line[at].length)));
    for (const line of grid)
      console.log(
        line
          .map((field, at) => (at === 0 ? field.padEnd(widths[0]) : field.padStart(widths[at])))
          .join("  ")
          .trimEnd(),
      );
    for (const { label, cells } of rows)
      cells.forEach((cell, at) => {
        if (cell?.void) console.log(`VOID ${label}, ${columns[at].title}: ${cell.void}`);
      });
  }
}

export function printGoals(goals) {
  const measured = goals.filter(({ value }) => value !== undefined);
  const rest = goals.length - measured.length;
  console.log(`\ngoals${rest > 0 ? ` (${rest} more depend on parts that were not measured)` : ""}`);
  const width = Math.max(...goals.map(({ name }) => name.length));
  for (const { name, value, worst, limit, met, note } of measured) {
    console.log(
      `${met ? "met   " : "MISSED"} ${name.padEnd(width)}  ${digits(value).padStart(6)}  ${digits(worst).padStart(6)}  ${limit}${note ? `  (${note})` : ""}`,
    );
  }
}

/** The documents with tables. */
const documents = ["docs/measurements.md", "docs/multiplayer.md", "docs/workers.md"];

/** Replaces the text between <!-- table:NAME --> and <!-- /table:NAME --> in documents. A table without results stays as it is. */
export function writeDocs(results, goals) {
  const contents = {
    ...Object.fromEntries(
      tables
        .map((table) => ({ name: table.name, shaped: shape(table, results) }))
        .filter(({ shaped }) => shaped.rows.length > 0)
        .map(({ name, shaped }) => [name, () => markdownTable(shaped)]),
    ),
    goals: (before) => markdownGoals(goals, before),
    machine: () => markdownAbout(results.about),
  };
  for (const file of documents.map((name) => fromRoot(name))) {
    const after = readFileSync(file, "utf8").replace(
      /(<!-- table:([\w-]+) -->\n)([\s\S]*?)(<!-- \/table:\2 -->)/g,
      (whole, open, name, before, close) => (contents[name] ? `${open}${contents[name](before)}\n${close}` : whole),
    );
    writeFileSync(file, after);
  }
}

function markdownTable({ rows, columns }) {
  if (rows.length === 0) return "Not measured.";
  const line = (fields) => `| ${fields.join(" | ")} |`;
  return [
    line(["", ...columns.map(({ title }) => title)]),
    line(["---", ...columns.map(() => "--:")]),
    ...rows.map(({ label, ours, cells }) =>
      line([ours ? `**${label}**` : label, ...cells.map((cell, at) => text(cell, columns[at], { spread: false }))]),
    ),
  ].join("\n");
}

/** A goal that was not measured keeps its line of before. */
function markdownGoals(goals, before) {
  const lines = before.split("\n");
  const line = ({ name, value, worst, limit, met }) =>
    `| ${[name, ...[value, worst].map((x) => (x === undefined ? "" : digits(x))), limit, met === undefined ? "not measured" : met ? "met" : "missed"].join(" | ")} |`;
  const kept = ({ name, value }) => value === undefined && lines.find((one) => one.startsWith(`| ${name} |`));
  return [
    "| goal | medians | worst round | limit | |",
    "| --- | --: | --: | --- | --- |",
    ...goals.map((goal) => kept(goal) || line(goal)),
  ].join("\n");
}

function markdownAbout({ machine: m }) {
  return [
    `${m.cpu}, ${m.cores} cores, ${m.memory}, ${m.machine}; Node ${m.node}${m.chromium ? `, ${m.chromium}` : ""}; commit ${m.commit}${m.changed ? " with changes" : ""}, ${m.date.slice(0, 10)}.`,
    `${Object.entries(m.libraries)
      .map(([name, version]) => `${name} ${version}`)
      .join(", ")}.`,
  ].join("\n");
}
