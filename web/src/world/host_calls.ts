// The calls that come from the core: see bindings/src/host.js.
import { errorOf } from "../core/core_world.js";
import type { HostCalls } from "../module/raw.js";
import { callUpdate } from "../module/v8.js";
import type { SystemRecord } from "./system_record.js";
import { worlds, type World } from "./world.js";

function guarded(world: number, system: number, call: (record: SystemRecord, world: World) => void): number {
  const owner = worlds[world];
  const record = owner?.systems[system];
  return owner === undefined || record === undefined ? 0 : owner.guard(() => call(record, owner));
}

/** @internal */
export const hostCalls: HostCalls = {
  init: (world, system) => guarded(world, system, ({ system: s }) => s.init()),
  run(world, system, delta) {
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
  when(world, system) {
    let answer = false;
    const token = guarded(world, system, ({ system: s, dirty }) => {
      // Events in an inbox are work too; the core does not know of them.
      const idle = s.onlyWhenDirty && dirty.size === 0 && s.$inboxes.every(({ size }) => size === 0);
      answer = !idle && s.when(s.ecs);
    });
    return token > 0 ? -token : answer ? 1 : 0;
  },
  // These two are called often: without a closure.
  onAdd(world, system, e) {
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
  onRemove(world, system, e) {
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
  enabled: (world, system, on) =>
    guarded(world, system, ({ system: s, entities }) => {
      s.$setDisabled(!on);
      if (on) s.onEnabled(entities);
      else s.onDisabled(entities);
    }),
  skipped: (world, system) =>
    guarded(world, system, ({ system: s }) => {
      for (const inbox of s.$inboxes) if (inbox.$drops) inbox.clear();
    }),
  onClear: (world, system) => guarded(world, system, ({ system: s }) => s.onClear()),
  systemDestroyed(world, system) {
    const owner = worlds[world];
    const record = owner?.systems[system];
    if (record !== undefined) owner!.systemDestroyed(record);
  },
  timeAdvanced: (world, gameTime) => {
    const owner = worlds[world];
    return owner === undefined ? 0 : owner.guard(() => owner.events.$advance(gameTime));
  },
  componentDetached: (world, e, component, final) => worlds[world]?.componentDetached(e, component, final),
  componentDestroyed: (world, e, component) => worlds[world]?.componentDestroyed(e, component),
  storageChanged: (world, component) => worlds[world]?.tables[component]?.readControl(),
  slotsChange: (world, component) => worlds[world]?.tables[component]?.slotsChange(),
  giveBack: (world, position) => worlds[world]?.giveBack(position >> 2),
  entityDestroyed: (world, e) => worlds[world]?.entityDestroyed(e),
  stringFreed: (world, number) => worlds[world]?.strings.free(number),
  cleared: (world) => worlds[world]?.events.$clear(),
  fail(world, code, token, message) {
    const owner = worlds[world];
    throw owner === undefined ? errorOf(code, message) : owner.fail(code, token, message);
  },
};
