// Writes results.html: a page with a bar chart for each column of each table. It has no scripts and downloads nothing.
import { writeFileSync } from "node:fs";
import { digits, factor, fill, tables } from "../tables.mjs";

const escaped = (text) => String(text).replace(/[&<>"]/g, (c) => `&#${c.charCodeAt(0)};`);

/** @param {import("./results.mjs").Results} results */
export function writePage(results, goals, file) {
  const sections = tables.map((table) => ({ table, rows: fill(table, results) })).filter(({ rows }) => rows.length > 0);
  writeFileSync(
    file,
    `<!doctype html>
<html lang="en"><meta charset="utf-8"><meta name="viewport" content="width=device-width">
<title>Crateful's benchmarks</title>
<style>${style}</style>
<h1>Crateful's benchmarks</h1>
${about(results.about.machine)}
<p>Bars are logarithmic; shorter is better. The thin line is the range of the rounds. The number after × is the ratio to the fastest variant of Crateful in TypeScript.</p>
${goalTable(goals)}
${sections
  .map(
    ({ table, rows }) =>
      `<section><h2>${escaped(table.title)}</h2><div class="charts">${table.columns
        .map((column, at) =>
          chart(
            column,
            rows.map(({ label, ours, cells }) => ({ label, ours, cell: cells[at] })).filter(({ cell }) => cell),
          ),
        )
        .join("")}</div></section>`,
  )
  .join("\n")}
</html>
`,
  );
}

function about(m) {
  const libraries = Object.entries(m.libraries)
    .map(([name, version]) => `${name} ${version}`)
    .join(", ");
  return `<p>${escaped(`${m.cpu}, ${m.cores} cores, ${m.memory}, ${m.machine}; Node ${m.node}${m.chromium ? `, ${m.chromium}` : ""}; commit ${m.commit}${m.changed ? " with changes" : ""}, ${m.date.slice(0, 10)}. ${libraries}.`)}</p>`;
}

function goalTable(goals) {
  const row = ({ name, value, worst, limit, met }) =>
    `<tr class="${met === undefined ? "" : met ? "met" : "missed"}"><td>${escaped(name)}${[value, worst].map((x) => `<td>${x === undefined ? "–" : digits(x)}`).join("")}<td>${escaped(limit)}<td>${met === undefined ? "not measured" : met ? "met" : "missed"}`;
  return `<table><tr><th>goal<th>medians<th>worst round<th>limit<th>${goals.map(row).join("")}</table>`;
}

const width = 430;
const labelWidth = 130;
const barWidth = 170;
const line = 18;

function chart({ title, format }, entries) {
  if (entries.length === 0) return "";
  const sound = entries.filter(({ cell }) => cell.value > 0).sort((a, b) => a.cell.value - b.cell.value);
  const rest = entries.filter((entry) => !sound.includes(entry));
  const low = Math.log10(Math.min(...sound.map(({ cell }) => cell.low || cell.value))) - 0.3;
  const high = Math.max(...sound.map(({ cell }) => Math.log10(cell.high)), low + 1);
  const x = (value) => labelWidth + Math.max(0, (Math.log10(value) - low) / (high - low)) * barWidth;
  const rows = [...sound, ...rest]
    .map(({ label, ours, cell }, at) => {
      const y = at * line;
      const name = `<text x="${labelWidth - 6}" y="${y + 13}" class="label">${escaped(label)}</text>`;
      if (cell.void)
        return `${name}<text x="${labelWidth}" y="${y + 13}"><title>${escaped(cell.void)}</title>VOID</text>`;
      if (!(cell.value > 0))
        return `${name}<text x="${labelWidth}" y="${y + 13}">${escaped(format(cell.value))}</text>`;
      const ratio = cell.ratio === undefined ? "" : ` ×${factor(cell.ratio)}`;
      const end = Math.max(x(cell.value), x(cell.high || cell.value));
      return (
        `${name}<rect x="${labelWidth}" y="${y + 3}" width="${(x(cell.value) - labelWidth).toFixed(1)}" height="12"/>` +
        `<path d="M${x(cell.low || cell.value).toFixed(1)} ${y + 9}H${x(cell.high).toFixed(1)}"/>` +
        `<text x="${(end + 5).toFixed(1)}" y="${y + 13}">${escaped(format(cell.value) + ratio)}</text>`
      );
    })
    .map((content, at) => `<g class="${[...sound, ...rest][at].ours ? "ours" : ""}">${content}</g>`);
  return `<figure><figcaption>${escaped(title)}</figcaption><svg viewBox="0 0 ${width} ${entries.length * line + 4}" width="${width}" role="img" aria-label="${escaped(title)}">${rows.join("")}</svg></figure>`;
}

const style = `
:root { color-scheme: light dark; --text: #1c1e21; --paper: #fff; --bar: #9aa5b1; --ours: #d9730d; --good: #2b7a3d; --bad: #b3261e; }
@media (prefers-color-scheme: dark) { :root { --text: #e4e6eb; --paper: #16181c; --bar: #5d6875; --ours: #f0913a; --good: #6cc07f; --bad: #f2877f; } }
body { font: 15px/1.45 system-ui, sans-serif; color: var(--text); background: var(--paper); max-width: 1380px; margin: 2rem auto; padding: 0 1rem; }
h2 { font-size: 1.1rem; margin: 2rem 0 .3rem; }
.charts { display: flex; flex-wrap: wrap; gap: .5rem 1.2rem; }
figure { margin: 0; max-width: 100%; } figcaption { font-weight: 600; margin: .4rem 0; }
svg { max-width: 100%; height: auto; } svg text { font-size: 12px; fill: var(--text); } .label { text-anchor: end; }
rect { fill: var(--bar); } .ours rect { fill: var(--ours); } .ours .label { font-weight: 700; } path { stroke: var(--text); stroke-width: 1.5; }
table { border-collapse: collapse; } td, th { padding: .1rem .8rem .1rem 0; text-align: left; } td:nth-child(2) { text-align: right; }
.met td:last-child { color: var(--good); } .missed td:last-child { color: var(--bad); font-weight: 600; }`;
