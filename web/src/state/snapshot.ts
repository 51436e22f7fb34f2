import type { ComponentTable } from "../component/component_table.js";
import type { ECS } from "../ecs/ecs.js";
import { withMap } from "../module/entity.js";
import { badArgument, requireNone, show } from "../module/errors.js";
import { heap } from "../module/heap.js";
import { core } from "../module/instance.js";
import { StateBytes } from "../module/layout.js";
import { encodeAll, type EntityMap } from "./codec.js";
import { eventClasses, giveEvents } from "./events.js";
import { checkAddress, memoryFor, nameOf, namesOf, withCall, worldOf, type ClassNames } from "./state_call.js";

/** A Uint8Array with memory of its own: `Uint8Array<ArrayBuffer>` since TypeScript 5.7. */
export type Bytes = ReturnType<typeof Uint8Array.of>;

/**
 * The state of the simulation (rule N1), in the format of docs/format.md: entities with their handles, components in the order of
 * their storages, the hierarchy, and the time. The bytes of equal states are equal. It is a copy, and does not change the ECS.
 *
 * Classes and fields are saved by name. Object components that are no `defineObject` of plain data need `static encode` and
 * `static decode`, and `static typeName`; a class without them is `BAD_ARGUMENT`, unless it has no components or `without` lists it;
 * so is a value that `restore` would refuse: a bool that is not 0 or 1, or a number of an enum without a name, in a column; and with `compact`
 * an event that waits, unless its class has `static mapEntities(data, map)`. Throws `REENTRANT_UPDATE` inside an update or a callback, `OUT_OF_MEMORY`, and what `encode` throws. O(entities + components).
 *
 *     localStorage.setItem("save", snapshot(ecs).toBase64());
 */
export function snapshot(
  ecs: ECS,
  options: {
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
    /**
     * Whether entities are numbered anew from 1, in the order of their indices, with generation 0, for saves: then the size follows the
     * entities that are alive. Handles in fields, links and the hierarchy are replaced, and `NONE` if the entity is not alive; those in object
     * components and events by `static mapEntities(data, map)`. Handles from before may be issued again. Default false.
     */
    readonly compact?: boolean;
  } = {},
): Bytes {
  const world = worldOf("snapshot", ecs, options);
  const { without = [], systems = false, compact = false, ...others } = options;
  requireNone("snapshot", others);
  for (const [name, value] of Object.entries({ systems, compact }))
    if (typeof value !== "boolean") throw badArgument(`snapshot: ${name} must be a boolean, not ${show(value)}`);
  const names = namesOf("snapshot", "without", "w", without, eventClasses(ecs));
  const left = new Set(names.map((name) => name.slice(1)));
  if (systems) names.push("s");
  if (compact) names.push("k");
  return withCall(world, "snapshot", names, (call) => {
    const give = (map?: EntityMap): void => {
      giveEvents("snapshot", call, ecs, systems, left, map);
      for (const table of world.tables) {
        if (table === undefined || table.info.kind !== "object" || table.count === 0) continue;
        if (!left.has(nameOf(table.info.cls))) giveValues(call, table, map);
      }
    };
    if (compact) withMap("snapshot", (e) => core._crateful_compact_handle(call, e) >>> 0, give);
    else give();
    const bytes = checkAddress(world, core._crateful_snapshot(call)) >> 2;
    const first = heap.u32[bytes + StateBytes.first];
    return heap.u8.slice(first, first + heap.u32[bytes + StateBytes.count]);
  });
}

/** Encodes the components of an object class for the core. */
function giveValues(call: number, table: ComponentTable, map?: EntityMap): void {
  const { lengths, bytes, size } = encodeAll("snapshot", table, map);
  const at = memoryFor("snapshot", size + 4 * lengths.length, () =>
    core._crateful_state_values(call, table.info.id, lengths.length, size),
  );
  heap.u32.set(lengths, at >> 2);
  heap.u8.set(bytes.subarray(0, size), at + 4 * lengths.length);
}
