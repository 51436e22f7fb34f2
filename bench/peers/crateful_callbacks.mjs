// The case `systems`: X is added to each entity and removed again; one system has callbacks for it.
import { ECS, System } from "../../dist/inline.js";
import { systems } from "../cases/more.mjs";
import { tagClass } from "./crateful_components.mjs";

/** Does nothing. */
export class Idle extends System {
  constructor(required) {
    super();
    this.componentsRequired = new Set(required);
  }
  update() {}
}

/** `add` adds the component X. */
export function withCallbacks({ count }, add) {
  const ecs = new ECS();
  const A = tagClass("A");
  const X = tagClass("X");
  const counts = { added: 0, removed: 0 };
  class Watch extends System {
    componentsRequired = new Set([A, X]);
    onAdd() {
      counts.added += 1;
    }
    onRemove() {
      counts.removed += 1;
    }
    update() {}
  }
  ecs.addSystem(0, new Watch());
  for (let i = 0; i < count; i++) ecs.addSystem(0, new Idle([A, tagClass(`Other${i}`)]));
  const ids = ecs.addEntities(systems.entities);
  ecs.addComponents(ids, A);
  return systems.cell({
    step() {
      for (let i = 0; i < ids.length; i++) {
        add(ecs, ids[i], X);
        ecs.removeComponent(ids[i], X);
      }
    },
    counts: () => counts,
  });
}
