import type { ComponentClass } from "../component/component.js";
import type { DirtySet, EntityMap } from "../core/live_sets.js";
import type { Entity } from "../module/entity.js";
import { COPY, EcsError, badArgument, requireNone, requireObject, show, thisCopy } from "../module/errors.js";
import { Aspect } from "../world/aspect.js";
import type { SystemRecord } from "../world/system_record.js";
// biome-ignore lint/suspicious/noImportCycles: the only cycle; System and ECS are two parts of one interface
import type { ECS } from "./ecs.js";
import { requireEventClass, requireHandler, type EventClass } from "./event_class.js";
import type { EventsManager } from "./events.js";
import { Inbox } from "./inbox.js";
import { Query } from "./query.js";
import type { AnyFilters, Filters, OrderBy, Shape } from "./query_classes.js";

/**
 * What a game declares once, so that the types of the package know it:
 *
 *     declare module "crateful" {
 *       interface Register {
 *         ecs: Game; // a class that extends ECS
 *       }
 *     }
 *
 * Then `this.ecs` of a system, the argument of `when`, and `useECS()` have this type. Nothing checks that each system is added to
 * such an ECS.
 */
// biome-ignore lint/suspicious/noEmptyInterface: programs declare its members
export interface Register {}

/** The class that `Register` names, or `ECS`. */
export type RegisteredECS = Register extends { ecs: infer E extends ECS } ? E : ECS;

/** A system with aspects of any class. */
// biome-ignore lint/suspicious/noExplicitAny: a type parameter that is used in both directions accepts nothing else
export type AnySystem = System<any>;

/** A system class, as `getSystem(Mover)` takes it. */
export type SystemClass<S extends AnySystem = AnySystem> = abstract new (...args: never[]) => S;

/** A system that was added to an ECS. @internal */
export interface AddedSystem extends SystemRecord {
  ecs: ECS;
  system: System;
}

/**
 * Code that runs once per frame over all entities that have certain components. List these in `componentsRequired`. List
 * in `dirtyComponents` the classes that make an entity dirty when they signal. `A` is the class of its aspects.
 */
export abstract class System<A extends Aspect = Aspect> {
  /** The system tracks each entity that has all of these. Read once, when the system is added. Must not be empty. */
  abstract readonly componentsRequired: ReadonlySet<ComponentClass>;
  /** A signal of any of these makes a tracked entity dirty (rule D3). They need not be required. */
  readonly dirtyComponents: ReadonlySet<ComponentClass> = new Set();
  /**
   * A signal of any of these makes the tracked descendants of its entity dirty, and so does another parent (rule D13). The
   * entity's own signals count if `dirtyComponents` contains the class.
   */
  readonly dirtyFromAncestors: ReadonlySet<ComponentClass> = new Set();
  /** An entity that has any of these is not tracked (rule S9). */
  readonly componentsExcluded: ReadonlySet<ComponentClass> = new Set();
  /** Unless it is empty: an entity is tracked only if it has at least one of these (rule S9). */
  readonly componentsAny: ReadonlySet<ComponentClass> = new Set();
  /** The systems of the same priority before which it runs, by their classes or names; C++ systems by name (rule S10). */
  readonly before: readonly (SystemClass | string)[] = [];
  /** The systems of the same priority after which it runs. */
  readonly after: readonly (SystemClass | string)[] = [];
  /**
   * It runs when at least this much game time, in seconds, has passed since its last run; `delta` is the time since then, and
   * its dirty set accumulates meanwhile (rule S11). Like all members above, it is read when the system is added.
   */
  readonly interval: number = 0;
  /** If true, `update` is not called while the dirty set and the inboxes of the system are empty (rule D11). Read when the system is added. */
  readonly onlyWhenDirty: boolean = false;
  /**
   * If true, restoring a snapshot with the state of systems gives the system exactly the dirty set of the snapshot: for a system that would
   * change the game if more entities than necessary were dirty (rule N2). Read when the system is added.
   */
  readonly exact: boolean = false;
  /**
   * If true, the system only shows the world, as one that draws does: it is no part of snapshots and recordings, and must not change the
   * world, which the development build makes an error. After a state was restored, it finds what differs (rule S18). Read when the system
   * is added.
   */
  readonly observer: boolean = false;
  /** If true, removals do not change the order of `entities` (rule S14). Read when the system is added. */
  readonly ordered: boolean = false;
  /** Its name in messages and reports, and for `getSystem`. Read when the system is added. */
  readonly name: string = this.constructor.name;

  /** @internal */
  $record: AddedSystem | undefined = undefined;
  /** Its `update` if it overrides none. @internal */
  get $noUpdate(): unknown {
    return undefined;
  }
  /** Whether it uses no entities (rule S12). @internal */
  readonly $usesNone: boolean = false;
  /** Those of the watched classes whose fields it does not read (rule B1). @internal */
  readonly $presence: readonly ComponentClass[] = [];
  /** The classes that its rows read from parents (rules H5, D13). @internal */
  readonly $parents: readonly ComponentClass[] = [];
  /** Creates its aspects; set by `defineSystem`. @internal */
  $aspect: (() => A) | undefined = undefined;
  readonly #queries: { query: Query; shape: Shape; filters: AnyFilters | undefined }[] = [];
  /** @internal */
  readonly $inboxes: Inbox[] = [];
  /** The subscriptions from before it was added: they begin each time it is. */
  readonly #subscriptions: (() => void)[] = [];
  /** They end the subscriptions that have begun. */
  readonly #ends: (() => void)[] = [];
  /** What the inboxes collect from. */
  #events: EventsManager | undefined;
  #disabled: boolean;

  /**
   * @param disabled whether it starts disabled: it is not updated until enabled, but tracks entities and accumulates its
   * dirty set (rule S4)
   * @param debug whether it is also updated while the game is paused
   */
  constructor(
    disabled = false,
    readonly debug: boolean = false,
  ) {
    this.#disabled = disabled;
  }

  /** The ECS to which it was added. Throws `BAD_SYSTEM` if there is none. */
  get ecs(): RegisteredECS {
    if (this.$record === undefined)
      throw new EcsError(
        "BAD_SYSTEM",
        `ecs: ${this.constructor.name} was not added to an ECS; call addSystem first, and use this.ecs in init() or later`,
      );
    return this.$record.ecs as RegisteredECS;
  }
  /** @internal */
  get [COPY](): object {
    return thisCopy;
  }
  /** Changed by `enableSystem`, `disableSystem` and `toggleSystem`. */
  get disabled(): boolean {
    return this.#disabled;
  }
  /** @internal */
  $setDisabled(disabled: boolean): void {
    this.#disabled = disabled;
  }

  /**
   * Called once per frame (rule S5).
   * @param delta effective game time of the frame in seconds; 0 while paused (debug systems only)
   * @param entities the entities that it tracks, with their aspects; it can also be declared as a Map
   * @param dirty the tracked entities with a watched component that signalled since the last run; or declared as a Set
   */
  abstract update(delta: number, entities: EntityMap<A> & Map<Entity, A>, dirty: DirtySet & Set<Entity>): void;
  /**
   * Whether the system runs in this frame; it is asked when all else allows a run. If it returns false, the system is skipped: its
   * dirty set accumulates, and the time of its interval counts (rule S15). It must not change the world.
   */
  when(_ecs: RegisteredECS): boolean {
    return true;
  }

  /**
   * The same as `ecs.query`, but can be called in a field initialiser: the query can be used when the system was added
   * (rule S13).
   */
  query<S extends Shape, O extends Shape = {}, P extends Shape = {}>(
    shape: S,
    filters?: Filters<O, P, OrderBy<NoInfer<S>>>,
  ): Query<S, O & P> {
    if (this.$record !== undefined) return this.$record.ecs.query(shape, filters);
    const query = new Query<S, O & P>();
    this.#queries.push({
      query: query as unknown as Query,
      shape,
      filters: filters as unknown as AnyFilters | undefined,
    });
    return query;
  }
  /**
   * The events of exactly that class for this system: iterating it takes them out (rule V3). Call it in a field initialiser:
   * events are collected from when the system is added until it is removed. Throws `BAD_ARGUMENT` if the class is none, or the
   * limit no positive number or `whileSkipped` none of the two, and `BAD_SYSTEM` if the system was added already.
   */
  inbox<E extends object>(
    cls: EventClass<E>,
    options: {
      /** How many events it holds at most. Default 65,536. */
      readonly limit?: number;
      /**
       * What happens to its events in a frame in which `ecs.update` skips the system because of `when`, a pause, a replay, or because the
       * system is disabled: `"keep"` (default) accumulates them, and `"drop"` discards them, as the clicks on a menu while the game is
       * paused.
       */
      readonly whileSkipped?: "keep" | "drop";
    } = {},
  ): Inbox<E> {
    requireEventClass("inbox", cls);
    requireObject("inbox: the options", options);
    const { limit = 65_536, whileSkipped = "keep", ...others } = options;
    requireNone("inbox", others);
    if (limit !== Infinity && (!Number.isInteger(limit) || limit < 1))
      throw badArgument(`inbox: the limit must be a whole number of at least 1, not ${show(limit)}`);
    if (this.$record !== undefined)
      throw new EcsError("BAD_SYSTEM", `inbox: ${this.name} was added already; call inbox in a field initialiser`);
    if (whileSkipped !== "keep" && whileSkipped !== "drop")
      throw badArgument(`inbox: whileSkipped must be "keep" or "drop", not ${show(whileSkipped)}`);
    const inbox = new Inbox(cls, limit, whileSkipped === "drop");
    this.$inboxes.push(inbox as unknown as Inbox);
    return inbox;
  }
  /**
   * Calls `handler` at each dispatch of an event of exactly that class, in the order of subscription, from when the system is added
   * until it is removed (rule V1). Call it in the constructor or later. Throws `BAD_ARGUMENT` if the class is none, or the handler no
   * function.
   *
   *     override init() {
   *       this.subscribe(Smashed, ({ crate }) => this.play(crate));
   *     }
   */
  subscribe<E extends object>(cls: EventClass<E>, handler: (event: E) => void): void {
    requireHandler(cls, handler);
    const begin = (): void => void this.#ends.push(this.$record!.ecs.events.subscribe(cls, handler));
    if (this.$record === undefined) this.#subscriptions.push(begin);
    else begin();
  }
  /**
   * The system is about to be added: returns what to call when it was. Throws `BAD_ARGUMENT` if one of its queries is
   * invalid. @internal
   */
  $prepare(ecs: ECS): (record: AddedSystem) => void {
    const bound = this.#queries.map(({ shape, filters }) => ecs.$queryClasses(shape, filters));
    return () => {
      this.#queries.forEach(({ query }, i) => query.$bind(bound[i]));
      this.#events = ecs.events;
      this.#events.$collect(this.$inboxes, true);
      for (const begin of this.#subscriptions) begin();
    };
  }

  /** `removeSystem` was called; inside of a callback, the system is freed when that has returned. @internal */
  $detached(): void {
    for (const end of this.#ends.splice(0)) end();
    this.$record = undefined;
  }
  /** It was removed from its ECS. @internal */
  $removed(): void {
    for (const { query } of this.#queries) query.$release();
    this.#events?.$collect(this.$inboxes, false);
  }

  /** Called once, when the system was added; `this.ecs` is available (rule S3). */
  init(): void {}
  /** Creates the aspect of a newly tracked entity. Override it for an aspect class of your own (rule A1). */
  makeAspect(): A {
    return this.$aspect === undefined ? (new Aspect() as A) : this.$aspect();
  }
  /** Called when the system starts tracking an entity, which is in `entities` by then (rule A2). */
  onAdd(_aspect: A): void {}
  /**
   * Called when the system stops tracking an entity. Its components can still be read through the aspect (rules A2, A3).
   */
  onRemove(_aspect: A): void {}
  /** Called when the system was enabled (rule S4). */
  onEnabled(_entities: EntityMap<A>): void {}
  /** Called when the system was disabled (rule S4). */
  onDisabled(_entities: EntityMap<A>): void {}
  /** Called after `ecs.clear()` has removed every entity; may create new ones (rule K1). */
  onClear(): void {}
}
