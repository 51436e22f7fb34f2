import { LiveDirtySet, LiveEntityMap } from "../core/live_sets.js";
import { systems } from "../core/reports.js";
import { setMemory } from "../core/sparse_set.js";
import { EcsError, show } from "../module/errors.js";
import { heap } from "../module/heap.js";
import { core } from "../module/instance.js";
import { ErrorNumber, SystemFlag, SystemMemory } from "../module/layout.js";
import { endedSource, requiredBy, type Aspect } from "../world/aspect.js";
import type { World } from "../world/world.js";
// biome-ignore lint/suspicious/noImportCycles: a part of the cycle of System and ECS
import { describeSystem, type SystemDescription } from "./add_system.js";
// biome-ignore lint/suspicious/noImportCycles: a part of the cycle of System and ECS
import type { ECS } from "./ecs.js";
// biome-ignore lint/suspicious/noImportCycles: a part of the cycle of System and ECS
import { System, type AddedSystem, type AnySystem, type SystemClass } from "./system.js";

/** What a call of the core returns inside of a callback. @internal */
export const REENTRANT = -1 - ErrorNumber.reentrantUpdate;

/** Runs systems (rule S19). @internal */
export function runSystems(world: World, addresses: readonly number[], delta: number): void {
  const list = world.scratch("run", 4 * addresses.length);
  heap.u32.set(addresses, list >> 2);
  const run = (): number => core._crateful_run(world.self, list, addresses.length, delta);
  const result = run();
  world.check(result === REENTRANT && world.recover() ? run() : result);
}

type Key = SystemClass | AnySystem | string;

/** The systems of one ECS: those in TypeScript and, by their names, those in C++ (rules S3, S4, S14). @internal */
export class SystemList {
  readonly #world: World;
  /** The first system of a class or name, as it was found last: while it is added, it is the first. */
  readonly #found = new Map<SystemClass | string, AddedSystem>();
  constructor(
    readonly ecs: ECS,
    world: World,
  ) {
    this.#world = world;
  }

  add<S extends AnySystem>(priority: number, system: S): S {
    const world = this.#world;
    const self = world.live();
    if (!(system instanceof System))
      throw new EcsError("BAD_SYSTEM", `addSystem: pass a priority and a system, not ${show(system)}`);
    const description = describeSystem(world, priority, system, System);
    const { names, flags, classes, lists } = description;
    const bind = system.$prepare(this.ecs);
    const tables = classes.map((cls) => world.table(cls));
    world.scratch("addSystem", 4 * lists.length); // throws before the system is created
    const address = core.makeSystem(self, world.systems.length, names, flags);
    if (address === 0) world.throwLast();
    const record = this.#record(system as System, address, description, requiredBy(classes, tables));
    world.systems.push(record);
    system.$record = record;
    bind(record);
    const list = world.scratch("addSystem", 4 * lists.length);
    heap.u32.set(lists, list >> 2);
    world.check(core._crateful_add_system(self, address, priority, system.interval, list));
    return system;
  }
  #record(
    system: System,
    address: number,
    { flags, overridesMakeAspect, overridesOnRemove }: SystemDescription,
    required: ReturnType<typeof requiredBy>,
  ): AddedSystem {
    const world = this.#world;
    const memory = core._crateful_system_memory(address) >> 2;
    const tracked = setMemory(world, heap.u32[memory + SystemMemory.tracked]);
    const { u32 } = heap;
    const dirty = setMemory(world, u32[memory + SystemMemory.dirty], u32[memory + SystemMemory.visited], address);
    // A literal, because V8 makes a dictionary of an object that is filled by Object.assign.
    const record: AddedSystem = {
      world,
      classes: required.classes,
      tables: required.tables,
      firstClass: required.firstClass,
      firstTable: required.firstTable,
      ecs: this.ecs,
      includesParked: false,
      ended: endedSource(world, overridesOnRemove),
      system,
      address,
      notifiesAdd: (flags & SystemFlag.notifiesAdd) !== 0,
      overridesOnRemove,
      overridesMakeAspect,
      making: [],
      makingCount: 0,
      notifiesRemove: heap.u32[memory + SystemMemory.notifiesRemove] >> 2,
      aspects: [],
      lastAspect: undefined,
      entities: undefined!,
      dirty: new LiveDirtySet(dirty),
    };
    record.entities = new LiveEntityMap<Aspect>(tracked, record, (e) => world.aspect(record, e));
    return record;
  }
  /** `updating`: during an update, the system is removed at its end. */
  remove(key: Key, updating: boolean): void {
    const { address, record } = this.#find("removeSystem", key);
    const world = this.#world;
    const result = core._crateful_remove_system(world.self, address);
    const refused = result < 0 && !world.disposed && systems(world.self).some((system) => system.address === address);
    if (!updating && !refused) record?.system.$detached();
    world.check(result);
  }
  get(key: SystemClass | string): AnySystem {
    const { record } = this.#find("getSystem", key);
    if (record !== undefined) return record.system;
    throw new EcsError(
      "BAD_SYSTEM",
      `getSystem: the first system added with the name ${String(key)} is written in C++`,
    );
  }
  setEnabled(call: string, key: Key, on: (enabled: boolean) => boolean): void {
    const { address, enabled } = this.#find(call, key);
    this.#world.check(core._crateful_set_enabled(this.#world.self, address, Number(on(enabled))));
  }
  run(keys: readonly Key[], delta: number): void {
    runSystems(
      this.#world,
      keys.map((key) => this.#find("run", key).address),
      delta,
    );
  }
  /** All systems in the order in which they run. */
  get infos(): ECS["systems"] {
    const records = this.#world.systems as (AddedSystem | undefined)[];
    const names = (list: readonly (SystemClass | string)[]) =>
      list.map((key) => (typeof key === "string" ? key : key.name));
    return systems(this.#world.live()).map(({ address, sequence, ...info }) => {
      const system = records.find((record) => record?.address === address)?.system;
      const list = { ...info, ...(system && { before: names(system.before), after: names(system.after) }) };
      return Object.defineProperty(list, "system", { value: system }) as ECS["systems"][number];
    });
  }

  /** A system, or the first one added of a class or with a name, in any language; `record` is undefined for a C++ system. */
  #find(call: string, key: Key): { address: number; enabled: boolean; record?: AddedSystem } {
    const self = this.#world.live();
    let record = typeof key === "object" ? key?.$record : this.#found.get(key);
    if (record?.ecs !== this.ecs || record.system.$record !== record) {
      record = undefined;
      if (typeof key === "function" && key.prototype !== undefined)
        record = this.#added(({ system }) => system instanceof key);
      if (typeof key === "string") {
        const named = systems(self).filter(({ name }) => name === key);
        const first = named.sort((a, b) => a.sequence - b.sequence)[0];
        record = first && this.#added(({ address }) => address === first.address);
        if (first !== undefined && record === undefined) return first;
      }
      if (record !== undefined) this.#found.set(key as SystemClass | string, record);
    }
    if (record !== undefined) return { address: record.address, enabled: !record.system.disabled, record };
    const { name } = (typeof key === "string" ? {} : (key ?? {})) as { readonly name?: string };
    throw new EcsError("BAD_SYSTEM", `${call}: ${name ?? show(key)} was not added to this ECS; add it with addSystem`);
  }
  /** The first added TypeScript system that fits. */
  #added(fits: (record: AddedSystem) => boolean): AddedSystem | undefined {
    const records = this.#world.systems as (AddedSystem | undefined)[];
    return records.find((record) => record !== undefined && record.system.$record === record && fits(record));
  }
}
