// Vector fields (rule C12): what a program gets when it reads one. The elements are fields of their own, one behind the other;
// a vector is an object with their accessors.
import { beginTurn, requireTurn } from "../module/heap.js";
import { checked, requireLength, type FieldInfo } from "./fields.js";
import { makeVisible } from "./inspection.js";

/** The accessors of an element. `this` is the vector. @internal */
export type ElementAccessor = Required<Pick<PropertyDescriptor, "get" | "set">>;

/** @internal */
export class VectorObject implements Iterable<number> {
  // Of its prototype; see `vectorPrototype`.
  declare readonly $fields: readonly FieldInfo[];
  declare readonly $elements: readonly ElementAccessor[];
  /** What `set` writes: its arguments can be in memory that it changes. */
  declare readonly $next: number[];

  get length(): number {
    return this.$fields.length;
  }
  set(first: unknown): void {
    const { $fields, $elements, $next } = this;
    // biome-ignore lint/complexity/noArguments: a rest parameter would be a new array
    const list = requireLength($fields[0], typeof first === "number" ? arguments : first);
    const turn = beginTurn();
    for (let i = 0; i < $next.length; ++i) {
      const value = list[i];
      if (typeof value !== "number") checked($fields[i], value); // throws
      $next[i] = value as number;
    }
    requireTurn("set", turn);
    for (let i = 0; i < $next.length; ++i) $elements[i].set.call(this, $next[i]);
  }
  *[Symbol.iterator](): Generator<number, undefined> {
    for (const { get } of this.$elements) yield get.call(this) as number;
    return undefined;
  }
}
makeVisible(VectorObject.prototype, (vector) => [...(vector as VectorObject)], "Array");

/** The prototype of vectors with these elements, for `defineElements`. @internal */
export function vectorPrototype(fields: readonly FieldInfo[]): VectorObject {
  const hidden = (value: unknown) => ({ value, writable: true });
  return Object.create(VectorObject.prototype, {
    $fields: hidden(fields),
    $next: hidden(fields.map(() => 0)),
    $elements: hidden(undefined),
  }) as VectorObject;
}

/** Defines the elements of the vectors with this prototype, or defines them anew. @internal */
export function defineElements(prototype: VectorObject, elements: readonly ElementAccessor[]): void {
  Object.assign(prototype, { $elements: elements });
  elements.forEach((element, i) => {
    const define = (name: string | number) =>
      Object.defineProperty(prototype, name, { configurable: true, enumerable: true, ...element });
    define(i);
    if (elements.length <= 4) define("xyzw"[i]);
  });
}

/** The accessor of a field whose vectors `find` returns. @internal */
export const vectorAccessor = (find: (component: object) => VectorObject): PropertyDescriptor => ({
  enumerable: true,
  configurable: true,
  get() {
    return find(this);
  },
  set(list: unknown) {
    find(this).set(list);
  },
});
