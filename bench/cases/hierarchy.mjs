// Case `hierarchy`: 1,176 trees of depth 4, each with 85 entities (99,960 in all); 100 roots move in each frame, and then the
// world positions of exactly these trees must be computed again: that of the parent plus the entity's own.
import { expect } from "../harness/expect.mjs";

const fanOut = 4;
const levels = 4;
const size = 85; // 1 + 4 + 16 + 64
const trees = 1_176;
const moved = 100;

/** The number of each entity's parent, or -1. Entities are numbered as a recursive function creates them: depth first. */
const parents = (() => {
  const list = new Int32Array(trees * size);
  let next = 0;
  const create = (parent, level) => {
    const own = next++;
    list[own] = parent;
    for (let i = 0; i < fanOut && level < levels; ++i) create(own, level + 1);
  };
  for (let tree = 0; tree < trees; ++tree) create(-1, 1);
  return list;
})();

export const hierarchy = {
  entities: trees * size,
  parents,
  /** The number of the first child of each entity, and of the next child of its parent; -1 if there is none. */
  links() {
    const first = new Int32Array(parents.length).fill(-1);
    const next = new Int32Array(parents.length).fill(-1);
    for (let i = parents.length - 1; i >= 0; --i) {
      if (parents[i] < 0) continue;
      next[i] = first[parents[i]];
      first[parents[i]] = i;
    }
    return { first, next };
  },
  /** The roots that move, evenly distributed. */
  roots: Int32Array.from({ length: moved }, (_, i) => Math.floor((i * trees) / moved) * size),
  /**
   * Local positions are (1, 2) at first.
   * @param {{ step: (x: number) => unknown, x: (i: number) => number, y: (i: number) => number }} world `step` sets the local x of
   * the roots and runs a frame; `x` and `y` are world positions
   */
  cell({ step, x, y }) {
    let value = 0;
    return {
      step: () => step((value = (value + 1) % 1_000_000)),
      ops: moved * size,
      verify() {
        for (const root of hierarchy.roots) {
          expect(`x of root ${root}`, x(root), value);
          expect(`x of the last leaf of ${root}`, x(root + size - 1), value + levels - 1);
          expect(`y of the last leaf of ${root}`, y(root + size - 1), 2 * levels);
        }
      },
    };
  },
};
