import { type ComponentClass, classInfo } from "../component/component.js";
import { StoredComponent } from "../component/stored_component.js";
import { ECS } from "../ecs/ecs.js";
import { RowSystem } from "../ecs/row_system.js";
import { System, type AddedSystem, type AnySystem } from "../ecs/system.js";
import { EcsError, type ErrorCode } from "../module/errors.js";
import { replace, warnOnce } from "./replace.js";

/** A system without members of its own: it has the default of each member. */
class Plain extends System {
  readonly componentsRequired: ReadonlySet<never> = new Set();
  update(): undefined {}
}

/** The members that a system can define, and their defaults. Those of four letters are only recognised with exchanged letters. */
function defaults(): Map<string, unknown> {
  const plain = new Plain() as unknown as Record<string, unknown>;
  const names = [plain, Plain.prototype, System.prototype].flatMap(Object.getOwnPropertyNames);
  const known = names.filter((name) => !/^\$|^(constructor|query|inbox|subscribe|ecs|disabled|debug|name)$/.test(name));
  return new Map(known.map((name) => [name, plain[name]]));
}

/** How many letters must be inserted, removed, replaced or exchanged to turn one word into another. */
function distance(a: string, b: string): number {
  const rows = [Array.from({ length: b.length + 1 }, (_, j) => j)];
  for (let i = 1; i <= a.length; ++i) {
    const row = [i];
    for (let j = 1; j <= b.length; ++j) {
      const same = a[i - 1] === b[j - 1];
      row[j] = Math.min(rows[i - 1][j] + 1, row[j - 1] + 1, rows[i - 1][j - 1] + (same ? 0 : 1));
      if (i > 1 && j > 1 && a[i - 1] === b[j - 2] && a[i - 2] === b[j - 1])
        row[j] = Math.min(row[j], rows[i - 2][j - 2] + 1);
    }
    rows.push(row);
  }
  return rows[a.length][b.length];
}
function resembles(name: string, known: string): boolean {
  const [a, b] = [name.toLowerCase(), known.toLowerCase()];
  if (a === b || (b.length > 4 && (a === `${b}ed` || a === `${b}s`))) return true;
  const sameLetters = [...a].sort().join() === [...b].sort().join();
  return distance(a, b) <= (b.length >= 9 ? 2 : b.length > 4 || sameLetters ? 1 : 0);
}
/** Whether a value is of the kind that the member has: a misspelt method is a method. */
function sameKind(value: unknown, standard: unknown): boolean {
  const isCollection = (of: unknown) => typeof of === "object" && of !== null && Symbol.iterator in of;
  return isCollection(standard) ? isCollection(value) : typeof value === typeof standard;
}
/** Whether the system defines the member itself; then a similar name is no misspelling of it. */
function defines(system: Record<string, unknown>, name: string, standard: unknown): boolean {
  const value = system[name];
  if (value === undefined || value === RowSystem.prototype[name as "update"]) return false;
  return standard instanceof Set ? (value as Set<unknown>).size !== 0 : value !== standard;
}

/** The names of the members that the system's own classes define. */
function ownMembers(system: AnySystem): Set<string> {
  const names = new Set(Object.getOwnPropertyNames(system));
  let prototype: unknown = Object.getPrototypeOf(system);
  for (; prototype !== System.prototype && prototype !== null; prototype = Object.getPrototypeOf(prototype))
    if (prototype !== RowSystem.prototype) for (const name of Object.getOwnPropertyNames(prototype)) names.add(name);
  return names;
}

function warnOfMisspeltMembers(system: AnySystem, known: Map<string, unknown>): void {
  const members = system as unknown as Record<string, unknown>;
  for (const name of ownMembers(system)) {
    if (known.has(name) || name in Plain.prototype || name.startsWith("$")) continue;
    for (const [right, standard] of known)
      if (resembles(name, right) && !defines(members, right, standard) && sameKind(members[name], standard))
        warnOnce(
          system.constructor,
          name,
          `addSystem: ${system.constructor.name}.${name} has no effect; did you mean ${right}?`,
        );
  }
}

/** Whether components of the class can change after they were added: those of a tag cannot. */
const canChange = (cls: ComponentClass): boolean =>
  !(cls.prototype instanceof StoredComponent) || classInfo(cls).fields.length > 0;

/** Warns if the system watches nothing, so that its dirty set is always empty. `effect` says what follows. */
function warnIfWatchesNothing(system: AnySystem, key: string, call: string, effect: string): void {
  const { dirtyComponents, dirtyFromAncestors, componentsRequired, $usesNone } = system;
  if (dirtyComponents.size > 0 || dirtyFromAncestors.size > 0) return;
  const classes = Array.from(componentsRequired);
  const { name } = classes.find(canChange) ?? classes[0] ?? { name: "Position" };
  const typed = system instanceof RowSystem;
  const advice = typed ? `add watch: [${name}]` : `add dirtyComponents = new Set([${name}])`;
  warnOnce(
    system.constructor,
    key,
    `${call}${system.name} watches nothing, so ${effect}; ${$usesNone ? "remove onlyWhenDirty" : advice}`,
  );
}
/** Detects that `dirty` of a system is read that watches nothing. */
function checkDirty(): void {
  const { get } = Object.getOwnPropertyDescriptor(RowSystem.prototype, "dirty")!;
  Object.defineProperty(RowSystem.prototype, "dirty", {
    configurable: true,
    get(this: RowSystem): unknown {
      const dirty: unknown = get!.call(this);
      warnIfWatchesNothing(this, "dirty", "", "dirty is always empty");
      return dirty;
    },
  });
}

const checked = new WeakSet<object>();
/** How many times each system was updated. */
const runs = new WeakMap<object, number>();
export const runsOf = (system: object): number => runs.get(system) ?? 0;

/** Throws for what a function has returned that cannot be asynchronous. */
function requireNoPromise(what: string, result: unknown, code: ErrorCode, advice: string): void {
  const { then, next } = Object(result) as Partial<PromiseLike<unknown> & Iterator<unknown>>;
  if (typeof then === "function" || typeof next === "function")
    throw new EcsError(code, `${what} returned ${then ? "a promise" : "a generator"}. ${advice}`);
}
/** Makes a replay that is asynchronous an error (rule S20). */
function checkReplay(): void {
  replace(
    ECS.prototype,
    "replay",
    (replay) =>
      function (f) {
        const advice = "What follows an await or a yield runs after the replay: load what it needs before";
        const call = () => requireNoPromise("replay: f", f(), "BAD_ARGUMENT", advice);
        return replay.call(this, typeof f === "function" ? call : f);
      },
  );
}

/** Makes an update, and a condition, that returns a promise an error. */
function checkUpdate(system: AnySystem): void {
  if (checked.has(system)) return;
  checked.add(system);
  const { update, when } = system;
  const value = function (this: unknown, ...args: unknown[]): unknown {
    const result: unknown = Reflect.apply(update, this, args);
    runs.set(system, runsOf(system) + 1);
    requireNoPromise(
      `${system.name}: update`,
      result,
      "BAD_SYSTEM",
      "What follows an await runs after the frame: start asynchronous work elsewhere, and use its result in a later update",
    );
    return result;
  };
  Object.defineProperty(system, "update", { configurable: true, writable: true, value });
  if (when === System.prototype.when) return;
  const condition = function (this: unknown, ...args: unknown[]): unknown {
    const result: unknown = Reflect.apply(when, this, args);
    requireNoPromise(`${system.name}: when`, result, "BAD_SYSTEM", "A promise is always true: return a boolean");
    return result;
  };
  Object.defineProperty(system, "when", { configurable: true, writable: true, value: condition });
}

/** Warns if the ECS has another system of this class, which does the same work again: unless they have different names. */
function warnIfAddedTwice({ $world: { systems } }: ECS, system: AnySystem): void {
  if (system.observer) return; // as many panels show the same
  const { constructor: cls, name } = system;
  const isAnother = (record?: AddedSystem): boolean =>
    record !== undefined &&
    record.system.$record === record &&
    record.system !== system &&
    record.system.constructor === cls &&
    record.system.name === name;
  if (!(systems as (AddedSystem | undefined)[]).some((record) => isAnother(record))) return;
  warnOnce(
    cls,
    "twice",
    `addSystem: this ECS has two systems of class ${cls.name}, and both run. If a scene or an effect was started again, remove ` +
      "the first one where it ends: ecs.removeSystem(system). Otherwise, give them different names",
  );
}

/** Detects misspelt members of systems, two systems of one class, systems that watch nothing, and an `update` that is asynchronous. */
export function checkSystems(): void {
  const known = defaults();
  checkDirty();
  checkReplay();
  replace(
    ECS.prototype,
    "addSystem",
    (addSystem) =>
      function (priority, system) {
        if (system instanceof System) warnOfMisspeltMembers(system, known);
        addSystem.call(this, priority, system);
        if ((system as AnySystem).onlyWhenDirty)
          warnIfWatchesNothing(system, "onlyWhenDirty", "addSystem: ", "with onlyWhenDirty it is never updated");
        warnIfAddedTwice(this, system);
        checkUpdate(system);
        return system;
      },
  );
}
