// What is handed out in place of a row, a cursor or a vector of one: an object that can be used until the next step.
import { Component } from "../component/component.js";
import type { ComponentTable } from "../component/component_table.js";
import { Cursor } from "../component/cursor.js";
import { VectorObject } from "../component/vector.js";
import { EcsError } from "../module/errors.js";
import { guard, isHook, unguard } from "./copies.js";
import { replace } from "./replace.js";

/**
 * After how many steps an object is handed out again: making one takes as long as twenty steps. Until then, it is known to be of
 * another step. A prime number, so that accesses at regular distances do not coincide with it.
 */
const RING = 251;

/** The steps of a row or cursor. What was handed out in an earlier one can't be used any more. */
class Steps {
  number = 0;
  /** The position of this step's objects in the rings. */
  index = 0;
  /** Why the last step at each position has ended. */
  readonly why: string[] = [];
}

const prototypeOf = (object: object): object => Object.getPrototypeOf(object) as object;

/** The view of a cursor; `$table` is defined by its prototype. */
const isCursor = (value: unknown): value is Component =>
  value instanceof Component && Object.hasOwn(prototypeOf(value), "$table");
/** Whether it accesses one component after another: the view of a cursor, or a vector of one. */
export const isReused = (value: unknown): value is object => isCursor(value) || value instanceof VectorObject;

/** By the view of their cursor. */
const lents = new WeakMap<object, Lent>();

/**
 * Stands for a row, the view of a cursor, or a vector: hands out another object in each step. Their accessors compare the object
 * with the one that was handed out last, and then call that of what it stands for, so that V8 inlines both.
 */
export class Lent {
  /** What was handed out last, and in which step. */
  current: object | undefined = undefined;
  step = -1;
  readonly #ring: (object | undefined)[] = [];
  readonly #prototype: object;
  /** The cursors and vectors that were read. */
  readonly parts = new Map<string, Lent>();

  constructor(
    readonly real: object,
    readonly steps = new Steps(),
  ) {
    this.#prototype = Object.create(new Proxy(prototypeOf(real), new Others(this))) as object;
    this.define();
    lents.set(real, this);
  }

  /** Ends the step. */
  end(why: string): void {
    const { steps } = this;
    steps.why[steps.index] = why;
    steps.number += 1;
    steps.index = steps.index + 1 === RING ? 0 : steps.index + 1;
  }
  /** The object of this step. */
  take(): object {
    const { steps } = this;
    if (this.step === steps.number) return this.current!;
    this.step = steps.number;
    return (this.current = this.#ring[steps.index] ?? this.#make());
  }
  #make(): object {
    const object = Object.create(this.#prototype) as object;
    if (!(this.real instanceof VectorObject)) guard(object); // own properties of a vector are its elements
    return (this.#ring[this.steps.index] = object);
  }

  /** Throws if the object was handed out in an earlier step. */
  check(object: object, name: PropertyKey): void {
    if (object === this.current && this.step === this.steps.number) return;
    const at = this.#ring.indexOf(object);
    if (at < 0) return; // a prototype, or what inherits from one
    throw new EcsError(
      "MISSING_COMPONENT",
      `${String(name)}: this row or cursor is not valid any more, because ${this.steps.why[at]}. To keep a component, call ` +
        "ecs.get(entity, Class) or copy its fields",
    );
  }

  /** Defines the accessors anew: they call those of what it stands for. */
  define(): void {
    const properties = Object.getOwnPropertyDescriptors(prototypeOf(this.real)) as Record<string, PropertyDescriptor>;
    for (const [name, { get, set, value, enumerable }] of Object.entries(properties)) {
      if (isHook(name)) continue;
      const read = get ?? (() => value as unknown);
      Object.defineProperty(this.#prototype, name, {
        enumerable,
        configurable: true,
        get: (this.#canBePart(name) ? partGetter : getter)(this, this.steps, name, read),
        set: set && setter(this, this.steps, name, set),
      });
    }
    for (const part of this.parts.values()) part.define();
  }
  #canBePart(name: string): boolean {
    const { real } = this;
    if (real instanceof VectorObject) return false;
    if (!isCursor(real)) return name !== "entity";
    const { names, fields } = (real.$table as ComponentTable).info;
    return (fields[names.get(name)!]?.length ?? 1) > 1;
  }
}

/** What the accessors do not define: methods of the class, what tools read, misspelt names. */
class Others implements ProxyHandler<object> {
  constructor(readonly of: Lent) {}
  get(target: object, name: string | symbol, object: object): unknown {
    this.of.check(object, name);
    unguard(object, name);
    return Reflect.get(target, name, object);
  }
  set(target: object, name: string | symbol, value: unknown, object: object): boolean {
    this.of.check(object, name);
    return Reflect.set(target, name, value, object);
  }
}

// The accessors are short, and their variables are parameters, for the same reasons as in component/cursor.ts.
type GetterMaker = (of: Lent, steps: Steps, name: string, read: () => unknown) => (this: object) => unknown;
const getter: GetterMaker = (of, steps, name, read) =>
  function () {
    if (this !== of.current || of.step !== steps.number) of.check(this, name);
    return read();
  };
const setter = (of: Lent, steps: Steps, name: string, write: (value: unknown) => void) =>
  function (this: object, value: unknown): void {
    if (this !== of.current || of.step !== steps.number) of.check(this, name);
    write(value);
  };
/** For what can be a cursor or a vector. */
const partGetter: GetterMaker = (of, steps, name, read) => {
  let part = of.parts.get(name);
  let isObject = false;
  const find = (value: unknown): unknown => {
    isObject = value !== undefined && !isReused(value);
    if (!isReused(value)) return value;
    of.parts.set(name, (part = new Lent(value, steps)));
    return part.take();
  };
  return function () {
    if (this !== of.current || of.step !== steps.number) of.check(this, name);
    const value = read();
    if (part !== undefined && value === part.real) return part.take();
    return isObject ? value : find(value);
  };
};

/** The setters of a cursor are replaced when its class is watched for the first time. */
export function checkCursors(): void {
  replace(
    Cursor.prototype,
    "watch",
    (watch) =>
      function (this: Cursor) {
        watch.call(this);
        lents.get(this.view)?.define();
      },
  );
}
