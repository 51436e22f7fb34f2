// Looking up the slots of the next entities of an iteration over rows, where the storages have other orders than its set.
import type { Cursor } from "../component/cursor.js";
import { core } from "../module/instance.js";
import { SlotBuffer } from "../module/layout.js";
import type { RawModule } from "../module/raw.js";
import type { World } from "../world/world.js";

/** For how many entities slots are looked up at once. */
const MOST = 32;

/** A row, as the look-up uses it; implemented by RowState. @internal */
interface LookingAhead {
  readonly slotted: readonly Cursor[];
  readonly objects: readonly Cursor[];
  readonly classes: { readonly world: World };
  /** The word at which its buffer for slots begins; 0 if it has none. */
  slots: number;
}

/**
 * Looks up the slots of the next entities of a list, which must be alive, up to the first that lacks a component. Returns the
 * number of the others. The slots of each are side by side in the buffer; components that are objects need none.
 * @internal
 */
export function lookAhead(row: LookingAhead, list: number, most: number): number {
  const { slotted } = row;
  const { world } = row.classes;
  if (row.slots === 0) row.slots = world.idleSlots.pop() ?? core._crateful_new_slots(world.self) >> 2;
  if (row.slots === 0) return 0; // there is no memory for it
  const n = slotted.length;
  let found = Math.min(most, MOST, (SlotBuffer.words / n) | 0);
  for (let k = 0; k < n; ++k) {
    found = findSlots(world.self, slotted[k].table.info.id, list << 2, found, (row.slots + k) << 2, n);
  }
  for (let k = 0; k < row.objects.length; ++k) found = row.objects[k].table.objectsEnd(list, 0, found);
  return found;
}
const findSlots: RawModule["_crateful_find_slots"] = (...args) => core._crateful_find_slots(...args);

/** Its iteration has ended: gives the buffer to other rows. @internal */
export function endLookAhead(row: LookingAhead): void {
  if (row.slots !== 0) row.classes.world.idleSlots.push(row.slots);
  row.slots = 0;
}
