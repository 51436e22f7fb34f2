import { Component, knownInfo, type ComponentClass } from "../component/component.js";
import type { CorePrefab } from "./core_prefab.js";

/** The class of a part of an entity: a component, a class, or a list of a class and values. @internal */
export const classOf = (part: unknown): unknown =>
  part instanceof Component ? part.constructor : Array.isArray(part) ? (part[0] as unknown) : part;

/** Never the key of a part. */
const NO_KEY = -2;
/** That of a class that was not used yet: no list contains it. */
const UNUSED = -1;

/** Lists with the same keys have the same prefab: twice the id of the class, plus 1 for an object. */
function keyOf(part: unknown): number {
  const info = knownInfo(classOf(part) as ComponentClass);
  return info === undefined ? UNUSED : 2 * info.id + Number(part instanceof Component || info.kind === "object");
}

/**
 * The prefabs of `addEntity`, by lists of parts. There is a node for each list that others begin with. They exist as long as
 * the world: a list takes about a kilobyte.
 * @internal
 */
export class PrefabTree {
  #prefab: CorePrefab | undefined = undefined;
  readonly #next = new Map<number, PrefabTree>();
  // What was found last: most programs create many entities of one kind after the other.
  #lastKey = NO_KEY;
  #last: PrefabTree = this;

  /** The prefab of such a list of parts, if there is one. O(parts). */
  find(parts: readonly unknown[]): CorePrefab | undefined {
    let node: PrefabTree = this;
    for (const part of parts) {
      const next = node.#find(keyOf(part));
      if (next === undefined) return undefined;
      node = next;
    }
    return node.#prefab;
  }
  /** From now on, it is the prefab of such lists. */
  add(parts: readonly unknown[], prefab: CorePrefab): CorePrefab {
    let node: PrefabTree = this;
    for (const part of parts) {
      const key = keyOf(part);
      const next = node.#find(key) ?? new PrefabTree();
      node.#next.set(key, next);
      node = next;
    }
    return (node.#prefab = prefab);
  }
  #find(key: number): PrefabTree | undefined {
    if (key === this.#lastKey) return this.#last;
    const found = this.#next.get(key);
    if (found === undefined) return undefined;
    this.#lastKey = key;
    return (this.#last = found);
  }
}
