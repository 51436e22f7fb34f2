// Becsy 0.16, its `perf` build (the same code without checks). Its guide recommends: systems do all the work and
// declare what they read and write; entities are kept with `hold()`; `changed` queries with `trackWrites`.
// Nothing can be changed outside of systems once the world runs, so the application is a system
// that runs before the others. A frame is a promise, and is awaited.
import { System, Type, World } from "@lastolivegames/becsy/lib/perf.js";
import { game, survivors, towers } from "../cases/game.mjs";
import { objects, systems } from "../cases/more.mjs";
import { sparse } from "../cases/sparse.mjs";
import { addRemove, entityCycle, fragIter, letters, packed5, simpleIter } from "../cases/standard.mjs";
import { versions } from "./versions.mjs";

export const version = versions["@lastolivegames/becsy"];

export const cases = {
  sparse: async (params) => sparse(params, await sparseWorld(params)),
  memory: async (params) => ({ keep: await sparseWorld(params) }),

  async packed_5() {
    const components = Array.from({ length: packed5.components }, valueComponent);
    const world = await World.create({ ...limits(packed5.entities, 6), defs: [components, components.map(plus)] });
    const ids = [];
    world.build((system) => {
      for (let i = 0; i < packed5.entities; i++) ids.push(system.createEntity(...components).hold());
    });
    return packed5.cell({ step: () => world.execute(), value: (at, i) => ids[i].read(components[at]).value });
  },

  async simple_iter() {
    const store = Object.fromEntries([..."ABCDE"].map((letter) => [letter, valueComponent()]));
    const { A, B, C, D, E } = store;
    const swap = (One, Other) =>
      class extends System {
        entities = this.query((q) => q.current.with(One).write.with(Other).write);
        execute() {
          for (const entity of this.entities.current) {
            const x = entity.read(One).value;
            entity.write(One).value = entity.read(Other).value;
            entity.write(Other).value = x;
          }
        }
      };
    const AB = swap(A, B);
    const CD = swap(C, D);
    const CE = after(CD, swap(C, E));
    const world = await World.create({ ...limits(4 * simpleIter.each, 5), defs: [A, B, C, D, E, AB, CD, CE] });
    const ids = simpleIter.kinds.map(() => []);
    world.build((system) => {
      simpleIter.kinds.forEach((kind, k) => {
        const values = [...kind].flatMap((letter) => [store[letter], { value: simpleIter.start(letter) }]);
        for (let j = 0; j < simpleIter.each; j++) ids[k].push(system.createEntity(...values).hold());
      });
    });
    return simpleIter.cell({
      step: () => world.execute(),
      value: (kind, j, letter) => ids[kind][j].read(store[letter]).value,
    });
  },

  async frag_iter() {
    const components = letters.map(valueComponent);
    const Data = valueComponent();
    const Z = components.at(-1);
    const world = await World.create({
      ...limits(letters.length * fragIter.each, 3),
      defs: [components, Data, plus(Data), plus(Z)],
    });
    const ids = [];
    world.build((system) => {
      for (const component of components) {
        ids.push(Array.from({ length: fragIter.each }, () => system.createEntity(component, Data).hold()));
      }
    });
    return fragIter.cell({
      step: () => world.execute(),
      data: (l, j) => ids[l][j].read(Data).value,
      z: (j) => ids[25][j].read(Z).value,
    });
  },

  async entity_cycle() {
    const A = valueComponent();
    const B = valueComponent();
    const counts = { removed: 0, sum: 0, a: 0, b: 0 };
    class Spawn extends System {
      entities = this.query((q) => q.current.with(A).also.using(B).write);
      execute() {
        for (const entity of this.entities.current) this.createEntity(B, { value: entity.read(A).value });
      }
    }
    class Kill extends System {
      entities = this.query((q) => q.current.with(B).write);
      order = this.schedule((s) => s.after(Spawn));
      execute() {
        for (const entity of this.entities.current) {
          counts.sum += entity.read(B).value;
          counts.removed += 1;
          entity.delete();
        }
      }
    }
    const n = entityCycle.entities;
    const world = await World.create({
      ...limits(n * 4, 4),
      defs: [A, B, Spawn, Kill, after(Kill, counting(A, B, counts))],
    });
    world.build((system) => {
      for (let i = 0; i < n; i++) system.createEntity(A, { value: i });
    });
    return entityCycle.cell({ step: () => world.execute(), counts: () => counts });
  },

  async add_remove() {
    class A {}
    class B {}
    const counts = { removed: 0, a: 0, b: 0 };
    class Add extends System {
      entities = this.query((q) => q.current.with(A).but.without(B).write);
      execute() {
        for (const entity of this.entities.current) entity.add(B);
      }
    }
    class Remove extends System {
      entities = this.query((q) => q.current.with(B).write);
      order = this.schedule((s) => s.after(Add));
      execute() {
        for (const entity of this.entities.current) {
          counts.removed += 1;
          entity.remove(B);
        }
      }
    }
    const n = addRemove.entities;
    const world = await World.create({
      ...limits(n, 6),
      defs: [A, B, Add, Remove, after(Remove, counting(A, B, counts))],
    });
    world.build((system) => {
      for (let i = 0; i < n; i++) system.createEntity(A);
    });
    return addRemove.cell({ step: () => world.execute(), counts: () => counts });
  },

  async objects(params) {
    const Position = positionComponent();
    const ids = [];
    class Move extends System {
      access = this.query((q) => q.using(Position).write);
      execute() {
        for (let i = 0; i < ids.length; i++) ids[i].write(Position).x += 0.25;
      }
    }
    return objects.cell(params, await objectWorld(params, Position, Move, ids));
  },
  async objects_iter(params) {
    const Position = positionComponent();
    const ids = [];
    class Move extends System {
      entities = this.query((q) => q.current.with(Position).write);
      execute() {
        for (const entity of this.entities.current) entity.write(Position).x += 0.25;
      }
    }
    return objects.cell(params, await objectWorld(params, Position, Move, ids));
  },

  // A query contains what changed between two frames, so adding and removing takes two frames, in which all systems run.
  async systems({ count }) {
    class A {}
    class X {}
    const others = Array.from({ length: count }, () => class {});
    const counts = { added: 0, removed: 0 };
    const ids = [];
    let adding = false;
    class Toggle extends System {
      access = this.query((q) => q.using(X).write);
      execute() {
        adding = !adding;
        if (adding) for (let i = 0; i < ids.length; i++) ids[i].add(X);
        else for (let i = 0; i < ids.length; i++) ids[i].remove(X);
      }
    }
    class Watch extends System {
      watched = this.query((q) => q.added.and.removed.with(A).with(X));
      order = this.schedule((s) => s.after(Toggle));
      execute() {
        counts.added += this.watched.added.length;
        counts.removed += this.watched.removed.length;
      }
    }
    const idle = others.map(
      (Other) =>
        class extends System {
          entities = this.query((q) => q.current.with(A).with(Other));
          execute() {}
        },
    );
    const n = systems.entities;
    const world = await World.create({ ...limits(n, 4), defs: [A, X, others, Toggle, Watch, idle] });
    world.build((system) => {
      for (let i = 0; i < n; i++) ids.push(system.createEntity(A).hold());
    });
    const step = async () => {
      await world.execute();
      await world.execute();
    };
    return systems.cell({ step, counts: () => counts });
  },

  game: (params) => game.cell(params, import("../games/arena/becsy.mjs")),
  survivors: (params) => survivors.cell(params, import("../games/survivors/becsy.mjs")),
  towers: (params) => towers.cell(params, import("../games/towers/becsy.mjs")),
};

/** Limits for n entities with so many changes of shape per frame. The perf build does not report when they are exceeded. */
const limits = (n, changes) => ({
  maxEntities: n + 10,
  maxShapeChangesPerFrame: n * changes + 100,
  maxLimboComponents: n * changes + 100,
});

const valueComponent = () =>
  class {
    static schema = { value: Type.int32 };
  };
const positionComponent = () =>
  class {
    static schema = { x: Type.float32, y: Type.float32 };
  };
const spriteComponent = () =>
  class {
    static schema = { x: Type.float32, y: Type.float32, frame: Type.int32 };
  };

/** A system that adds 1 to `value` of every entity with the component. */
const plus = (Component) =>
  class extends System {
    entities = this.query((q) => q.current.with(Component).write);
    execute() {
      for (const entity of this.entities.current) entity.write(Component).value += 1;
    }
  };

/** A system that counts the entities with A and those with B. */
const counting = (A, B, counts) =>
  class extends System {
    as = this.query((q) => q.current.with(A));
    bs = this.query((q) => q.current.with(B));
    execute() {
      counts.a = this.as.current.length;
      counts.b = this.bs.current.length;
    }
  };

/** Makes `Later` run after `Earlier`. */
const after = (Earlier, Later) =>
  class extends Later {
    order = this.schedule((s) => s.after(Earlier));
  };

async function objectWorld({ n }, Position, Move, ids) {
  const world = await World.create({ ...limits(n, 2), defs: [Position, Move] });
  world.build((system) => {
    for (let i = 0; i < n; i++) ids.push(system.createEntity(Position).hold());
  });
  return { step: () => world.execute(), value: (i) => ids[i].read(Position).x };
}

async function sparseWorld({ n }) {
  const Position = positionComponent();
  const Sprite = spriteComponent();
  const ids = [];
  let targets = new Uint32Array(0);
  let value = 0;
  class Application extends System {
    access = this.query((q) => q.using(Position).write);
    execute() {
      for (let j = 0; j < targets.length; j++) ids[targets[j]].write(Position).x = value;
    }
  }
  class Draw extends System {
    order = this.schedule((s) => s.after(Application));
    sprites = this.query((q) => q.changed.with(Position).trackWrites.with(Sprite).write);
    execute() {
      for (const entity of this.sprites.changed) {
        const { x } = entity.read(Position);
        const sprite = entity.write(Sprite);
        sprite.x = x;
        sprite.frame += 1;
      }
    }
  }
  const world = await World.create({
    ...limits(n, 3),
    maxWritesPerFrame: n + 1000,
    defs: [Position, Sprite, Application, Draw],
  });
  world.build((system) => {
    for (let i = 0; i < n; i++) ids.push(system.createEntity(Position, Sprite).hold());
  });
  return {
    change(some, x) {
      targets = some;
      value = x;
    },
    frame: () => world.execute(),
    sprite(i) {
      const { x, frame } = ids[i].read(Sprite);
      return { x, frame };
    },
  };
}
