import { knownInfo, type Component, type ComponentClass } from "./component.js";
import { INDEX_MASK, type Entity } from "./entity.js";
import { outOfLine } from "./out_of_line.js";
import type { ClassStore } from "./store.js";
import type { World } from "./world.js";

/** The components of one entity, to look at. */
export interface Components {
  /** The component; an error if the entity has none of that class. O(1). */
  get<C extends Component>(cls: ComponentClass<C>): C;
  /** The component, or undefined. */
  tryGet<C extends Component>(cls: ComponentClass<C>): C | undefined;
  /** Whether the entity has a component of each of the classes. */
  has(...classes: ComponentClass[]): boolean;
}

/**
 * What `getComponents` returns. While it is in `World.components` its entity is alive, and then what
 * the stores hold under its index is the entity's; that is all that a look-up has to know.
 * @internal
 */
export class EntityComponents implements Components {
  readonly $index: number;
  $stores: (ClassStore | undefined)[];
  constructor(
    readonly $world: World,
    readonly entity: Entity,
  ) {
    this.$index = entity & INDEX_MASK;
    this.$stores = $world.stores;
  }
  get<C extends Component>(cls: ComponentClass<C>): C {
    const info = knownInfo(cls);
    const found = info !== undefined ? this.$stores[info.id]?.objects[this.$index] : undefined;
    return found !== undefined ? (found as C) : getSlowly(this, cls);
  }
  tryGet<C extends Component>(cls: ComponentClass<C>): C | undefined {
    const info = knownInfo(cls);
    const found = info !== undefined ? this.$stores[info.id]?.objects[this.$index] : undefined;
    return found !== undefined ? (found as C) : tryGetSlowly(this, cls);
  }
  has(...classes: ComponentClass[]): boolean {
    return classes.every((cls) => this.$world.has(this.entity, cls));
  }
  /** The entity is gone. */
  end(): void {
    this.$stores = [];
  }
}

const getSlowly = outOfLine(
  <C extends Component>({ $world, entity }: EntityComponents, cls: ComponentClass<C>): C => $world.get(entity, cls),
);
const tryGetSlowly = outOfLine(
  <C extends Component>({ $world, entity }: EntityComponents, cls: ComponentClass<C>): C | undefined =>
    $world.tryGet(entity, cls),
);
