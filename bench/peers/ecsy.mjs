// ECSY 0.4 (no longer developed). Its guide recommends: systems with queries, `getMutableComponent` to write, reactive
// queries with `listen: { changed }`, pools for entities. Removing an entity shortens the results of a query, so loops
// start at the end. Systems are registered last, because adding an entity to a query is O(entities in it).
import { Component, Not, System, TagComponent, Types, World } from "ecsy";
import { objects, systems } from "../cases/more.mjs";
import { sparse } from "../cases/sparse.mjs";
import { addRemove, entityCycle, fragIter, letters, packed5, simpleIter } from "../cases/standard.mjs";
import { versions } from "./versions.mjs";

export const version = versions.ecsy;

// `structure` is missing: it is quadratic and would take minutes.
export const cases = {
  sparse: (params) => sparse(params, sparseWorld(params, DrawChanged)),
  sparse_scan: (params) => sparse(params, sparseWorld(params, DrawDifferent)),
  memory: (params) => ({ keep: sparseWorld(params, DrawDifferent) }),

  packed_5() {
    const components = Array.from({ length: packed5.components }, valueComponent);
    const world = worldWith(components);
    const ids = Array.from({ length: packed5.entities }, () => {
      const e = world.createEntity();
      for (const component of components) e.addComponent(component);
      return e;
    });
    for (const component of components) world.registerSystem(plus(component));
    return packed5.cell({ step: () => world.execute(), value: (at, i) => ids[i].getComponent(components[at]).value });
  },

  simple_iter() {
    const store = Object.fromEntries([..."ABCDE"].map((letter) => [letter, valueComponent()]));
    const { A, B, C, D, E } = store;
    const world = worldWith(Object.values(store));
    const ids = simpleIter.kinds.map((kind) =>
      Array.from({ length: simpleIter.each }, () => {
        const e = world.createEntity();
        for (const letter of kind) e.addComponent(store[letter], { value: simpleIter.start(letter) });
        return e;
      }),
    );
    const swap = (One, Other) =>
      class extends System {
        static queries = { entities: { components: [One, Other] } };
        execute() {
          const { results } = this.queries.entities;
          for (let i = 0; i < results.length; i++) {
            const one = results[i].getMutableComponent(One);
            const other = results[i].getMutableComponent(Other);
            const x = one.value;
            one.value = other.value;
            other.value = x;
          }
        }
      };
    world.registerSystem(swap(A, B)).registerSystem(swap(C, D)).registerSystem(swap(C, E));
    return simpleIter.cell({
      step: () => world.execute(),
      value: (kind, j, letter) => ids[kind][j].getComponent(store[letter]).value,
    });
  },

  frag_iter() {
    const components = letters.map(valueComponent);
    const Data = valueComponent();
    const Z = components.at(-1);
    const world = worldWith([...components, Data]);
    const ids = components.map((component) =>
      Array.from({ length: fragIter.each }, () => world.createEntity().addComponent(component).addComponent(Data)),
    );
    world.registerSystem(plus(Data)).registerSystem(plus(Z));
    return fragIter.cell({
      step: () => world.execute(),
      data: (l, j) => ids[l][j].getComponent(Data).value,
      z: (j) => ids[25][j].getComponent(Z).value,
    });
  },

  entity_cycle() {
    const A = valueComponent();
    const B = valueComponent();
    const counts = { removed: 0, sum: 0, a: 0 };
    class Spawn extends System {
      static queries = { entities: { components: [A] } };
      execute() {
        const { results } = this.queries.entities;
        counts.a = results.length;
        for (let i = 0; i < results.length; i++)
          this.world.createEntity().addComponent(B, { value: results[i].getComponent(A).value });
      }
    }
    class Kill extends System {
      static queries = { entities: { components: [B] } };
      execute() {
        const { results } = this.queries.entities;
        for (let i = results.length - 1; i >= 0; i--) {
          counts.sum += results[i].getComponent(B).value;
          counts.removed += 1;
          results[i].remove();
        }
      }
    }
    const world = worldWith([A, B], 2 * entityCycle.entities);
    for (let i = 0; i < entityCycle.entities; i++) world.createEntity().addComponent(A, { value: i });
    world.registerSystem(Spawn).registerSystem(Kill);
    return entityCycle.cell({ step: () => world.execute(), counts: () => counts });
  },

  add_remove() {
    class A extends TagComponent {}
    class B extends TagComponent {}
    const counts = { removed: 0, a: addRemove.entities };
    class Add extends System {
      static queries = { entities: { components: [A, Not(B)] } };
      execute() {
        const { results } = this.queries.entities;
        for (let i = results.length - 1; i >= 0; i--) results[i].addComponent(B);
      }
    }
    class Remove extends System {
      static queries = { entities: { components: [B] } };
      execute() {
        const { results } = this.queries.entities;
        for (let i = results.length - 1; i >= 0; i--) {
          counts.removed += 1;
          results[i].removeComponent(B);
        }
      }
    }
    const world = worldWith([A, B]);
    for (let i = 0; i < addRemove.entities; i++) world.createEntity().addComponent(A);
    world.registerSystem(Add).registerSystem(Remove);
    return addRemove.cell({ step: () => world.execute(), counts: () => counts });
  },

  objects(params) {
    const { ids, Position } = positions(params);
    const step = () => {
      for (let i = 0; i < ids.length; i++) ids[i].getMutableComponent(Position).x += 0.25;
    };
    return objects.cell(params, { step, value: (i) => ids[i].getComponent(Position).x });
  },
  objects_iter(params) {
    const { world, ids, Position } = positions(params);
    class Move extends System {
      static queries = { entities: { components: [Position] } };
      execute() {
        for (const entity of this.queries.entities.results) entity.getMutableComponent(Position).x += 0.25;
      }
    }
    world.registerSystem(Move);
    return objects.cell(params, { step: () => world.execute(), value: (i) => ids[i].getComponent(Position).x });
  },

  systems({ count }) {
    class A extends TagComponent {}
    class X extends TagComponent {}
    const others = Array.from({ length: count }, () => class extends TagComponent {});
    const world = worldWith([A, X, ...others]);
    const counts = { added: 0, removed: 0 };
    class Watch extends System {
      static queries = { entities: { components: [A, X], listen: { added: true, removed: true } } };
      execute() {}
    }
    world.registerSystem(Watch);
    const { entities } = world.getSystem(Watch).queries;
    const ids = Array.from({ length: systems.entities }, () => world.createEntity().addComponent(A));
    for (const Other of others) {
      world.registerSystem(
        class extends System {
          static queries = { entities: { components: [A, Other] } };
          execute() {}
        },
      );
    }
    return systems.cell({
      step() {
        for (let i = 0; i < ids.length; i++) {
          ids[i].addComponent(X);
          ids[i].removeComponent(X, true);
          counts.added += entities.added.length;
          counts.removed += entities.removed.length;
          entities.added.length = 0; // ECSY does this after each frame; without it the list would grow
          entities.removed.length = 0;
        }
      },
      counts: () => counts,
    });
  },
};

const valueComponent = () =>
  class extends Component {
    static schema = { value: { type: Types.Number } };
  };

const plus = (Value) =>
  class extends System {
    static queries = { entities: { components: [Value] } };
    execute() {
      const { results } = this.queries.entities;
      for (let i = 0; i < results.length; i++) results[i].getMutableComponent(Value).value += 1;
    }
  };

function worldWith(components, entityPoolSize = 0) {
  const world = new World({ entityPoolSize });
  for (const component of components) world.registerComponent(component);
  return world;
}

class Position extends Component {
  static schema = { x: { type: Types.Number }, y: { type: Types.Number } };
}
class Sprite extends Component {
  static schema = { x: { type: Types.Number }, y: { type: Types.Number }, frame: { type: Types.Number } };
}

function positions({ n }) {
  const world = worldWith([Position], n);
  return { world, Position, ids: Array.from({ length: n }, () => world.createEntity().addComponent(Position)) };
}

function sparseWorld({ n }, Draw) {
  const world = worldWith([Position, Sprite], n);
  const ids = Array.from({ length: n }, () => world.createEntity().addComponent(Position).addComponent(Sprite));
  world.registerSystem(Draw);
  return {
    change(targets, value) {
      for (let j = 0; j < targets.length; j++) ids[targets[j]].getMutableComponent(Position).x = value;
    },
    frame() {
      world.execute();
    },
    sprite: (i) => ids[i].getComponent(Sprite),
  };
}

class DrawChanged extends System {
  static queries = { moved: { components: [Position, Sprite], listen: { changed: [Position] } } };
  execute() {
    const { changed } = this.queries.moved;
    for (let i = 0; i < changed.length; i++) {
      const sprite = changed[i].getMutableComponent(Sprite);
      sprite.x = changed[i].getComponent(Position).x;
      sprite.frame += 1;
    }
  }
}

class DrawDifferent extends System {
  static queries = { all: { components: [Position, Sprite] } };
  execute() {
    const { results } = this.queries.all;
    for (let i = 0; i < results.length; i++) {
      const { x } = results[i].getComponent(Position);
      if (x === results[i].getComponent(Sprite).x) continue;
      const sprite = results[i].getMutableComponent(Sprite);
      sprite.x = x;
      sprite.frame += 1;
    }
  }
}
