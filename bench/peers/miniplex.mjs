// Miniplex 2. Its guide recommends: entities are plain objects, queries are created once and iterated with `for…of`
// ("recommended, highly performant"). It has no systems and does not detect changes of values.
import { World } from "miniplex";
import { game, survivors, towers } from "../cases/game.mjs";
import { objects, systems } from "../cases/more.mjs";
import { sparse } from "../cases/sparse.mjs";
import { addRemove, entityCycle, fragIter, letters, live, packed5, simpleIter } from "../cases/standard.mjs";
import { versions } from "./versions.mjs";

export const version = versions.miniplex;

/** An entity with components, each of which is a letter and the value from which it starts. */
const spawn = (world, components) => world.add(Object.fromEntries(components));
/** See `live`. */
const living = (params, world, kinds) =>
  live(params, kinds, {
    replace(entity, components) {
      world.remove(entity);
      return spawn(world, components);
    },
    renew(entity, [letter, start]) {
      world.removeComponent(entity, letter);
      world.addComponent(entity, letter, start);
    },
  });

export const cases = {
  sparse_scan: (params) => sparse(params, scanning(params)),
  memory: (params) => ({ keep: scanning(params) }),

  packed_5(params) {
    const world = new World();
    const components = Array.from("ABCDE", (letter) => [letter, 0]);
    const ids = Array.from({ length: packed5.entities }, () => spawn(world, components));
    living(params, world, [{ ids, components }]);
    const [withA, withB, withC, withD, withE] = [..."ABCDE"].map((letter) => world.with(letter));
    const step = () => {
      for (const entity of withA) entity.A += 1;
      for (const entity of withB) entity.B += 1;
      for (const entity of withC) entity.C += 1;
      for (const entity of withD) entity.D += 1;
      for (const entity of withE) entity.E += 1;
    };
    return packed5.cell({ step, value: (at, i) => ids[i]["ABCDE"[at]] });
  },

  simple_iter(params) {
    const world = new World();
    const kinds = simpleIter.kinds.map((kind) => {
      const components = Array.from(kind, (letter) => [letter, simpleIter.start(letter)]);
      return { ids: Array.from({ length: simpleIter.each }, () => spawn(world, components)), components };
    });
    living(params, world, kinds);
    const ids = kinds.map((kind) => kind.ids);
    const withAB = world.with("A", "B");
    const withCD = world.with("C", "D");
    const withCE = world.with("C", "E");
    const step = () => {
      for (const entity of withAB) {
        const x = entity.A;
        entity.A = entity.B;
        entity.B = x;
      }
      for (const entity of withCD) {
        const x = entity.C;
        entity.C = entity.D;
        entity.D = x;
      }
      for (const entity of withCE) {
        const x = entity.C;
        entity.C = entity.E;
        entity.E = x;
      }
    };
    return simpleIter.cell({ step, value: (kind, j, letter) => ids[kind][j][letter] });
  },

  frag_iter(params) {
    const world = new World();
    const kinds = letters.map((letter) => {
      const components = [letter, "Data"].map((name) => [name, 0]);
      return { ids: Array.from({ length: fragIter.each }, () => spawn(world, components)), components };
    });
    living(params, world, kinds);
    const ids = kinds.map((kind) => kind.ids);
    const withData = world.with("Data");
    const withZ = world.with("Z");
    const step = () => {
      for (const entity of withData) entity.Data += 1;
      for (const entity of withZ) entity.Z += 1;
    };
    return fragIter.cell({ step, data: (l, j) => ids[l][j].Data, z: (j) => ids[25][j].Z });
  },

  entity_cycle() {
    const world = new World();
    for (let i = 0; i < entityCycle.entities; i++) world.add({ A: i });
    const withA = world.with("A");
    const withB = world.with("B");
    let removed = 0;
    let sum = 0;
    const step = () => {
      for (const entity of withA) world.add({ B: entity.A });
      for (const entity of withB) {
        sum += entity.B;
        removed += 1;
        world.remove(entity);
      }
    };
    return entityCycle.cell({ step, counts: () => ({ removed, sum, a: withA.size, b: withB.size }) });
  },

  add_remove() {
    const world = new World();
    for (let i = 0; i < addRemove.entities; i++) world.add({ A: true });
    const withA = world.with("A");
    const withB = world.with("B");
    let removed = 0;
    const step = () => {
      for (const entity of withA) world.addComponent(entity, "B", true);
      for (const entity of withB) {
        removed += 1;
        world.removeComponent(entity, "B");
      }
    };
    return addRemove.cell({ step, counts: () => ({ removed, a: withA.size, b: withB.size }) });
  },

  objects(params) {
    const { ids } = positions(params);
    const step = () => {
      for (let i = 0; i < ids.length; i++) ids[i].position.x += 0.25;
    };
    return objects.cell(params, { step, value: (i) => ids[i].position.x });
  },
  objects_iter(params) {
    const { world, ids } = positions(params);
    const all = world.with("position");
    const step = () => {
      for (const { position } of all) position.x += 0.25;
    };
    return objects.cell(params, { step, value: (i) => ids[i].position.x });
  },

  systems({ count }) {
    const world = new World();
    let added = 0;
    let removed = 0;
    const watched = world.with("A", "X");
    watched.onEntityAdded.subscribe(() => {
      added += 1;
    });
    watched.onEntityRemoved.subscribe(() => {
      removed += 1;
    });
    for (let i = 0; i < count; i++) world.with("A", `other${i}`).connect();
    const ids = Array.from({ length: systems.entities }, () => world.add({ A: true }));
    return systems.cell({
      step() {
        for (let i = 0; i < ids.length; i++) {
          world.addComponent(ids[i], "X", true);
          world.removeComponent(ids[i], "X");
        }
      },
      counts: () => ({ added, removed }),
    });
  },

  game: (params) => game.cell(params, import("../games/arena/miniplex.mjs")),
  survivors: (params) => survivors.cell(params, import("../games/survivors/miniplex.mjs")),
  towers: (params) => towers.cell(params, import("../games/towers/miniplex.mjs")),
};

function positions({ n }) {
  const world = new World();
  return { world, ids: Array.from({ length: n }, () => world.add({ position: { x: 0, y: 0 } })) };
}

function sparseStore({ n }) {
  const world = new World();
  const ids = Array.from({ length: n }, () =>
    world.add({ position: { x: 0, y: 0 }, sprite: { x: 0, y: 0, frame: 0 } }),
  );
  return { world, ids, sprite: (i) => ids[i].sprite };
}

function scanning({ n }) {
  const { world, ids, sprite } = sparseStore({ n });
  const all = world.with("position", "sprite");
  return {
    change(targets, value) {
      for (let j = 0; j < targets.length; j++) ids[targets[j]].position.x = value;
    },
    frame() {
      for (const { position, sprite } of all) {
        if (position.x === sprite.x) continue;
        sprite.x = position.x;
        sprite.frame += 1;
      }
    },
    sprite,
  };
}
