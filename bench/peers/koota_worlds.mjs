// The worlds of the cases that several adapters of koota have: each has its own systems.
import { createQuery, createWorld, trait } from "koota";
import { fragIter, letters, packed5, simpleIter } from "../cases/standard.mjs";
import { versions } from "./versions.mjs";

export const version = versions.koota;

/**
 * `plus(world, trait)` returns a system that adds 1 to `value` of every entity with the trait, `swap(world, query)` one that
 * swaps `value` of its two traits.
 */
export const standardCases = (plus, swap) => ({
  packed_5() {
    const world = createWorld();
    const traits = Array.from({ length: packed5.components }, () => trait({ value: 0 }));
    const ids = Array.from({ length: packed5.entities }, () => world.spawn(...traits));
    const [a, b, c, d, e] = traits.map((t) => plus(world, t));
    return packed5.cell({
      step: () => (a(), b(), c(), d(), e(), undefined),
      value: (at, i) => ids[i].get(traits[at]).value,
    });
  },

  simple_iter() {
    const world = createWorld();
    const store = Object.fromEntries(
      [..."ABCDE"].map((letter) => [letter, trait({ value: simpleIter.start(letter) })]),
    );
    const { A, B, C, D, E } = store;
    const ids = simpleIter.kinds.map((kind) =>
      Array.from({ length: simpleIter.each }, () => world.spawn(...[...kind].map((letter) => store[letter]))),
    );
    const ab = swap(world, createQuery(A, B));
    const cd = swap(world, createQuery(C, D));
    const ce = swap(world, createQuery(C, E));
    return simpleIter.cell({
      step: () => (ab(), cd(), ce(), undefined),
      value: (kind, j, letter) => ids[kind][j].get(store[letter]).value,
    });
  },

  frag_iter() {
    const world = createWorld();
    const traits = letters.map(() => trait({ value: 0 }));
    const Data = trait({ value: 0 });
    const ids = traits.map((t) => Array.from({ length: fragIter.each }, () => world.spawn(Data, t)));
    const data = plus(world, Data);
    const z = plus(world, traits.at(-1));
    return fragIter.cell({
      step: () => (data(), z(), undefined),
      data: (l, j) => ids[l][j].get(Data).value,
      z: (j) => ids[25][j].get(traits.at(-1)).value,
    });
  },
});
