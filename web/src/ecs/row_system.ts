import type { ComponentClass } from "../component/component.js";
import { entitiesOf } from "../core/iteration.js";
import type { LiveDirtySet } from "../core/live_sets.js";
import type { Entity } from "../module/entity.js";
import { EcsError, badArgument, show } from "../module/errors.js";
import type { Aspect } from "../world/aspect.js";
import type { ECS } from "./ecs.js";
import { Query, type Row } from "./query.js";
import type { Shape } from "./query_classes.js";
import { RowPool } from "./row_state.js";
import { Rows } from "./rows.js";
import type { QueryClasses } from "./query_classes.js";
import { System, type AddedSystem, type SystemClass } from "./system.js";

/** What `defineSystem` takes besides the required classes. */
export interface SystemOptions<O extends Shape = {}, A extends Aspect = Aspect, P extends Shape = {}> {
  /** A signal of any of these makes a tracked entity dirty (rule D3). */
  readonly watch?: readonly ComponentClass[];
  /**
   * A signal of any of these makes the tracked descendants of its entity dirty, and so does another parent (rule D13). List a
   * class in `watch` too, so that the entity's own signals count.
   */
  readonly watchAncestors?: readonly ComponentClass[];
  /** An entity that has any of these is not tracked (rule S9). */
  readonly without?: readonly ComponentClass[];
  /** An entity is tracked only if it has at least one of these (rule S9). */
  readonly any?: readonly ComponentClass[];
  /** The systems of the same priority before which it runs, by their classes or names (rule S10). */
  readonly before?: readonly (SystemClass | string)[];
  /** The systems of the same priority after which it runs. */
  readonly after?: readonly (SystemClass | string)[];
  /** The least game time between two runs, in seconds; `delta` is the time since the last one (rule S11). */
  readonly interval?: number;
  /** Components that an entity may have; in a row they can be undefined. */
  readonly optional?: O;
  /** Components of the entity's parent; in a row they are undefined if there is no parent, or the parent lacks them (rule H5). */
  readonly parent?: P;
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
    return { [Symbol.iterator]: () => new Rows<Row<S, O, A>>(this.#set.$topDown(), this.#pool, false) };
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

/** A system whose entities are rows: the base of the classes that `defineSystem` returns. */
export abstract class RowSystem<
  S extends Shape = Shape,
  O extends Shape = {},
  A extends Aspect = Aspect,
> extends System<A> {
  readonly componentsRequired: ReadonlySet<ComponentClass>;
  override readonly dirtyComponents: ReadonlySet<ComponentClass>;
  override readonly dirtyFromAncestors: ReadonlySet<ComponentClass>;
  override readonly componentsExcluded: ReadonlySet<ComponentClass>;
  override readonly componentsAny: ReadonlySet<ComponentClass>;
  override readonly before: readonly (SystemClass | string)[];
  override readonly after: readonly (SystemClass | string)[];
  override readonly interval: number;
  override readonly onlyWhenDirty: boolean;
  override readonly ordered: boolean;
  override readonly name: string;
  /** @internal */
  override readonly $usesNone: boolean;
  readonly #shape: S;
  readonly #optional: Shape;
  readonly #parent: Shape;
  readonly #rows = new Query<S, O, A>();
  #dirty: DirtyRows<S, O, A> | undefined;

  /** @internal */
  constructor(shape: S | undefined, options: SystemOptions<Shape, A, Shape>) {
    super(options.disabled, options.debug);
    this.#shape = shape ?? ({} as S);
    this.#optional = options.optional ?? {};
    this.#parent = options.parent ?? {};
    this.componentsRequired = new Set(Object.values(this.#shape));
    this.dirtyComponents = new Set(options.watch);
    this.dirtyFromAncestors = new Set(options.watchAncestors);
    this.componentsExcluded = new Set(options.without);
    this.componentsAny = new Set(options.any);
    this.before = options.before ?? [];
    this.after = options.after ?? [];
    this.interval = options.interval ?? 0;
    this.onlyWhenDirty = options.onlyWhenDirty ?? false;
    this.ordered = options.ordered ?? false;
    this.name = options.name ?? this.constructor.name;
    this.$usesNone = shape === undefined;
    this.$aspect = options.aspect;
  }

  /** The entities that the system tracks, as rows, in the order of `entities` (rule S14). */
  get rows(): Query<S, O, A> {
    if (this.$usesNone) throw new EcsError("BAD_SYSTEM", `rows: ${this.name} uses no entities`);
    return this.#rows;
  }
  /** The tracked entities with a watched component that signalled since the last run, as rows. */
  get dirty(): DirtyRows<S, O, A> {
    void this.ecs; // throws if there is none
    if (this.#dirty !== undefined) return this.#dirty;
    throw new EcsError("BAD_SYSTEM", `dirty: ${this.name} uses no entities`);
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
    const filters = { optional: this.#optional, parent: this.#parent, any };
    const classes = { ...ecs.$queryClasses(this.#shape, filters), filters: false };
    classes.stretches = Object.keys(this.#optional).length === 0;
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
 * Without a shape, the system uses no entities (rule S12). Throws `BAD_ARGUMENT` for options that do not exist.
 */
export function defineSystem<
  const S extends Shape = {},
  const O extends Shape = {},
  A extends Aspect = Aspect,
  const P extends Shape = {},
>(shape?: S, options: SystemOptions<O, A, P> = {}): abstract new () => RowSystem<S, O & P, A> {
  if (shape !== undefined && (typeof shape !== "object" || shape === null || Array.isArray(shape)))
    throw badArgument(`defineSystem: pass an object with names for component classes, not ${show(shape)}`);
  for (const name in options) if (!OPTIONS.has(name)) throw badArgument(`defineSystem: there is no option ${name}`);
  for (const list of LISTS) {
    const value: unknown = options[list];
    if (value !== undefined && !Array.isArray(value))
      throw badArgument(`defineSystem: ${list} must be a list of classes, not ${show(value)}`);
  }
  const { aspect } = options;
  if (aspect !== undefined && typeof aspect !== "function")
    throw badArgument(`defineSystem: aspect must be a class, not ${show(aspect)}`);
  abstract class Defined extends RowSystem<S, O & P, A> {
    constructor() {
      super(shape, options);
    }
  }
  return Defined;
}
const LISTS = ["watch", "watchAncestors", "without", "any", "before", "after"] as const;
const OPTIONS = new Set<string>([
  ...LISTS,
  "optional",
  "parent",
  "aspect",
  "onlyWhenDirty",
  "ordered",
  "interval",
  "debug",
  "disabled",
  "name",
]);
