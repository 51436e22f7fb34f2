// Case `sparse`: k of n entities are changed, outside of any system; then one system must process exactly these k in a
// frame. The adapter provides the world; this file provides the pattern and the verification.
import { expect } from "../harness/expect.mjs";

/**
 * @typedef {object} SparseWorld
 * @property {(targets: Uint32Array, value: number) => void} change sets position.x of these entities, as the application would
 * @property {() => (void | Promise<unknown>)} frame runs the world
 * @property {(i: number) => { x: number, frame: number }} sprite the current values of the i-th entity's sprite
 */

const lastExact = 1 << 20; // positions are 32-bit floats

/**
 * `pattern` "same": the same k in each frame, distributed evenly; "moving": they shift by one in each frame.
 * @param {{ n: number, k: number, pattern?: "same" | "moving" }} params
 * @param {SparseWorld} world
 */
export async function sparse(params, world) {
  await world.frame(); // at first, all entities are new
  await world.frame();
  return cellIn(world, params, { value: 0, frames: new Float64Array(params.n).fill(world.sprite(0).frame) });
}

/** @param {{ value: number, frames: Float64Array }} past the last written value, and the frame of each sprite at that time */
function cellIn(world, { n, k, pattern = "same" }, past) {
  const targets = Uint32Array.from({ length: k }, (_, i) => Math.floor((i * n) / k));
  let { value, frames } = past;
  const step = () => {
    value = value === lastExact ? 1 : value + 1; // differs each frame
    world.change(targets, value);
    return world.frame();
  };
  const shifting = () => {
    for (let i = 0; i < k; i++) {
      const next = targets[i] + 1;
      targets[i] = next === n ? 0 : next;
    }
    return step();
  };
  return {
    step: pattern === "moving" ? shifting : step,
    ops: k,
    verify(steps) {
      const before = frames;
      frames = Float64Array.from(before, (_, i) => world.sprite(i).frame);
      expect("the number of sprites processed", sum(frames) - sum(before), k * steps);
      for (const i of targets) {
        expect(`sprite.x of entity ${i}`, world.sprite(i).x, value);
        if (pattern === "same") expect(`sprite.frame of entity ${i}`, frames[i] - before[i], steps);
      }
    },
    again: (params) => cellIn(world, params, { value, frames }),
  };
}

const sum = (values) => values.reduce((total, value) => total + value, 0);
