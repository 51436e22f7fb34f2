// Crateful through aspects and component objects, as in the articles.
import { ECS, init, System } from "../../dist/node.js";
import { objects } from "../cases/more.mjs";
import { sparse } from "../cases/sparse.mjs";
import { fragIter, letters, packed5, simpleIter } from "../cases/standard.mjs";
import { Position, Sprite, valueClass } from "./crateful_components.mjs";

export { version } from "./crateful_components.mjs";
await init();

export const cases = {
  sparse: (params) => sparse(params, sparseWorld(params)),

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
      value: (at, i) => ecs.getComponents(ids[i]).get(classes[at]).value,
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
      value: (kind, j, letter) => ecs.getComponents(ids[kind][j]).get(store[letter]).value,
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
    const value = (e, cls) => ecs.getComponents(e).get(cls).value;
    return fragIter.cell({
      step: () => {
        ecs.update();
      },
      data: (l, j) => value(ids[l][j], Data),
      z: (j) => value(ids[25][j], Z),
    });
  },

  objects(params) {
    const ecs = new ECS();
    const ids = [...ecs.addEntities(params.n)];
    ecs.addComponents(ids, Position);
    const step = () => {
      for (let i = 0; i < ids.length; i++) ecs.getComponents(ids[i]).get(Position).x += 0.25;
    };
    return objects.cell(params, { step, value: (i) => ecs.getComponents(ids[i]).get(Position).x });
  },

  objects_iter(params) {
    const ecs = new ECS();
    class Move extends System {
      componentsRequired = new Set([Position]);
      update(_delta, entities) {
        for (const aspect of entities.values()) aspect.get(Position).x += 0.25;
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
};

/** Adds 1 to `value` of every entity with the component. */
class Plus extends System {
  constructor(cls) {
    super();
    this.cls = cls;
    this.componentsRequired = new Set([cls]);
  }
  update(_delta, entities) {
    for (const aspect of entities.values()) aspect.get(this.cls).value += 1;
  }
}

class Swap extends System {
  constructor(one, other) {
    super();
    this.one = one;
    this.other = other;
    this.componentsRequired = new Set([one, other]);
  }
  update(_delta, entities) {
    for (const aspect of entities.values()) {
      const one = aspect.get(this.one);
      const other = aspect.get(this.other);
      const x = one.value;
      one.value = other.value;
      other.value = x;
    }
  }
}

class Draw extends System {
  componentsRequired = new Set([Position, Sprite]);
  dirtyComponents = new Set([Position]);
  update(_delta, _entities, dirty) {
    for (const e of dirty) {
      const components = this.ecs.getComponents(e);
      const sprite = components.get(Sprite);
      sprite.x = components.get(Position).x;
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
  return {
    ecs,
    change(targets, value) {
      for (let j = 0; j < targets.length; j++) ecs.getComponents(ids[targets[j]]).get(Position).x = value;
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
