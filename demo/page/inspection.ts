// A debug system in TypeScript: reads the components of the entity that the C++ debug system found.
import { NONE, nativeComponent, System, type Component, type ComponentClass, type Entity } from "crateful";
import type { CrateRoom } from "./crate_room.js";

/** Every component that the C++ side tells of. */
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
  "Lifetime",
  "Door",
  "Pickup",
  "Pooled",
];

export type Value = number | boolean;
export interface InspectedComponent {
  name: string;
  fields: { name: string; value: Value }[];
  /** In how many updates it has stayed the same. */
  quiet: number;
}

interface Known {
  cls: ComponentClass;
  name: string;
  fields: string[];
}

export class Inspection extends System {
  // Requires something, as every system has to; what it looks at is the room's choice.
  override readonly componentsRequired = new Set([nativeComponent("Player")]);
  /** What is looked at, or NONE. */
  entity: Entity = NONE;
  components: InspectedComponent[] = [];
  readonly #known: Known[] = NAMES.map((name) => {
    const cls = nativeComponent(name);
    // A field of the C++ struct is an accessor on the prototype.
    return { cls, name, fields: Object.keys(cls.prototype as object) };
  });

  constructor(readonly room: CrateRoom) {
    super(false, true);
  }

  override update(): void {
    const found = this.room.inspected;
    const seen = found !== NONE && this.ecs.alive(found);
    if (!seen || found !== this.entity) this.components = [];
    this.entity = seen ? found : NONE;
    if (!seen) return;
    const before = this.components;
    const components = this.ecs.getComponents(found);
    this.components = [];
    for (const { cls, name, fields } of this.#known) {
      const component = components.tryGet(cls) as (Component & Record<string, Value>) | undefined;
      if (component === undefined) continue;
      const now = { name, fields: fields.map((field) => ({ name: field, value: component[field]! })), quiet: 0 };
      const old = before.find((other) => other.name === name);
      if (before.length === 0)
        now.quiet = Infinity; // new to us, not in the room
      else if (old !== undefined && now.fields.every(({ value }, i) => value === old.fields[i]!.value))
        now.quiet = old.quiet + 1;
      this.components.push(now);
    }
  }
  override onClear(): void {
    this.entity = NONE;
    this.components = [];
  }
}
