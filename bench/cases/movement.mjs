// Case `movement`: a system moves n entities by their velocities; another one, which watches positions, must see each.
import { expect } from "../harness/expect.mjs";

export const movement = {
  delta: 1 / 64,
  /**
   * All velocities are (1, 2), all positions start at (0, 0).
   * @param {{ n: number }} params
   * @param {{ step: (delta: number) => unknown, seen: () => number, position: (i: number) => { x: number, y: number } }} world
   * `seen` is how many changed positions the watching system has seen since the world was created, at any step
   */
  cell({ n }, { step, seen, position }) {
    step(0);
    let before = seen();
    let moved = 0;
    return {
      step: () => step(movement.delta),
      ops: n,
      verify(steps) {
        moved += steps;
        expect("the number of changes seen", seen() - before, n * steps);
        before = seen();
        const x = Math.fround(moved * movement.delta); // exact as long as x is below 2 ** 18
        for (const i of [0, n >> 1, n - 1]) {
          if (x < 2 ** 17) {
            expect(`position.x of entity ${i}`, position(i).x, x);
            expect(`position.y of entity ${i}`, position(i).y, 2 * x);
          }
        }
      },
    };
  },
};
