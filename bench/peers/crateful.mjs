// Crateful through rows and single calls, as the README shows.
import { defineSystem, ECS, init, System } from "../../dist/inline.js";
import { game, survivors, towers } from "../cases/game.mjs";
import { hierarchy } from "../cases/hierarchy.mjs";
import { pairs, rows } from "../cases/rows.mjs";
import { sparse } from "../cases/sparse.mjs";
import { letters } from "../cases/standard.mjs";
import { Age, Body, Position, Speed, Sprite, tagClass, valueClass, Velocity } from "./crateful_components.mjs";
import {
  addRemoveCell,
  entityCycleCell,
  fragIterCell,
  movementCell,
  objectsCell,
  packed5Cell,
  pairsCell,
  rowsCell,
  simpleIterCell,
  sparseWorld,
  withCallbacks,
} from "./crateful_worlds.mjs";

export { version } from "./crateful_components.mjs";
await init();

const made = (Class) => new Class();
const read = (ecs, e, cls) => ecs.get(e, cls).value;

export const cases = {
  sparse: (params) => sparse(params, sparseWorld(params, new Draw(), [Position, Sprite], changing)),
  memory(params) {
    const world = sparseWorld(params, new Draw(), [Position, Sprite], changing);
    return { keep: world, wasmBytes: () => world.ecs.storage(Position).columns.x.buffer.byteLength };
  },

  packed_5(params) {
    return packed5Cell(params, [A, B, C, D, E], [PlusA, PlusB, PlusC, PlusD, PlusE].map(made), read);
  },

  simple_iter(params) {
    return simpleIterCell(params, { A, B, C, D, E }, [SwapAB, SwapCD, SwapCE].map(made), read);
  },

  frag_iter(params) {
    const classes = letters.map((letter) => (letter === "Z" ? Z : valueClass(letter)));
    return fragIterCell(params, classes, Data, [new PlusData(), new PlusZ()], read);
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
    return entityCycleCell(ecs, [A, B], [new Spawn(), new Kill()], counts);
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
    return addRemoveCell(ecs, [A, B], [new Add(), new Remove()], () => removed);
  },

  movement: (params) => movementCell(params, new Move(), new Watcher()),

  rows: (params) => rowsCell(params, new Grow()),

  pairs: (params) =>
    pairsCell(params, (ecs) => {
      const bodies = ecs.query({ body: Body });
      return () => {
        for (const { body } of bodies) {
          const { x, y } = body;
          let forceX = 0;
          let forceY = 0;
          for (const { body: other } of bodies) {
            const dx = other.x - x;
            const dy = other.y - y;
            const strength = pairs.pull(dx, dy, other.mass);
            forceX += dx * strength;
            forceY += dy * strength;
          }
          body.forceX = forceX;
          body.forceY = forceY;
        }
      };
    }),

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
    const change = (ecs, ids) => {
      const query = ecs.query({ position: Position });
      return () => {
        for (let i = 0; i < ids.length; i++) query.at(ids[i]).position.x += 0.25;
      };
    };
    return objectsCell(params, { change });
  },
  objects_iter(params) {
    class Move extends defineSystem({ position: Position }) {
      update() {
        for (const { position } of this.rows) position.x += 0.25;
      }
    }
    return objectsCell(params, { system: new Move() });
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

class Grow extends defineSystem({ position: Position, velocity: Velocity, age: Age, speed: Speed }) {
  update() {
    for (const { position, velocity, age, speed } of this.rows) {
      position.x += velocity.x * rows.delta;
      position.y += velocity.y * rows.delta;
      age.value += speed.value;
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

function changing(ecs, ids) {
  const positions = ecs.storage(Position);
  return (targets, value) => {
    for (let j = 0; j < targets.length; j++) positions.at(ids[targets[j]]).x = value;
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
