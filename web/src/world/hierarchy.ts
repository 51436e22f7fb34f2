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

  /** The parent of an entity, or NONE; also NONE if the entity is not alive. */
  parent(e: Entity): Entity {
    const { u32 } = heap;
    const node = this.#node(e);
    if (node === 0) return NONE;
    const nodes = u32[this.#control + HierarchyControl.nodes] >> 2;
    const at = nodes + node * HierarchyNode.size;
    const parent = u32[at + HierarchyNode.parent];
    if (parent === 0 || u32[at + HierarchyNode.entity] !== e) return NONE;
    return u32[nodes + parent * HierarchyNode.size + HierarchyNode.entity];
  }

  /**
   * Iterates the children that the entity has now (none if it is not alive), in their order; those that it loses meanwhile are
   * omitted (rule T4). The list is copied, because the nodes of children that are removed can be used again.
   */
  children(e: Entity): Generator<Entity, undefined> {
    const list: Entity[] = [];
    const { u32 } = heap;
    const nodes = u32[this.#control + HierarchyControl.nodes] >> 2;
    const node = this.#node(e);
    const first = nodes + node * HierarchyNode.size;
    let at = node === 0 || u32[first + HierarchyNode.entity] !== e ? 0 : u32[first + HierarchyNode.first];
    for (; at !== 0; at = u32[nodes + at * HierarchyNode.size + HierarchyNode.next])
      list.push(u32[nodes + at * HierarchyNode.size + HierarchyNode.entity]);
    return this.#remaining(e, list, this.version);
  }
  /** Those of a list of children that the entity still has; the list is from when the hierarchy had this version. */
  *#remaining(e: Entity, list: readonly Entity[], version: number): Generator<Entity, undefined> {
    for (const child of list) if (this.version === version || this.parent(child) === e) yield child;
    return undefined;
  }

  /** The number of the node that an entity with this index has, or 0. */
  #node(e: Entity): number {
    const { u32 } = heap;
    const page = (e & Handle.indexMask) >>> Page.bits;
    if (page >= u32[this.#control + HierarchyControl.pageCount]) return 0;
    const address = u32[(u32[this.#control + HierarchyControl.pages] >> 2) + page];
    return address === 0 ? 0 : u32[(address >> 2) + (e & Page.mask)];
  }
  /** Changes whenever an entity is attached to a parent, also at another position, or detached from one. */
  get version(): number {
    return heap.u32[this.#control + HierarchyControl.version];
  }
}
