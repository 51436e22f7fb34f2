// koota 0.6 through `updateEach`, its everyday form: a callback with snapshots of the traits, whose changes are written back.
import { createChanged, createQuery, createWorld, trait } from "koota";
import { game, survivors, towers } from "../cases/game.mjs";
import { movement } from "../cases/movement.mjs";
import { fragIter, letters, packed5, simpleIter } from "../cases/standard.mjs";
import { versions } from "./versions.mjs";

export const version = versions.koota;

export const cases = {
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
    const swap = (...two) => {
      const query = createQuery(...two);
      return () => {
        world.query(query).updateEach(([one, other]) => {
          const x = one.value;
          one.value = other.value;
          other.value = x;
        });
      };
    };
    const ab = swap(A, B);
    const cd = swap(C, D);
    const ce = swap(C, E);
    return simpleIter.cell({
      step: () => (ab(), cd(), ce(), undefined),
      value: (kind, j, letter) => ids[kind][j].get(store[letter]).value,
    });
  },

  frag_iter() {
    const world = createWorld();
    const traits = letters.map(() => trait({ value: 0 }));
    const Data = trait({ value: 0 });
    const Z = traits.at(-1);
    const ids = traits.map((t) => Array.from({ length: fragIter.each }, () => world.spawn(Data, t)));
    const data = plus(world, Data);
    const z = plus(world, Z);
    return fragIter.cell({
      step: () => (data(), z(), undefined),
      data: (l, j) => ids[l][j].get(Data).value,
      z: (j) => ids[25][j].get(Z).value,
    });
  },

  movement(params) {
    const world = createWorld();
    const Position = trait({ x: 0, y: 0 });
    const Velocity = trait({ x: 0, y: 0 });
    const ids = Array.from({ length: params.n }, () => world.spawn(Position, Velocity({ x: 1, y: 2 })));
    const Changed = createChanged();
    const moving = createQuery(Position, Velocity);
    const moved = createQuery(Changed(Position));
    let seen = 0;
    world.query(moved);
    return movement.cell(params, {
      step(delta) {
        world.query(moving).updateEach(
          ([position, velocity]) => {
            position.x += velocity.x * delta;
            position.y += velocity.y * delta;
          },
          { changeDetection: "always" },
        );
        seen += world.query(moved).length;
      },
      seen: () => seen,
      position: (i) => ids[i].get(Position),
    });
  },

  game: (params) => game.cell(params, import("../games/arena/koota-each.mjs")),
  survivors: (params) => survivors.cell(params, import("../games/survivors/koota-each.mjs")),
  towers: (params) => towers.cell(params, import("../games/towers/koota-each.mjs")),
};

/** A system that adds 1 to `value` of every entity with the trait. */
function plus(world, t) {
  const query = createQuery(t);
  return () => {
    world.query(query).updateEach(([data]) => {
      data.value += 1;
    });
  };
}
