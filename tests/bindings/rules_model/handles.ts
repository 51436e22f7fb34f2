// Which handles new entities have (E2).
import { entityIndex, type Entity } from "crateful";
import type { World } from "./state.js";

export const GENERATIONS = 1024;
export const generation = (e: Entity): number => e >>> 22;
const handle = (index: number, of: number): Entity => ((of << 22) | index) >>> 0;

/** An index is used again with the next generation, if there is one. */
export function free(w: World, e: Entity): void {
  if (generation(e) + 1 === GENERATIONS) w.replay.count("retired");
  else w.freed.push(handle(entityIndex(e), generation(e) + 1));
}

/** Compares the handle of a new entity with the last one that was freed, or the next index. */
export function expectHandle(w: World, e: Entity): void {
  const { freed } = w;
  if (freed.length === 0) {
    const expected = handle(w.nextIndex++, 0);
    if (e !== expected) w.fail(`E2 the new entity is ${e}, expected ${expected}`);
  } else if (freed.length > w.freedInAnyOrder) {
    const expected = freed.pop()!;
    if (e !== expected) w.fail(`E2 the new entity is ${e}, expected ${expected}`);
  } else {
    if (!freed.includes(e)) w.fail(`E2 the new entity is ${e}, expected one of ${freed}`);
    freed.splice(freed.indexOf(e), 1);
    w.freedInAnyOrder--;
  }
}

/** Sorts new entities: reused indices, the last freed one first, are in front of new ones. */
export function inOrderOfCreation(w: World, list: readonly Entity[]): Entity[] {
  const rank = (e: Entity) =>
    w.freed.includes(e) ? -Math.max(w.freed.indexOf(e), w.freedInAnyOrder - 1) : entityIndex(e);
  return [...list].sort((a, b) => rank(a) - rank(b));
}

/** Whether the next `n` entities can have several orders. */
export function orderIsOpen(w: World, n: number): boolean {
  return n > 1 && w.freedInAnyOrder > Math.max(0, w.freed.length - n);
}
