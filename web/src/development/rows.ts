import { Component } from "../component/component.js";
import { VectorObject } from "../component/vector.js";
import { Query } from "../ecs/query.js";
import { Rows } from "../ecs/rows.js";
import { Storage } from "../ecs/storage.js";
import { EcsError } from "../module/errors.js";
import { guard, unguard } from "./copies.js";
import { replace } from "./replace.js";

/** For how long a row or cursor can be used. */
interface Lease {
  /** Why it has ended. */
  ended: string | undefined;
}
/** The last lease of each iteration, query and storage. */
const leases = new WeakMap<object, Lease>();

function end(owner: object, why: string): void {
  const lease = leases.get(owner);
  if (lease !== undefined) lease.ended ??= why;
}
/** Ends the last lease of the owner, and begins another one. */
function begin(owner: object, why: string): Lease {
  end(owner, why);
  const lease = { ended: undefined };
  leases.set(owner, lease);
  return lease;
}
/** What is handed out instead of a row or cursor, for as long as the lease lasts. */
function leased(real: object, lease: Lease): object {
  if (!isVector(real)) guard(real); // its own properties are its elements
  return new Proxy(real, new Leased(lease));
}

/** The view of a cursor; `$table` is defined by its prototype. */
const isCursor = (value: unknown): value is Component =>
  value instanceof Component && Object.hasOwn(Object.getPrototypeOf(value) as object, "$table");

const isVector = (value: unknown): value is VectorObject => value instanceof VectorObject;

/** What a row or cursor that is handed out does: it can be used until its lease ends; so can its vectors. */
class Leased implements ProxyHandler<object> {
  readonly #lease: Lease;
  /** The cursors and vectors that were read. */
  #parts: Map<unknown, object> | undefined;
  constructor(lease: Lease) {
    this.#lease = lease;
  }
  get(target: object, name: string | symbol, receiver: unknown): unknown {
    this.#check(name);
    unguard(target, name);
    const value: unknown = Reflect.get(target, name, receiver);
    return isCursor(value) || isVector(value) ? this.#part(value) : value;
  }
  set(target: object, name: string | symbol, value: unknown): boolean {
    this.#check(name);
    return Reflect.set(target, name, value);
  }
  #check(name: string | symbol): void {
    const { ended } = this.#lease;
    if (ended === undefined) return;
    throw new EcsError(
      "MISSING_COMPONENT",
      `${String(name)}: this row or cursor is not valid any more, because ${ended}. To keep a component, call ` +
        "ecs.get(entity, Class) or copy its fields",
    );
  }
  #part(real: Component | VectorObject): object {
    this.#parts ??= new Map();
    let part = this.#parts.get(real);
    if (part === undefined) this.#parts.set(real, (part = leased(real, this.#lease)));
    return part;
  }
}

/** Using a row or cursor too late is an error (rules Q3, Q6). Each step yields new ones. */
export function checkRows(): void {
  replace(
    Rows.prototype,
    "next",
    (next) =>
      function () {
        const lease = begin(this, "the loop has advanced");
        const { value, done } = next.call(this) as IteratorResult<object>;
        return { value: done ? undefined : leased(value, lease), done };
      },
  );
  replace(
    Rows.prototype,
    "return",
    (finish) =>
      function () {
        end(this, "the loop has ended");
        return finish.call(this);
      },
  );
  for (const { prototype } of [Query, Storage])
    replace(
      prototype as Query,
      "at",
      (at) =>
        function (e) {
          const lease = begin(this, "at() or first() was called again");
          const found = at.call(this, e) as object | undefined;
          if (leases.get(this) !== lease) return found; // the first call calls itself
          const reused = found !== undefined && (this instanceof Query || isCursor(found));
          return reused ? leased(found, lease) : found;
        },
    );
}
