// The systems of a world, and what they track.
import {
  System,
  badArgument,
  core,
  show,
  systems,
  type AddedSystem,
  type ComponentClass,
  type ECS,
  type Entity,
  EcsError,
} from "./internals.js";
import { present } from "./json.js";
import type { Classes } from "./classes.js";
import { runSystems } from "../ecs/system_list.js";
import { round, type Measurement } from "./measurement.js";
import type { SystemAnswer, TrackingAnswer } from "./protocol.js";

/** `SystemBase::Use`. */
const USES = { required: 0, watched: 1, excluded: 2, any: 3, ancestors: 4 } as const;
type Uses = { readonly [U in keyof typeof USES]: readonly string[] };

type Listed = ReturnType<typeof systems>[number];

/** A system. */
export interface KnownSystem extends Listed {
  /** Different for each system. */
  readonly unique: string;
  /** The name of its clock in the profiler. */
  readonly clock: string;
  /** Undefined for systems of C++. */
  readonly record: AddedSystem | undefined;
}

/** The systems of one world. */
export class Systems {
  readonly #classes: Classes;
  /** What each system uses, by address. */
  readonly #uses = new Map<number, { readonly system: unknown; readonly uses: Uses }>();
  /** As it was listed last. */
  #all: readonly KnownSystem[] | undefined;

  constructor(
    readonly ecs: ECS,
    classes: Classes,
  ) {
    this.#classes = classes;
  }

  /** They are read anew when they are asked for the next time. Call it before each request. */
  forget(): void {
    this.#all = undefined;
  }
  /** All systems in the order in which they run. */
  get all(): readonly KnownSystem[] {
    if (this.#all !== undefined) return this.#all;
    const { $world: world } = this.ecs;
    const records = world.systems as (AddedSystem | undefined)[];
    const names = new Map<string, number>();
    const all = systems(world.live());
    return (this.#all = all.map((listed) => {
      const n = (names.get(listed.name) ?? 0) + 1;
      names.set(listed.name, n);
      const record = records.find((each) => each?.address === listed.address && each.system.$record === each);
      // Clocks are numbered in the order of addition.
      const added = all.filter(({ name, sequence }) => name === listed.name && sequence <= listed.sequence).length;
      const numbered = (number: number, text: string) => (number === 1 ? listed.name : `${listed.name} ${text}`);
      return { ...listed, unique: numbered(n, `(${n})`), clock: numbered(added, `#${added}`), record };
    }));
  }
  /** The name of the system with this clock; otherwise that of the clock. */
  ofClock(clock: string): string {
    return this.all.find((each) => each.clock === clock)?.unique ?? clock;
  }
  find(name: string): KnownSystem | undefined {
    return this.all.find(({ unique }) => unique === name);
  }
  /** The system with this name. Throws `BAD_SYSTEM`. */
  require(call: string, name: unknown): KnownSystem {
    const found = typeof name === "string" ? this.find(name) : undefined;
    if (found === undefined)
      throw new EcsError("BAD_SYSTEM", `${call}: there is no system ${typeof name === "string" ? name : show(name)}`);
    return found;
  }

  /** What a system uses; nothing, for systems of C++, if the module has no code for it. */
  usesOf({ record, address }: KnownSystem): Uses {
    const known = this.#uses.get(address);
    if (known !== undefined && known.system === record?.system) return known.uses;
    const uses = record === undefined ? this.#usesInCore(address) : this.#usesOf(record);
    this.#uses.set(address, { system: record?.system, uses });
    return uses;
  }
  #usesOf({ system }: AddedSystem): Uses {
    const names = (list: Iterable<ComponentClass>) =>
      [...list].map((cls) => this.#classes.nameOf(this.ecs.$world.table(cls).info.id));
    return {
      required: names(system.componentsRequired),
      watched: names(system.dirtyComponents),
      ancestors: names(system.dirtyFromAncestors),
      excluded: names(system.componentsExcluded),
      any: names(system.componentsAny),
    };
  }
  #usesInCore(address: number): Uses {
    const list = (use: number) =>
      Array.from({ length: core._crateful_system_classes?.(address, use) ?? 0 }, (_, i) =>
        this.#classes.nameOf(core._crateful_system_class(address, use, i)),
      );
    return Object.fromEntries(Object.entries(USES).map(([name, use]) => [name, list(use)])) as unknown as Uses;
  }

  /** The answer to `systems`. */
  describe(measurement: Measurement): SystemAnswer[] {
    const averages = measurement.averages();
    return this.all.map((known) => {
      const { record, unique, priority, enabled, debug, tracked, dirty, interval, before, after } = known;
      const system = record?.system;
      const named = (list: readonly (string | { readonly name: string })[] | undefined, otherwise: readonly string[]) =>
        list?.map((key) => (typeof key === "string" ? key : key.name)) ?? otherwise;
      return present({
        name: unique,
        language: record === undefined ? "C++" : "TypeScript",
        priority,
        enabled,
        debug,
        tracked,
        dirty,
        interval,
        average: averages && round(averages.get(known.clock) ?? 0),
        onlyWhenDirty: system?.onlyWhenDirty || undefined,
        conditional: (system && isConditional(system)) || undefined,
        usesNone: system?.$usesNone || undefined,
        ...this.usesOf(known),
        before: named(system?.before, before),
        after: named(system?.after, after),
      });
    });
  }

  tracks({ record, address, tracked }: KnownSystem, e: Entity): boolean {
    if (tracked === 0) return false;
    if (record !== undefined) return record.entities.has(e);
    return core._crateful_system_has !== undefined && (core._crateful_system_has(address, e) & 1) === 1;
  }
  /** For each system whether it tracks the entity. */
  tracking(e: Entity): TrackingAnswer[] {
    this.ecs.$world.drain();
    const known = this.all.filter(({ record }) => record !== undefined || core._crateful_system_has !== undefined);
    return known.map((each) => {
      const { unique: system, record, address } = each;
      if (!this.tracks(each, e)) return { system, tracked: false };
      const dirty = record === undefined ? (core._crateful_system_has(address, e) & 2) === 2 : record.dirty.has(e);
      return { system, tracked: true, dirty };
    });
  }

  enable(call: "enable" | "disable", name: unknown): void {
    const { $world: world } = this.ecs;
    world.check(core._crateful_set_enabled(world.live(), this.require(call, name).address, Number(call === "enable")));
  }
  /** Runs one system. Throws `BAD_ARGUMENT`, `BAD_SYSTEM`, and what the system throws. */
  run(name: unknown, delta: number): void {
    const { $world: world, paused } = this.ecs;
    const { address, enabled, interval, unique } = this.require("run", name);
    if (!paused) throw badArgument("run: pause the game first");
    if (!enabled) throw badArgument(`run: ${unique} is disabled; enable it first`);
    world.live();
    runSystems(world, [address], Math.max(delta, interval));
  }
}

/** The error for what the module has no code for. */
export const noCode = (call: string) =>
  badArgument(`${call}: the module has no code for it: use the development build, or link crateful::inspection`);

const isConditional = (system: AddedSystem["system"]): boolean => system.when !== System.prototype.when;
