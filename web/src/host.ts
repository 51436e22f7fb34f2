// The calls that come from the core: see bindings/src/host_calls.cpp.
import type { HostCalls } from "./raw.js";
import type { SystemRecord } from "./system.js";
import { worlds, type World } from "./world.js";

function guarded(world: number, system: number, call: (record: SystemRecord, world: World) => void): number {
  const owner = worlds[world];
  const record = owner?.systems[system];
  return owner === undefined || record === undefined ? 0 : owner.guard(() => call(record, owner));
}

type Updatable = Pick<SystemRecord["system"], "update">;
function update(
  system: Updatable,
  delta: number,
  entities: SystemRecord["entities"],
  dirty: SystemRecord["dirty"],
): void {
  system.update(delta, entities, dirty as never);
}
// V8 would compile the few systems of a small program into the call above, where their loops may come out
// half as fast. Systems of many shapes that do nothing, called until it takes notes, show it otherwise.
const idle = Array.from("abcdef", (key) => ({ [key]: 0, update: () => {} }) as unknown as Updatable);
const nothing = undefined as never;
for (let i = 0; i < 600; ++i) update(idle[i % idle.length], 0, nothing, nothing);

/** @internal */
export const hostCalls: HostCalls = {
  init: (world, system) => guarded(world, system, ({ system: s }) => s.init()),
  run(world, system, delta) {
    // The one call a frame: no closure here.
    const owner = worlds[world];
    const record = owner?.systems[system];
    if (owner === undefined || record === undefined || owner.disposed) return 0;
    ++owner.depth;
    try {
      update(record.system, delta, record.entities, record.dirty);
      return 0;
    } catch (error) {
      return owner.thrown(error);
    } finally {
      --owner.depth;
    }
  },
  entered: (world, system, e) =>
    guarded(world, system, (record, owner) => record.system.onAdd(owner.aspect(record, e))),
  left: (world, system, e) => guarded(world, system, (record, owner) => owner.leave(record, e)),
  enabled: (world, system, on) =>
    guarded(world, system, ({ system: s, entities }) => {
      s.$setDisabled(!on);
      if (on) s.onEnabled(entities);
      else s.onDisabled(entities);
    }),
  onClear: (world, system) => guarded(world, system, ({ system: s }) => s.onClear()),
  destroyed(world, system) {
    const owner = worlds[world];
    const record = owner?.systems[system];
    if (record !== undefined) owner!.systemDestroyed(record);
  },
  timeAdvanced: (world, gameTime) => {
    const owner = worlds[world];
    return owner === undefined ? 0 : owner.guard(() => owner.events.$advance(gameTime));
  },
  componentLeaves: (world, e, component, final) => worlds[world]?.componentLeaves(e, component, final),
  componentGone: (world, e, component) => worlds[world]?.componentGone(e, component),
  entityGone: (world, e) => worlds[world]?.entityGone(e),
  cleared: (world) => worlds[world]?.events.$clear(),
};
