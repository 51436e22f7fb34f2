// Crateful through aspects and component objects, as in the articles.
import { ECS, init, System } from "../../dist/inline.js";
import { objects } from "../cases/more.mjs";
import { sparse } from "../cases/sparse.mjs";
import { fragIter, letters, packed5, simpleIter } from "../cases/standard.mjs";
import { Position, Sprite, valueClass } from "./crateful_components.mjs";

export { version } from "./crateful_components.mjs";
await init();

const [A, B, C, D, E, Data, Z] = ["A", "B", "C", "D", "E", "Data", "Z"].map((name) => valueClass(name));

export const cases = {
  sparse: (params) => sparse(params, sparseWorld(params)),

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
      value: (at, i) => ecs.getComponents(ids[i]).get(classes[at]).value,
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
      value: (kind, j, letter) => ecs.getComponents(ids[kind][j]).get(store[letter]).value,
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
// Each system is written out, as in a game: in a function that several systems share, V8 would find components of many
// classes.
class PlusA extends System {
  componentsRequired = new Set([A]);
  update(_delta, entities) {
    for (const aspect of entities.values()) aspect.get(A).value += 1;
  }
}
class PlusB extends System {
  componentsRequired = new Set([B]);
  update(_delta, entities) {
    for (const aspect of entities.values()) aspect.get(B).value += 1;
  }
}
class PlusC extends System {
  componentsRequired = new Set([C]);
  update(_delta, entities) {
    for (const aspect of entities.values()) aspect.get(C).value += 1;
  }
}
class PlusD extends System {
  componentsRequired = new Set([D]);
  update(_delta, entities) {
    for (const aspect of entities.values()) aspect.get(D).value += 1;
  }
}
class PlusE extends System {
  componentsRequired = new Set([E]);
  update(_delta, entities) {
    for (const aspect of entities.values()) aspect.get(E).value += 1;
  }
}
class PlusData extends System {
  componentsRequired = new Set([Data]);
  update(_delta, entities) {
    for (const aspect of entities.values()) aspect.get(Data).value += 1;
  }
}
class PlusZ extends System {
  componentsRequired = new Set([Z]);
  update(_delta, entities) {
    for (const aspect of entities.values()) aspect.get(Z).value += 1;
  }
}
class SwapAB extends System {
  componentsRequired = new Set([A, B]);
  update(_delta, entities) {
    for (const aspect of entities.values()) {
      const a = aspect.get(A);
      const b = aspect.get(B);
      const x = a.value;
      a.value = b.value;
      b.value = x;
    }
  }
}
class SwapCD extends System {
  componentsRequired = new Set([C, D]);
  update(_delta, entities) {
    for (const aspect of entities.values()) {
      const c = aspect.get(C);
      const d = aspect.get(D);
      const x = c.value;
      c.value = d.value;
      d.value = x;
    }
  }
}
class SwapCE extends System {
  componentsRequired = new Set([C, E]);
  update(_delta, entities) {
    for (const aspect of entities.values()) {
      const c = aspect.get(C);
      const e = aspect.get(E);
      const x = c.value;
      c.value = e.value;
      e.value = x;
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
