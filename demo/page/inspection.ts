// A debug system in TypeScript: it reads the components of the entity that the C++ system DebugInspection found.
import { NONE, defineSystem, nativeComponent, type Component, type ComponentClass, type Entity } from "crateful/module";
import { Player } from "./components.js";
import type { CrateRoom } from "./crate_room.js";

/** All component classes that the C++ scene describes. */
const NAMES = [
  "Position",
  "Sprite",
  "Animation",
  "Light",
  "Velocity",
  "CollisionShape",
  "Figure",
  "Facing",
  "Intent",
  "Health",
  "Player",
  "Guard",
  "Local",
  "Angle",
  "Weapon",
  "Swinging",
  "Defending",
  "Attack",
  "Shield",
  "Blocked",
  "Staggered",
  "DamagedFlash",
  "Dead",
  "Crate",
  "Shuddering",
  "Fuse",
  "Exploding",
  "Smashed",
  "Lifetime",
  "Door",
  "Pickup",
  "Pooled",
];

export type Value = number | boolean | string;
export interface InspectedComponent {
  name: string;
  fields: { name: string; value: Value }[];
  /** For how many updates its fields have not changed. */
  unchanged: number;
}

interface DescribedClass {
  cls: ComponentClass;
  name: string;
  fields: string[];
}

// Every system must require a component class. The inspected entity does not depend on it: the room chooses it.
export class Inspection extends defineSystem({ player: Player }, { whilePaused: true }) {
  /** The inspected entity, or NONE. */
  entity: Entity = NONE;
  components: InspectedComponent[] = [];
  readonly #classes: DescribedClass[] = NAMES.map((name) => {
    const cls = nativeComponent(name);
    // The fields of the C++ struct are accessors on the prototype.
    return { cls, name, fields: Object.keys(cls.prototype as object) };
  });

  constructor(readonly room: CrateRoom) {
    super();
  }

  override update(): void {
    const found = this.room.inspected;
    const valid = found !== NONE && this.ecs.alive(found);
    if (!valid || found !== this.entity) this.components = [];
    this.entity = valid ? found : NONE;
    if (!valid) return;
    const before = this.components;
    const components = this.ecs.getComponents(found);
    this.components = [];
    for (const { cls, name, fields } of this.#classes) {
      const component = components.tryGet(cls) as (Component & Record<string, Value>) | undefined;
      if (component === undefined) continue;
      const now = { name, fields: fields.map((field) => ({ name: field, value: component[field]! })), unchanged: 0 };
      const old = before.find((other) => other.name === name);
      if (before.length === 0)
        now.unchanged = Infinity; // the entity is inspected only now; that is no change
      else if (old !== undefined && now.fields.every(({ value }, i) => value === old.fields[i]!.value))
        now.unchanged = old.unchanged + 1;
      this.components.push(now);
    }
  }
  override onClear(): void {
    this.entity = NONE;
    this.components = [];
  }
}
