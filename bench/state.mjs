// Part `state`: saving, sending and going back (rules N1 to N7), compared with work that they cannot avoid, and sending compared with other
// libraries. Each cell is a process of its own, which measures what is compared in turn (bench/state/).
import { runRounds } from "./harness/rounds.mjs";
import { stateCases, stateLimits } from "./suite.mjs";

const cell = (name, library, params = {}) => ({
  part: "state",
  name,
  library,
  params: [params],
  script: "bench/state/cell.mjs",
});

/** Returns rows for the limits and for the comparison. */
export function state(rounds) {
  const limits = stateLimits.map((limit) => cell("limit", "crateful", { limit }));
  const comparison = Object.entries(stateCases).flatMap(([name, { libraries }]) =>
    libraries.map((library) => cell(name, library)),
  );
  return runRounds([...limits, ...comparison], rounds);
}
