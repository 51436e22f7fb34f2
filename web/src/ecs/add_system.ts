// Describes a system that is about to be added, as the core needs it.
import type { ComponentClass } from "../component/component.js";
import { encode } from "../core/strings.js";
import { EcsError, show, storedText } from "../module/errors.js";
import { SystemFlag } from "../module/layout.js";
import type { World } from "../world/world.js";
// biome-ignore lint/suspicious/noImportCycles: a part of the cycle of System and ECS
import type { AddedSystem, AnySystem, System, SystemClass } from "./system.js";
import { SWITCHES } from "./system_switches.js";

/** A system that overrides one of these needs no `update` (rule S16). */
const CALLBACKS = [
  "init",
  "onAdd",
  "onRemove",
  "onEnabled",
  "onDisabled",
  "onClear",
] as const satisfies (keyof System)[];

/** A system as the core describes it. @internal */
export interface SystemDescription {
  /** Its name, and behind it those of the systems that it names; see foreign_system.hpp. */
  names: string;
  flags: number;
  /** The required classes. */
  classes: ComponentClass[];
  /** Whether its aspects are not those of the class Aspect. */
  overridesMakeAspect: boolean;
  overridesOnRemove: boolean;
  /** The argument of `_crateful_add_system`, as numbers. */
  lists: number[];
}

/**
 * Reads the members of a system that is about to be added; `base` is System. Throws `BAD_SYSTEM` and `BAD_ARGUMENT`.
 * @internal
 */
export function describeSystem(
  world: World,
  priority: number,
  system: AnySystem,
  base: typeof System,
): SystemDescription {
  const { name, interval } = system;
  const fail = (why: string): never => {
    throw new EcsError("BAD_SYSTEM", `addSystem: ${name}: ${why}`);
  };
  const classesOf = (member: keyof AnySystem & string, mayBeEmpty = true): ComponentClass[] => {
    const value = system[member] as Set<ComponentClass> | undefined;
    const isSet = typeof value?.has === "function" && typeof value[Symbol.iterator] === "function";
    if (isSet && (mayBeEmpty || value.size > 0)) return [...value];
    return fail(`${member} must be a Set of classes, new Set([Position]), not ${isSet ? "empty" : show(value)}`);
  };
  const others = (member: "before" | "after"): void => {
    const list: unknown = system[member];
    const isSystem = (key: unknown) =>
      typeof key === "string" || (typeof key === "function" && key.prototype instanceof base);
    if (!Array.isArray(list) || !Array.from(list as unknown[]).every(isSystem))
      fail(`${member} must be a list of system classes or names, not ${show(list)}`);
  };
  if (typeof name !== "string")
    throw new EcsError("BAD_SYSTEM", `addSystem: the name must be a string, not ${show(name)}`);
  if (storedText(name) !== name)
    throw new EcsError("BAD_SYSTEM", `addSystem: the name has a surrogate that is no pair: ${show(name)}`);
  if (typeof priority !== "number" || !Number.isFinite(priority))
    fail(`the priority must be a finite number, not ${show(priority)}`);
  if (typeof interval !== "number") fail(`the interval must be a number of seconds, not ${show(interval)}`);
  const switches = { disabled: SystemFlag.disabled, debug: SystemFlag.debug, ...SWITCHES };
  let switched = 0;
  for (const [member, bit] of Object.entries(switches)) {
    const value: unknown = system[member as keyof typeof switches];
    if (typeof value !== "boolean") fail(`${member} must be true or false, not ${show(value)}`);
    if (value) switched |= bit;
  }
  if (system.$record !== undefined) fail("the system was added already");
  for (const method of ["update", "makeAspect", "when", ...CALLBACKS] as const)
    if (typeof system[method] !== "function") fail(`${method} must be a method, not ${show(system[method])}`);
  if (system.update === system.$noUpdate && CALLBACKS.every((method) => system[method] === base.prototype[method]))
    fail("it does nothing: it needs a method update, or onAdd, onRemove or another callback");
  const classes = classesOf("componentsRequired", system.$usesNone);
  others("before");
  others("after");

  const { makeAspect, onAdd, onRemove } = base.prototype;
  const overridesMakeAspect = system.makeAspect !== makeAspect || system.$aspect !== undefined;
  const overridesOnRemove = system.onRemove !== onRemove;
  const receives = system.$inboxes.length > 0; // then `when` decides, because it may have work while nothing is dirty
  const flag = (on: boolean, bit: SystemFlag) => (on ? bit : 0);
  const flags =
    (switched & ~flag(receives, SystemFlag.onlyWhenDirty)) |
    flag(
      system.$inboxes.some(({ $drops }) => $drops),
      SystemFlag.dropsSkipped,
    ) |
    flag(system.$usesNone, SystemFlag.usesNone) |
    flag(system.when !== base.prototype.when || (system.onlyWhenDirty && receives), SystemFlag.conditional) |
    flag(system.makeAspect !== makeAspect || system.onAdd !== onAdd, SystemFlag.notifiesAdd) |
    flag(overridesOnRemove, SystemFlag.notifiesRemove);
  const ids = [
    classes,
    classesOf("dirtyComponents"),
    classesOf("componentsExcluded"),
    classesOf("componentsAny"),
    classesOf("dirtyFromAncestors"),
    system.$parents,
  ].map((list) => list.map((cls) => world.table(cls).info.id));
  const texts = [[name], system.before, system.after].map((list) =>
    list.flatMap((key) => (typeof key === "string" ? storedText(key) : [])),
  );
  const lengths = texts.map((list) => list.map((text) => encode(text).length));
  const lists = [...lengths, ...ids, ...order(world, system)].flatMap((list) => [list.length, ...list]);
  return { names: texts.flat().join(""), flags, classes, overridesMakeAspect, overridesOnRemove, lists };
}

/** The addresses of the systems before which, and after which, a system runs because of their classes (rule S10). */
function order(world: World, system: AnySystem): [number[], number[]] {
  const names = (list: readonly (SystemClass | string)[], other: AnySystem) =>
    list.some((key) => typeof key !== "string" && other instanceof key);
  const before: number[] = [];
  const after: number[] = [];
  for (const record of world.systems as (AddedSystem | undefined)[]) {
    if (record === undefined || record.system.$record !== record) continue;
    const other: AnySystem = record.system;
    if (names(system.before, other) || names(other.after, system)) before.push(record.address);
    if (names(system.after, other) || names(other.before, system)) after.push(record.address);
  }
  return [before, after];
}
