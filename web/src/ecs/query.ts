import { isList, requireList } from "../core/core_world.js";
import { Iteration, SlotIteration, entitiesOf } from "../core/iteration.js";
import { LiveSet } from "../core/live_sets.js";
import { Repeatable } from "../core/repeatable.js";
import { NONE, type Entity } from "../module/entity.js";
import { EcsError, badArgument, show } from "../module/errors.js";
import { heap } from "../module/heap.js";
import { SetControl } from "../module/layout.js";
import { noInline } from "../module/v8.js";
import { IterableSource, ListSource, type Source } from "./row_sources.js";
import { RowPool, RowState } from "./row_state.js";
import { Rows, type Selection } from "./rows.js";
import { firstIn, selects, sourceOf, versionsOf, type QueryClasses, type Shape } from "./query_classes.js";

type Instance<C> = C extends abstract new (...args: never[]) => infer I ? I : never;

/**
 * One entity that a query selects, and its components; in the rows of a system with `aspect`, also the aspect. A row and
 * its components are used again: they are valid until the iteration advances (rule Q3).
 */
export type Row<S extends Shape, O extends Shape = {}, A = never> = { readonly entity: Entity } & {
  readonly [K in keyof S]: Instance<S[K]>;
} & { readonly [K in keyof O]: Instance<O[K]> | undefined } & ([A] extends [never] ? unknown : { readonly aspect: A });

/**
 * The type of the rows of a query, or of the `rows` or `dirty` of a system, for functions that take one: `RowOf<typeof query>`.
 */
export type RowOf<Q extends Iterable<unknown>> = Q extends Iterable<infer R> ? R : never;

/**
 * The entities that have certain components, as rows (rules Q1 to Q8):
 *
 *     for (const { entity, position, velocity } of ecs.query({ position: Position, velocity: Velocity }))
 *       position.x += velocity.x * delta;
 *
 * It is always up to date and needs no disposal. During an iteration every change is allowed; an entity that is selected
 * throughout is visited exactly once, and one that is created meanwhile is not visited. An iteration visits the entities of the rarest required class, in the order of its
 * storage.
 */
export class Query<S extends Shape = Shape, O extends Shape = {}, A = never> implements Iterable<Row<S, O, A>> {
  #bound: BoundQuery | undefined;
  #at: RowState | undefined;
  /** How many entities it selected at these versions of its classes; -1 if that is unknown. */
  #count = -1;
  #versions = 0;

  /** Without `classes`, it can be used when they were passed to `$bind`. @internal */
  constructor(classes?: QueryClasses) {
    if (classes !== undefined) this.$bind(classes);
  }
  /** Sets what it selects. @internal */
  $bind(classes: QueryClasses): void {
    this.#at = undefined;
    this.#bound = { classes, pool: new RowPool(classes) };
    this.#count = -1;
  }
  /** It will not be used again, or rarely: the system that owns it was removed. @internal */
  $release(): void {
    this.#bound?.pool.release();
    this.#at?.release();
  }
  /** What it selects. @internal */
  get $classes(): QueryClasses {
    return this.#live().classes;
  }
  #live(): BoundQuery {
    const bound = this.#bound;
    if (bound === undefined)
      throw new EcsError("BAD_SYSTEM", "query: the system was not added to an ECS; call addSystem first");
    bound.classes.world.live();
    return bound;
  }

  [Symbol.iterator](): IterableIterator<Row<S, O, A>> {
    return rowsOf(this) as IterableIterator<Row<S, O, A>>;
  }
  /** @internal */
  $rows(): IterableIterator<Row<S, O, A>> {
    const { classes, pool } = this.#live();
    const source = sourceOf(classes);
    return new Rows(source, pool, selectionOf(classes, source));
  }
  /**
   * Rows for these entities only, in their order. Entities that the query does not select are skipped. Iterating
   * `query.of(dirty)` counts as iterating `dirty` (rule D7).
   */
  of(entities: Iterable<Entity> | ArrayLike<Entity> | ReadonlyMap<Entity, unknown>): Iterable<Row<S, O, A>> {
    const { classes, pool } = this.#live();
    const source = (): Source => {
      if (entities instanceof LiveSet) return entitiesOf(entities.$set);
      if (isList(entities)) {
        requireList("of", entities as ArrayLike<Entity>);
        return new ListSource(entities as ArrayLike<Entity>);
      }
      const list = entities instanceof Map ? entities.keys() : (entities as Iterable<Entity>);
      const iterator = list[Symbol.iterator]();
      return iterator instanceof Iteration ? iterator : new IterableSource(iterator);
    };
    if (!isList(entities) && typeof (entities as Iterable<Entity>)?.[Symbol.iterator] !== "function")
      throw badArgument(`of: pass a list of entities, not ${show(entities)}`);
    const selection = classes.filters || classes.tracked !== undefined ? "filters" : "required";
    return new Repeatable(() => new Rows<Row<S, O, A>>(source(), pool, selection));
  }
  /**
   * The row of one entity, or undefined if the query does not select it. It is valid until the next call of `at` or
   * `first` on this query (rule Q6).
   */
  at(e: Entity): Row<S, O, A> | undefined {
    const row = this.#at;
    return row !== undefined && row.moveTo(e) ? (row.row as Row<S, O, A>) : this.#atSlowly(e);
  }
  #atSlowly(e: Entity): Row<S, O, A> | undefined {
    const classes = this.$classes;
    if (this.#at !== undefined) return undefined;
    this.#at = new RowState(classes);
    return this.at(e);
  }
  /**
   * The row of the first entity, or undefined if there is none; valid as that of `at`. O(classes), and for each entity in front
   * of it that the query does not select.
   */
  first(): Row<S, O, A> | undefined {
    return firstOf(this as unknown as Query) as Row<S, O, A> | undefined;
  }
  /** Whether the query selects the entity. O(classes). */
  has(e: Entity): boolean {
    return selects(this.#live().classes, e);
  }
  /**
   * How many entities the query selects. O(1) for one required class without filters, for the rows of a system, and as long as
   * no entity gets or loses a component of a class that is required, in `without` or in `any`; otherwise O(entities of the rarest
   * required class). Without required classes O(all entities); then it is counted each time, unless there is an `any`.
   */
  get count(): number {
    const { tables, required, filters, tracked } = this.$classes;
    if (tracked !== undefined) return heap.u32[tracked.words + SetControl.size];
    return required === 1 && !filters ? tables[0].count : countOf(this);
  }
  /** @internal */
  $count(): number {
    const classes = this.$classes;
    const versions = versionsOf(classes);
    if (this.#count >= 0 && this.#versions === versions) return this.#count;
    let count = 0;
    for (const _ of this) ++count;
    // The versions do not show which entities without components there are.
    this.#count = classes.required > 0 || classes.any.length > 0 ? count : -1;
    this.#versions = versions;
    return count;
  }
  /** A copy of the list of entities. O(entities). */
  ids(): Uint32Array {
    const list: Entity[] = [];
    for (const { entity } of this) list.push(entity);
    return Uint32Array.from(list);
  }
}

/** What is known of the entities over which the query iterates. */
function selectionOf({ required, filters, tracked, order }: QueryClasses, source: Source): Selection {
  if (tracked !== undefined) return order === undefined ? "certain" : "filters"; // an order contains more than what a system tracks
  if (filters) return "filters";
  return required === 1 || source instanceof SlotIteration ? "certain" : "required";
}

// V8 must not inline these into loops: it limits how much it inlines, which is better spent on accessors.
const rowsOf = noInline((query: { $rows(): unknown }): unknown => query.$rows());
const firstOf = noInline((query: Query): unknown => {
  const e = firstIn(query.$classes);
  return e === NONE ? undefined : query.at(e);
});
const countOf = noInline((query: { $count(): number }): number => query.$count());

interface BoundQuery {
  readonly classes: QueryClasses;
  readonly pool: RowPool;
}
