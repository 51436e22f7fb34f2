// No library: arrays written for the case, and a list of changes. This is the lower limit. It has neither entities
// nor systems, so cases about them are missing.
import { game, survivors, towers } from "../cases/game.mjs";
import { hierarchy } from "../cases/hierarchy.mjs";
import { objects } from "../cases/more.mjs";
import { rows } from "../cases/rows.mjs";
import { sparse } from "../cases/sparse.mjs";
import { fragIter, letters, packed5, simpleIter } from "../cases/standard.mjs";

export const version = "";

export const cases = {
  sparse: (params) => sparse(params, sparseWorld(params)),
  memory: (params) => ({ keep: sparseWorld(params) }),

  packed_5() {
    const [a, b, c, d, e] = Array.from({ length: packed5.components }, () => new Int32Array(packed5.entities));
    const step = () => {
      plus(a);
      plus(b);
      plus(c);
      plus(d);
      plus(e);
    };
    return packed5.cell({ step, value: (at, i) => [a, b, c, d, e][at][i] });
  },

  simple_iter() {
    const { each, kinds, start } = simpleIter;
    const offset = (letter, kind) => each * kinds.slice(0, kind).filter((k) => k.includes(letter)).length;
    const store = Object.fromEntries(
      [..."ABCDE"].map((letter) => [letter, new Int32Array(offset(letter, kinds.length)).fill(start(letter))]),
    );
    const { A, B, C, D, E } = store;
    const withD = C.subarray(offset("C", 2), offset("C", 3));
    const withE = C.subarray(offset("C", 3));
    const step = () => {
      swap(A, B);
      swap(withD, D);
      swap(withE, E);
    };
    return simpleIter.cell({ step, value: (kind, j, letter) => store[letter][offset(letter, kind) + j] });
  },

  frag_iter() {
    const data = new Int32Array(letters.length * fragIter.each);
    const z = new Int32Array(fragIter.each);
    const step = () => {
      plus(data);
      plus(z);
    };
    return fragIter.cell({ step, data: (l, j) => data[l * fragIter.each + j], z: (j) => z[j] });
  },

  hierarchy() {
    const [x, y, worldX, worldY] = Array.from({ length: 4 }, () => new Float32Array(hierarchy.entities));
    x.fill(1);
    y.fill(2);
    const { first, next } = hierarchy.links();
    const stack = new Int32Array(hierarchy.entities);
    const place = (root) => {
      worldX[root] = x[root];
      worldY[root] = y[root];
      stack[0] = root;
      for (let top = 1; top > 0; ) {
        const i = stack[--top];
        for (let child = first[i]; child >= 0; child = next[child]) {
          worldX[child] = worldX[i] + x[child];
          worldY[child] = worldY[i] + y[child];
          stack[top++] = child;
        }
      }
    };
    return hierarchy.cell({
      step: (value) => {
        for (const root of hierarchy.roots) {
          x[root] = value;
          place(root);
        }
      },
      x: (i) => worldX[i],
      y: (i) => worldY[i],
    });
  },

  rows(params) {
    const { n } = params;
    const [x, y, vx, vy, age, speed] = Array.from({ length: 6 }, () => new Float32Array(n));
    vx.fill(1);
    vy.fill(2);
    speed.fill(1);
    const step = () => {
      for (let i = 0; i < n; i++) {
        x[i] += vx[i] * rows.delta;
        y[i] += vy[i] * rows.delta;
        age[i] += speed[i];
      }
    };
    return rows.cell(params, { step, value: (i) => ({ x: x[i], y: y[i], age: age[i] }) });
  },

  /** By id: each object is found in a Map. */
  objects(params) {
    const all = new Map(plainObjects(params).map((one, i) => [i, one]));
    const step = () => {
      for (let i = 0; i < params.n; i++) all.get(i).position.x += 0.25;
    };
    return objects.cell(params, { step, value: (i) => all.get(i).position.x });
  },
  objects_iter(params) {
    const all = plainObjects(params);
    const step = () => {
      for (const { position } of all) position.x += 0.25;
    };
    return objects.cell(params, { step, value: (i) => all[i].position.x });
  },

  game: (params) => game.cell(params, import("../games/arena/hand.mjs")),
  survivors: (params) => survivors.cell(params, import("../games/survivors/hand.mjs")),
  towers: (params) => towers.cell(params, import("../games/towers/hand.mjs")),
};

const plainObjects = ({ n }) => Array.from({ length: n }, () => ({ position: { x: 0, y: 0 } }));

function plus(values) {
  for (let i = 0; i < values.length; i++) values[i] += 1;
}

function swap(one, other) {
  for (let i = 0; i < one.length; i++) {
    const x = one[i];
    one[i] = other[i];
    other[i] = x;
  }
}

function sparseWorld({ n }) {
  const positionX = new Float32Array(n);
  const positionY = new Float32Array(n);
  const spriteX = new Float32Array(n);
  const spriteY = new Float32Array(n);
  const spriteFrame = new Int32Array(n);
  const isChanged = new Uint8Array(n);
  const changed = new Uint32Array(n);
  let count = 0;
  return {
    positionY,
    spriteY,
    change(targets, value) {
      for (let j = 0; j < targets.length; j++) {
        const i = targets[j];
        positionX[i] = value;
        if (isChanged[i] === 0) {
          isChanged[i] = 1;
          changed[count++] = i;
        }
      }
    },
    frame() {
      for (let j = 0; j < count; j++) {
        const i = changed[j];
        spriteX[i] = positionX[i];
        spriteFrame[i] += 1;
        isChanged[i] = 0;
      }
      count = 0;
    },
    sprite: (i) => ({ x: spriteX[i], frame: spriteFrame[i] }),
  };
}
