// Crateful's bulk calls: thousands of entities and components in one crossing.
import { ECS, init, System } from "../../dist/inline.js";
import { tagClass, valueClass } from "./crateful_components.mjs";
import { addRemoveCell, entityCycleCell } from "./crateful_worlds.mjs";

export { version } from "./crateful_components.mjs";
await init();

export const cases = {
  entity_cycle() {
    const ecs = new ECS();
    const A = valueClass("A");
    const B = valueClass("B");
    const counts = { removed: 0, sum: 0 };
    const spawned = ecs.prefab([B]);
    class Spawn extends System {
      componentsRequired = new Set([A]);
      runs = ecs.runs(A);
      update() {
        for (const {
          count,
          starts: [first],
        } of this.runs.list) {
          spawned.spawn(count, [{ value: ecs.storage(A).columns.value.subarray(first, first + count) }]);
        }
      }
    }
    class Kill extends System {
      componentsRequired = new Set([B]);
      runs = ecs.runs(B);
      update(_delta, entities) {
        const { value } = ecs.storage(B).columns;
        for (const {
          count,
          starts: [first],
        } of this.runs.list) {
          for (let i = first, end = first + count; i < end; i++) counts.sum += value[i];
        }
        counts.removed += entities.size;
        ecs.removeEntities(entities.ids);
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
        ecs.addComponents(entities.ids, B);
      }
    }
    class Remove extends System {
      componentsRequired = new Set([B]);
      update(_delta, entities) {
        removed += ecs.removeComponents(entities.ids, B);
      }
    }
    return addRemoveCell(ecs, [A, B], [new Add(), new Remove()], () => removed);
  },
};
