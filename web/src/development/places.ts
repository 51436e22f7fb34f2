// Where in the program a history's changes were made (rule D14): taken from stacks, a few times for each system and field.
import type { Definition } from "../component/component.js";
import { isField } from "../component/fields.js";
import { ComponentTable } from "../component/component_table.js";
import { StoredComponent } from "../component/stored_component.js";
import { ECS } from "../ecs/ecs.js";
import { Storage } from "../ecs/storage.js";
import type { AnySystem } from "../ecs/system.js";
import type { Entity } from "../module/entity.js";
import { heap } from "../module/heap.js";
import { type HistoryEntry, places } from "../state/history.js";
import { CorePrefab } from "../world/core_prefab.js";
import { hostCalls } from "../world/host_calls.js";
import { classOf } from "../world/prefab_tree.js";
import { worlds } from "../world/world.js";
import { replace } from "./replace.js";
import { tables } from "./signals.js";
import { type CodePlace, loadSourceMap, sourcePlace } from "./source_maps.js";

/**
 * How many changes of a system and field are looked at until its one place is believed. Later, it is one of so many, because a stack takes
 * 20 microseconds and more.
 */
const LOOKED_AT = 16;
const SAMPLED = 4096;
/** How many stacks are taken in one run of a system whose fields are changed at several places. */
const MOST_STACKS = 10;
/** How many places of single changes are kept. */
const MOST_KEPT = 20_000;

/** The call at one of these places changed something: at the first of them that is not in the package. */
type Place = readonly CodePlace[];
const isSame = (a: Place, b: Place): boolean =>
  a.length === b.length && a.every(({ url, line }, i) => url === b[i].url && line === b[i].line);

/** Where a system changes a field. */
interface Site {
  readonly places: Place[];
  seen: number;
}

/** What is known for one history. */
class Places {
  /** By system, and what is changed. */
  readonly #sites = new Map<string, Map<string, Site>>();
  /** Those of the system that was running last. */
  #ofSystem = new Map<string, Site>();
  #system: string | undefined;
  /** Of single changes. */
  readonly #exact = new Map<string, Place>();
  /** Where entities were marked for removal, which comes later. */
  readonly #removals = new Map<Entity, { readonly moment: number; readonly place: Place }>();
  #moment = -1;
  #stacks = 0;
  constructor(readonly moment: () => number) {}

  note(what: string, entity: Entity | undefined): void {
    if (this.#system !== running) {
      this.#system = running;
      const known = this.#sites.get(running);
      this.#ofSystem = known ?? new Map<string, Site>();
      if (known === undefined) this.#sites.set(running, this.#ofSystem);
    }
    let site = this.#ofSystem.get(what);
    if (site === undefined) this.#ofSystem.set(what, (site = { places: [], seen: 0 }));
    const { places: known } = site;
    const seen = site.seen++;
    if (known.length < 2 && seen >= LOOKED_AT && seen % SAMPLED !== 0) return;
    this.#look(known, what, entity);
  }
  #look(known: Place[], what: string, entity: Entity | undefined): void {
    const moment = this.moment();
    if (moment !== this.#moment) {
      this.#moment = moment;
      this.#stacks = 0;
    }
    if (known.length > 1 && this.#stacks >= MOST_STACKS) return;
    ++this.#stacks;
    const place = callerPlace();
    if (place === undefined) return;
    if (!known.some((each) => isSame(each, place))) known.push(place);
    this.#exact.set(`${moment} ${what} ${entity}`, place);
    if (what === "remove" && entity !== undefined) this.#removals.set(entity, { moment, place });
    forgetOldest(this.#exact);
    forgetOldest(this.#removals);
  }
  find(moment: number, { system = "", component, field, kind, entity }: HistoryEntry): string {
    const whats =
      kind === "changed" || kind === "signaled"
        ? [`${component}.${field}`, component, `add ${component}`]
        : kind === "added"
          ? [`add ${component}`, "spawn"]
          : kind === "moved"
            ? ["parent", "remove"]
            : [`remove ${component}`, "remove"];
    const sampled: Place[] = []; // where it can also have been
    for (const what of whats) {
      const exact = this.#exact.get(`${moment} ${what} ${entity}`);
      if (exact !== undefined) return sourcePlace(exact);
      // A call that creates an entity does not know it yet, and one for many does not name each.
      const many = this.#exact.get(`${moment} ${what} undefined`);
      if (many !== undefined) return listed([...sampled, many]);
      const site = this.#sites.get(system)?.get(what);
      if (site !== undefined && site.seen > LOOKED_AT) sampled.push(...site.places);
    }
    const removal = this.#removals.get(entity);
    if (whats.includes("remove") && removal !== undefined && removal.moment <= moment)
      return sourcePlace(removal.place);
    for (const what of whats) {
      const site = this.#sites.get(system)?.get(what);
      if (site !== undefined && site.places.length > 0) return listed(site.places);
    }
    return "";
  }
}

const listed = (all: readonly Place[]) => [...new Set(all.map(sourcePlace))].slice(0, 3).join(" or ");

function forgetOldest(map: Map<unknown, unknown>): void {
  if (map.size <= MOST_KEPT) return;
  for (const oldest of map.keys()) {
    map.delete(oldest);
    return;
  }
}

/** Those of the histories of each world. */
const watching = new WeakMap<object, Places[]>();
function placesOf(world: object): Places[] {
  let all = watching.get(world);
  if (all === undefined) watching.set(world, (all = []));
  return all;
}
/** How many histories there are; one that was forgotten, and not disposed, counts. */
let histories = 0;
/** The name of the running system, or "". */
let running = "";
/** The field that is being set, with the name of its class, and this name. */
let setting = "";
let settingOf = "";

/** The place in each function that called, the innermost first. `file` is the URL without its query. */
function* frames(stack: string): Iterable<CodePlace & { file: string }> {
  for (const text of stack.split("\n")) {
    const match = /(?:\(|@|\s|^)(([a-z-]+:\/\/?[^\s()]+?|[^\s()@]+?)(?:\?[^\s:()]*)?):(\d+)(?::(\d+))?\)?$/.exec(text);
    if (match === null) continue;
    const [, url, file, line, column = "1"] = match;
    yield { url, file, line: Number(line), column: Number(column) };
  }
}
/** In a bundle, the calls that can be the program's: from this one on, up to that one. */
const BUNDLED = [6, 14] as const;
/** The file of this code, and the folder of the package if it is known by its name. */
let own: { readonly url: string; readonly folder: string } | undefined;
/** With a stack that is deep enough also for calls through several functions of the package. */
function newError(): Error {
  const limited = Error as { stackTraceLimit?: number };
  const { stackTraceLimit: limit } = limited;
  limited.stackTraceLimit = 30;
  const error = new Error();
  if (limit === undefined) delete limited.stackTraceLimit;
  else limited.stackTraceLimit = limit;
  return error;
}
/** The nearest place outside of the package; undefined if the stack says nothing. */
function callerPlace(): Place | undefined {
  const { stack = "" } = newError();
  const all = [...frames(stack)];
  if (all.length === 0) return undefined;
  const [{ file }] = all;
  own ??= { url: file, folder: /^.*\/node_modules\/crateful\//.exec(file)?.[0] ?? file };
  const { url: ownUrl, folder } = own;
  const outside = all.find((frame) => frame.file !== ownUrl && !frame.file.startsWith(folder));
  // In a bundle, the package and the program are one file. Only the source map says which call is the program's.
  const calls = outside === undefined ? all.slice(...BUNDLED) : [outside];
  if (calls.length === 0) calls.push(all.at(-1)!); // a bundler has inlined functions
  for (const { url } of calls) loadSourceMap(url);
  return calls.map(({ url, line, column }) => ({ url, line, column }));
}

function note(world: object, what: string, entity?: Entity): void {
  for (const each of placesOf(world)) each.note(what, entity);
}

/** Calls `note` for changes of components, while there are histories. */
function watchFields(): void {
  replace(
    StoredComponent as unknown as { $defined(definition: Definition): void },
    "$defined",
    (defined) => (definition: Definition) => {
      defined(definition);
      let last = "";
      for (const field of definition.fields) {
        const { takes } = field.kind;
        if (isField(field)) last = `${definition.name}.${field.name}`; // else it is an element of a vector
        const name = last;
        const noting: typeof takes = (value) => {
          setting = name;
          settingOf = definition.name;
          return takes(value);
        };
        field.kind = { ...field.kind, takes: noting };
      }
    },
  );
  replace(
    ComponentTable.prototype,
    "readControl",
    (readControl) =>
      function (this: ComponentTable) {
        if (!Object.hasOwn(this, "$noted")) {
          const { mark } = this;
          const all = placesOf(this.world);
          const noting = (slot: number): void => {
            if (all.length > 0) noteMark(all, this, slot);
            mark(slot);
          };
          Object.defineProperties(this, { mark: { value: noting }, $noted: { value: true } });
        }
        readControl.call(this);
      },
  );
}
function noteMark(all: readonly Places[], { info, dense }: ComponentTable, slot: number): void {
  const what = settingOf === info.name ? setting : info.name;
  settingOf = "";
  const entity = heap.u32[dense + slot] as Entity;
  for (let i = 0; i < all.length; ++i) all[i].note(what, entity);
}

const nameOf = (component: unknown): string => {
  const cls = (typeof component === "function" ? component : component?.constructor) as {
    $definition?: { name: string };
    name: string;
  };
  return cls?.$definition?.name ?? cls?.name ?? "";
};

/** The calls that change which components there are, and what they are to `find`. */
function watchCalls(): void {
  const watch = (name: keyof ECS, what: (args: unknown[]) => string) =>
    replace(
      ECS.prototype,
      name,
      (call) =>
        function (this: ECS, ...args: unknown[]): unknown {
          if (histories > 0)
            note(this.$world, what(args), typeof args[0] === "number" ? (args[0] as Entity) : undefined);
          return call.apply(this, args) as unknown;
        },
    );
  watch("addComponent", (args) => `add ${nameOf(args[1])}`);
  const names = (list: unknown[]) => list.map(nameOf).join(", ");
  watch("add", (args) => `add ${names(args.slice(1).map(classOf))}`);
  watch("removeComponent", (args) => `remove ${names(args.slice(1))}`);
  watch("removeEntity", () => "remove");
  watch("setParent", () => "parent");
  watch("addEntity", () => "spawn");
  watch("addComponents", (args) => `add ${nameOf(args[1])}`);
  watch("removeComponents", (args) => `remove ${nameOf(args[1])}`);
  watch("removeEntities", () => "remove");
  watch("clear", () => "remove");
  replace(
    Storage.prototype,
    "markDirty",
    (markDirty) =>
      function (this: Storage, entities) {
        const { world, info } = tables.get(this)!;
        if (histories > 0) note(world, info.name, typeof entities === "number" ? (entities as Entity) : undefined);
        return markDirty.call(this, entities);
      },
  );
  for (const spawn of ["spawn", "compose"] as const)
    replace(
      CorePrefab.prototype,
      spawn,
      (call) =>
        function (this: CorePrefab, ...args: unknown[]): unknown {
          if (histories > 0) note(this.world, "spawn");
          return call.apply(this, args) as unknown;
        },
    );
}

/** Finds the places for the entries of histories. */
export function findPlaces(): void {
  watchFields();
  watchCalls();
  replace(hostCalls, "run", (run) => (world: number, system: number, delta: number) => {
    if (histories === 0) return run(world, system, delta) as number;
    const outer = running;
    running = (worlds[world]?.systems[system]?.system as AnySystem | undefined)?.name ?? "";
    try {
      return run(world, system, delta) as number;
    } finally {
      running = outer;
    }
  });
  places.watch = (ecs, moment) => {
    const found = new Places(moment);
    const all = placesOf(ecs.$world);
    all.push(found);
    ++histories;
    return {
      find: (at, entry) => found.find(at, entry),
      end() {
        const at = all.indexOf(found);
        if (at < 0) return;
        all.splice(at, 1);
        --histories;
      },
    };
  };
}
