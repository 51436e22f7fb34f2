// bitECS 0.4. Its guide recommends: components as structures of typed arrays ("recommended for threading and
// eliminating memory thrash"), systems as functions over `query()`. Entity ids start at 1.
import {
  addComponent,
  addComponents,
  addEntity,
  createWorld,
  hasComponent,
  observe,
  onAdd,
  onRemove,
  onSet,
  query,
  registerComponent,
  removeComponent,
  removeEntity,
  set,
} from "bitecs";
import { game, survivors, towers } from "../cases/game.mjs";
import { objects, systems } from "../cases/more.mjs";
import { sparse } from "../cases/sparse.mjs";
import { addRemove, entityCycle, loops } from "../cases/standard.mjs";
import { versions } from "./versions.mjs";

export const version = versions.bitecs;

export const cases = {
  // An `onSet` observer stores the values of `set()`; here it also adds the entity to a list of changes, which belongs to the
  // application. Version 0.4 has no `Changed` any more.
  sparse: (params) => sparse(params, tracking(params)),
  sparse_scan: (params) => sparse(params, scanning(params)),
  memory: (params) => ({ keep: scanning(params) }),

  ...loops({
    create: createWorld,
    component: (start, entities) => ({ value: new Int32Array(entities + 1).fill(start) }),
    spawn: createWith,
    remove: removeEntity,
    drop: removeComponent,
    put: addComponent,
    plus,
    swap,
    read: (e, { value }) => value[e],
  }),

  entity_cycle() {
    const world = createWorld();
    const A = { value: new Int32Array(8192) };
    const B = { value: new Int32Array(8192) };
    for (let i = 0; i < entityCycle.entities; i++) {
      const e = addEntity(world);
      addComponent(world, e, A);
      A.value[e] = i;
    }
    const withA = [A];
    const withB = [B];
    let removed = 0;
    let sum = 0;
    const step = () => {
      const sources = query(world, withA);
      for (let i = 0; i < sources.length; i++) {
        const e = addEntity(world);
        addComponent(world, e, B);
        B.value[e] = A.value[sources[i]];
      }
      const made = query(world, withB);
      for (let i = 0; i < made.length; i++) {
        sum += B.value[made[i]];
        removed += 1;
        removeEntity(world, made[i]);
      }
    };
    return entityCycle.cell({
      step,
      counts: () => ({ removed, sum, a: query(world, withA).length, b: query(world, withB).length }),
    });
  },

  add_remove() {
    const world = createWorld();
    const A = {};
    const B = {};
    for (let i = 0; i < addRemove.entities; i++) addComponent(world, addEntity(world), A);
    const withA = [A];
    const withB = [B];
    let removed = 0;
    const step = () => {
      const all = query(world, withA);
      for (let i = 0; i < all.length; i++) addComponent(world, all[i], B);
      const some = query(world, withB);
      for (let i = 0; i < some.length; i++) {
        removed += 1;
        removeComponent(world, some[i], B);
      }
    };
    return addRemove.cell({
      step,
      counts: () => ({ removed, a: query(world, withA).length, b: query(world, withB).length }),
    });
  },

  // The AoS form of the guide: an array of objects, which the application creates.
  objects(params) {
    const { ids, Position } = arrayOfObjects(params);
    const step = () => {
      for (let i = 0; i < ids.length; i++) Position[ids[i]].x += 0.25;
    };
    return objects.cell(params, { step, value: (i) => Position[ids[i]].x });
  },
  objects_iter(params) {
    const { world, ids, Position } = arrayOfObjects(params);
    const terms = [Position];
    const step = () => {
      for (const e of query(world, terms)) Position[e].x += 0.25;
    };
    return objects.cell(params, { step, value: (i) => Position[ids[i]].x });
  },

  systems({ count }) {
    const world = createWorld();
    const A = {};
    const X = {};
    let added = 0;
    let removed = 0;
    observe(world, onAdd(A, X), () => {
      added += 1;
    });
    observe(world, onRemove(A, X), () => {
      removed += 1;
    });
    for (let i = 0; i < count; i++) query(world, [A, {}]);
    const ids = Array.from({ length: systems.entities }, () => addEntity(world));
    for (const e of ids) addComponent(world, e, A);
    return systems.cell({
      step() {
        for (let i = 0; i < ids.length; i++) {
          addComponent(world, ids[i], X);
          removeComponent(world, ids[i], X);
        }
      },
      counts: () => ({ added, removed }),
    });
  },

  game: (params) => game.cell(params, import("../games/arena/bitecs.mjs")),
  survivors: (params) => survivors.cell(params, import("../games/survivors/bitecs.mjs")),
  towers: (params) => towers.cell(params, import("../games/towers/bitecs.mjs")),
};

function createWith(world, components) {
  const e = addEntity(world);
  addComponents(world, e, ...components);
  return e;
}

function plus(world, component) {
  const { value } = component;
  const terms = [component];
  return () => {
    const entities = query(world, terms);
    for (let i = 0; i < entities.length; i++) value[entities[i]] += 1;
  };
}

function swap(world, A, B) {
  const terms = [A, B];
  const [one, other] = [A.value, B.value];
  return () => {
    const entities = query(world, terms);
    for (let i = 0; i < entities.length; i++) {
      const e = entities[i];
      const x = one[e];
      one[e] = other[e];
      other[e] = x;
    }
  };
}

function sparseStore({ n }) {
  const world = createWorld();
  const Position = { x: new Float32Array(n + 1), y: new Float32Array(n + 1) };
  const Sprite = { x: new Float32Array(n + 1), y: new Float32Array(n + 1), frame: new Int32Array(n + 1) };
  registerComponent(world, Position);
  registerComponent(world, Sprite);
  const ids = new Uint32Array(n);
  for (let i = 0; i < n; i++) {
    ids[i] = addEntity(world);
    addComponents(world, ids[i], Position, Sprite);
  }
  return { world, Position, Sprite, ids, sprite: (i) => ({ x: Sprite.x[ids[i]], frame: Sprite.frame[ids[i]] }) };
}

function tracking({ n }) {
  const { world, Position, Sprite, ids, sprite } = sparseStore({ n });
  const isChanged = new Uint8Array(n + 1);
  const changed = [];
  observe(world, onSet(Position), (e, { x }) => {
    Position.x[e] = x;
    if (isChanged[e] === 0) {
      isChanged[e] = 1;
      changed.push(e);
    }
  });
  return {
    change(targets, value) {
      for (let j = 0; j < targets.length; j++) addComponent(world, ids[targets[j]], set(Position, { x: value }));
    },
    frame() {
      for (let j = 0; j < changed.length; j++) {
        const e = changed[j];
        if (!hasComponent(world, e, Sprite)) continue;
        Sprite.x[e] = Position.x[e];
        Sprite.frame[e] += 1;
        isChanged[e] = 0;
      }
      changed.length = 0;
    },
    sprite,
  };
}

function scanning({ n }) {
  const { world, Position, Sprite, ids, sprite } = sparseStore({ n });
  const terms = [Position, Sprite];
  const { x } = Position;
  const { x: spriteX, frame } = Sprite;
  return {
    change(targets, value) {
      for (let j = 0; j < targets.length; j++) x[ids[targets[j]]] = value;
    },
    frame() {
      const entities = query(world, terms);
      for (let j = 0; j < entities.length; j++) {
        const e = entities[j];
        if (x[e] !== spriteX[e]) {
          spriteX[e] = x[e];
          frame[e] += 1;
        }
      }
    },
    sprite,
  };
}

function arrayOfObjects({ n }) {
  const world = createWorld();
  const Position = [];
  const ids = Array.from({ length: n }, () => {
    const e = addEntity(world);
    addComponent(world, e, Position);
    Position[e] = { x: 0, y: 0 };
    return e;
  });
  return { world, ids, Position };
}
