// koota 0.6. Its guide recommends: queries created once with createQuery, `useStores` "for performance-critical
// operations", `Changed` modifiers for changed values.
import { createChanged, createQuery, createWorld, trait } from "koota";
import { game, survivors, towers } from "../cases/game.mjs";
import { objects, systems } from "../cases/more.mjs";
import { sparse } from "../cases/sparse.mjs";
import { addRemove, entityCycle, loops } from "../cases/standard.mjs";
import { versions } from "./versions.mjs";

export const version = versions.koota;

/** What `loops` need, besides the loops. */
export const worlds = {
  create: () => createWorld(),
  component: (start) => trait({ value: start }),
  spawn: (world, traits) => world.spawn(...traits),
  remove: (_world, entity) => entity.destroy(),
  drop: (_world, entity, t) => entity.remove(t),
  put: (_world, entity, t) => entity.add(t),
  read: (entity, t) => entity.get(t).value,
};

export const cases = {
  sparse: (params) => sparse(params, tracking(params)),
  memory: (params) => ({ keep: scanning(params) }),

  ...loops({ ...worlds, plus, swap }),

  entity_cycle() {
    const world = createWorld();
    const A = trait({ value: 0 });
    const B = trait({ value: 0 });
    for (let i = 0; i < entityCycle.entities; i++) world.spawn(A({ value: i }));
    const withA = createQuery(A);
    const withB = createQuery(B);
    let removed = 0;
    let sum = 0;
    const step = () => {
      for (const e of world.query(withA)) world.spawn(B({ value: e.get(A).value }));
      for (const e of world.query(withB)) {
        sum += e.get(B).value;
        removed += 1;
        e.destroy();
      }
    };
    return entityCycle.cell({
      step,
      counts: () => ({ removed, sum, a: world.query(withA).length, b: world.query(withB).length }),
    });
  },

  add_remove() {
    const world = createWorld();
    const A = trait();
    const B = trait();
    for (let i = 0; i < addRemove.entities; i++) world.spawn(A);
    const withA = createQuery(A);
    const withB = createQuery(B);
    let removed = 0;
    const step = () => {
      for (const e of world.query(withA)) e.add(B);
      for (const e of world.query(withB)) {
        removed += 1;
        e.remove(B);
      }
    };
    return addRemove.cell({
      step,
      counts: () => ({ removed, a: world.query(withA).length, b: world.query(withB).length }),
    });
  },

  objects(params) {
    const { ids, Position } = positions(params);
    const step = () => {
      for (let i = 0; i < ids.length; i++) ids[i].set(Position, { x: ids[i].get(Position).x + 0.25 });
    };
    return objects.cell(params, { step, value: (i) => ids[i].get(Position).x });
  },
  objects_iter(params) {
    const { world, ids, Position } = positions(params);
    const query = createQuery(Position);
    const each = ([position]) => {
      position.x += 0.25;
    };
    return objects.cell(params, {
      step: () => {
        world.query(query).updateEach(each);
      },
      value: (i) => ids[i].get(Position).x,
    });
  },

  systems({ count }) {
    const world = createWorld();
    const A = trait();
    const X = trait();
    let added = 0;
    let removed = 0;
    world.onQueryAdd([A, X], () => {
      added += 1;
    });
    world.onQueryRemove([A, X], () => {
      removed += 1;
    });
    for (let i = 0; i < count; i++) world.query(A, trait());
    const ids = Array.from({ length: systems.entities }, () => world.spawn(A));
    return systems.cell({
      step() {
        for (let i = 0; i < ids.length; i++) {
          ids[i].add(X);
          ids[i].remove(X);
        }
      },
      counts: () => ({ added, removed }),
    });
  },

  game: (params) => game.cell(params, import("../games/arena/koota.mjs")),
  survivors: (params) => survivors.cell(params, import("../games/survivors/koota.mjs")),
  towers: (params) => towers.cell(params, import("../games/towers/koota.mjs")),
};

function plus(world, t) {
  const query = createQuery(t);
  const each = ([{ value }], entities) => {
    for (let i = 0; i < entities.length; i++) value[entities[i].id()] += 1;
  };
  return () => world.query(query).useStores(each);
}

function swap(world, A, B) {
  const query = createQuery(A, B);
  const each = ([one, other], entities) => {
    for (let i = 0; i < entities.length; i++) {
      const e = entities[i].id();
      const x = one.value[e];
      one.value[e] = other.value[e];
      other.value[e] = x;
    }
  };
  return () => world.query(query).useStores(each);
}

function positions({ n }) {
  const world = createWorld();
  const Position = trait({ x: 0, y: 0 });
  return { world, Position, ids: Array.from({ length: n }, () => world.spawn(Position)) };
}

function sparseStore({ n }) {
  const world = createWorld();
  const Position = trait({ x: 0, y: 0 });
  const Sprite = trait({ x: 0, y: 0, frame: 0 });
  const ids = Array.from({ length: n }, () => world.spawn(Position, Sprite));
  const sprite = (i) => ids[i].get(Sprite);
  return { world, Position, Sprite, ids, sprite };
}

function tracking({ n }) {
  const { world, Position, Sprite, ids, sprite } = sparseStore({ n });
  const Changed = createChanged();
  const moved = createQuery(Changed(Position), Sprite);
  const draw = ([position, sprites], entities) => {
    for (let i = 0; i < entities.length; i++) {
      const e = entities[i].id();
      sprites.x[e] = position.x[e];
      sprites.frame[e] += 1;
    }
  };
  return {
    change(targets, value) {
      for (let j = 0; j < targets.length; j++) ids[targets[j]].set(Position, { x: value });
    },
    frame() {
      world.query(moved).useStores(draw);
    },
    sprite,
  };
}

function scanning({ n }) {
  const { world, Position, Sprite, ids, sprite } = sparseStore({ n });
  const all = createQuery(Position, Sprite);
  const draw = ([position, sprites], entities) => {
    const { x } = position;
    const { x: spriteX, frame } = sprites;
    for (let i = 0; i < entities.length; i++) {
      const e = entities[i].id();
      if (x[e] !== spriteX[e]) {
        spriteX[e] = x[e];
        frame[e] += 1;
      }
    }
  };
  return {
    change(targets, value) {
      for (let j = 0; j < targets.length; j++) ids[targets[j]].set(Position, { x: value });
    },
    frame() {
      world.query(all).useStores(draw);
    },
    sprite,
  };
}
