// Part `entt`: cases with Crateful and EnTT, measured in turn, natively and as WebAssembly. It needs the headers of
// EnTT: $ENTT_INCLUDE_DIR is the folder that contains entt/entt.hpp.
import { existsSync } from "node:fs";
import process from "node:process";
import { fromRoot, output, Stop } from "../scripts/process.mjs";
import { progress } from "./harness/progress.mjs";
import { spread } from "./harness/spread.mjs";

/** What CMake needs to find EnTT. */
export const enttOptions = process.env.ENTT_INCLUDE_DIR ? [`-DENTT_INCLUDE_DIR=${process.env.ENTT_INCLUDE_DIR}`] : [];

const programs = {
  native: [fromRoot("build/native-bench/bench/entt/crateful_bench_entt"), []],
  wasm: [process.execPath, [fromRoot("build/wasm/bench/crateful_bench_entt.cjs")]],
};

/** Returns a row for each case, build and library; nanoseconds per operation. The ratios of the rounds are in `ratio`. */
export function entt(rounds) {
  const rows = [];
  for (const [build, [program, args]] of Object.entries(programs)) {
    const file = args[0] ?? program;
    if (!existsSync(file))
      throw new Stop(`entt: ${file} does not exist; set ENTT_INCLUDE_DIR and run without --no-build`);
    progress(`entt: ${build}`);
    const results = Array.from({ length: rounds }, () => JSON.parse(output(program, args)));
    results[0].forEach(({ case: name }, i) => {
      for (const library of ["crateful", "entt"]) {
        const times = results.map((result) => result[i][library]);
        rows.push({ part: "entt", case: name, library, params: { build }, unit: "ns", ops: 1, ...spread(times) });
      }
    });
  }
  progress();
  return rows;
}
