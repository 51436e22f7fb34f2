// EliCS 3.4. Its guide recommends for performance-critical operations: the arrays of a component, `Position.data.x`, with
// the index of an entity. They hold all entities that a world can have, so the memory per entity depends on that number.
// Queries hold entities as a `Set`. It does not detect changes of values, except of those that a query compares.
import { createComponent, createSystem, Types, World } from "elics";
import { game, survivors, towers } from "../cases/game.mjs";
import { objects, structure, systems } from "../cases/more.mjs";
import { sparse } from "../cases/sparse.mjs";
import { addRemove, entityCycle, fragIter, letters, packed5, simpleIter } from "../cases/standard.mjs";
import { versions } from "./versions.mjs";

export const version = versions.elics;

export const cases = {
  sparse_scan: (params) => sparse(params, scanning(params)),
  // A change adds a component, and the system removes it.
  sparse_tag: (params) => sparse(params, tagging(params)),
  memory: (params) => ({ keep: scanning(params) }),

  packed_5() {
    const components = letters.slice(0, packed5.components).map((letter) => valueComponent(letter));
    const world = worldOf(packed5.entities, components);
    const ids = Array.from({ length: packed5.entities }, () => {
      const entity = world.createEntity();
      for (const component of components) entity.addComponent(component);
      return entity;
    });
    for (const component of components) world.registerSystem(plus(component));
    return packed5.cell({ step: () => world.update(0, 0), value: (at, i) => components[at].data.value[ids[i].index] });
  },

  simple_iter() {
    const store = Object.fromEntries([..."ABCDE"].map((letter) => [letter, valueComponent(letter)]));
    const world = worldOf(simpleIter.each * simpleIter.kinds.length, Object.values(store));
    const ids = simpleIter.kinds.map((kind) =>
      Array.from({ length: simpleIter.each }, () => {
        const entity = world.createEntity();
        for (const letter of kind) entity.addComponent(store[letter], { value: simpleIter.start(letter) });
        return entity;
      }),
    );
    for (const [one, other] of ["AB", "CD", "CE"]) world.registerSystem(swap(store[one], store[other]));
    const value = (kind, j, letter) => store[letter].data.value[ids[kind][j].index];
    return simpleIter.cell({ step: () => world.update(0, 0), value });
  },

  frag_iter() {
    const store = letters.map((letter) => valueComponent(letter));
    const Data = valueComponent("Data");
    const world = worldOf(fragIter.each * letters.length, [...store, Data]);
    const ids = store.map((component) =>
      Array.from({ length: fragIter.each }, () => world.createEntity().addComponent(component).addComponent(Data)),
    );
    world.registerSystem(plus(Data)).registerSystem(plus(store[25]));
    return fragIter.cell({
      step: () => world.update(0, 0),
      data: (l, j) => Data.data.value[ids[l][j].index],
      z: (j) => store[25].data.value[ids[25][j].index],
    });
  },

  entity_cycle() {
    const A = valueComponent("A");
    const B = valueComponent("B");
    const world = worldOf(2 * entityCycle.entities, [A, B]);
    let removed = 0;
    let sum = 0;
    class Create extends createSystem({ withA: { required: [A] } }) {
      update() {
        const { value } = A.data;
        for (const { index } of this.queries.withA.entities)
          this.createEntity().addComponent(B, { value: value[index] });
      }
    }
    class Remove extends createSystem({ withB: { required: [B] } }) {
      update() {
        const { value } = B.data;
        for (const entity of this.queries.withB.entities) {
          sum += value[entity.index];
          removed += 1;
          entity.destroy();
        }
      }
    }
    world.registerSystem(Create).registerSystem(Remove);
    for (let i = 0; i < entityCycle.entities; i++) world.createEntity().addComponent(A, { value: i });
    const a = world.getSystem(Create).queries.withA.entities;
    const b = world.getSystem(Remove).queries.withB.entities;
    return entityCycle.cell({ step: () => world.update(0, 0), counts: () => ({ removed, sum, a: a.size, b: b.size }) });
  },

  add_remove() {
    const A = component("A");
    const B = component("B");
    const world = worldOf(addRemove.entities, [A, B]);
    let removed = 0;
    class Add extends createSystem({ withA: { required: [A] } }) {
      update() {
        for (const entity of this.queries.withA.entities) entity.addComponent(B);
      }
    }
    class Remove extends createSystem({ withB: { required: [B] } }) {
      update() {
        for (const entity of this.queries.withB.entities) {
          removed += 1;
          entity.removeComponent(B);
        }
      }
    }
    world.registerSystem(Add).registerSystem(Remove);
    for (let i = 0; i < addRemove.entities; i++) world.createEntity().addComponent(A);
    const a = world.getSystem(Add).queries.withA.entities;
    const b = world.getSystem(Remove).queries.withB.entities;
    return addRemove.cell({ step: () => world.update(0, 0), counts: () => ({ removed, a: a.size, b: b.size }) });
  },

  // Here an entity's position is a vector view, which is the nearest to a component object.
  objects(params) {
    const { Position, ids } = positions(params);
    const step = () => {
      for (let i = 0; i < ids.length; i++) ids[i].getVectorView(Position, "value")[0] += 0.25;
    };
    return objects.cell(params, { step, value: (i) => ids[i].getVectorView(Position, "value")[0] });
  },
  objects_iter(params) {
    const { Position, world, ids } = positions(params);
    class Move extends createSystem({ all: { required: [Position] } }) {
      update() {
        for (const entity of this.queries.all.entities) entity.getVectorView(Position, "value")[0] += 0.25;
      }
    }
    world.registerSystem(Move);
    return objects.cell(params, {
      step: () => world.update(0, 0),
      value: (i) => ids[i].getVectorView(Position, "value")[0],
    });
  },

  structure(params) {
    const { n } = params;
    const Position = component("Position", { x: float, y: float });
    const Velocity = component("Velocity", { x: float, y: float });
    const Health = component("Health", { value: float });
    const world = worldOf(n, [Position, Velocity, Health]);
    const { entities } = world.queryManager.registerQuery({ required: [Position, Velocity, Health] });
    return structure.cell(params, {
      spawn() {
        for (let i = 0; i < n; i++)
          world
            .createEntity()
            .addComponent(Position, { x: i })
            .addComponent(Velocity, { x: 1 })
            .addComponent(Health, { value: 100 });
      },
      clear() {
        for (const entity of entities) entity.destroy();
      },
      count: () => entities.size,
    });
  },

  systems({ count }) {
    const A = component("A");
    const X = component("X");
    const others = Array.from({ length: count }, (_, i) => component(`other ${i}`));
    const world = worldOf(systems.entities, [A, X, ...others]);
    let added = 0;
    let removed = 0;
    const watched = world.queryManager.registerQuery({ required: [A, X] });
    watched.subscribe("qualify", () => {
      added += 1;
    });
    watched.subscribe("disqualify", () => {
      removed += 1;
    });
    for (const other of others) world.registerQuery({ required: [A, other] });
    const ids = Array.from({ length: systems.entities }, () => world.createEntity().addComponent(A));
    return systems.cell({
      step() {
        for (let i = 0; i < ids.length; i++) {
          ids[i].addComponent(X);
          ids[i].removeComponent(X);
        }
      },
      counts: () => ({ added, removed }),
    });
  },

  game: (params) => game.cell(params, import("../games/arena/elics.mjs")),
  survivors: (params) => survivors.cell(params, import("../games/survivors/elics.mjs")),
  towers: (params) => towers.cell(params, import("../games/towers/elics.mjs")),
};

const float = { type: Types.Float32, default: 0 };
const integer = { type: Types.Int32, default: 0 };

let number = 0;
/** The names of components must be unique in a process, which measures several worlds. */
function component(name, schema = {}) {
  number += 1;
  return createComponent(`${name} ${number}`, schema);
}
function valueComponent(letter) {
  return component(letter, { value: integer });
}

function worldOf(entityCapacity, components) {
  const world = new World({ entityCapacity, checksOn: false });
  for (const each of components) world.registerComponent(each);
  return world;
}

function plus(component) {
  return class extends createSystem({ all: { required: [component] } }) {
    update() {
      const { value } = component.data;
      for (const { index } of this.queries.all.entities) value[index] += 1;
    }
  };
}

function swap(one, other) {
  return class extends createSystem({ all: { required: [one, other] } }) {
    update() {
      const ones = one.data.value;
      const others = other.data.value;
      for (const { index } of this.queries.all.entities) {
        const x = ones[index];
        ones[index] = others[index];
        others[index] = x;
      }
    }
  };
}

function positions({ n }) {
  const Position = component("Position", { value: { type: Types.Vec2, default: [0, 0] } });
  const world = worldOf(n, [Position]);
  return { Position, world, ids: Array.from({ length: n }, () => world.createEntity().addComponent(Position)) };
}

function sparseStore({ n }) {
  const Position = component("Position", { x: float, y: float });
  const Sprite = component("Sprite", { x: float, y: float, frame: integer });
  const Moved = component("Moved");
  const world = worldOf(n, [Position, Sprite, Moved]);
  const ids = Array.from({ length: n }, () => world.createEntity().addComponent(Position).addComponent(Sprite));
  const sprite = (i) => ({ x: Sprite.data.x[ids[i].index], frame: Sprite.data.frame[ids[i].index] });
  return { Position, Sprite, Moved, world, ids, sprite };
}

function scanning({ n }) {
  const { Position, Sprite, world, ids, sprite } = sparseStore({ n });
  class Scan extends createSystem({ all: { required: [Position, Sprite] } }) {
    update() {
      const { x } = Position.data;
      const { x: spriteX, frame } = Sprite.data;
      for (const { index } of this.queries.all.entities) {
        if (x[index] === spriteX[index]) continue;
        spriteX[index] = x[index];
        frame[index] += 1;
      }
    }
  }
  world.registerSystem(Scan);
  return {
    change(targets, value) {
      const { x } = Position.data;
      for (let j = 0; j < targets.length; j++) x[ids[targets[j]].index] = value;
    },
    frame: () => world.update(0, 0),
    sprite,
  };
}

function tagging({ n }) {
  const { Position, Sprite, Moved, world, ids, sprite } = sparseStore({ n });
  class Follow extends createSystem({ moved: { required: [Position, Sprite, Moved] } }) {
    update() {
      const { x } = Position.data;
      const { x: spriteX, frame } = Sprite.data;
      for (const entity of this.queries.moved.entities) {
        const { index } = entity;
        spriteX[index] = x[index];
        frame[index] += 1;
        entity.removeComponent(Moved);
      }
    }
  }
  world.registerSystem(Follow);
  return {
    change(targets, value) {
      const { x } = Position.data;
      for (let j = 0; j < targets.length; j++) {
        const entity = ids[targets[j]];
        x[entity.index] = value;
        entity.addComponent(Moved);
      }
    },
    frame: () => world.update(0, 0),
    sprite,
  };
}
