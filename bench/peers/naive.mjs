// The simple ECS of naive_ecs.mjs: the cost of the library's semantics without its data structures.
import { objects, structure, systems } from "../cases/more.mjs";
import { sparse } from "../cases/sparse.mjs";
import { addRemove, entityCycle, fragIter, letters, packed5, simpleIter } from "../cases/standard.mjs";
import { NaiveComponent, NaiveEcs } from "./naive_ecs.mjs";

export const version = "";

export const cases = {
  sparse: (params) => sparse(params, sparseWorld(params)),
  memory: (params) => ({ keep: sparseWorld(params) }),

  packed_5() {
    const ecs = new NaiveEcs();
    const classes = Array.from({ length: packed5.components }, valueClass);
    for (const cls of classes) ecs.addSystem(plus(cls));
    const ids = Array.from({ length: packed5.entities }, () =>
      entity(
        ecs,
        classes.map((cls) => new cls()),
      ),
    );
    return packed5.cell({ step: () => ecs.update(), value: (at, i) => ecs.get(ids[i], classes[at]).value });
  },

  simple_iter() {
    const ecs = new NaiveEcs();
    const store = Object.fromEntries([..."ABCDE"].map((letter) => [letter, valueClass()]));
    const { A, B, C, D, E } = store;
    for (const [One, Other] of [
      [A, B],
      [C, D],
      [C, E],
    ]) {
      ecs.addSystem({
        required: [One, Other],
        update(entities) {
          for (const components of entities.values()) {
            const one = components.get(One);
            const other = components.get(Other);
            const x = one.value;
            one.value = other.value;
            other.value = x;
          }
        },
      });
    }
    const ids = simpleIter.kinds.map((kind) =>
      Array.from({ length: simpleIter.each }, () =>
        entity(
          ecs,
          [...kind].map((letter) => new store[letter](simpleIter.start(letter))),
        ),
      ),
    );
    return simpleIter.cell({
      step: () => ecs.update(),
      value: (kind, j, letter) => ecs.get(ids[kind][j], store[letter]).value,
    });
  },

  frag_iter() {
    const ecs = new NaiveEcs();
    const classes = letters.map(valueClass);
    const Data = valueClass();
    const Z = classes.at(-1);
    ecs.addSystem(plus(Data));
    ecs.addSystem(plus(Z));
    const ids = classes.map((cls) => Array.from({ length: fragIter.each }, () => entity(ecs, [new Data(), new cls()])));
    return fragIter.cell({
      step: () => ecs.update(),
      data: (l, j) => ecs.get(ids[l][j], Data).value,
      z: (j) => ecs.get(ids[25][j], Z).value,
    });
  },

  entity_cycle() {
    const ecs = new NaiveEcs();
    const A = valueClass();
    const B = valueClass();
    const counts = { removed: 0, sum: 0 };
    const spawn = ecs.addSystem({
      required: [A],
      update(entities) {
        for (const components of entities.values()) ecs.addComponent(ecs.addEntity(), new B(components.get(A).value));
      },
    });
    const kill = ecs.addSystem({
      required: [B],
      update(entities) {
        for (const [e, components] of entities) {
          counts.sum += components.get(B).value;
          counts.removed += 1;
          ecs.removeEntity(e);
        }
      },
    });
    for (let i = 0; i < entityCycle.entities; i++) entity(ecs, [new A(i)]);
    return entityCycle.cell({
      step: () => ecs.update(),
      counts: () => ({ ...counts, a: spawn.entities.size, b: kill.entities.size }),
    });
  },

  add_remove() {
    const ecs = new NaiveEcs();
    const A = valueClass();
    const B = valueClass();
    let removed = 0;
    const add = ecs.addSystem({
      required: [A],
      update(entities) {
        for (const e of entities.keys()) ecs.addComponent(e, new B());
      },
    });
    const remove = ecs.addSystem({
      required: [B],
      update(entities) {
        for (const e of entities.keys()) {
          removed += 1;
          ecs.removeComponent(e, B);
        }
      },
    });
    for (let i = 0; i < addRemove.entities; i++) entity(ecs, [new A()]);
    return addRemove.cell({
      step: () => ecs.update(),
      counts: () => ({ removed, a: add.entities.size, b: remove.entities.size }),
    });
  },

  objects(params) {
    const ecs = new NaiveEcs();
    const ids = Array.from({ length: params.n }, () => entity(ecs, [new Position()]));
    const step = () => {
      for (let i = 0; i < ids.length; i++) ecs.get(ids[i], Position).x += 0.25;
    };
    return objects.cell(params, { step, value: (i) => ecs.get(ids[i], Position).x });
  },
  objects_iter(params) {
    const ecs = new NaiveEcs();
    ecs.addSystem({
      required: [Position],
      update(entities) {
        for (const [, components] of entities) components.get(Position).x += 0.25;
      },
    });
    const ids = Array.from({ length: params.n }, () => entity(ecs, [new Position()]));
    return objects.cell(params, { step: () => ecs.update(), value: (i) => ecs.get(ids[i], Position).x });
  },

  structure(params) {
    const { n } = params;
    const ecs = new NaiveEcs();
    class Velocity extends Position {}
    const Health = valueClass();
    const system = ecs.addSystem({ required: [Position, Velocity, Health], update() {} });
    return structure.cell(params, {
      spawn() {
        for (let i = 0; i < n; i++) entity(ecs, [new Position(i, 0), new Velocity(1, 0), new Health(100)]);
      },
      clear: () => ecs.clear(),
      count: () => system.entities.size,
    });
  },

  systems({ count }) {
    const ecs = new NaiveEcs();
    const A = valueClass();
    const X = valueClass();
    const counts = { added: 0, removed: 0 };
    ecs.addSystem({
      required: [A, X],
      update() {},
      onAdd: () => {
        counts.added += 1;
      },
      onRemove: () => {
        counts.removed += 1;
      },
    });
    for (let i = 0; i < count; i++) ecs.addSystem({ required: [A, valueClass()], update() {} });
    const ids = Array.from({ length: systems.entities }, () => entity(ecs, [new A()]));
    return systems.cell({
      step() {
        for (let i = 0; i < ids.length; i++) {
          ecs.addComponent(ids[i], new X());
          ecs.removeComponent(ids[i], X);
        }
      },
      counts: () => counts,
    });
  },
};

const valueClass = () =>
  class extends NaiveComponent {
    #value;
    constructor(value = 0) {
      super();
      this.#value = value;
    }
    get value() {
      return this.#value;
    }
    set value(value) {
      if (value === this.#value) return;
      this.#value = value;
      this.dirty();
    }
  };

class Position extends NaiveComponent {
  #x;
  #y;
  constructor(x = 0, y = 0) {
    super();
    this.#x = x;
    this.#y = y;
  }
  get x() {
    return this.#x;
  }
  set x(x) {
    if (x === this.#x) return;
    this.#x = x;
    this.dirty();
  }
  get y() {
    return this.#y;
  }
  set y(y) {
    if (y === this.#y) return;
    this.#y = y;
    this.dirty();
  }
}

class Sprite extends Position {
  #frame = 0;
  get frame() {
    return this.#frame;
  }
  set frame(frame) {
    if (frame === this.#frame) return;
    this.#frame = frame;
    this.dirty();
  }
}

const plus = (cls) => ({
  required: [cls],
  update(entities) {
    for (const components of entities.values()) components.get(cls).value += 1;
  },
});

function entity(ecs, components) {
  const e = ecs.addEntity();
  for (const component of components) ecs.addComponent(e, component);
  return e;
}

function sparseWorld({ n }) {
  const ecs = new NaiveEcs();
  ecs.addSystem({
    required: [Position, Sprite],
    watched: [Position],
    update(entities, dirty) {
      for (const e of dirty) {
        const components = entities.get(e);
        const sprite = components.get(Sprite);
        sprite.x = components.get(Position).x;
        sprite.frame += 1;
      }
    },
  });
  const ids = Array.from({ length: n }, () => entity(ecs, [new Position(), new Sprite()]));
  return {
    change(targets, value) {
      for (let j = 0; j < targets.length; j++) ecs.get(ids[targets[j]], Position).x = value;
    },
    frame: () => ecs.update(),
    sprite: (i) => ecs.get(ids[i], Sprite),
  };
}
