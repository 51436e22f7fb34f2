import { classInfo, type Component, type ComponentClass } from "../component/component.js";
import type { FieldInfo } from "../component/fields.js";
import { StoredComponent, detach, makePlain } from "../component/stored_component.js";
import { makeView } from "../component/stored_class.js";
import type { CoreWorld } from "../core/core_world.js";
import type { Entity } from "../module/entity.js";
import { core } from "../module/instance.js";
import { Packed } from "../module/layout.js";

interface Removal {
  e: Entity;
  id: number;
  /** Which removal of that component it is, among those in progress; from 1. */
  nth: number;
  component: Component;
}

/** Objects of components that were removed, for as long as `onRemove` can read them (rule A2). @internal */
export class RemovedComponents {
  readonly #world: CoreWorld;
  readonly #removals: Removal[] = [];

  constructor(world: CoreWorld) {
    this.#world = world;
  }

  /** The component that was removed from `e`, of the table with these fields, or undefined if no removal of it is in progress. */
  read(e: Entity, cls: ComponentClass, fields: readonly FieldInfo[]): Component | undefined {
    const { id, kind } = classInfo(cls);
    // Callbacks can add the component and remove it again meanwhile: read the latest removal.
    const nth = core._crateful_read_parked(this.#world.self, e, id, 0);
    const known = this.#removals.findLast((entry) => entry.e === e && entry.id === id && entry.nth === nth);
    if (known !== undefined) return known.component;
    if (nth === 0 || kind === "object") return undefined;
    // There was no object of it; the core still has the value.
    const packed = this.#world.scratch("get", Packed.fieldBytes * fields.length);
    core._crateful_read_parked(this.#world.self, e, id, packed);
    const component = makeView(cls);
    component.$entity = e;
    makePlain(
      component,
      fields.map(({ kind: k }, i) => k.read((packed + Packed.fieldBytes * i) >> k.shift)),
    );
    this.#removals.push({ e, id, nth, component });
    return component;
  }

  /** Keeps an object at the beginning of its removal. */
  add(e: Entity, id: number, component: Component): void {
    // Only a callback can remove a component while another removal is in progress.
    const before = this.#world.depth === 0 ? 0 : core._crateful_read_parked(this.#world.self, e, id, 0);
    this.#removals.push({ e, id, nth: before + 1, component });
  }

  /** The call that removed the component is complete: detaches its object. */
  end(e: Entity, id: number): void {
    const removals = this.#removals;
    const last = removals.at(-1);
    let at = removals.length - 1; // it is almost always the last
    if (last === undefined || last.e !== e || last.id !== id)
      at = removals.findLastIndex((entry) => entry.e === e && entry.id === id);
    if (at < 0) return;
    const { component } = removals[at];
    if (at === removals.length - 1) removals.pop();
    else removals.splice(at, 1);
    if (component instanceof StoredComponent) detach(component);
  }

  get count(): number {
    return this.#removals.length;
  }
  /** Detaches the objects that were created by `read` since there were `count`. */
  detachFrom(count: number): void {
    if (this.#removals.length === count) return;
    for (const { component } of this.#removals.splice(count)) detach(component as StoredComponent);
  }
}
