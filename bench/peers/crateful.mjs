// Crateful through rows and single calls, as the README shows.
import { defineSystem, ECS, init, System } from "../../dist/inline.js";
import { game, survivors, towers } from "../cases/game.mjs";
import { hierarchy } from "../cases/hierarchy.mjs";
import { objects, structure } from "../cases/more.mjs";
import { movement } from "../cases/movement.mjs";
import { sparse } from "../cases/sparse.mjs";
import { addRemove, entityCycle, fragIter, letters, packed5, simpleIter } from "../cases/standard.mjs";
import { Idle, withCallbacks } from "./crateful_callbacks.mjs";
import { Health, Position, Sprite, tagClass, valueClass, Velocity } from "./crateful_components.mjs";

export { version } from "./crateful_components.mjs";
await init();

export const cases = {
  sparse: (params) => sparse(params, sparseWorld(params)),
  memory(params) {
    const world = sparseWorld(params);
    return { keep: world, wasmBytes: () => world.ecs.storage(Position).columns.x.buffer.byteLength };
  },

  packed_5() {
    const ecs = new ECS();
    const classes = [A, B, C, D, E];
    const ids = ecs.addEntities(packed5.entities);
    for (const cls of classes) ecs.addComponents(ids, cls);
    for (const Plus of [PlusA, PlusB, PlusC, PlusD, PlusE]) ecs.addSystem(0, new Plus());
    return packed5.cell({
      step: () => {
        ecs.update();
      },
      value: (at, i) => ecs.get(ids[i], classes[at]).value,
    });
  },

  simple_iter() {
    const ecs = new ECS();
    const store = { A, B, C, D, E };
    const ids = simpleIter.kinds.map((kind) => {
      const list = ecs.addEntities(simpleIter.each);
      for (const letter of kind) ecs.addComponents(list, store[letter], { value: simpleIter.start(letter) });
      return list;
    });
    for (const Swap of [SwapAB, SwapCD, SwapCE]) ecs.addSystem(0, new Swap());
    return simpleIter.cell({
      step: () => {
        ecs.update();
      },
      value: (kind, j, letter) => ecs.get(ids[kind][j], store[letter]).value,
    });
  },

  frag_iter() {
    const ecs = new ECS();
    const classes = letters.map((letter) => (letter === "Z" ? Z : valueClass(letter)));
    const ids = classes.map((cls) => {
      const list = ecs.addEntities(fragIter.each);
      ecs.addComponents(list, Data);
      ecs.addComponents(list, cls);
      return list;
    });
    ecs.addSystem(0, new PlusData());
    ecs.addSystem(0, new PlusZ());
    return fragIter.cell({
      step: () => {
        ecs.update();
      },
      data: (l, j) => ecs.get(ids[l][j], Data).value,
      z: (j) => ecs.get(ids[25][j], Z).value,
    });
  },

  entity_cycle() {
    const ecs = new ECS();
    const A = valueClass("A");
    const B = valueClass("B");
    const counts = { removed: 0, sum: 0 };
    const a = ecs.storage(A);
    const b = ecs.storage(B);
    class Spawn extends System {
      componentsRequired = new Set([A]);
      update(_delta, entities) {
        const ids = entities.ids.slice(); // a copy, because memory can grow
        for (let i = 0; i < ids.length; i++)
          ecs.addComponent(ecs.addEntity(), B, { value: a.columns.value[a.slot(ids[i])] });
      }
    }
    class Kill extends System {
      componentsRequired = new Set([B]);
      update(_delta, entities) {
        const { ids } = entities;
        const { value } = b.columns;
        for (let i = 0; i < ids.length; i++) {
          counts.sum += value[b.slot(ids[i])];
          counts.removed += 1;
          ecs.removeEntity(ids[i]); // at the end of the update
        }
      }
    }
    ecs.addSystem(0, new Spawn());
    ecs.addSystem(1, new Kill());
    const ids = ecs.addEntities(entityCycle.entities);
    ecs.addComponents(ids, A, { value: Int32Array.from(ids, (_, i) => i) });
    const step = () => {
      ecs.update();
    };
    return entityCycle.cell({ step, counts: () => ({ ...counts, a: ecs.storage(A).count, b: ecs.storage(B).count }) });
  },

  add_remove() {
    const ecs = new ECS();
    const A = tagClass("A");
    const B = tagClass("B");
    let removed = 0;
    class Add extends System {
      componentsRequired = new Set([A]);
      update(_delta, entities) {
        const ids = entities.ids.slice(); // a copy, because memory can grow
        for (let i = 0; i < ids.length; i++) ecs.addComponent(ids[i], B);
      }
    }
    class Remove extends System {
      componentsRequired = new Set([B]);
      update(_delta, entities) {
        const ids = entities.ids.slice(); // a copy, because the set shrinks; in reverse order, so that no element moves
        for (let i = ids.length - 1; i >= 0; i--) if (ecs.removeComponent(ids[i], B)) removed += 1;
      }
    }
    ecs.addSystem(0, new Add());
    ecs.addSystem(1, new Remove());
    ecs.addComponents(ecs.addEntities(addRemove.entities), A);
    return addRemove.cell({
      step: () => {
        ecs.update();
      },
      counts: () => ({ removed, a: ecs.storage(A).count, b: ecs.storage(B).count }),
    });
  },

  movement(params) {
    const ecs = new ECS();
    ecs.addSystem(0, new Move());
    const watcher = ecs.addSystem(1, new Watcher());
    const ids = ecs.addEntities(params.n);
    ecs.addComponents(ids, Position);
    ecs.addComponents(ids, Velocity, { x: 1, y: 2 });
    return movement.cell(params, {
      step: (delta) => ecs.update(delta),
      seen: () => watcher.seen,
      position: (i) => ecs.get(ids[i], Position),
    });
  },

  hierarchy() {
    class WorldPositions extends defineSystem(
      { local: Position, world: Sprite },
      { watch: [Position], watchAncestors: [Position], parent: { above: Sprite } },
    ) {
      update() {
        for (const { local, world, above } of this.dirty.topDown()) {
          world.x = (above === undefined ? 0 : above.x) + local.x;
          world.y = (above === undefined ? 0 : above.y) + local.y;
        }
      }
    }
    const { ecs, ids, cell } = hierarchyWorld();
    ids.forEach((e, i) => {
      if (hierarchy.parents[i] >= 0) ecs.setParent(e, ids[hierarchy.parents[i]]);
    });
    ecs.addSystem(0, new WorldPositions());
    ecs.update();
    return cell(() => ecs.update());
  },
  /** The same without `setParent`: the game has its own lists of children and visits the trees that it has moved. */
  hierarchy_by_hand() {
    const { ecs, ids, cell } = hierarchyWorld();
    const { first, next } = hierarchy.links();
    const query = ecs.query({ local: Position, world: Sprite });
    const place = (i, x, y) => {
      const { local, world } = query.at(ids[i]);
      const ownX = x + local.x;
      const ownY = y + local.y;
      world.x = ownX;
      world.y = ownY;
      for (let child = first[i]; child >= 0; child = next[child]) place(child, ownX, ownY);
    };
    return cell(() => {
      for (const root of hierarchy.roots) place(root, 0, 0);
      return ecs.update();
    });
  },

  objects(params) {
    const ecs = new ECS();
    const ids = [...ecs.addEntities(params.n)];
    ecs.addComponents(ids, Position);
    const query = ecs.query({ position: Position });
    const step = () => {
      for (let i = 0; i < ids.length; i++) query.at(ids[i]).position.x += 0.25;
    };
    return objects.cell(params, { step, value: (i) => ecs.getComponents(ids[i]).get(Position).x });
  },
  objects_iter(params) {
    const ecs = new ECS();
    class Move extends defineSystem({ position: Position }) {
      update() {
        for (const { position } of this.rows) position.x += 0.25;
      }
    }
    ecs.addSystem(0, new Move());
    const ids = ecs.addEntities(params.n);
    ecs.addComponents(ids, Position);
    return objects.cell(params, {
      step: () => {
        ecs.update();
      },
      value: (i) => ecs.getComponents(ids[i]).get(Position).x,
    });
  },

  structure(params) {
    const { n } = params;
    const ecs = new ECS();
    ecs.addSystem(0, new Idle([Position, Velocity, Health]));
    const unit = ecs.prefab([Position, [Velocity, { x: 1 }], [Health, { value: 100 }]]);
    return structure.cell(params, {
      spawn() {
        for (let i = 0; i < n; i++) unit.spawn([{ x: i }]);
      },
      clear: () => ecs.clear(),
      count: () => ecs.systems[0].tracked,
    });
  },

  systems: (params) => withCallbacks(params, (ecs, e, X) => ecs.addComponent(e, new X())),

  game: (params) => game.cell(params, import("../games/arena/crateful.mjs")),
  survivors: (params) => survivors.cell(params, import("../games/survivors/crateful.mjs")),
  towers: (params) => towers.cell(params, import("../games/towers/crateful.mjs")),
};

const [A, B, C, D, E, Data, Z] = ["A", "B", "C", "D", "E", "Data", "Z"].map((name) => valueClass(name));

// Each system is written out, as in a game: in a function that several systems share, V8 would find rows of many shapes.
class PlusA extends defineSystem({ a: A }) {
  update() {
    for (const { a } of this.rows) a.value += 1;
  }
}
class PlusB extends defineSystem({ b: B }) {
  update() {
    for (const { b } of this.rows) b.value += 1;
  }
}
class PlusC extends defineSystem({ c: C }) {
  update() {
    for (const { c } of this.rows) c.value += 1;
  }
}
class PlusD extends defineSystem({ d: D }) {
  update() {
    for (const { d } of this.rows) d.value += 1;
  }
}
class PlusE extends defineSystem({ e: E }) {
  update() {
    for (const { e } of this.rows) e.value += 1;
  }
}
class PlusData extends defineSystem({ data: Data }) {
  update() {
    for (const { data } of this.rows) data.value += 1;
  }
}
class PlusZ extends defineSystem({ z: Z }) {
  update() {
    for (const { z } of this.rows) z.value += 1;
  }
}
class SwapAB extends defineSystem({ a: A, b: B }) {
  update() {
    for (const { a, b } of this.rows) {
      const x = a.value;
      a.value = b.value;
      b.value = x;
    }
  }
}
class SwapCD extends defineSystem({ c: C, d: D }) {
  update() {
    for (const { c, d } of this.rows) {
      const x = c.value;
      c.value = d.value;
      d.value = x;
    }
  }
}
class SwapCE extends defineSystem({ c: C, e: E }) {
  update() {
    for (const { c, e } of this.rows) {
      const x = c.value;
      c.value = e.value;
      e.value = x;
    }
  }
}

class Move extends defineSystem({ position: Position, velocity: Velocity }) {
  update(delta) {
    for (const { position, velocity } of this.rows) {
      position.x += velocity.x * delta;
      position.y += velocity.y * delta;
    }
  }
}

class Watcher extends defineSystem({ position: Position }, { watch: [Position] }) {
  seen = 0;
  update() {
    this.seen += this.dirty.size;
  }
}

class Draw extends defineSystem({ position: Position, sprite: Sprite }, { watch: [Position] }) {
  update() {
    for (const { position, sprite } of this.dirty) {
      sprite.x = position.x;
      sprite.frame += 1;
    }
  }
}

function sparseWorld({ n }) {
  const ecs = new ECS();
  ecs.addSystem(0, new Draw());
  const ids = ecs.addEntities(n);
  ecs.addComponents(ids, Position);
  ecs.addComponents(ids, Sprite);
  const positions = ecs.storage(Position);
  return {
    ecs,
    change(targets, value) {
      for (let j = 0; j < targets.length; j++) positions.at(ids[targets[j]]).x = value;
    },
    frame() {
      ecs.update();
    },
    sprite(i) {
      const { x, frame } = ecs.get(ids[i], Sprite);
      return { x, frame };
    },
  };
}

/** The entities of the case `hierarchy`, without parents; `frame` follows the moves of the roots. */
function hierarchyWorld() {
  const ecs = new ECS();
  const ids = [...ecs.addEntities(hierarchy.entities)];
  ecs.addComponents(ids, Position, { x: 1, y: 2 });
  ecs.addComponents(ids, Sprite);
  const locals = ecs.storage(Position);
  const cell = (frame) =>
    hierarchy.cell({
      step: (x) => {
        for (const root of hierarchy.roots) locals.at(ids[root]).x = x;
        return frame();
      },
      x: (i) => ecs.get(ids[i], Sprite).x,
      y: (i) => ecs.get(ids[i], Sprite).y,
    });
  return { ecs, ids, cell };
}
