// Cases `objects`, `structure`, `systems` and `memory`.
import { expect } from "../harness/expect.mjs";

/**
 * Adds a quarter to position.x of n entities, one at a time, through objects. Not 1: engines keep whole numbers
 * in a cheaper way than coordinates.
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

/** Entities with three components, of which one query or system wants all, come and go. */
export const structure = {
  n: 100_000,
  /** @param {{ spawn: () => unknown, clear: () => unknown, count: () => number }} world `count`: of that query */
  cell: ({ n }, { spawn, clear, count }) => ({
    phases: { spawn, clear },
    ops: n,
    async verify() {
      expect("entities after clearing", count(), 0);
      await spawn();
      expect("entities after spawning", count(), n);
      await clear();
      expect("entities after clearing again", count(), 0);
    },
  }),
};

/**
 * 1,000 entities with A; X is added to each, then removed. One system or query wants A and X, and `count`
 * others want A and something else that no entity has.
 */
export const systems = {
  entities: 1000,
  /** @param {{ step: () => unknown, seen: () => { added: number, removed: number } }} world */
  cell: ({ step, seen }) => ({
    step,
    ops: 1000,
    verify(steps) {
      const { added, removed } = seen();
      expect("additions seen", added, 1000 * steps);
      expect("removals seen", removed, 1000 * steps);
    },
  }),
};
