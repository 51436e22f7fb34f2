// Crateful through aspects and component objects, as in the articles.
import { init, System } from "../../dist/inline.js";
import { sparse } from "../cases/sparse.mjs";
import { letters } from "../cases/standard.mjs";
import { Position, Sprite, valueClass } from "./crateful_components.mjs";
import { fragIterCell, objectsCell, packed5Cell, simpleIterCell, sparseWorld } from "./crateful_worlds.mjs";

export { version } from "./crateful_components.mjs";
await init();

const made = (Class) => new Class();
const read = (ecs, e, cls) => ecs.getComponents(e).get(cls).value;

const [A, B, C, D, E, Data, Z] = ["A", "B", "C", "D", "E", "Data", "Z"].map((name) => valueClass(name));

export const cases = {
  sparse: (params) => sparse(params, sparseWorld(params, new Draw(), [Position, Sprite], changing)),

  packed_5() {
    return packed5Cell([A, B, C, D, E], [PlusA, PlusB, PlusC, PlusD, PlusE].map(made), read);
  },

  simple_iter() {
    return simpleIterCell({ A, B, C, D, E }, [SwapAB, SwapCD, SwapCE].map(made), read);
  },

  frag_iter() {
    const classes = letters.map((letter) => (letter === "Z" ? Z : valueClass(letter)));
    return fragIterCell(classes, Data, [new PlusData(), new PlusZ()], read);
  },

  objects(params) {
    const change = (ecs, ids) => () => {
      for (let i = 0; i < ids.length; i++) ecs.getComponents(ids[i]).get(Position).x += 0.25;
    };
    return objectsCell(params, { change });
  },

  objects_iter(params) {
    class Move extends System {
      componentsRequired = new Set([Position]);
      update(_delta, entities) {
        for (const aspect of entities.values()) aspect.get(Position).x += 0.25;
      }
    }
    return objectsCell(params, { system: new Move() });
  },
};

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

function changing(ecs, ids) {
  return (targets, value) => {
    for (let j = 0; j < targets.length; j++) ecs.getComponents(ids[targets[j]]).get(Position).x = value;
  };
}
