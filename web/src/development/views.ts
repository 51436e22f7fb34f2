import { CachedArray } from "../core/cached_array.js";
import { badArgument } from "../module/errors.js";
import { type AnyColumn, heap } from "../module/heap.js";
import { replace, warnOnce } from "./replace.js";

const readLength = Object.getOwnPropertyDescriptor(Object.getPrototypeOf(Uint8Array.prototype), "length")!
  .get as () => number;

/** The generation of the memory of which an array is a view. */
const generations = new WeakMap<object, number>();
/** By the prototype of a kind of typed array. */
const guards = new Map<object, object>();

function requireCurrent(array: object, name: string | symbol): void {
  const generation = generations.get(array);
  if (generation !== undefined && generation !== heap.generation)
    throw badArgument(
      `${String(name)}: this array of a storage is empty, because memory has grown since it was read. ` +
        "Read storage(Class).columns again before each loop",
    );
}
/** Loops read the length in each step. It is 0 if memory has grown. */
function lengthOf(this: object): number {
  const length = readLength.call(this);
  if (length === 0) requireCurrent(this, "length");
  return length;
}

/**
 * The prototype of views of memory. It is behind what an array has itself, so that programs and browsers use the array as
 * before. That is why the access to an element can't be checked. No proxy, with which V8 would write elements 40 times slower.
 */
function guardOf(prototype: object): object {
  let guard = guards.get(prototype);
  if (guard === undefined) {
    guard = Object.create(prototype) as object;
    for (const name of namesOf(prototype)) {
      const get = function (this: object): unknown {
        requireCurrent(this, name);
        return Reflect.get(prototype, name, this);
      };
      Object.defineProperty(guard, name, { configurable: true, get: name === "length" ? lengthOf : get });
    }
    guards.set(prototype, guard);
  }
  return guard;
}
/** The names of what an object with this prototype inherits. */
function namesOf(prototype: object | null): (string | symbol)[] {
  if (prototype === null) return [];
  const own = Reflect.ownKeys(prototype).filter((name) => name !== "__proto__");
  return [...own, ...namesOf(Object.getPrototypeOf(prototype) as object | null)];
}

/** Using an array of a storage or a system after memory has grown is an error (rule X2). */
export function checkViews(): void {
  replace(
    CachedArray.prototype,
    "at",
    (at) =>
      function (address, length) {
        const array = at.call(this, address, length) as AnyColumn;
        if (!generations.has(array)) {
          generations.set(array, heap.generation);
          Object.setPrototypeOf(array, guardOf(Object.getPrototypeOf(array) as object));
        }
        return array;
      },
  );
}

/** Warns if a message contains an array of a storage, itself or as a property: with it, all of the memory is copied. */
function checkMessage(call: string, message: unknown): void {
  const isView = (value: unknown): boolean => ArrayBuffer.isView(value) && value.buffer === heap.u8.buffer;
  const isObject = typeof message === "object" && message !== null && !ArrayBuffer.isView(message);
  if (!(isObject ? Object.values(message) : [message]).some(isView)) return;
  warnOnce(
    heap,
    "message",
    `${call}: the message contains an array of a storage, with which all of the module's memory is copied. ` +
      "Pass a copy: columns.x.slice()",
  );
}
/** Messages to workers, frames and other tabs, and copies of the same kind. */
export function checkMessages(): void {
  interface Sends {
    postMessage(message: unknown, ...others: unknown[]): void;
  }
  const scope = globalThis as unknown as Sends &
    Record<"Worker" | "MessagePort" | "BroadcastChannel", { prototype: Sends } | undefined>;
  const owners = [scope, scope.Worker?.prototype, scope.MessagePort?.prototype, scope.BroadcastChannel?.prototype];
  for (const owner of owners)
    if (typeof owner?.postMessage === "function")
      replace(
        owner,
        "postMessage",
        (post) =>
          function (message, ...others) {
            checkMessage("postMessage", message);
            return post.call(this, message, ...others) as unknown;
          },
      );
  replace(globalThis, "structuredClone", (clone) => (value, ...others) => {
    checkMessage("structuredClone", value);
    return clone(value, ...others) as unknown;
  });
}
