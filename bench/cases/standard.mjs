// The five cases of github.com/noctjs/ecs-benchmark, with the same sizes. Instead of doubling values they add 1, so that
// the final values show the number of steps.
import { randomNumbers } from "../games/common.mjs";
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
 * Lets a world live, if `params.lived`, before its systems exist: in random order, as many entities are removed and created again as
 * there are, and as many components are removed and added again. Then every library has them in other orders and places than at first.
 * @param {{ lived?: boolean }} params
 * @param {{ ids: unknown[], components: unknown[] }[]} kinds the entities of each kind, in which new ones take the places of old ones
 * @param {{ replace: (entity: unknown, components: unknown[]) => unknown, renew: (entity: unknown, component: unknown) => void }} world
 */
export function live({ lived }, kinds, { replace, renew }) {
  if (!lived) return;
  const random = randomNumbers(5);
  const all = kinds.flatMap(({ ids, components }) => Array.from(ids, (_, at) => ({ ids, at, components })));
  const one = () => all[random(all.length)];
  for (let k = 0; k < all.length; k++) {
    const { ids, at, components } = one();
    ids[at] = replace(ids[at], components);
  }
  for (let k = 0; k < all.length; k++) {
    const { ids, at, components } = one();
    renew(ids[at], components[random(components.length)]);
  }
}

/**
 * These three cases in a library, with one world for each.
 * @param {object} library
 * @property {() => World} create
 * @property {(start: number, entities: number) => Component} component with a number `value`, for at most so many entities
 * @property {(world: World, components: Component[]) => Entity} spawn
 * @property {(world: World, entity: Entity) => void} remove
 * @property {(world: World, entity: Entity, component: Component) => void} drop removes a component
 * @property {(world: World, entity: Entity, component: Component) => void} put adds it with the value from which it starts
 * @property {(world: World, one: Component) => () => void} plus a system that adds 1 to `value` of every entity with the component
 * @property {(world: World, one: Component, other: Component) => () => void} swap one that swaps the values of entities with both
 * @property {(entity: Entity, component: Component) => number} read
 */
export const loops = ({ create, component, spawn, remove, drop, put, plus, swap, read }) => {
  const living = (params, world, kinds) =>
    live(params, kinds, {
      replace(entity, components) {
        remove(world, entity);
        return spawn(world, components);
      },
      renew(entity, one) {
        drop(world, entity, one);
        put(world, entity, one);
      },
    });
  return {
    packed_5(params) {
      const world = create();
      const components = Array.from({ length: packed5.components }, () => component(0, packed5.entities));
      const ids = Array.from({ length: packed5.entities }, () => spawn(world, components));
      living(params, world, [{ ids, components }]);
      const [a, b, c, d, e] = components.map((one) => plus(world, one));
      return packed5.cell({
        step: () => (a(), b(), c(), d(), e(), undefined),
        value: (at, i) => read(ids[i], components[at]),
      });
    },

    simple_iter(params) {
      const world = create();
      const { each, kinds, start } = simpleIter;
      const store = Object.fromEntries([..."ABCDE"].map((letter) => [letter, component(start(letter), 4 * each)]));
      const { A, B, C, D, E } = store;
      const componentsOf = (kind) => [...kind].map((letter) => store[letter]);
      const ids = kinds.map((kind) => Array.from({ length: each }, () => spawn(world, componentsOf(kind))));
      living(
        params,
        world,
        ids.map((list, k) => ({ ids: list, components: componentsOf(kinds[k]) })),
      );
      const ab = swap(world, A, B);
      const cd = swap(world, C, D);
      const ce = swap(world, C, E);
      return simpleIter.cell({
        step: () => (ab(), cd(), ce(), undefined),
        value: (kind, j, letter) => read(ids[kind][j], store[letter]),
      });
    },

    frag_iter(params) {
      const world = create();
      const { each } = fragIter;
      const components = letters.map(() => component(0, letters.length * each));
      const Data = component(0, letters.length * each);
      const Z = components.at(-1);
      const ids = components.map((one) => Array.from({ length: each }, () => spawn(world, [Data, one])));
      living(
        params,
        world,
        ids.map((list, k) => ({ ids: list, components: [Data, components[k]] })),
      );
      const data = plus(world, Data);
      const z = plus(world, Z);
      return fragIter.cell({
        step: () => (data(), z(), undefined),
        data: (l, j) => read(ids[l][j], Data),
        z: (j) => read(ids[25][j], Z),
      });
    },
  };
};

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
