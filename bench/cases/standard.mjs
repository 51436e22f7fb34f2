// The five cases of github.com/noctjs/ecs-benchmark, with the same sizes. Instead of doubling values they add 1, so that
// the final values show the number of steps.
import { expect } from "../harness/expect.mjs";

export const letters = [..."ABCDEFGHIJKLMNOPQRSTUVWXYZ"];

/** 1,000 entities with A, B, C, D and E. Five systems add 1 to one component each. */
export const packed5 = {
  entities: 1000,
  components: 5,
  /** @param {{ step: () => unknown, value: (component: number, i: number) => number }} world all values start at 0 */
  cell: ({ step, value }) => ({
    step,
    ops: 5000,
    verify(steps) {
      for (let c = 0; c < 5; c++)
        for (let i = 0; i < 1000; i++) expect(`component ${c} of entity ${i}`, value(c, i), steps);
    },
  }),
};

/** 1,000 entities of each kind; systems swap A with B, C with D, C with E. A starts at 0, B at 1, … */
export const simpleIter = {
  kinds: ["AB", "ABC", "ABCD", "ABCE"],
  each: 1000,
  start: (letter) => letters.indexOf(letter),
  /** @param {{ step: () => unknown, value: (kind: number, j: number, letter: string) => number }} world */
  cell: ({ step, value }) => ({
    step,
    ops: 6000,
    async verify(steps) {
      checkSwaps(value, steps);
      await step(); // checks an even and an odd number of swaps, so that a world that never swaps fails
      checkSwaps(value, steps + 1);
    },
  }),
};

function checkSwaps(value, steps) {
  const swapped = ["BA", "BAC", "BADC", "BAEC"];
  simpleIter.kinds.forEach((kind, k) => {
    const wanted = steps % 2 === 1 ? swapped[k] : kind;
    for (let j = 0; j < simpleIter.each; j++) {
      [...kind].forEach((letter, at) =>
        expect(`${letter} of the ${j}th ${kind}`, value(k, j, letter), simpleIter.start(wanted[at])),
      );
    }
  });
}

/** 26 components with 100 entities each, which also have Data; one system adds 1 to Data, one to Z. */
export const fragIter = {
  each: 100,
  /** @param {{ step: () => unknown, data: (letter: number, j: number) => number, z: (j: number) => number }} world */
  cell: ({ step, data, z }) => ({
    step,
    ops: 2700,
    verify(steps) {
      for (let j = 0; j < 100; j++) {
        for (let l = 0; l < 26; l++) expect(`Data of the ${j}th ${letters[l]}`, data(l, j), steps);
        expect(`Z of the ${j}th`, z(j), steps);
      }
    },
  }),
};

/**
 * These three cases in a library, with one world for each.
 * @param {object} library
 * @property {() => World} create
 * @property {(start: number, entities: number) => Component} component with a number `value`, for at most so many entities
 * @property {(world: World, components: Component[]) => Entity} spawn
 * @property {(world: World, one: Component) => () => void} plus a system that adds 1 to `value` of every entity with the component
 * @property {(world: World, one: Component, other: Component) => () => void} swap one that swaps the values of entities with both
 * @property {(entity: Entity, component: Component) => number} read
 */
export const loops = ({ create, component, spawn, plus, swap, read }) => ({
  packed_5() {
    const world = create();
    const components = Array.from({ length: packed5.components }, () => component(0, packed5.entities));
    const ids = Array.from({ length: packed5.entities }, () => spawn(world, components));
    const [a, b, c, d, e] = components.map((one) => plus(world, one));
    return packed5.cell({
      step: () => (a(), b(), c(), d(), e(), undefined),
      value: (at, i) => read(ids[i], components[at]),
    });
  },

  simple_iter() {
    const world = create();
    const { each, kinds, start } = simpleIter;
    const store = Object.fromEntries([..."ABCDE"].map((letter) => [letter, component(start(letter), 4 * each)]));
    const { A, B, C, D, E } = store;
    const ids = kinds.map((kind) => {
      const components = [...kind].map((letter) => store[letter]);
      return Array.from({ length: each }, () => spawn(world, components));
    });
    const ab = swap(world, A, B);
    const cd = swap(world, C, D);
    const ce = swap(world, C, E);
    return simpleIter.cell({
      step: () => (ab(), cd(), ce(), undefined),
      value: (kind, j, letter) => read(ids[kind][j], store[letter]),
    });
  },

  frag_iter() {
    const world = create();
    const { each } = fragIter;
    const components = letters.map(() => component(0, letters.length * each));
    const Data = component(0, letters.length * each);
    const Z = components.at(-1);
    const ids = components.map((one) => Array.from({ length: each }, () => spawn(world, [Data, one])));
    const data = plus(world, Data);
    const z = plus(world, Z);
    return fragIter.cell({
      step: () => (data(), z(), undefined),
      data: (l, j) => read(ids[l][j], Data),
      z: (j) => read(ids[25][j], Z),
    });
  },
});

/**
 * 1,000 entities with A, whose values are 0 to 999. One system creates, for each, an entity with B of the same value. The
 * next system removes all entities with B, and adds up their number and values.
 */
export const entityCycle = {
  entities: 1000,
  /** @param {{ step: () => unknown, counts: () => { removed: number, sum: number, a: number, b?: number } }} world */
  cell: ({ step, counts }) => ({
    step,
    ops: 1000,
    verify(steps) {
      const { removed, sum, a, b = 0 } = counts();
      expect("the number of entities removed", removed, 1000 * steps);
      expect("the sum of their values", sum, 499_500 * steps);
      expect("the number of entities with A", a, 1000);
      expect("the number of entities with B", b, 0);
    },
  }),
};

/** 1,000 entities with A. One system adds B to each; the next system removes it and counts the removals. */
export const addRemove = {
  entities: 1000,
  /** @param {{ step: () => unknown, counts: () => { removed: number, a: number, b?: number } }} world */
  cell: ({ step, counts }) => ({
    step,
    ops: 1000,
    verify(steps) {
      const { removed, a, b = 0 } = counts();
      expect("the number of components removed", removed, 1000 * steps);
      expect("the number of entities with A", a, 1000);
      expect("the number of entities with B", b, 0);
    },
  }),
};
