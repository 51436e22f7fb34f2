import type { ComponentTable } from "../component/component_table.js";
import type { ECS } from "../ecs/ecs.js";
import { badArgument, requireNone, show } from "../module/errors.js";
import { heap } from "../module/heap.js";
import { core } from "../module/instance.js";
import { StateBytes } from "../module/layout.js";
import { encodeAll } from "./codec.js";
import { eventClasses, giveEvents } from "./events.js";
import { checkAddress, memoryFor, nameOf, namesOf, withCall, worldOf, type ClassNames } from "./state_call.js";

/** A Uint8Array with memory of its own: `Uint8Array<ArrayBuffer>` since TypeScript 5.7. */
export type Bytes = ReturnType<typeof Uint8Array.of>;

/** What a snapshot contains. */
export interface SnapshotOptions {
  /**
   * Classes of components and events, or their names, that are left out. `restore` keeps their components with their entities, and
   * their events.
   */
  readonly without?: ClassNames;
  /**
   * Whether it contains, for each system by name, whether it is enabled, what is in its inboxes, the order of its entities, its dirty
   * set, and the time of its interval. For replays that must be exact (rule N3). Each name must exist once. Default false.
   */
  readonly systems?: boolean;
}

/**
 * The state of the simulation (rule N1), in the format of docs/format.md: entities with their handles, components in the order of
 * their storages, the hierarchy, and the time. The bytes of equal states are equal. It is a copy, and does not change the ECS.
 *
 * Classes and fields are saved by name. Object components that are no `defineObject` of plain data need `static encode` and
 * `static decode`, and `static typeName`; a class without them is `BAD_ARGUMENT`, unless it has no components or `without` lists it;
 * so is a value that `restore` would refuse: a bool that is not 0 or 1, or a number of an enum without a name, in a column. Throws `REENTRANT_UPDATE` inside an update or a callback, `OUT_OF_MEMORY`, and what `encode` throws. O(entities + components).
 *
 *     localStorage.setItem("save", snapshot(ecs).toBase64());
 */
export function snapshot(ecs: ECS, options: SnapshotOptions = {}): Bytes {
  const world = worldOf("snapshot", ecs, options);
  const { without = [], systems = false, ...others } = options;
  requireNone("snapshot", others);
  if (typeof systems !== "boolean") throw badArgument(`snapshot: systems must be a boolean, not ${show(systems)}`);
  const names = namesOf("snapshot", "without", "w", without, eventClasses(ecs));
  const left = new Set(names.map((name) => name.slice(1)));
  if (systems) names.push("s");
  return withCall(world, "snapshot", names, (call) => {
    giveEvents("snapshot", call, ecs, systems, left);
    for (const table of world.tables) {
      if (table === undefined || table.info.kind !== "object" || table.count === 0) continue;
      if (!left.has(nameOf(table.info.cls))) giveValues(call, table);
    }
    const bytes = checkAddress(world, core._crateful_snapshot(call)) >> 2;
    const first = heap.u32[bytes + StateBytes.first];
    return heap.u8.slice(first, first + heap.u32[bytes + StateBytes.count]);
  });
}

/** Encodes the components of an object class for the core. */
function giveValues(call: number, table: ComponentTable): void {
  const { lengths, bytes, size } = encodeAll("snapshot", table);
  const at = memoryFor("snapshot", size + 4 * lengths.length, () =>
    core._crateful_state_values(call, table.info.id, lengths.length, size),
  );
  heap.u32.set(lengths, at >> 2);
  heap.u8.set(bytes.subarray(0, size), at + 4 * lengths.length);
}
