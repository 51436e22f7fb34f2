// Woven ECS 1.0. Its guide recommends `read` and `write`, and names the arrays behind them a hack, because writing to them
// is not detected. Systems run in `execute`, which is a promise; queries change only between two of its calls, so that
// systems of which one needs what the other has changed run in two calls. A world cannot be cleared. The case `memory` is
// missing, because Node does not count shared memory.
import {
  addComponent,
  createEntity,
  defineComponent,
  defineQuery,
  defineSystem,
  field,
  removeComponent,
  removeEntity,
  World,
} from "@woven-ecs/core";
import { game, survivors, towers } from "../cases/game.mjs";
import { movement } from "../cases/movement.mjs";
import { objects, structure, systems } from "../cases/more.mjs";
import { sparse } from "../cases/sparse.mjs";
import { addRemove, entityCycle, fragIter, letters, packed5, simpleIter } from "../cases/standard.mjs";
import { versions } from "./versions.mjs";

export const version = versions["@woven-ecs/core"];

export const cases = {
  sparse: (params) => sparse(params, tracking(params)),

  async packed_5() {
    const components = letters.slice(0, packed5.components).map(() => valueComponent());
    const world = worldOf(packed5.entities, components);
    const ids = await create(world, packed5.entities, (ctx, e) => {
      for (const component of components) addComponent(ctx, e, component);
    });
    const all = components.map(plus);
    const ctx = world._getContext();
    return packed5.cell({
      step: () => frame(world, ...all),
      value: (at, i) => components[at].read(ctx, ids[i]).value,
    });
  },

  async simple_iter() {
    const store = Object.fromEntries([..."ABCDE"].map((letter) => [letter, valueComponent()]));
    const world = worldOf(simpleIter.each * simpleIter.kinds.length, Object.values(store));
    const ids = [];
    for (const kind of simpleIter.kinds)
      ids.push(
        await create(world, simpleIter.each, (ctx, e) => {
          for (const letter of kind) addComponent(ctx, e, store[letter], { value: simpleIter.start(letter) });
        }),
      );
    const all = ["AB", "CD", "CE"].map(([one, other]) => swap(store[one], store[other]));
    const ctx = world._getContext();
    return simpleIter.cell({
      step: () => frame(world, ...all),
      value: (kind, j, letter) => store[letter].read(ctx, ids[kind][j]).value,
    });
  },

  async frag_iter() {
    const store = letters.map(() => valueComponent());
    const Data = valueComponent();
    const world = worldOf(fragIter.each * letters.length, [...store, Data]);
    const ids = [];
    for (const component of store)
      ids.push(
        await create(world, fragIter.each, (ctx, e) => {
          addComponent(ctx, e, component);
          addComponent(ctx, e, Data);
        }),
      );
    const all = [plus(Data), plus(store[25])];
    const ctx = world._getContext();
    return fragIter.cell({
      step: () => frame(world, ...all),
      data: (l, j) => Data.read(ctx, ids[l][j]).value,
      z: (j) => store[25].read(ctx, ids[25][j]).value,
    });
  },

  async entity_cycle() {
    const A = valueComponent();
    const B = valueComponent();
    const world = worldOf(8 * entityCycle.entities, [A, B]); // ids are used again some frames later
    const withA = defineQuery((q) => q.with(A));
    const withB = defineQuery((q) => q.with(B));
    let removed = 0;
    let sum = 0;
    let a = 0;
    const createAll = defineSystem((ctx) => {
      const entities = withA.current(ctx);
      a = entities.length;
      for (const e of entities) addComponent(ctx, createEntity(ctx), B, { value: A.read(ctx, e).value });
    });
    const removeAll = defineSystem((ctx) => {
      for (const e of withB.current(ctx)) {
        sum += B.read(ctx, e).value;
        removed += 1;
        removeEntity(ctx, e);
      }
    });
    await create(world, entityCycle.entities, (ctx, e, i) => addComponent(ctx, e, A, { value: i }));
    const step = async () => {
      await frame(world, createAll);
      await world.execute(removeAll);
    };
    return entityCycle.cell({ step, counts: () => ({ removed, sum, a }) });
  },

  async add_remove() {
    const A = defineComponent({});
    const B = defineComponent({});
    const world = worldOf(addRemove.entities, [A, B]);
    const withA = defineQuery((q) => q.with(A));
    const withB = defineQuery((q) => q.with(B));
    let removed = 0;
    let a = 0;
    const addAll = defineSystem((ctx) => {
      const entities = withA.current(ctx);
      a = entities.length;
      for (const e of entities) addComponent(ctx, e, B);
    });
    const removeAll = defineSystem((ctx) => {
      for (const e of withB.current(ctx)) {
        removed += 1;
        removeComponent(ctx, e, B);
      }
    });
    await create(world, addRemove.entities, (ctx, e) => addComponent(ctx, e, A));
    const step = async () => {
      await frame(world, addAll);
      await world.execute(removeAll);
    };
    return addRemove.cell({ step, counts: () => ({ removed, a }) });
  },

  async movement(params) {
    const Position = vector();
    const Velocity = vector();
    const world = worldOf(params.n, [Position, Velocity]);
    const moving = defineQuery((q) => q.with(Position, Velocity));
    const moved = defineQuery((q) => q.tracking(Position));
    let delta = 0;
    let seen = 0;
    const move = defineSystem((ctx) => {
      for (const e of moving.current(ctx)) {
        const position = Position.write(ctx, e);
        const velocity = Velocity.read(ctx, e);
        position.x += velocity.x * delta;
        position.y += velocity.y * delta;
      }
    });
    const watch = defineSystem((ctx) => {
      seen += moved.addedOrChanged(ctx).length;
    });
    const ids = await create(world, params.n, (ctx, e) => {
      addComponent(ctx, e, Position);
      addComponent(ctx, e, Velocity, { x: 1, y: 2 });
    });
    await frame(world, watch);
    const ctx = world._getContext();
    return movement.cell(params, {
      async step(seconds) {
        delta = seconds;
        await frame(world, move);
        await world.execute(watch);
      },
      seen: () => seen,
      position: (i) => Position.snapshot(ctx, ids[i]),
    });
  },

  async objects(params) {
    const { Position, world, ids } = await positions(params);
    const ctx = world._getContext();
    const step = () => {
      for (let i = 0; i < ids.length; i++) Position.write(ctx, ids[i]).x += 0.25;
    };
    return objects.cell(params, { step, value: (i) => Position.read(ctx, ids[i]).x });
  },
  async objects_iter(params) {
    const { Position, world, ids } = await positions(params);
    const all = defineQuery((q) => q.with(Position));
    const move = defineSystem((ctx) => {
      for (const e of all.current(ctx)) Position.write(ctx, e).x += 0.25;
    });
    const ctx = world._getContext();
    return objects.cell(params, { step: () => frame(world, move), value: (i) => Position.read(ctx, ids[i]).x });
  },

  structure(params) {
    const { n } = params;
    const Position = vector();
    const Velocity = vector();
    const Health = valueComponent();
    const world = worldOf(5 * n, [Position, Velocity, Health]); // ids are used again some frames later
    const all = defineQuery((q) => q.with(Position, Velocity, Health));
    let count = 0;
    const spawn = defineSystem((ctx) => {
      for (let i = 0; i < n; i++) {
        const e = createEntity(ctx);
        addComponent(ctx, e, Position, { x: i });
        addComponent(ctx, e, Velocity, { x: 1 });
        addComponent(ctx, e, Health, { value: 100 });
      }
    });
    const clear = defineSystem((ctx) => {
      for (const e of all.current(ctx)) removeEntity(ctx, e);
    });
    const see = defineSystem((ctx) => {
      count = all.current(ctx).length;
    });
    const run = async (system) => {
      await frame(world, system);
      await world.execute(see);
    };
    return structure.cell(params, { spawn: () => run(spawn), clear: () => run(clear), count: () => count });
  },

  async systems({ count }) {
    const A = defineComponent({});
    const X = defineComponent({});
    const others = Array.from({ length: count }, () => defineComponent({}));
    const world = worldOf(systems.entities, [A, X, ...others]);
    const watched = defineQuery((q) => q.with(A, X));
    let added = 0;
    let removed = 0;
    let ids;
    const addAll = defineSystem((ctx) => {
      for (let i = 0; i < ids.length; i++) addComponent(ctx, ids[i], X);
    });
    const removeAll = defineSystem((ctx) => {
      for (let i = 0; i < ids.length; i++) removeComponent(ctx, ids[i], X);
    });
    const watch = defineSystem((ctx) => {
      added += watched.added(ctx).length;
      removed += watched.removed(ctx).length;
    });
    const idle = others.map((other) => {
      const query = defineQuery((q) => q.with(A, other));
      return defineSystem((ctx) => void query.current(ctx));
    });
    ids = await create(world, systems.entities, (ctx, e) => addComponent(ctx, e, A));
    const step = async () => {
      await frame(world, addAll);
      await world.execute(watch, ...idle);
      await frame(world, removeAll);
      await world.execute(watch, ...idle);
    };
    return systems.cell({ step, counts: () => ({ added, removed }) });
  },

  game: (params) => game.cell(params, import("../games/arena/woven.mjs")),
  survivors: (params) => survivors.cell(params, import("../games/survivors/woven.mjs")),
  towers: (params) => towers.cell(params, import("../games/towers/woven.mjs")),
};

const vector = () => defineComponent({ x: field.float32(), y: field.float32() });
const valueComponent = () => defineComponent({ value: field.int32() });

/** The world keeps all events of a frame; the first frame has one for each component of each entity. */
function worldOf(maxEntities, components) {
  return new World(components, { maxEntities, maxEvents: Math.max(1 << 17, 8 * maxEntities) });
}

function frame(world, ...systems) {
  world.sync();
  return world.execute(...systems);
}

/** Creates n entities outside of any system, and returns their ids. */
async function create(world, n, init) {
  const ids = [];
  await world.execute((ctx) => {
    for (let i = 0; i < n; i++) {
      const e = createEntity(ctx);
      init(ctx, e, i);
      ids.push(e);
    }
  });
  return ids;
}

function plus(component) {
  const all = defineQuery((q) => q.with(component));
  return defineSystem((ctx) => {
    for (const e of all.current(ctx)) component.write(ctx, e).value += 1;
  });
}

function swap(one, other) {
  const all = defineQuery((q) => q.with(one, other));
  return defineSystem((ctx) => {
    for (const e of all.current(ctx)) {
      const a = one.write(ctx, e);
      const b = other.write(ctx, e);
      const x = a.value;
      a.value = b.value;
      b.value = x;
    }
  });
}

async function positions({ n }) {
  const Position = vector();
  const world = worldOf(n, [Position]);
  return { Position, world, ids: await create(world, n, (ctx, e) => addComponent(ctx, e, Position)) };
}

function tracking({ n }) {
  const Position = vector();
  const Sprite = defineComponent({ x: field.float32(), y: field.float32(), frame: field.int32() });
  const world = worldOf(n, [Position, Sprite]);
  const ctx = world._getContext();
  const ids = [];
  world.execute((ctx) => {
    for (let i = 0; i < n; i++) {
      const e = createEntity(ctx);
      addComponent(ctx, e, Position);
      addComponent(ctx, e, Sprite);
      ids.push(e);
    }
  });
  const moved = defineQuery((q) => q.with(Sprite).tracking(Position));
  const follow = defineSystem((ctx) => {
    for (const e of moved.changed(ctx)) {
      const sprite = Sprite.write(ctx, e);
      sprite.x = Position.read(ctx, e).x;
      sprite.frame += 1;
    }
  });
  return {
    change(targets, value) {
      for (let j = 0; j < targets.length; j++) Position.write(ctx, ids[targets[j]]).x = value;
    },
    frame: () => frame(world, follow),
    sprite: (i) => Sprite.read(ctx, ids[i]),
  };
}
