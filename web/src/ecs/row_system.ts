import type { ComponentClass } from "../component/component.js";
import { entitiesOf } from "../core/iteration.js";
import type { DirtySet, EntityMap, LiveDirtySet } from "../core/live_sets.js";
import { Repeatable } from "../core/repeatable.js";
import type { Entity } from "../module/entity.js";
import { EcsError, badArgument, show } from "../module/errors.js";
import { Aspect } from "../world/aspect.js";
import type { ECS } from "./ecs.js";
import { Query, type Row } from "./query.js";
import type { AnyOrder, OrderBy, Shape } from "./query_classes.js";
import { RowPool } from "./row_state.js";
import { Rows } from "./rows.js";
import type { QueryClasses } from "./query_classes.js";
import { System, type AddedSystem } from "./system.js";
import { membersOf, requireOptions, type SystemOptions } from "./system_options.js";

/** The dirty set of a system as rows. Iterating it counts as iterating `dirty` (rule D7). */
export class DirtyRows<S extends Shape = Shape, O extends Shape = {}, A = never, W = ComponentClass>
  implements Iterable<Row<S, O, A>>
{
  readonly #set: LiveDirtySet;
  readonly #pool: RowPool;
  /** @internal */
  constructor(set: LiveDirtySet, classes: QueryClasses) {
    this.#set = set;
    this.#pool = new RowPool(classes);
  }
  [Symbol.iterator](): IterableIterator<Row<S, O, A>> {
    return new Rows(entitiesOf(this.#set.$set), this.#pool, "certain");
  }
  /** As `Query.$release`. @internal */
  $release(): void {
    this.#pool.release();
  }
  /**
   * The rows, sorted so that ancestors are in front of their descendants (rule D13). Rows of entities that become dirty during
   * the iteration follow at its end. O(1) if the entities became dirty because of their ancestors, otherwise O(entities and
   * their ancestors).
   */
  topDown(): Iterable<Row<S, O, A>> {
    return new Repeatable(() => new Rows<Row<S, O, A>>(this.#set.$topDown(), this.#pool, "certain"));
  }
  /**
   * The rows of those entities for which this watched class signalled, and of those that the system has newly started to track
   * (rule D15), as `DirtySet.of`.
   */
  of(cls: W): Iterable<Row<S, O, A>> {
    const iterate = this.#set.$of(cls as ComponentClass);
    return new Repeatable(() => new Rows<Row<S, O, A>>(iterate(), this.#pool, "certain"));
  }
  /**
   * Keeps an entity in the set for the next run of the system, also if this run visits it (rule D12). Throws `BAD_ARGUMENT` if
   * the set does not contain it. O(1).
   */
  keep(e: Entity): void {
    this.#set.keep(e);
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

const isClass = <A>(what: (new () => A) | (() => A)): what is new () => A =>
  (what as unknown) === Aspect || what.prototype instanceof Aspect;

/** A system whose entities are rows: the base of the classes that `defineSystem` returns. */
export abstract class RowSystem<
  S extends Shape = Shape,
  O extends Shape = {},
  A extends Aspect = Aspect,
  W = ComponentClass,
> extends System<A> {
  declare readonly componentsRequired: ReadonlySet<ComponentClass>;
  readonly #shape: S;
  readonly #optional: Shape;
  readonly #parent: Shape;
  readonly #orderBy: AnyOrder | undefined;
  readonly #rows = new Query<S, O, A>();
  #dirty: DirtyRows<S, O, A, W> | undefined;

  /** @internal */
  constructor(shape: S | undefined, options: SystemOptions<Shape, A, Shape, AnyOrder>) {
    super(options.disabled, options.whilePaused);
    this.#shape = shape ?? ({} as S);
    this.#optional = options.optional ?? {};
    this.#parent = options.parent ?? {};
    this.#orderBy = options.orderBy;
    Object.assign(this, membersOf(shape, options));
    const { aspect } = options;
    if (aspect !== undefined) this.$aspect = isClass(aspect) ? () => new aspect() : aspect;
  }

  /** The entities that the system tracks, as rows, in the order of `entities` (rule S14). */
  get rows(): Query<S, O, A> {
    if (this.$usesNone) throw new EcsError("BAD_SYSTEM", `rows: ${this.name} uses no entities`);
    return this.#rows;
  }
  /** The tracked entities with a watched component that signalled since the last run, as rows. */
  get dirty(): DirtyRows<S, O, A, W> {
    void this.ecs; // throws if there is none
    if (this.#dirty !== undefined) return this.#dirty;
    throw new EcsError("BAD_SYSTEM", `dirty: ${this.name} uses no entities`);
  }
  /** As `System.update`; a system that overrides another callback can omit it (rule S16). */
  override update(_delta: number, _entities: EntityMap<A> & Map<Entity, A>, _dirty: DirtySet & Set<Entity>): void {}
  /** @internal */
  override get $noUpdate(): unknown {
    return RowSystem.prototype.update;
  }
  /** @internal */
  override $removed(): void {
    super.$removed();
    this.#rows.$release();
    this.#dirty?.$release();
  }
  /** @internal */
  override $prepare(ecs: ECS): (record: AddedSystem) => void {
    const bind = super.$prepare(ecs);
    if (this.$usesNone) return bind;
    // The rows are the entities that the system tracks, so it is not relevant which filter contains a class.
    const any = [...this.componentsExcluded, ...this.componentsAny];
    const filters = {
      optional: this.#optional,
      parent: this.#parent,
      any,
      ...(this.#orderBy && { orderBy: this.#orderBy }),
    };
    const classes = { ...ecs.$queryClasses(this.#shape, filters), filters: false };
    return (record) => {
      bind(record);
      if (this.$aspect !== undefined) classes.aspects = record.entities;
      this.#dirty = new DirtyRows(record.dirty, classes);
      this.#rows.$bind({ ...classes, tracked: record.entities.$set });
    };
  }
}

/** The classes that a system watches, for the type of `dirty.of`. */
interface Watched<W, V, U> {
  readonly watch?: readonly W[];
  readonly watchPresence?: readonly V[];
  readonly watchAncestors?: readonly U[];
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
 * Without a shape, the system uses no entities (rule S12). Throws `BAD_ARGUMENT` for options that do not exist.
 */
export function defineSystem<
  const S extends Shape = {},
  const O extends Shape = {},
  A extends Aspect = Aspect,
  const P extends Shape = {},
  W extends ComponentClass = never,
  V extends ComponentClass = never,
  U extends ComponentClass = never,
>(
  shape?: S,
  options: SystemOptions<O, A, P, OrderBy<NoInfer<S>>> & Watched<W, V, U> = {},
): abstract new () => RowSystem<S, O & P, A, [W | V | U] extends [never] ? ComponentClass : W | V | U> {
  if (shape !== undefined && (typeof shape !== "object" || shape === null || Array.isArray(shape)))
    throw badArgument(`defineSystem: pass an object with names for component classes, not ${show(shape)}`);
  const given = options as unknown as SystemOptions<Shape, A, Shape, AnyOrder>;
  requireOptions(given);
  abstract class Defined extends RowSystem<S, O & P, A, never> {
    constructor() {
      super(shape, given);
    }
  }
  return Defined;
}
