// Random operations in two ECS, compared with a model that was written from docs/rules.md alone, without knowledge of the
// implementation.
import { expect, test } from "@jest/globals";
import { seeds, times } from "./random.js";
import { compareInChaos, newWorld, step } from "./rules_model/random_world.js";
import { compareAll } from "./rules_model/comparison.js";
import { Mismatch, Replay, type Mode } from "./rules_model/replay.js";
import type { World } from "./rules_model/state.js";

const operations = times(1_500);

/** Applies operations until the ECS differs from its model. */
function runSeed(replay: Replay): void {
  const worlds: World[] = [];
  try {
    for (let n = replay.seed % 4 === 0 ? 2 : 1; n > 0; --n) newWorld(replay, worlds);
    while (replay.operation < operations) step(replay.random.pick(worlds));
    for (const w of worlds) (w.chaos ? compareInChaos : compareAll)(w);
  } catch (error) {
    if (error instanceof Mismatch) throw error;
    throw new Mismatch(replay.describe((error as Error).stack ?? String(error)));
  }
  for (const { ecs } of worlds) ecs.dispose();
}

function runSeeds(mode: Mode, kinds: readonly string[]): void {
  const counts: Record<string, number> = {};
  for (const seed of seeds(24)) {
    const replay = new Replay(seed, mode);
    runSeed(replay);
    for (const [kind, n] of Object.entries(replay.counts)) counts[kind] = (counts[kind] ?? 0) + n;
  }
  if (operations >= 1_500) expect(kinds.filter((kind) => !(kind in counts))).toEqual([]);
}

const everywhere = [
  "runs",
  "updates",
  "loops",
  "topDown",
  "clear",
  "onAdd",
  "onRemove",
  "throws",
  "causes",
  "texts",
  "sorted",
  "links",
];

test("S8 S9 D2 D7 D15 A1 A2 H5 random operations in loops and updates equal the model", () => {
  runSeeds("exact", [...everywhere, "errors"]);
});

test("S6 S7 A3 E2 T4 H1 random operations in all callbacks leave the ECS consistent", () => {
  runSeeds("chaos", everywhere);
});
