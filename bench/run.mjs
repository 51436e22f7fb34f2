// npm run bench: node bench/run.mjs [part…] [--quick] [--docs] [--no-build] [--report]
// measures, prints tables, and writes bench/results.json. Parts that are not named keep their earlier results. --quick: 2 rounds; --docs: also rewrites the tables in docs/; --report: measures
// nothing and shows the stored results.
import { existsSync, readFileSync } from "node:fs";
import process from "node:process";
import { build } from "../scripts/build.mjs";
import { cmakeBuild } from "../scripts/cmake.mjs";
import { fromRoot, main, run, say, Stop } from "../scripts/process.mjs";
import { ensureBrowser, ensureCompiler } from "../scripts/toolchain.mjs";
import { judge } from "./goals.mjs";
import { enttOptions } from "./entt.mjs";
import { machine } from "./harness/machine.mjs";
import { printGoals, printTables, writeDocs } from "./harness/print.mjs";
import { Results } from "./harness/results.mjs";
import { runRounds } from "./harness/rounds.mjs";
import { cellsOf, gameParams, libraries } from "./suite.mjs";

const games = Object.keys(gameParams);
const inNode = [
  ...[
    "sparse",
    "standard",
    "rows",
    ...games,
    "engines",
    "objects",
    "hierarchy",
    "systems",
    "memory",
    "room",
    "storage",
  ],
  ...["state", "multiplayer"],
];
const known = ["--quick", "--docs", "--no-build", "--report"];

/** The parts, in the order in which they run. Each returns rows of results. */
const parts = {
  ...Object.fromEntries(inNode.map((name) => [name, ({ peers, rounds }) => runRounds(cellsOf(name, peers), rounds)])),
  start: async ({ rounds }) => (await import("./start.mjs")).start(rounds),
  browser: async ({ peers, rounds, chromium }) =>
    (await import("./browser.mjs")).browser(peers, Math.min(rounds, 3), chromium()),
  worker: async ({ rounds, chromium }) => (await import("./worker.mjs")).worker(rounds, chromium()),
  demo: async ({ rounds, chromium }) => (await import("./demo.mjs")).demo(Math.min(rounds, 3), chromium()),
  entt: async ({ rounds }) => (await import("./entt.mjs")).entt(Math.min(rounds, 3)),
};

/** Installs the packages of bench/package-lock.json, unless bench/node_modules has them. */
function ensurePeers() {
  const read = (file) => (existsSync(file) ? JSON.parse(readFileSync(file, "utf8")).packages : {});
  const present = read(fromRoot("bench/node_modules/.package-lock.json"));
  const wanted = Object.entries(read(fromRoot("bench/package-lock.json")));
  if (wanted.every(([place, { version }]) => place === "" || present[place]?.version === version)) return;
  say("installing the libraries of bench/package-lock.json");
  run("npm", ["ci"], { cwd: fromRoot("bench") });
}

/** Builds the package, and the C++ benchmarks that the chosen parts need. */
async function buildBench(chosen) {
  const extra = chosen.includes("entt") ? ["crateful_bench_entt"] : [];
  await build({
    targets: ["crateful_package", "crateful_bench", ...(chosen.includes("demo") ? ["crate_room"] : []), ...extra],
    options: ["-DCRATEFUL_BUILD_BENCH=ON", ...enttOptions],
  });
  if (extra.length === 0) return;
  ensureCompiler();
  cmakeBuild("native-bench", { targets: extra, options: enttOptions });
}

/** Returns the adapters by name. One that cannot be loaded is omitted, and the reason is printed. */
async function loadPeers() {
  const peers = {};
  for (const library of libraries) {
    try {
      peers[library] = await import(`./peers/${library}.mjs`);
    } catch (error) {
      console.log(`omitted: ${library} (${error.message.split("\n")[0]})`);
    }
  }
  return peers;
}

/** A note if the processes had less than 95 % of a processor, else an empty string. */
function disturbance(rows) {
  const busy = rows.flatMap((row) => row.busy ?? []);
  const share = busy.length === 0 ? 1 : busy.reduce((sum, b) => sum + b, 0) / busy.length;
  return share > 0.95 ? "" : `; disturbed: they had ${Math.round(share * 100)} % of a processor`;
}

/** Runs the parts. If one fails, the others still run. */
async function measureParts(chosen, rounds, results) {
  const peers = await loadPeers();
  let executable;
  const chromium = () => (executable ??= ensureBrowser());
  for (const part of chosen) {
    const start = performance.now();
    try {
      const rows = await parts[part]({ peers, rounds, chromium });
      const seconds = Math.round((performance.now() - start) / 1000);
      results.about.machine = { ...results.about.machine, ...machine(peers, executable) };
      const { date, commit } = results.about.machine;
      results.replace(part, rows, { rounds, seconds, date, commit });
      results.save();
      console.log(`${part}: ${rows.length} results in ${seconds} s${disturbance(rows)}`);
    } catch (error) {
      process.exitCode = 1;
      console.error(error instanceof Stop ? `${part}: ${error.message}` : error);
    }
  }
}

await main(async () => {
  const options = process.argv.slice(2).filter((argument) => argument.startsWith("--"));
  const named = process.argv.slice(2).filter((argument) => !argument.startsWith("--"));
  const unknown = [...named.filter((name) => !(name in parts)), ...options.filter((name) => !known.includes(name))];
  if (unknown.length > 0) throw new Stop(`unknown: ${unknown.join(", ")}. Parts are: ${Object.keys(parts).join(", ")}`);
  // EnTT is no part of this repository, so its part runs only if EnTT is there.
  const usual = (name) => name !== "entt" || enttOptions.length > 0;
  const chosen = Object.keys(parts).filter((name) => (named.length === 0 ? usual(name) : named.includes(name)));
  const rounds = options.includes("--quick") ? 2 : 5;

  const results = Results.load();
  const began = performance.now();
  if (!options.includes("--report")) {
    if (!options.includes("--no-build")) await buildBench(chosen);
    ensurePeers();
    await measureParts(chosen, rounds, results);
  }

  if (results.rows.length === 0) throw new Stop("nothing has been measured");
  const goals = judge(results);
  printTables(results, chosen);
  printGoals(goals);
  if (options.includes("--docs")) writeDocs(results, goals);
  console.log(`\n${Math.round((performance.now() - began) / 1000)} s; bench/results.json`);
});
