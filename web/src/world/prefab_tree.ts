import { Component, knownInfo, type ComponentClass } from "../component/component.js";
import type { CorePrefab } from "./core_prefab.js";

/** How many lists of parts are remembered, so that the memory is bounded. A list takes about a kilobyte. */
const MOST_LISTS = 1024;

/** The class of a part of an entity: a component, a class, or a list of a class and values. @internal */
export const classOf = (part: unknown): unknown =>
  part instanceof Component ? part.constructor : Array.isArray(part) ? (part[0] as unknown) : part;

/** Lists with the same keys have the same prefab: twice the id of the class, plus 1 for an object; -1 if the class was not used yet. */
function keyOf(part: unknown): number {
  const info = knownInfo(classOf(part) as ComponentClass);
  return info === undefined ? -1 : 2 * info.id + Number(part instanceof Component || info.kind === "object");
}

/** What is known of lists that begin with certain parts. */
class Node {
  prefab: CorePrefab | undefined = undefined;
  readonly next = new Map<number, Node>();
  // What was found last: most programs create many entities of one kind after the other.
  #key = -1;
  #found: Node | undefined = undefined;

  /** With this key behind the parts. */
  find(key: number): Node | undefined {
    if (key === this.#key) return this.#found;
    const found = this.next.get(key);
    if (found !== undefined) {
      this.#key = key;
      this.#found = found;
    }
    return found;
  }
}

/** The prefabs of `addEntity`, by lists of parts. @internal */
export class PrefabTree {
  readonly #root = new Node();
  #lists = 0;

  /** The prefab that was kept for such a list. O(parts). */
  find(parts: readonly unknown[]): CorePrefab | undefined {
    let node: Node | undefined = this.#root;
    for (let k = 0; k < parts.length && node !== undefined; ++k) node = node.find(keyOf(parts[k]));
    return node?.prefab;
  }
  /** Keeps a prefab for such lists; false if there are too many. */
  keep(parts: readonly unknown[], prefab: CorePrefab): boolean {
    if (this.#lists === MOST_LISTS) return false;
    this.#lists += 1;
    let node = this.#root;
    for (const part of parts) {
      const key = keyOf(part);
      let next = node.next.get(key);
      if (next === undefined) node.next.set(key, (next = new Node()));
      node = next;
    }
    node.prefab = prefab;
    return true;
  }
}
