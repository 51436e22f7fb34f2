// Crateful through aspects and component objects, as in the articles.
import { init, System } from "../../dist/inline.js";
import { sparse } from "../cases/sparse.mjs";
import { Position, Sprite } from "./crateful_components.mjs";
import { objectsCell, sparseWorld } from "./crateful_worlds.mjs";

export { version } from "./crateful_components.mjs";
await init();

export const cases = {
  sparse: (params) => sparse(params, sparseWorld(params, new Draw(), [Position, Sprite], changing)),

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
