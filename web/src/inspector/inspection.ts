// The side of the protocol at which the world is.
import type { Json } from "../state/codec.js";
import type { ComponentClass } from "../component/component.js";
import type { ECS } from "../ecs/ecs.js";
import type { Entity } from "../module/entity.js";
import type { Rewind } from "../state/rewind.js";
import {
  ECS as EcsClass,
  History,
  NONE,
  Rewind as RewindClass,
  stateCode,
  badArgument,
  core,
  eventClasses,
  requireCodec,
  show,
  stale,
} from "./internals.js";
import { Classes, assign, describeField, isEntity, requireComponent, valuesFor, type KnownClass } from "./classes.js";
import { answer } from "./answers.js";
import { Entities } from "./entities.js";
import type { HistoryEntry } from "../state/history.js";
import { numberToJson, present, toJson } from "./json.js";
import { amount, entityOf, failure, optional, pageOf, required } from "./members.js";
import { Measurement } from "./measurement.js";
import type { HistorySource, Recordings } from "./options.js";
import {
  PROTOCOL,
  type AnyAnswer,
  type AskRequest,
  type ChangeAnswer,
  type ChangesAnswer,
  type ClassAnswer,
  type DoRequest,
  type DoneAnswer,
  type InspectAnswer,
  type InspectAnswers,
  type MemoryAnswer,
  type WorldAnswer,
} from "./protocol.js";
import { Systems, noCode } from "./systems.js";

type Asks = {
  readonly [R in AskRequest as R["ask"]]: (request: R) => InspectAnswer<R>;
};
type Does = {
  readonly [R in DoRequest as R["do"]]: Handler<R, InspectAnswer<R>>;
};
/** Without an answer of its own, it is done. */
// biome-ignore lint/suspicious/noConfusingVoidType: functions that return nothing
type Handler<R, A> = (request: R) => A | void;

/** Answers the requests about one world. */
class Inspection {
  readonly #ecs: ECS;
  readonly #classes: Classes;
  readonly #systems: Systems;
  readonly #entities: Entities;
  readonly #measurement: Measurement;
  #history: HistorySource | undefined;
  #rewind: Rewind | undefined;
  /** Whether `record` created it. */
  #ownsHistory = false;
  #ownsRewind = false;
  #options: { bytes?: number } = {};
  /** By the name of a class for which `watch` was requested: the history that watches it. */
  readonly #watched = new Map<string, HistorySource>();
  /** The names of the classes that are not recorded. */
  #without: readonly string[] = [];

  constructor(ecs: ECS) {
    this.#ecs = ecs;
    this.#classes = new Classes(ecs);
    this.#systems = new Systems(ecs, this.#classes);
    this.#entities = new Entities(ecs, this.#classes, this.#systems);
    this.#measurement = new Measurement(ecs);
  }
  use({ history, rewind }: Recordings): void {
    if (history !== undefined) this.#history = history;
    if (rewind !== undefined) this.#rewind = rewind;
  }

  /** The complete answer to a request, or those to a list of them. */
  inspect(request: unknown): AnyAnswer | AnyAnswer[] {
    return Array.isArray(request) ? request.map((each) => this.#inspect(each)) : this.#inspect(request);
  }
  #inspect(request: unknown): AnyAnswer {
    const asking = answer(request);
    let next = asking.next();
    while (!next.done) next = asking.next(next.value.map((each) => this.#answer(each)));
    return next.value;
  }
  /** What the world itself answers to a request, or to a list of them. */
  answer(request: unknown): AnyAnswer | AnyAnswer[] {
    return Array.isArray(request) ? request.map((each) => this.#answer(each)) : this.#answer(request);
  }
  #answer(request: unknown): AnyAnswer {
    stateCode.inspects = true;
    try {
      const handle = this.#handlerOf(request);
      this.#ecs.$world.live();
      this.#systems.forget();
      if (this.#measurement.on) this.#measurement.touch();
      return handle(request as never) ?? { done: true };
    } catch (error) {
      return failure(error);
    } finally {
      stateCode.inspects = false;
    }
  }

  #handlerOf(request: unknown): Handler<never, AnyAnswer> {
    if (typeof request !== "object" || request === null || Array.isArray(request))
      throw badArgument(`inspect: a request is an object with "ask" or "do", not ${show(request)}`);
    const { ask, do: order } = request as { ask?: unknown; do?: unknown };
    const [key, name, handlers] = order === undefined ? ["ask", ask, this.#asks] : ["do", order, this.#does];
    if (typeof name !== "string" || !Object.hasOwn(handlers, name))
      throw badArgument(`inspect: ${key} must be one of: ${Object.keys(handlers).join(" ")}, not ${show(name)}`);
    return handlers[name as never];
  }

  readonly #asks: Asks = {
    world: () => this.#world(),
    systems: () => ({ systems: this.#systems.describe(this.#measurement) }),
    classes: () => ({ classes: this.#describeClasses() }),
    entities: ({ where, of, expanded, ...page }) => {
      const [from, count] = pageOf(page);
      if (where !== undefined)
        throw badArgument("entities: where is evaluated by who asks: by `inspect`, or with the question `column`");
      for (const [name, list] of Object.entries({ of, expanded }))
        if (list !== undefined && !Array.isArray(list))
          throw badArgument(`entities: ${name} must be a list, not ${show(list)}`);
      return expanded === undefined || of !== undefined
        ? this.#entities.list(from, count, of)
        : this.#entities.tree(new Set(expanded), from, count);
    },
    column: ({ component, path, system, labels }) => {
      if (path !== undefined && !(Array.isArray(path) && path.length > 0))
        throw badArgument(`column: path must be a list of names, not ${show(path)}`);
      return this.#entities.column(
        component === undefined ? undefined : this.#class("column", component),
        path,
        system === undefined ? undefined : this.#systems.require("column", system),
        optional("column: labels", "boolean", labels),
      );
    },
    children: ({ entity, ...page }) => {
      const [from, count] = pageOf(page);
      return entity === undefined
        ? this.#entities.tree(new Set(), from, count)
        : this.#entities.children(this.#living("children", entity), from, count);
    },
    entity: ({ entity, index }) =>
      this.#entities.details(entity === undefined ? this.#entities.at(index) : this.#living("entity", entity)),
    why: ({ entity, ...filters }) => {
      const e = entityOf("why", entity);
      return this.#changes(this.#requireHistory("why").why(e), filters) as InspectAnswers["why"];
    },
    by: ({ system, ...filters }) =>
      this.#changes(this.#requireHistory("by").bySystem(required("by: system", "string", system)), filters),
    memory: () => ({ classes: this.#memory() }),
    events: ({ count }) => this.#measurement.events(pageOf({ count })[1]),
    frames: ({ since }) =>
      this.#measurement.frames((clock) => this.#systems.ofClock(clock), optional("frames: since", "number", since)),
  };
  readonly #does: Does = {
    set: ({ entity, component, field, element, value }) => {
      const e = this.#living("set", entity);
      const known = this.#class("set", component);
      optional("set: element", "number", element);
      if (value === undefined) throw badArgument("set: the value is missing");
      if (known.name === "Parent") {
        this.#ecs.setParent(e, value === null ? NONE : this.#living("set", value));
        return { done: true, value };
      }
      return { done: true, value: assign(known, e, field, element, value) };
    },
    add: ({ entity, component, values }) => {
      const known = this.#class("add", component);
      if (values !== undefined && (typeof values !== "object" || values === null || Array.isArray(values)))
        throw badArgument(`add: the values of ${known.name} must be an object with its fields, not ${show(values)}`);
      this.#ecs.addComponent(
        this.#living("add", entity),
        known.cls as never,
        values === undefined ? undefined : (valuesFor(known, values) as never),
      );
    },
    remove: ({ entity, component }) => {
      const known = this.#class("remove", component);
      const e = this.#living("remove", entity);
      requireComponent("remove", known, e);
      if (known.name === "Parent") this.#ecs.setParent(e, NONE);
      else this.#ecs.removeComponent(e, known.cls);
    },
    destroy: ({ entity }) => {
      this.#ecs.removeEntity(this.#living("destroy", entity));
    },
    enable: ({ system }) => this.#systems.enable("enable", system),
    disable: ({ system }) => this.#systems.enable("disable", system),
    pause: () => void (this.#ecs.paused = true),
    resume: () => void (this.#ecs.paused = false),
    run: ({ system, delta = 1 / 60 }) => this.#systems.run(system, amount("run: delta", delta)),
    step: ({ delta = 1 / 60 }) => this.#step(amount("step: delta", delta)),
    measure: ({ on }) => {
      if (required("measure: on", "boolean", on)) this.#measurement.start();
      else this.#measurement.stop();
    },
    record: ({ on, bytes }) => {
      const options = bytes === undefined ? {} : { bytes: amount("record: bytes", bytes) };
      if (required("record: on", "boolean", on)) this.#record(options);
      else {
        this.#endRewind();
        this.#endHistory();
      }
      if (this.#without.length > 0) return { done: true, without: this.#without };
    },
    watch: ({ component }) => {
      const { name, cls } = this.#class("watch", component);
      const history = this.#requireHistory("watch");
      history.watch(cls);
      this.#watched.set(name, history);
    },
    rewind: ({ frame }) => {
      if (this.#rewind === undefined) throw badArgument("rewind: nothing was recorded; record first");
      this.#rewind.show(required("rewind: frame", "number", frame));
      this.#measurement.wentTo(this.#ecs.frame);
      return { done: true, frame: this.#ecs.frame };
    },
  };

  #class(call: string, name: unknown): KnownClass {
    return this.#classes.require(call, required(`${call}: component`, "string", name));
  }
  /** The entity, which must be alive. Throws `BAD_ARGUMENT` and `STALE_ENTITY`. */
  #living(call: string, entity: unknown): Entity {
    const e = entityOf(call, entity);
    if (!this.#ecs.alive(e)) throw stale(call, e);
    return e;
  }

  #world(): WorldAnswer {
    const { frame, gameTime, wallTime, paused, timeScale, count: entities } = this.#ecs;
    return {
      protocol: PROTOCOL,
      language: "TypeScript",
      frame,
      gameTime,
      wallTime,
      paused,
      timeScale: numberToJson(timeScale),
      entities,
      systems: this.#systems.all.length,
      classes: this.#classes.count,
      measures: this.#measurement.on,
      records: recordable(),
      recording: this.#ownsRewind || this.#ownsHistory,
      history: this.#history !== undefined,
      ...this.#frames(),
    };
  }
  #frames(): Pick<WorldAnswer, "rewind" | "problem"> {
    try {
      return this.#rewind === undefined ? {} : { rewind: { oldest: this.#rewind.oldest, newest: this.#rewind.newest } };
    } catch (error) {
      const before = this.#without.length;
      if (!this.#ownsRewind || unrecorded(this.#ecs, this.#classes).length === before)
        return { problem: failure(error).error.message };
      this.#endRewind(); // a class that can't be recorded was used since
      this.#record({});
      return {};
    }
  }
  #describeClasses(): ClassAnswer[] {
    return this.#classes.all.map((known) => ({
      name: known.name,
      kind: known.kind,
      fields: [...known.names.values()].map((k) => describeField(known, k)),
      count: known.table()?.count ?? 0,
      ...(this.#history !== undefined && this.#watched.get(known.name) === this.#history && { recorded: true }),
    }));
  }
  #memory(): MemoryAnswer[] {
    return this.#ecs.memoryReport().map((report) => ({ ...report, utilisation: numberToJson(report.utilisation) }));
  }
  #step(delta: number): DoneAnswer {
    const ecs = this.#ecs;
    const { paused, frame } = ecs;
    ecs.paused = false;
    try {
      ecs.update(delta);
    } finally {
      // A step that was refused changes nothing.
      if (!ecs.$world.disposed) ecs.paused = paused || ecs.frame !== frame;
    }
    return { done: true, frame: ecs.frame };
  }
  #requireHistory(call: string): HistorySource {
    if (this.#history === undefined) throw badArgument(`${call}: nothing was recorded; record first`);
    return this.#history;
  }
  /** Changes as an answer. */
  #changes(
    all: readonly HistoryEntry[],
    { system, component, field, count }: { system?: unknown; component?: unknown; field?: unknown; count?: unknown },
  ): ChangesAnswer {
    const [, most] = pageOf({ count });
    const found = all.filter(
      (entry) =>
        (system === undefined || (entry.system ?? "") === system) &&
        (component === undefined || entry.component === component) &&
        (field === undefined || entry.field === field),
    );
    const names = (of: (entry: HistoryEntry) => string | undefined) =>
      [...new Set(all.map(of))].filter((name) => name !== undefined).sort() as string[];
    return {
      total: found.length,
      changes: found.slice(0, most).map((entry) => this.#change(entry)),
      systems: names((entry) => entry.system ?? ""),
      components: names((entry) => entry.component),
      fields: names((entry) => entry.field),
    };
  }
  #change({ system, field, before, after, ...entry }: HistoryEntry): ChangeAnswer {
    const known = this.#classes.find(entry.component);
    /** NONE in a field that refers to an entity is null; a number that equals it is a number. */
    const orNull = (name: string, value: unknown): unknown => {
      const k = value === NONE ? known?.names.get(name) : undefined;
      return k !== undefined && isEntity(known!.fields[k]) ? null : value;
    };
    const answerFor = (value: unknown): Json => {
      if (field !== undefined) return toJson(orNull(field, value));
      if (known?.kind === "object" || typeof value !== "object" || value === null) return toJson(value);
      return toJson(Object.fromEntries(Object.entries(value).map(([name, each]) => [name, orNull(name, each)])));
    };
    return {
      ...entry,
      ...present({ system, field }),
      ...(before !== undefined && { before: answerFor(before) }),
      ...(after !== undefined && { after: answerFor(after) }),
    };
  }
  #record(options: { bytes?: number }): void {
    const ecs = this.#ecs;
    if (options.bytes !== undefined) this.#options = options;
    const possible = recordable();
    if (possible.length === 0) throw noCode("record");
    if (this.#rewind === undefined && possible.includes("rewind")) {
      const without = unrecorded(ecs, this.#classes);
      this.#rewind = new RewindClass(ecs, { ...this.#options, without: without.map(({ cls }) => cls) });
      this.#without = without.map(({ name }) => name);
      this.#ownsRewind = true;
    }
    if (this.#history === undefined && possible.includes("history")) {
      this.#history = new History(ecs, this.#options);
      this.#ownsHistory = true;
    }
  }
  #endRewind(): void {
    if (!this.#ownsRewind) return; // that of the game stays
    this.#rewind?.dispose();
    this.#rewind = undefined;
    this.#without = [];
    this.#ownsRewind = false;
  }
  #endHistory(): void {
    if (!this.#ownsHistory) return;
    this.#history?.dispose();
    this.#history = undefined;
    this.#ownsHistory = false;
  }
}

/** What the module has the code for. */
function recordable(): ("history" | "rewind")[] {
  const { _crateful_new_history: history, _crateful_new_rewind: rewind } = core;
  return [...(history === undefined ? [] : ["history" as const]), ...(rewind === undefined ? [] : ["rewind" as const])];
}

/** The classes of components and events that nothing encodes. */
function unrecorded(ecs: ECS, classes: Classes): { cls: ComponentClass; name: string }[] {
  const components = classes.all.flatMap(({ kind, cls, name }) => (kind === "object" ? [{ cls, name }] : []));
  const events = eventClasses(ecs).map((cls) => ({ cls: cls as ComponentClass, name: cls.name }));
  return [...components, ...events].filter(({ cls, name }) => !isEncoded(cls, name));
}
function isEncoded(cls: object, name: string): boolean {
  try {
    requireCodec("record", cls, name);
    return true;
  } catch {
    return false;
  }
}

let inspections: WeakMap<ECS, Inspection> | undefined;

/** What answers for a world. Throws `BAD_ARGUMENT` for another value. @internal */
export function inspectionOf(call: string, ecs: ECS, recordings: Recordings = {}): Inspection {
  if (!(ecs instanceof EcsClass))
    throw badArgument(`${call}: pass an ECS of the same copy of crateful, not ${show(ecs)}`);
  inspections ??= new WeakMap();
  const known = inspections.get(ecs) ?? new Inspection(ecs);
  inspections.set(ecs, known);
  known.use(recordings);
  return known;
}
