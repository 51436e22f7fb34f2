// Cases `rows` and `pairs`: loops over several classes, and loops in loops, in worlds as created and in worlds that have lived.
import { expect } from "../harness/expect.mjs";

/**
 * n entities with Position, Velocity, Age and Speed. One system moves all and makes them older: seven accesses of four classes to each.
 * Velocities are (1, 2), the speed is 1.
 */
export const rows = {
  delta: 1 / 64,
  /** @param {{ step: () => unknown, value: (i: number) => { x: number, y: number, age: number } }} world */
  cell: ({ n }, { step, value }) => ({
    step,
    ops: n,
    verify(steps) {
      if (steps > 2 ** 17) return; // the sums of floats are not exact any more
      for (let i = 0; i < n; i++) {
        const { x, y, age } = value(i);
        expect(`x of entity ${i}`, x, steps / 64);
        expect(`y of entity ${i}`, y, steps / 32);
        expect(`the age of entity ${i}`, age, steps);
      }
    },
  }),
};

/** The gravitation of n bodies at rest: each loop visits all pairs, and stores the force on each body. */
export const pairs = {
  place: (i) => ({ x: (i * 37) % 101, y: (i * 53) % 103, mass: 1 + (i % 7) }),
  /** What one body adds to the force on another one at this distance. */
  pull: (dx, dy, mass) => {
    const square = dx * dx + dy * dy + 1;
    return mass / (square * Math.sqrt(square));
  },
  /** @param {{ step: () => unknown, force: (i: number) => { x: number, y: number } }} world */
  cell: ({ n }, { step, force }) => ({
    step,
    ops: n * n,
    verify() {
      for (const i of [0, n >> 1, n - 1]) {
        const { x, y } = pairs.place(i);
        const sum = { x: 0, y: 0 };
        for (let k = 0; k < n; k++) {
          const other = pairs.place(k);
          const strength = pairs.pull(other.x - x, other.y - y, other.mass);
          sum.x += (other.x - x) * strength;
          sum.y += (other.y - y) * strength;
        }
        expect(`the force on body ${i}, in the direction x`, force(i).x, Math.fround(sum.x));
        expect(`the force on body ${i}, in the direction y`, force(i).y, Math.fround(sum.y));
      }
    },
  }),
};
