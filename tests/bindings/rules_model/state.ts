// What the model knows of an ECS: entities, handles, systems, and loops and an update in progress.
import {
  ECS,
  NONE,
  type AnySystem,
  type Aspect,
  type Component,
  type DirtyRows,
  type DirtySet,
  type Entity,
  type EntityMap,
  type Query,
} from "crateful";
import { CLASSES, allKinds, classOf, shape, type AnyRow, type Values } from "./components.js";
import type { Replay } from "./replay.js";

export interface ModelEntity {
  /** A bit for each class that it has a component of. */
  mask: number;
  /** The values of stored components, and object components themselves. */
  readonly values: (Values | Component | undefined)[];
  parent: Entity;
  children: Entity[];
}

/** Which entities a query or system selects (S9, Q1). */
export interface Selection {
  readonly required: readonly number[];
  readonly excluded: readonly number[];
  readonly accepted: readonly number[];
  readonly optional: readonly number[];
  /** The classes of the parent's components that its rows have (H5). */
  readonly ofParent: readonly number[];
}
/** The same as bits of classes. */
export interface Filter {
  readonly required: number;
  readonly excluded: number;
  readonly accepted: number;
}
export type Rows = Iterable<AnyRow>;

export interface ModelQuery extends Selection {
  readonly filter: Filter;
  readonly real: Query;
}

/** In the model's dirty sets: was in the set when the run began, was visited, is kept (D7, D12). */
export const AT_START = 1;
export const VISITED = 2;
export const KEPT = 4;

/** What `makeAspect` notes when it throws, among the entities of `onAdd` and `onRemove`. */
export const THREW = -1;
/** A call of `onAdd` or `onRemove`. */
export const noteOfCall = (e: Entity, added: boolean): number => e * 2 + (added ? 1 : 0);

export interface ModelSystem extends Selection {
  readonly id: number;
  readonly name: string;
  readonly filter: Filter;
  readonly watched: number;
  readonly fromAncestors: number;
  readonly watching: boolean;
  readonly ordered: boolean;
  readonly onlyWhenDirty: boolean;
  readonly debug: boolean;
  readonly interval: number;
  readonly priority: number;
  /** Which callbacks it has. */
  readonly adds: boolean;
  readonly removes: boolean;
  readonly makes: boolean;
  /** Made by `defineSystem`. */
  readonly hasRows: boolean;
  real: AnySystem & Partial<{ rows: Query; dirty: DirtyRows }>;
  /** Known when a callback got them. */
  entities: EntityMap<Aspect> | undefined;
  dirtySet: DirtySet | undefined;

  disabled: boolean;
  /** Game time since its last run (S11). */
  elapsed: number;
  tracked: Entity[];
  /** In the order of the first signals (D9), with the bits above. */
  dirty: Map<Entity, number>;
  /** Why they are: a bit for each class, all for an entity that is newly tracked (D15). Undefined until the test first asks. */
  causes: Map<Entity, number> | undefined;
  // What the rules leave open is adopted at the next comparison.
  trackedOpen: boolean;
  dirtyOpen: boolean;

  /** Calls of onAdd and onRemove that the model expects, and those that occurred. */
  expected: number[];
  occurred: number[];
  /** The order of these calls is open. */
  callsOpen: boolean;
  /** Entities with an `onAdd` whose `onRemove` has not been called. */
  readonly added: Set<Entity>;
  /** Entities that are tracked without an aspect, as `makeAspect` threw, and those whose aspect was made later (A3). */
  readonly unmade: Set<Entity>;
  readonly madeLater: Set<Entity>;
  /** How often `makeAspect` threw in chaos. */
  throws: number;
  readonly aspects: Map<Entity, Aspect>;
  /** +1 for each onEnabled, -1 for each onDisabled. */
  transitions: number[];
}

/** A loop in progress (T4). */
export interface Loop {
  contains(e: Entity): boolean;
  /** Selected since the start. */
  readonly throughout: Set<Entity>;
  /** Whether it visits nothing else. */
  readonly strict: boolean;
  /** The entities that existed at the start: it visits no others. Undefined if it reaches what is added (D7). */
  readonly existed: ReadonlySet<Entity> | undefined;
  readonly visited: Set<Entity>;
}

/** An update in progress: the systems that run in it, and how many of them are over. */
export interface Frame {
  readonly order: readonly ModelSystem[];
  readonly delta: number;
  over: number;
  threw: boolean;
}

/** A component object that the program keeps (C5). */
export interface KeptComponent {
  readonly e: Entity;
  readonly k: number;
  readonly component: Component & Values;
  dead: boolean;
}

/** An ECS and what is known of it. */
export class World {
  readonly ecs = new ECS();
  readonly entities = new Map<Entity, ModelEntity>();
  readonly alive: Entity[] = [];
  readonly stale: Entity[] = [];
  marked: Entity[] = [];
  /** The next handles, the last one first (E2). The first `freedInAnyOrder` are in any order. */
  freed: Entity[] = [];
  freedInAnyOrder = 0;
  nextIndex = 1;
  /** In chaos, the newest generation of each index. */
  readonly generations: number[] = [];

  systems: ModelSystem[] = [];
  nextSystem = 0;
  /** The systems whose onClear was called. */
  cleared: ModelSystem[] = [];
  queries: ModelQuery[] = [];
  readonly queryOfClass: readonly Query[];

  /** The entities of each storage, in order unless `orderOpen`. */
  readonly order: Entity[][] = allKinds.map(() => []);
  readonly orderOpen: boolean[] = allKinds.map(() => false);
  kept: KeptComponent[] = [];
  loops: Loop[] = [];
  frame: Frame | undefined;
  gameTime = 0;

  constructor(
    readonly replay: Replay,
    /** All worlds of the run, which share nothing (M3). */
    readonly worlds: World[],
    /** Applies a random operation, possibly to this entity. */
    readonly operate: (w: World, hint?: Entity) => void,
  ) {
    newEntity(this, 0);
    this.queryOfClass = allKinds.map((k) => this.ecs.query(shape("c", [k])));
  }
  get random() {
    return this.replay.random;
  }
  get chaos(): boolean {
    return this.replay.chaos;
  }
  fail(message: string): never {
    return this.replay.fail(message);
  }
}

export function newEntity(w: World, e: Entity): ModelEntity {
  const entity: ModelEntity = { mask: 0, values: new Array(CLASSES).fill(undefined), parent: NONE, children: [] };
  w.entities.set(e, entity);
  w.alive.push(e);
  return entity;
}

export const bits = (list: readonly number[]): number => list.reduce((sum, k) => sum | (1 << k), 0);
export const classes = (list: readonly number[]) => list.map(classOf);

/** Whether an entity with these components is selected. */
export function selects(filter: Filter, e: Entity, mask: number): boolean {
  if ((mask & filter.required) !== filter.required || (mask & filter.excluded) !== 0) return false;
  if (filter.accepted !== 0) return (mask & filter.accepted) !== 0;
  return e !== 0 || filter.required !== 0; // the world (E10)
}
export function matches(w: World, filter: Filter, e: Entity): boolean {
  const entity = w.entities.get(e);
  return entity !== undefined && selects(filter, e, entity.mask);
}
export const has = (entity: ModelEntity | undefined, k: number): boolean =>
  entity !== undefined && (entity.mask & (1 << k)) !== 0;

/** The rows and dirty set of a system, if they are known. */
export const trackedIds = (s: ModelSystem): Uint32Array | undefined =>
  s.hasRows ? s.real.rows!.ids() : s.entities?.ids;
export const dirtyOf = (s: ModelSystem): DirtyRows | DirtySet | undefined => (s.hasRows ? s.real.dirty : s.dirtySet);

/** Removes an element, whose place the last one takes (T2, S14). */
export function swapRemove(list: Entity[], e: Entity): void {
  const last = list.pop()!;
  if (last !== e) list[list.indexOf(e)] = last;
}
export const remove = <T>(list: T[], element: T): void => void list.splice(list.indexOf(element), 1);
