// The tables and their contents. The terminal, docs/benchmarks.md and the page show the same tables.
import {
  gameParams,
  isOurs,
  multiplayerLibraries,
  ours,
  roomParams,
  standardCases,
  stateCases,
  tracking,
  workerModes,
  workerParams,
} from "./suite.mjs";

/**
 * @typedef {object} Column
 * @property {string} title
 * @property {(row: object) => boolean} holds whether a row of the results belongs to the column
 * @property {(row: object) => number} value of the row, in the unit of the table
 * @property {(value: number) => string} format
 *
 * @typedef {object} Table
 * @property {string} name
 * @property {string} title
 * @property {Column[]} columns
 */

const perStep = (row, value = row.median) => value;
const perOp = (row, value = row.median) => value / row.ops;
/** `plain`: without the ratio to Crateful. */
const column = (title, holds, { value = perStep, format = time, plain = false } = {}) => ({
  title,
  holds,
  value,
  format,
  plain,
});
/** The rows of a part, of a case, and with these of their parameters. */
const of = (part, name, params = {}) => {
  const wanted = Object.entries(params);
  return (row) => row.part === part && row.case === name && wanted.every(([key, value]) => row.params[key] === value);
};

/** @type {Table[]} */
export const tables = [
  ...[1_000, 10_000, 100_000, 1_000_000].map((n) => ({
    name: `sparse-${short(n)}`,
    title: `sparse: a frame with ${n.toLocaleString("en")} entities of which k changed`,
    columns: [[0], [100], [1_000], [10_000], [100, "moving"]].map(([k, pattern = "same"]) =>
      column(
        `k = ${k.toLocaleString("en")}${pattern === "moving" ? ", moving" : ""}`,
        (row) => row.part === "sparse" && row.params.n === n && row.params.k === k && row.params.pattern === pattern,
      ),
    ),
  })),
  {
    name: "standard",
    title: "standard: nanoseconds per visit, per entity created and removed, or per component added and removed",
    columns: standardCases.map((name) => column(name, of("standard", name), { value: perOp })),
  },
  ...Object.entries({
    game: "a frame of a small game with n enemies and gems",
    survivors: "a frame of a survivors-like game with n enemies and gems",
    towers: "a frame of a tower defence game with n enemies",
  }).map(([name, title]) => ({
    name,
    title: `${name}: ${title}`,
    columns: gameParams[name].map(({ n }) => column(n.toLocaleString("en"), of(name, name, { n }))),
  })),
  {
    name: "objects",
    title: "objects: position.x += 0.25 for each of 10,000 entities",
    columns: Object.entries({ objects: "by id", objects_iter: "in a loop over all" }).flatMap(([name, title]) => [
      column(title, of("objects", name), { value: perOp }),
      column("garbage", of("objects", `${name}_garbage`), { format: bytes }),
    ]),
  },
  {
    name: "hierarchy",
    title:
      "hierarchy: world positions of 100 moved trees with 85 entities each, of 1,176; time for each of these entities",
    columns: [
      column("because a root signals", of("hierarchy", "hierarchy"), { value: perOp }),
      column("a loop over these trees", of("hierarchy", "hierarchy_by_hand"), { value: perOp }),
    ],
  },
  {
    name: "systems",
    title: "systems: adding and removing a component while other systems exist that do not require it",
    columns: [10, 100].map((count) => column(`${count} others`, of("systems", "systems", { count }), { value: perOp })),
  },
  {
    name: "memory",
    title: "memory: bytes per entity, for 100,000 entities with Position and Sprite",
    columns: [
      column("total", of("memory", "memory"), { format: bytes }),
      ...Object.entries({ heap: "JavaScript heap", buffers: "array buffers", wasm: "WebAssembly memory" }).map(
        ([kind, title]) =>
          column(title, of("memory", "memory"), { value: (row) => row.bytes[kind], format: bytes, plain: true }),
      ),
    ],
  },
  {
    name: "start",
    title: "start: the size that a page downloads for the whole library, and the time until the first update",
    columns: [
      ...["raw", "gzip", "brotli"].map((how) => column(how, of("start", `size_${how}`), { format: bytes })),
      column("first update, node", of("start", "start_node")),
      column("first update, chromium", of("browser", "start_chromium")),
    ],
  },
  {
    name: "room",
    title: "room: a frame of the demo's room; number of crates / number of moving crates",
    columns: roomParams.map((params) =>
      column(`${short(params.crates)} / ${params.moving}${params.tracking ? "" : ", off"}`, of("room", "room", params)),
    ),
  },
  {
    name: "demo",
    title: "demo: a frame of the demo's page in headless Chromium with software graphics; crates at rest",
    byRow: (row) => `${short(row.params.crates)}${row.params.tracking ? "" : ", without tracking"}`,
    columns: Object.entries({ update: time, render: time, calls: String, sprites: String, uploaded: bytes }).map(
      ([what, format]) => column(what, of("demo", `demo_${what}`), { format }),
    ),
  },
  ...[
    ["page", "the page's time per frame", time],
    ["worker", "the worker's time per frame", time],
    ["bytes", "bytes per frame", bytes],
  ].map(([what, title, format]) => ({
    name: `worker-${what}`,
    title: `worker: ${title}; entities / changed entities`,
    byRow: (row) => workerModes[row.library],
    columns: workerParams.map((params) =>
      column(`${short(params.n)} / ${short(params.moving)}`, of("worker", `worker_${what}`, params), { format }),
    ),
  })),
  {
    name: "state-limits",
    title:
      "state: saving, sending and going back, with 100,000 entities of three components, and what it is compared with",
    byRow: (row) => row.params.limit,
    columns: [
      ["time", "time", time],
      ["base", "of the other", time],
      ["ratio", "ratio", factor],
      ["bytes", "bytes", bytes],
    ].map(([what, title, format]) =>
      column(
        title,
        (row) => row.case === `limit_${what}` || (row.case === "limit" && what === "time"), // if it is void
        { format, plain: true },
      ),
    ),
  },
  ...Object.entries(stateCases).map(([name, { title }]) => ({
    name: `state-${name}`,
    title: `state: ${title}`,
    columns: [
      ["bytes", "bytes", bytes],
      ["frame", "written and read", time],
      ["change", "changing", time],
      ["write", "writing", time],
      ["read", "reading", time],
    ].map(([what, title, format]) =>
      column(
        title,
        (row) => row.part === "state" && (row.case === `${name}_${what}` || (row.case === name && what === "bytes")),
        { format, plain: what !== "bytes" && what !== "frame" },
      ),
    ),
  })),
  {
    name: "multiplayer",
    title:
      "multiplayer: a server with 60 clients in 4 rooms of 2,000 crates, of which 100 move in each of 20 updates a second",
    byRow: (row) => multiplayerLibraries[row.library],
    columns: [
      ["share", "of one core", (value) => `${digits(value)} %`],
      ["client", "to a client", (value) => `${digits(value)} kbit/s`],
      ["quiet", "state, if nothing moves", (value) => `${value} B`],
    ].map(([what, title, format]) => column(title, of("multiplayer", `server_${what}`), { format, plain: true })),
  },
  {
    name: "storage",
    title:
      "storage: nanoseconds per removal, when all components of a storage are removed in random order, in WebAssembly",
    byRow: (row) => row.params.from,
    columns: [1_000, 10_000, 100_000, 1_000_000].map((n) => column(short(n), of("storage", "storage", { n }))),
  },
  {
    name: "browser",
    title:
      "browser: the same in headless Chromium (sparse: a frame with 100,000 entities of which 100 changed; else one operation)",
    columns: ["sparse", ...standardCases, "objects"].map((name) =>
      column(name, of("browser", name), { value: name === "sparse" ? perStep : perOp }),
    ),
  },
  {
    name: "entt",
    title: "entt: measured in turn with EnTT, per operation",
    byRow: ({ case: name, params }) => `${name}, ${params.build}`,
    columns: Object.entries({ crateful: "Crateful", entt: "EnTT" }).map(([library, title]) =>
      column(title, (row) => row.part === "entt" && row.library === library, { plain: true }),
    ),
  },
];

/**
 * A table's rows, the fastest first.
 * @returns {{ label: string, ours: boolean, cells: ({ value: number, low: number, high: number, ratio?: number } | { void: string } | undefined)[] }[]}
 */
export function fill(table, results) {
  const rows = new Map(); // label -> cells
  table.columns.forEach((column, at) => {
    const found = results.rows.filter((row) => column.holds(row));
    const mine = found.filter(
      (row) => isOurs(row.library) && row.library !== "crateful-cpp" && row.median !== undefined,
    );
    const reference = Math.min(...mine.map((row) => column.value(row)));
    for (const row of found) {
      const label = table.byRow ? table.byRow(row) : labelOf(row);
      if (!rows.has(label))
        rows.set(label, { label, ours: isOurs(row.library), cells: table.columns.map(() => undefined) });
      rows.get(label).cells[at] = row.void
        ? { void: row.void }
        : {
            value: column.value(row),
            low: column.value(row, row.min),
            high: column.value(row, row.max),
            ...(Number.isFinite(reference) && reference > 0 && !column.plain
              ? { ratio: column.value(row) / reference }
              : {}),
          };
    }
  });
  const weight = ({ cells }) => {
    const logs = cells.flatMap((cell, at) =>
      cell?.value > 0 && !table.columns[at].plain ? [Math.log(cell.ratio ?? cell.value)] : [],
    );
    return logs.length === 0 ? Infinity : logs.reduce((sum, log) => sum + log, 0) / logs.length;
  };
  return [...rows.values()].sort((a, b) => (table.byRow ? 0 : weight(a) - weight(b)));
}

/** The label of a row: the library, and, if it has several, the way in which it finds changed entities. */
export function labelOf({ part, case: name, library, params }) {
  if (part === "browser") return library; // there is only one way per library
  if (params.changes === "cpp") return `${library}, changes too`;
  if (name === "sparse_scan") return `${library}, scans`;
  if (name === "sparse" && library === "bitecs") return "bitecs, observes";
  return name === "sparse" && tracking.includes(library) ? `${library}, tracks` : library;
}

export function short(n) {
  return n >= 1e6 ? `${n / 1e6}M` : n >= 1e3 ? `${n / 1e3}k` : String(n);
}
export function time(ns) {
  const [value, unit] =
    ns >= 1e9 ? [ns / 1e9, "s"] : ns >= 1e6 ? [ns / 1e6, "ms"] : ns >= 1e3 ? [ns / 1e3, "µs"] : [ns, "ns"];
  return `${digits(value)} ${unit}`;
}
export function bytes(count) {
  return count >= 1024 ? `${digits(count / 1024)} KiB` : `${digits(count)} B`;
}
/** Formats a ratio. */
export function factor(value) {
  return value >= 9.95 ? value.toFixed(0) : value >= 0.95 ? value.toFixed(1) : value.toFixed(2);
}
/** Formats a number with three digits. */
export function digits(value) {
  return value === 0 || value >= 99.95 ? value.toFixed(0) : value >= 9.995 ? value.toFixed(1) : value.toFixed(2);
}
