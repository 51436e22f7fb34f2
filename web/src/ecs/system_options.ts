// The options of `defineSystem`.
import type { ComponentClass } from "../component/component.js";
import { badArgument, requireObject, show } from "../module/errors.js";
import type { Aspect } from "../world/aspect.js";
import type { AnyOrder, Shape } from "./query_classes.js";
import type { RegisteredECS } from "./system.js";
import type { AnySystem, SystemClass } from "./system.js";
import { SWITCHES } from "./system_switches.js";

/** What `defineSystem` takes besides the required classes. */
export interface SystemOptions<O extends Shape = {}, A extends Aspect = Aspect, P extends Shape = {}, B = never> {
  /** The field by which `rows` are sorted, as in a query (rule Q10). `dirty` is not sorted. */
  readonly orderBy?: B;
  /** A signal of any of these makes a tracked entity dirty (rule D3). */
  readonly watch?: readonly ComponentClass[];
  /**
   * Object components that the system watches only to know whether an entity has one, as `watch`: the development build does not
   * warn of their fields that change without a signal (rule B1).
   */
  readonly watchPresence?: readonly ComponentClass[];
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
  /** The class of the system's aspects, or a function that creates one; rows then have an `aspect`. */
  readonly aspect?: (new () => A) | (() => A);
  /** `update` is not called while the dirty set is empty (rule D11). */
  readonly onlyWhenDirty?: boolean;
  /**
   * For a system that would change the game if more entities than necessary were dirty: restoring a snapshot with the state of systems
   * gives it exactly the dirty set of the snapshot. Other systems also get what restoring has changed (rule N2).
   */
  readonly exact?: boolean;
  /**
   * It only shows the world, as a system that draws does: it is no part of snapshots and recordings, and must not change the world, which
   * the development build makes an error (rule S18).
   */
  readonly observer?: boolean;
  /** Removals do not change the order in which entities are iterated (rule S14). */
  readonly ordered?: boolean;
  /** Whether the system runs in this frame: it is asked when all else allows a run (rule S15). It must not change the world. */
  readonly when?: (ecs: RegisteredECS) => boolean;
  /** The system is also updated while the game is paused (rule S5). */
  readonly whilePaused?: boolean;
  /** It starts disabled (rule S4). */
  readonly disabled?: boolean;
  /** Its name in messages and reports, and for `getSystem`; by default the name of its class. */
  readonly name?: string;
}

const LISTS = ["watch", "watchPresence", "watchAncestors", "without", "any", "before", "after"] as const;
const OPTIONS = new Set<string>([
  ...LISTS,
  "optional",
  "orderBy",
  "parent",
  "aspect",
  "interval",
  "when",
  "whilePaused",
  "disabled",
  "name",
]);

/** Throws `BAD_ARGUMENT` for options that do not exist, or have a wrong type. @internal */
export function requireOptions(options: SystemOptions<Shape, Aspect, Shape, AnyOrder>): void {
  requireObject("defineSystem: the options", options);
  for (const name in options) {
    const advice = name === "debug" ? "; its name is whilePaused" : "";
    if (!OPTIONS.has(name) && !Object.hasOwn(SWITCHES, name))
      throw badArgument(`defineSystem: there is no option ${name}${advice}`);
  }
  for (const list of LISTS) {
    const value: unknown = options[list];
    if (value !== undefined && !Array.isArray(value))
      throw badArgument(`defineSystem: ${list} must be a list of classes, not ${show(value)}`);
  }
  for (const shape of ["optional", "parent"] as const)
    if (options[shape] !== undefined) requireObject(`defineSystem: ${shape}`, options[shape]);
  const { aspect } = options;
  if (aspect !== undefined && typeof aspect !== "function")
    throw badArgument(
      `defineSystem: aspect must be a class, or a function that creates an aspect, not ${show(aspect)}`,
    );
}

/** The members of a system that say the same as a shape and options. @internal */
export function membersOf(
  shape: Shape | undefined,
  options: SystemOptions<Shape, Aspect, Shape, AnyOrder>,
): Partial<AnySystem> {
  return {
    componentsRequired: new Set(Object.values(shape ?? {})),
    dirtyComponents: new Set([...(options.watch ?? []), ...(options.watchPresence ?? [])]),
    $presence: (options.watchPresence ?? []).filter((cls) => !options.watch?.includes(cls)),
    dirtyFromAncestors: new Set(options.watchAncestors),
    $parents: Object.values(options.parent ?? {}),
    componentsExcluded: new Set(options.without),
    componentsAny: new Set(options.any),
    before: options.before ?? [],
    after: options.after ?? [],
    interval: options.interval ?? 0,
    ...Object.fromEntries(Object.keys(SWITCHES).map((name) => [name, options[name as keyof typeof SWITCHES] ?? false])),
    ...(options.when != null && { when: options.when }),
    ...(options.name != null && { name: options.name }),
    $usesNone: shape === undefined,
  };
}
