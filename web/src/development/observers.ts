import { ECS } from "../ecs/ecs.js";
import { EventsManager } from "../ecs/events.js";
import { System, type AddedSystem, type AnySystem } from "../ecs/system.js";
import { EcsError } from "../module/errors.js";
import { core } from "../module/instance.js";
import { hostCalls } from "../world/host_calls.js";
import { worlds, type World } from "../world/world.js";
import { replace } from "./replace.js";

/** By the events of its world: the observer whose callback runs. */
const running = new WeakMap<object, AnySystem>();

/** Changes of the world in the callbacks of an observer are errors (rule S18): the core refuses them, and this what it does not know of. */
export function checkObservers(): void {
  for (const name of ["init", "run", "when", "onAdd", "onRemove", "enabled", "onClear"] as const)
    replace(hostCalls, name, (call) => (world: number, token: number, ...rest: unknown[]): number => {
      const owner = worlds[world];
      return observing(owner, owner?.systems[token] as AddedSystem | undefined, () => call(world, token, ...rest));
    });
  replace(
    System.prototype,
    "subscribe",
    (subscribe) =>
      function (...[cls, handler]) {
        const own = (event: object) =>
          observing(this.$record?.ecs.$world, this.$record, () => void handler.call(undefined, event));
        return subscribe.call(this, cls, typeof handler === "function" ? own : handler);
      },
  );
  replace(
    EventsManager.prototype,
    "dispatch",
    (dispatch) =>
      function (...args) {
        refuse("dispatch", this);
        return dispatch.apply(this, args) as unknown;
      },
  );
  // The core refuses these, too, by the names of its own calls.
  for (const name of CALLS)
    replace(
      ECS.prototype,
      name,
      (original) =>
        function (...args) {
          refuse(name, (this as ECS).events);
          return original.apply(this, args) as unknown;
        },
    );
}

/** Calls a callback of a system, which must not change the world if it is an observer. */
function observing<R>(owner: World | undefined, record: AddedSystem | undefined, callback: () => R): R {
  if (owner === undefined || owner.disposed || !record?.system.observer) return callback();
  const before = core._crateful_observe(owner.self, record.address);
  const outer = running.get(owner.events);
  running.set(owner.events, record.system);
  try {
    return callback();
  } finally {
    if (outer === undefined) running.delete(owner.events);
    else running.set(owner.events, outer);
    if (!owner.disposed) core._crateful_observe(owner.self, before);
  }
}

const CALLS = [
  ...(["addComponent", "addComponents", "removeComponent", "removeComponents"] as const),
  ...(["clone", "removeEntities", "toggleSystem"] as const),
] as const;

function refuse(call: string, events: object): void {
  const observer = running.get(events);
  if (observer === undefined) return;
  throw new EcsError(
    "BAD_SYSTEM",
    `${call}: ${observer.name} is an observer, which must not change the world; let another system do it`,
  );
}
