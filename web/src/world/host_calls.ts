// The calls that come from the core, which EM_JS declares: bindings/src/foreign_system.cpp, world.cpp and exports.cpp.
import { errorOf } from "../core/core_world.js";
import { callUpdate } from "../module/v8.js";
import type { SystemRecord } from "./system_record.js";
import { worlds, type World } from "./world.js";

function guarded(world: number, system: number, call: (record: SystemRecord, world: World) => void): number {
  const owner = worlds[world];
  const record = owner?.systems[system];
  return owner === undefined || record === undefined ? 0 : owner.guard(() => call(record, owner));
}

/** A result of type int is 0, or the token of what a callback threw. @internal */
export const hostCalls = {
  init: (world: number, system: number) => guarded(world, system, ({ system: s }) => s.init()),
  run(world: number, system: number, delta: number) {
    // Called once per system and frame: without a closure.
    const owner = worlds[world];
    const record = owner?.systems[system];
    if (owner === undefined || record === undefined || owner.disposed) return 0;
    ++owner.depth;
    try {
      callUpdate(record.system, delta, record.entities, record.dirty);
      return 0;
    } catch (error) {
      return owner.thrown(error);
    } finally {
      --owner.depth;
    }
  },
  /** 0 or 1, or the negative token of what was thrown. */
  when(world: number, system: number) {
    let answer = false;
    const token = guarded(world, system, ({ system: s, dirty }) => {
      // Events in an inbox are work too; the core does not know of them.
      const idle = s.onlyWhenDirty && dirty.size === 0 && s.$inboxes.every(({ size }) => size === 0);
      answer = !idle && s.when(s.ecs);
    });
    return token > 0 ? -token : answer ? 1 : 0;
  },
  // These two are called often: without a closure.
  onAdd(world: number, system: number, e: number) {
    const owner = worlds[world];
    const record = owner?.systems[system];
    if (owner === undefined || record === undefined || owner.disposed) return 0;
    ++owner.depth;
    try {
      owner.addAspect(record, e);
      return 0;
    } catch (error) {
      return owner.thrown(error);
    } finally {
      --owner.depth;
    }
  },
  onRemove(world: number, system: number, e: number) {
    const owner = worlds[world];
    const record = owner?.systems[system];
    if (owner === undefined || record === undefined || owner.disposed) return 0;
    ++owner.depth;
    try {
      owner.removeAspect(record, e);
      return 0;
    } catch (error) {
      return owner.thrown(error);
    } finally {
      --owner.depth;
    }
  },
  enabled: (world: number, system: number, on: boolean) =>
    guarded(world, system, ({ system: s, entities }) => {
      s.$setDisabled(!on);
      if (on) s.onEnabled(entities);
      else s.onDisabled(entities);
    }),
  /** An update has skipped a system of which an inbox is then emptied. */
  skipped: (world: number, system: number) =>
    guarded(world, system, ({ system: s }) => {
      for (const inbox of s.$inboxes) if (inbox.$drops) inbox.clear();
    }),
  onClear: (world: number, system: number) => guarded(world, system, ({ system: s }) => s.onClear()),
  systemDestroyed(world: number, system: number) {
    const owner = worlds[world];
    const record = owner?.systems[system];
    if (record !== undefined) owner!.systemDestroyed(record);
  },
  timeAdvanced: (world: number, gameTime: number) => {
    const owner = worlds[world];
    return owner === undefined ? 0 : owner.guard(() => owner.events.$advance(gameTime));
  },
  componentDetached: (world: number, e: number, component: number, final: boolean) =>
    worlds[world]?.componentDetached(e, component, final),
  componentDestroyed: (world: number, e: number, component: number) => worlds[world]?.componentDestroyed(e, component),
  storageChanged: (world: number, component: number) => worlds[world]?.tables[component]?.readControl(),
  slotsChange: (world: number, component: number) => worlds[world]?.tables[component]?.slotsChange(),
  giveBack: (world: number, position: number) => worlds[world]?.giveBack(position >> 2),
  entityDestroyed: (world: number, e: number) => worlds[world]?.entityDestroyed(e),
  stringFreed: (world: number, number: number) => worlds[world]?.strings.free(number),
  cleared: (world: number) => worlds[world]?.events.$clear(),
  fail(world: number, code: number, token: number, message: string) {
    const owner = worlds[world];
    throw owner === undefined ? errorOf(code, message) : owner.fail(code, token, message);
  },
};
