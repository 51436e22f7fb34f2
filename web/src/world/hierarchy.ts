import type { CoreWorld } from "../core/core_world.js";
import { NONE, type Entity } from "../module/entity.js";
import { heap } from "../module/heap.js";
import { Handle, HierarchyControl, HierarchyNode, Page, WorldMemory } from "../module/layout.js";

/** The parents and children of a world, read from memory (rule H1). @internal */
export class Hierarchy {
  /** The word at which the control block begins. */
  readonly #control: number;

  constructor(world: CoreWorld) {
    this.#control = world.word(WorldMemory.hierarchy) >> 2;
  }

  /** The parent of an entity that is alive, or NONE. */
  parent(e: Entity): Entity {
    const node = this.#node(e);
    const parent = node === 0 ? 0 : this.#read(node, HierarchyNode.parent);
    return parent === 0 ? NONE : this.#read(parent, HierarchyNode.entity);
  }

  /**
   * Iterates the children that the entity has now, in their order; those that it loses meanwhile are omitted (rule T4). The
   * list is copied, because the nodes of children that are removed can be used again.
   */
  *children(e: Entity): Generator<Entity, undefined> {
    const list: Entity[] = [];
    const node = this.#node(e);
    for (
      let at = node === 0 ? 0 : this.#read(node, HierarchyNode.first);
      at !== 0;
      at = this.#read(at, HierarchyNode.next)
    )
      list.push(this.#read(at, HierarchyNode.entity));
    const version = this.#version;
    for (const child of list) if (this.#version === version || this.parent(child) === e) yield child;
    return undefined;
  }

  /** The number of the node of an entity, or 0. */
  #node(e: Entity): number {
    const { u32 } = heap;
    const page = (e & Handle.indexMask) >>> Page.bits;
    if (page >= u32[this.#control + HierarchyControl.pageCount]) return 0;
    const address = u32[(u32[this.#control + HierarchyControl.pages] >> 2) + page];
    const node = address === 0 ? 0 : u32[(address >> 2) + (e & Page.mask)];
    return node !== 0 && this.#read(node, HierarchyNode.entity) === e ? node : 0;
  }
  #read(node: number, word: HierarchyNode): number {
    const { u32 } = heap;
    return u32[(u32[this.#control + HierarchyControl.nodes] >> 2) + node * HierarchyNode.size + word];
  }
  get #version(): number {
    return heap.u32[this.#control + HierarchyControl.version];
  }
}
