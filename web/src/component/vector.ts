// Vector fields (rule C12): what a program gets when it reads one. The elements are fields of their own, one behind the other;
// a vector is an object with their accessors.
import { beginTurn, requireTurn } from "../module/heap.js";
import { checked, requireLength, type FieldInfo } from "./fields.js";
import { makeVisible } from "./inspection.js";

/** What `set` writes: its arguments can be in memory that it changes. */
const next: unknown[] = [];

/** @internal */
export class VectorObject implements Iterable<number> {
  // Of its prototype; see `defineElements`.
  declare readonly $fields: readonly FieldInfo[];
  declare readonly $elements: readonly PropertyDescriptor[];

  get length(): number {
    return this.$fields.length;
  }
  set(first: unknown): void {
    const { $fields, $elements } = this;
    // biome-ignore lint/complexity/noArguments: a rest parameter would be a new array
    const list = requireLength($fields[0], typeof first === "number" ? arguments : first);
    const n = list.length;
    const turn = beginTurn();
    for (let i = 0; i < n; ++i) next[i] = typeof list[i] === "number" ? list[i] : checked($fields[i], list[i]);
    requireTurn("set", turn);
    for (let i = 0; i < n; ++i) $elements[i].set!.call(this, next[i]);
  }
  // One object for all results, so that engines need no memory for the iterator in loops.
  [Symbol.iterator](): Iterator<number, undefined> {
    const { $elements } = this;
    const result = { value: 0, done: false };
    let i = 0;
    return {
      next: () => {
        result.done = i === $elements.length;
        result.value = result.done ? undefined : $elements[i++].get!.call(this);
        return result as IteratorResult<number, undefined>;
      },
    };
  }
}
makeVisible(VectorObject.prototype, (vector) => [...(vector as VectorObject)], "Array");

/** Defines the elements of the vectors with this prototype, or defines them anew. `this` of the accessors is the vector. @internal */
export function defineElements(
  $fields: readonly FieldInfo[],
  $elements: readonly PropertyDescriptor[],
  prototype: object,
): void {
  Object.assign(prototype, { $fields, $elements });
  $elements.forEach((element, i) => {
    Object.defineProperty(prototype, i, element);
    if ($elements.length <= 4) Object.defineProperty(prototype, "xyzw"[i], element);
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
