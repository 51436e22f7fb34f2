// Part `native`: the C++ core without WebAssembly, measured by Google Benchmark.
import { existsSync, readFileSync } from "node:fs";
import { fromRoot, output, Stop } from "../scripts/process.mjs";
import { progress } from "./harness/progress.mjs";
import { spread } from "./harness/spread.mjs";

const program = fromRoot("build/native-bench/bench/native/crateful_bench_native");
const report = fromRoot("build/native-bench/bench/results.json");
const factor = { ns: 1, us: 1e3, ms: 1e6, s: 1e9 };

/** The case and library of a benchmark; cases that other libraries have as well are `native_…`. */
function compared(name) {
  const peer = /^(entt|flecs)_(\w+)$/.exec(name);
  if (peer) return { case: `native_${peer[2]}`, library: peer[1] };
  const own =
    /^(?:run_case|structure)\/(packed_5|simple_iter|frag_iter|entity_cycle|add_remove|spawn_100k_x3)(\/bulk)?/.exec(
      name,
    );
  if (own) return { case: `native_${own[1]}`, library: own[2] ? "crateful-bulk" : "crateful" };
  return { case: name, library: "crateful" };
}

/** Returns a row for each benchmark; nanoseconds per iteration. */
export function native(rounds) {
  if (!existsSync(program)) throw new Stop(`native: ${program} does not exist; run without --no-build`);
  progress("native: Google Benchmark");
  output(program, [
    "--benchmark_min_time=0.02",
    `--benchmark_repetitions=${rounds}`,
    "--benchmark_enable_random_interleaving=true",
    "--benchmark_format=json",
    `--benchmark_out=${report}`,
    "--benchmark_out_format=json",
  ]);
  progress();
  const times = new Map();
  for (const run of JSON.parse(readFileSync(report, "utf8")).benchmarks) {
    if (run.run_type !== "iteration" || run.error_occurred) continue;
    if (!times.has(run.run_name)) times.set(run.run_name, []);
    times.get(run.run_name).push(run.real_time * factor[run.time_unit]);
  }
  return [...times].map(([name, list]) => ({
    part: "native",
    ...compared(name),
    params: {},
    unit: "ns",
    ops: 1,
    ...spread(list),
  }));
}
