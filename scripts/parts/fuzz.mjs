// libFuzzer with the sanitizers on what `restore` and `apply` read (rule N8). Each fuzzer is one test. What it finds is in build/fuzz-found.
import { mkdirSync } from "node:fs";
import process from "node:process";
import { cmakeBuild } from "../cmake.mjs";
import { cores, fromRoot, runStatus } from "../process.mjs";
import { ensureCompiler } from "../toolchain.mjs";

const fuzzers = { restore_fuzzer: "tests/fuzz/corpus", apply_fuzzer: "tests/fuzz/apply_corpus" };

/** Each runs for CRATEFUL_FUZZ_SECONDS, 20 minutes by default. */
export function fuzz() {
  ensureCompiler();
  cmakeBuild("fuzz", { targets: Object.keys(fuzzers) });
  const counts = { passed: 0, failed: 0, failures: [] };
  const seconds = process.env.CRATEFUL_FUZZ_SECONDS ?? "1200";
  for (const [name, seeds] of Object.entries(fuzzers)) {
    const [corpus, found] = [fromRoot("build/fuzz-corpus", name), fromRoot("build/fuzz-found")];
    for (const folder of [corpus, found]) mkdirSync(folder, { recursive: true });
    const options = [`-max_total_time=${seconds}`, "-max_len=4096", "-print_final_stats=1", "-verbosity=0"];
    const status = runStatus(fromRoot("build/fuzz/tests", name), [
      ...options,
      `-artifact_prefix=${found}/${name}-`,
      `-fork=${cores}`,
      corpus,
      fromRoot(seeds),
    ]);
    if (status === 0) counts.passed += 1;
    else {
      counts.failed += 1;
      counts.failures.push(`${name}: the input is in build/fuzz-found`);
    }
  }
  return counts;
}
