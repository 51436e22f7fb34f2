// Cases `objects` and `systems`.
import { expect } from "../harness/expect.mjs";

/**
 * Adds 0.25 to position.x of n entities, one at a time, through objects. It does not add 1, because engines store whole
 * numbers in a cheaper way than coordinates.
 */
export const objects = {
  /** @param {{ step: () => unknown, value: (i: number) => number }} world */
  cell: ({ n }, { step, value }) => ({
    step,
    ops: n,
    verify(steps) {
      for (let i = 0; i < n; i++) expect(`position.x of entity ${i}`, value(i), steps / 4);
    },
  }),
};

/**
 * 1,000 entities with A; X is added to each, then removed. One system or query requires A and X, and `count`
 * others require A and a component that no entity has.
 */
export const systems = {
  entities: 1000,
  /** @param {{ step: () => unknown, counts: () => { added: number, removed: number } }} world */
  cell: ({ step, counts }) => ({
    step,
    ops: 1000,
    verify(steps) {
      const { added, removed } = counts();
      expect("the number of additions", added, 1000 * steps);
      expect("the number of removals", removed, 1000 * steps);
    },
  }),
};
