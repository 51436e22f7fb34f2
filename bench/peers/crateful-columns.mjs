// Crateful through columns: loops over WebAssembly memory, and one bulk call of markDirty where a system watches.
import { defineComponent, entityIndex, init, System } from "../../dist/inline.js";
import { pairs } from "../cases/rows.mjs";
import { sparse } from "../cases/sparse.mjs";
import { letters, packed5 } from "../cases/standard.mjs";
import { Body, valueClass } from "./crateful_components.mjs";
import {
  fragIterCell,
  packed5Cell,
  pairsCell,
  simpleIterCell,
  sparseWorld,
  withCallbacks,
} from "./crateful_worlds.mjs";

export { version } from "./crateful_components.mjs";
await init();

export const cases = {
  sparse: (params) => sparse(params, sparseWorld(params, new Draw(), [Position, Sprite], changing)),
  /** Without an object for each component. */
  systems: (params) => withCallbacks(params, (ecs, e, X) => ecs.addComponent(e, X)),

  packed_5(params) {
    const classes = Array.from({ length: packed5.components }, (_, c) => valueClass(`C${c}`));
    return packed5Cell(
      params,
      classes,
      classes.map((cls) => new Plus(cls)),
      read,
    );
  },

  simple_iter(params) {
    const store = Object.fromEntries([..."ABCDE"].map((letter) => [letter, valueClass(letter)]));
    const { A, B, C, D, E } = store;
    return simpleIterCell(params, store, [new Swap(A, B), new Swap(C, D), new Swap(C, E)], read);
  },

  frag_iter(params) {
    const classes = letters.map((letter) => valueClass(letter));
    const Data = valueClass("Data");
    return fragIterCell(params, classes, Data, [new Plus(Data), new Plus(classes.at(-1))], read);
  },

  pairs: (params) =>
    pairsCell(params, (ecs) => {
      const bodies = ecs.runs(Body);
      return () => {
        const { x, y, mass, forceX, forceY } = ecs.storage(Body).columns;
        const { list } = bodies;
        for (const one of list) {
          for (let i = one.starts[0], end = i + one.count; i < end; i++) {
            let sumX = 0;
            let sumY = 0;
            for (const other of list) {
              for (let k = other.starts[0], last = k + other.count; k < last; k++) {
                const dx = x[k] - x[i];
                const dy = y[k] - y[i];
                const strength = pairs.pull(dx, dy, mass[k]);
                sumX += dx * strength;
                sumY += dy * strength;
              }
            }
            forceX[i] = sumX;
            forceY[i] = sumY;
          }
        }
      };
    }),
};

const read = (ecs, e, cls) => ecs.getComponents(e).get(cls).value;

class Plus extends System {
  constructor(cls) {
    super();
    this.cls = cls;
    this.componentsRequired = new Set([cls]);
  }
  init() {
    this.storage = this.ecs.storage(this.cls);
    this.runs = this.ecs.runs(this.cls);
  }
  update() {
    const { value } = this.storage.columns;
    for (const {
      count,
      starts: [first],
    } of this.runs.list) {
      for (let i = first, end = first + count; i < end; i++) value[i] += 1;
    }
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

function changing(ecs, ids) {
  const positions = ecs.storage(Position);
  const changed = new Uint32Array(ids.length);
  let list = changed; // the part in use
  return (targets, value) => {
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
  };
}
