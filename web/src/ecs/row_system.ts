import type { ComponentClass } from "../component/component.js";
import { entitiesOf } from "../core/iteration.js";
import type { LiveDirtySet } from "../core/live_sets.js";
import type { Entity } from "../module/entity.js";
import { badArgument, show } from "../module/errors.js";
import type { Aspect } from "../world/aspect.js";
import type { ECS } from "./ecs.js";
import { Query, type Row, type Shape } from "./query.js";
import { RowPool, Rows, type QueryClasses } from "./rows.js";
import { System, type AddedSystem } from "./system.js";

/** What `defineSystem` takes besides the required classes. */
export interface SystemOptions<O extends Shape = {}, A extends Aspect = Aspect> {
  /** A signal of any of these makes a tracked entity dirty (rule D3). */
  readonly watch?: readonly ComponentClass[];
  /** Components that an entity may have; in a row they can be undefined. */
  readonly optional?: O;
  /** The class of the system's aspects; rows then have an `aspect`. */
  readonly aspect?: new () => A;
  /** `update` is not called while the dirty set is empty (rule D11). */
  readonly onlyWhenDirty?: boolean;
  /** Removals do not change the order in which entities are iterated (rule S14). */
  readonly ordered?: boolean;
  /** The system is also updated while the game is paused (rule S5). */
  readonly debug?: boolean;
  /** It starts disabled (rule S4). */
  readonly disabled?: boolean;
  /** Its name in messages and reports, and for `getSystem`; by default the name of its class. */
  readonly name?: string;
}

/** The dirty set of a system as rows. Iterating it counts as iterating `dirty` (rule D7). */
export class DirtyRows<S extends Shape = Shape, O extends Shape = {}, A = never> implements Iterable<Row<S, O, A>> {
  readonly #set: LiveDirtySet;
  readonly #pool: RowPool;
  /** @internal */
  constructor(set: LiveDirtySet, classes: QueryClasses) {
    this.#set = set;
    this.#pool = new RowPool(classes);
  }
  [Symbol.iterator](): IterableIterator<Row<S, O, A>> {
    return new Rows(entitiesOf(this.#set.$set), this.#pool, false);
  }
  /** How many entities are in the dirty set. Reading it clears nothing (rule D9). */
  get size(): number {
    return this.#set.size;
  }
  /** Whether the entity is in the dirty set. O(1). */
  has(e: Entity): boolean {
    return this.#set.has(e);
  }
  /** The entities as a zero-copy array, valid until something is added or removed. */
  get ids(): Uint32Array {
    return this.#set.ids;
  }
}

/** A system whose entities are rows: the base of the classes that `defineSystem` returns. */
export abstract class RowSystem<
  S extends Shape = Shape,
  O extends Shape = {},
  A extends Aspect = Aspect,
> extends System<A> {
  readonly componentsRequired: ReadonlySet<ComponentClass>;
  override readonly dirtyComponents: ReadonlySet<ComponentClass>;
  override readonly onlyWhenDirty: boolean;
  override readonly ordered: boolean;
  override readonly name: string;
  readonly #shape: S;
  readonly #optional: O;
  readonly #rows = new Query<S, O, A>();
  #dirty: DirtyRows<S, O, A> | undefined;

  /** @internal */
  constructor(
    shape: S,
    { watch = [], optional, aspect, onlyWhenDirty, ordered, debug, disabled, name }: SystemOptions<O, A>,
  ) {
    super(disabled, debug);
    this.#shape = shape;
    this.#optional = optional ?? ({} as O);
    this.componentsRequired = new Set(Object.values(shape));
    this.dirtyComponents = new Set(watch);
    this.onlyWhenDirty = onlyWhenDirty ?? false;
    this.ordered = ordered ?? false;
    this.name = name ?? this.constructor.name;
    this.$aspect = aspect;
  }

  /** The entities that the system tracks, as rows, in the order of `entities` (rule S14). */
  get rows(): Query<S, O, A> {
    return this.#rows;
  }
  /** The tracked entities with a watched component that signalled since the last run, as rows. */
  get dirty(): DirtyRows<S, O, A> {
    void this.ecs; // throws if there is none
    return this.#dirty!;
  }
  /** @internal */
  override $prepare(ecs: ECS): (record: AddedSystem) => void {
    const bind = super.$prepare(ecs);
    const classes = ecs.$queryClasses(this.#shape, { optional: this.#optional });
    return (record) => {
      bind(record);
      if (this.$aspect !== undefined) classes.aspects = record.entities;
      this.#dirty = new DirtyRows(record.dirty, classes);
      this.#rows.$bind({ ...classes, tracked: record.entities.$set });
    };
  }
}

/**
 * Creates the base class of a system that tracks the entities with all components of `shape`, and iterates them as rows
 * (rule S13):
 *
 *     class Mover extends defineSystem({ position: Position, velocity: Velocity }) {
 *       override update(delta: number) {
 *         for (const { position, velocity } of this.rows) position.x += velocity.x * delta;
 *       }
 *     }
 *
 * Throws `BAD_ARGUMENT` for options that do not exist.
 */
export function defineSystem<const S extends Shape, const O extends Shape = {}, A extends Aspect = Aspect>(
  shape: S,
  options: SystemOptions<O, A> = {},
): abstract new () => RowSystem<S, O, A> {
  if (typeof shape !== "object" || shape === null || Array.isArray(shape))
    throw badArgument(`defineSystem: pass an object with names for component classes, not ${show(shape)}`);
  for (const name in options) if (!OPTIONS.has(name)) throw badArgument(`defineSystem: there is no option ${name}`);
  const { watch = [], aspect } = options;
  if (!Array.isArray(watch)) throw badArgument(`defineSystem: watch must be a list of classes, not ${show(watch)}`);
  if (aspect !== undefined && typeof aspect !== "function")
    throw badArgument(`defineSystem: aspect must be a class, not ${show(aspect)}`);
  abstract class Defined extends RowSystem<S, O, A> {
    constructor() {
      super(shape, options);
    }
  }
  return Defined;
}
const OPTIONS = new Set(["watch", "optional", "aspect", "onlyWhenDirty", "ordered", "debug", "disabled", "name"]);
