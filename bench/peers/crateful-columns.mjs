// Crateful through columns: loops over WebAssembly memory, and one bulk call of markDirty where a system watches.
import { defineComponent, ECS, entityIndex, init, System } from "../../dist/inline.js";
import { game, survivors, towers } from "../cases/game.mjs";
import { movement } from "../cases/movement.mjs";
import { sparse } from "../cases/sparse.mjs";
import { fragIter, letters, packed5, simpleIter } from "../cases/standard.mjs";
import { withCallbacks } from "./crateful_callbacks.mjs";
import { Position as Moved, valueClass, Velocity } from "./crateful_components.mjs";

export { version } from "./crateful_components.mjs";
await init();

export const cases = {
  sparse: (params) => sparse(params, sparseWorld(params)),
  /** Without an object for each component. */
  systems: (params) => withCallbacks(params, (ecs, e, X) => ecs.addComponent(e, X)),

  packed_5() {
    const ecs = new ECS();
    const classes = Array.from({ length: packed5.components }, (_, c) => valueClass(`C${c}`));
    const ids = ecs.addEntities(packed5.entities);
    for (const cls of classes) ecs.addComponents(ids, cls);
    for (const cls of classes) ecs.addSystem(0, new Plus(cls));
    return packed5.cell({
      step: () => {
        ecs.update();
      },
      value: (at, i) => readValue(ecs, ids[i], classes[at]),
    });
  },

  simple_iter() {
    const ecs = new ECS();
    const store = Object.fromEntries([..."ABCDE"].map((letter) => [letter, valueClass(letter)]));
    const { A, B, C, D, E } = store;
    const ids = simpleIter.kinds.map((kind) => {
      const list = ecs.addEntities(simpleIter.each);
      for (const letter of kind) ecs.addComponents(list, store[letter], { value: simpleIter.start(letter) });
      return list;
    });
    for (const [One, Other] of [
      [A, B],
      [C, D],
      [C, E],
    ])
      ecs.addSystem(0, new Swap(One, Other));
    return simpleIter.cell({
      step: () => {
        ecs.update();
      },
      value: (kind, j, letter) => readValue(ecs, ids[kind][j], store[letter]),
    });
  },

  frag_iter() {
    const ecs = new ECS();
    const classes = letters.map((letter) => valueClass(letter));
    const Data = valueClass("Data");
    const Z = classes.at(-1);
    const ids = classes.map((cls) => {
      const list = ecs.addEntities(fragIter.each);
      ecs.addComponents(list, Data);
      ecs.addComponents(list, cls);
      return list;
    });
    ecs.addSystem(0, new Plus(Data));
    ecs.addSystem(0, new Plus(Z));
    return fragIter.cell({
      step: () => {
        ecs.update();
      },
      data: (l, j) => readValue(ecs, ids[l][j], Data),
      z: (j) => readValue(ecs, ids[25][j], Z),
    });
  },

  movement(params) {
    const ecs = new ECS();
    ecs.addSystem(0, new Move());
    const watcher = ecs.addSystem(1, new Watcher());
    const ids = ecs.addEntities(params.n);
    ecs.addComponents(ids, Moved);
    ecs.addComponents(ids, Velocity, { x: 1, y: 2 });
    return movement.cell(params, {
      step: (delta) => ecs.update(delta),
      seen: () => watcher.seen,
      position: (i) => ecs.getComponents(ids[i]).get(Moved),
    });
  },

  game: (params) => game.cell(params, import("../games/arena/crateful-columns.mjs")),
  survivors: (params) => survivors.cell(params, import("../games/survivors/crateful-columns.mjs")),
  towers: (params) => towers.cell(params, import("../games/towers/crateful-columns.mjs")),
};

/** Moves all entities, and marks all positions dirty with one call. */
class Move extends System {
  componentsRequired = new Set([Moved, Velocity]);
  init() {
    this.positions = this.ecs.storage(Moved);
    this.velocities = this.ecs.storage(Velocity);
    this.runs = this.ecs.runs(Moved, Velocity);
  }
  update(delta, entities) {
    const { x, y } = this.positions.columns;
    const { x: vx, y: vy } = this.velocities.columns;
    for (const {
      count,
      starts: [p, v],
    } of this.runs.list) {
      for (let i = 0; i < count; i++) {
        x[p + i] += vx[v + i] * delta;
        y[p + i] += vy[v + i] * delta;
      }
    }
    this.positions.markDirty(entities.ids);
  }
}

class Watcher extends System {
  componentsRequired = new Set([Moved]);
  dirtyComponents = new Set([Moved]);
  seen = 0;
  update(_delta, _entities, dirty) {
    this.seen += dirty.size;
  }
}

const readValue = (ecs, e, cls) => ecs.getComponents(e).get(cls).value;

class Plus extends System {
  constructor(cls) {
    super();
    this.cls = cls;
    this.componentsRequired = new Set([cls]);
  }
  init() {
    this.storage = this.ecs.storage(this.cls);
  }
  update() {
    const { value } = this.storage.columns;
    for (let i = 0, { length } = value; i < length; i++) value[i] += 1;
  }
}

class Swap extends System {
  constructor(one, other) {
    super();
    this.classes = [one, other];
    this.componentsRequired = new Set([one, other]);
  }
  init() {
    this.storages = this.classes.map((cls) => this.ecs.storage(cls));
    this.runs = this.ecs.runs(...this.classes);
  }
  update() {
    const one = this.storages[0].columns.value;
    const other = this.storages[1].columns.value;
    for (const {
      count,
      starts: [a, b],
    } of this.runs.list) {
      for (let i = 0; i < count; i++) {
        const x = one[a + i];
        one[a + i] = other[b + i];
        other[b + i] = x;
      }
    }
  }
}

/** Nearly every entity has these components: with the policy `linear`, the slot of a value is the entity index. */
class Position extends defineComponent("Position", { x: "f32", y: "f32" }, { policy: "linear" }) {}
class Sprite extends defineComponent("Sprite", { x: "f32", y: "f32", frame: "i32" }, { policy: "linear" }) {}

class Draw extends System {
  componentsRequired = new Set([Position, Sprite]);
  dirtyComponents = new Set([Position]);
  init() {
    this.positions = this.ecs.storage(Position);
    this.sprites = this.ecs.storage(Sprite);
  }
  update(_delta, _entities, dirty) {
    const { ids } = dirty;
    const { length } = ids;
    if (length === 0) return;
    const { x: positionX } = this.positions.columns;
    const { x, frame } = this.sprites.columns;
    for (let i = 0; i < length; i++) {
      const at = entityIndex(ids[i]);
      x[at] = positionX[at];
      frame[at] += 1;
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
  const changed = new Uint32Array(n);
  let list = changed; // the part in use
  return {
    change(targets, value) {
      const { length } = targets;
      if (length === 0) return;
      const { x } = positions.columns;
      for (let j = 0; j < length; j++) {
        const e = ids[targets[j]];
        x[entityIndex(e)] = value;
        changed[j] = e;
      }
      if (list.length !== length) list = changed.subarray(0, length);
      positions.markDirty(list);
    },
    frame() {
      ecs.update();
    },
    sprite(i) {
      const { x, frame } = ecs.getComponents(ids[i]).get(Sprite);
      return { x, frame };
    },
  };
}
