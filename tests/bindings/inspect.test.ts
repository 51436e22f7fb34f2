// The inspector's protocol (rule I1).
import { afterEach, describe, expect, test } from "@jest/globals";
import { Component, ECS, NONE, Parent, defineComponent, defineObject, defineSystem, type Entity } from "crateful";
import {
  type History,
  inspect,
  serveInspector,
  type InspectAnswer,
  type InspectAnswers,
  type InspectRequest,
} from "crateful/inspector";
import { Rewind } from "crateful/state";
import "./with_state.js";
import { expectError } from "./world.js";

type GivenHistory = NonNullable<NonNullable<Parameters<typeof serveInspector>[2]>["history"]>;

class Place extends defineComponent("InspectPlace", { x: "f32", at: "f32x3", many: "f64x16" }) {}
class Life extends defineComponent("InspectLife", { hp: { type: "u8", default: 10 }, tired: "bool" }) {}
class Mind extends defineComponent("InspectMind", {
  mood: ["calm", "angry"],
  target: "link",
  home: "entity",
  name: "string",
}) {}
class Enemy extends defineComponent("InspectEnemy") {}
class Gone extends defineComponent("InspectGone") {}
class Bag extends defineObject("InspectBag", { gold: 1, items: ["key"], open: false }) {}
class Thing extends Component {
  count = 1;
  readonly fixed = 1;
  image: object = new Map([["a", new Uint8Array(2)]]);
  #weight = 2;
  get weight(): number {
    return this.#weight;
  }
  set weight(value: number) {
    this.#weight = value;
    this.dirty();
  }
  get double(): number {
    return 2 * this.#weight;
  }
}
class Hit {
  constructor(readonly points: number) {}
}

const made: ECS[] = [];
function world(): ECS {
  const ecs = new ECS();
  made.push(ecs);
  return ecs;
}
afterEach(() => {
  for (const ecs of made.splice(0)) ecs.dispose();
});

/** The answer to a request, which must not fail, and which must be JSON. */
function ask<const R extends InspectRequest>(ecs: ECS, request: R): InspectAnswer<R> {
  const answer = inspect(ecs, request);
  expect(answer).not.toHaveProperty("error");
  expect(JSON.parse(JSON.stringify(answer))).toEqual(answer);
  return answer as InspectAnswer<R>;
}
/** What is wrong with a request. */
function problem(ecs: ECS, request: unknown): string {
  const { error } = inspect(ecs, request as { ask: "world" }) as InspectAnswers["failure"];
  return `${error.code}: ${error.message}`;
}
type List<N extends number, L extends Entity[] = []> = L["length"] extends N ? L : List<N, [...L, Entity]>;
const several = <N extends number>(ecs: ECS, n: N): List<N> => Array.from(ecs.addEntities(n)) as List<N>;
const found = (ecs: ECS, where: string): number[] =>
  ask(ecs, { ask: "entities", where }).entities.map(({ entity }) => entity);
const system = (ecs: ECS, name: string): InspectAnswers["systems"]["systems"][number] =>
  ask(ecs, { ask: "systems" }).systems.find((each) => each.name === name)!;
/** The value of a field. */
function read(ecs: ECS, entity: Entity, component: string, field: string): unknown {
  const { details } = ask(ecs, { ask: "entity", entity });
  return details.find(({ name }) => name === component)!.fields.find(({ name }) => name === field)!.value;
}

/** Whether the module is that of the development build, which runs systems alone and records histories. */
const complete = (): boolean => ask(world(), { ask: "world" }).records.includes("history");

class Mover extends defineSystem({ place: Place }, { watch: [Place], without: [Gone], after: ["Thinker"] }) {
  override update(delta: number): void {
    for (const { place } of this.rows) place.x += delta;
  }
}
class Thinker extends defineSystem({ mind: Mind }, { watchAncestors: [Place], any: [Enemy, Life], interval: 0.5 }) {
  override update(): void {}
}
class Screen extends defineSystem(undefined, { whilePaused: true, disabled: true, when: () => true }) {
  override update(): void {}
}
class Ear extends defineSystem() {
  hits = this.inbox(Hit);
  override update(): void {}
}
function systems(ecs: ECS): void {
  ecs.addSystem(1, new Mover());
  ecs.addSystem(1, new Thinker());
  ecs.addSystem(2, new Screen());
}

describe("questions", () => {
  test("I1 world says what there is", () => {
    const ecs = world();
    ecs.addEntities(3);
    ecs.timeScale = 2;
    ecs.update(0.5);
    ecs.paused = true;
    expect(ask(ecs, { ask: "world" })).toMatchObject({
      protocol: 2,
      language: "TypeScript",
      frame: 1,
      gameTime: 1,
      wallTime: 0.5,
      paused: true,
      timeScale: 2,
      entities: 3,
      systems: 0,
      measures: false,
      records: expect.arrayContaining(["rewind"]),
      history: false,
    });
  });

  test("I1 systems are in the order in which they run, with what they use", () => {
    const ecs = world();
    systems(ecs);
    ecs.addEntity(Place);
    ecs.update();
    const { systems: all } = ask(ecs, { ask: "systems" });
    expect(all.map(({ name }) => name)).toEqual(["Thinker", "Mover", "Screen"]);
    expect(all[1]).toEqual({
      name: "Mover",
      language: "TypeScript",
      priority: 1,
      enabled: true,
      debug: false,
      tracked: 1,
      dirty: 1,
      interval: 0,
      required: ["InspectPlace"],
      watched: ["InspectPlace"],
      ancestors: [],
      excluded: ["InspectGone"],
      any: [],
      before: [],
      after: ["Thinker"],
    });
    expect(all[0]).toMatchObject({ interval: 0.5, ancestors: ["InspectPlace"], any: ["InspectEnemy", "InspectLife"] });
    expect(all[2]).toMatchObject({ debug: true, enabled: false, conditional: true, required: [] });
  });

  test("I1 systems and classes of one name have different names", () => {
    const ecs = world();
    class Double extends defineComponent("InspectDouble", { a: "u8" }) {}
    const Other = defineComponent("InspectDouble", { b: "u8" });
    const e = ecs.addEntity(Double, [Other, { b: 7 }]);
    ecs.addSystem(0, new Mover());
    ecs.addSystem(0, new Mover());
    expect(ask(ecs, { ask: "systems" }).systems.map(({ name }) => name)).toEqual(["Mover", "Mover (2)"]);
    ask(ecs, { do: "disable", system: "Mover (2)" });
    expect(ecs.systems.map(({ enabled }) => enabled)).toEqual([true, false]);
    expect(read(ecs, e, "InspectDouble (2)", "b")).toBe(7);
  });

  test("I1 classes have their fields", () => {
    const ecs = world();
    systems(ecs);
    ecs.addEntity(Life);
    ecs.addEntity(Mind, Bag);
    const { classes } = ask(ecs, { ask: "classes" });
    const named = (name: string) => classes.find((each) => each.name === name);
    expect(named("InspectMind")).toEqual({
      name: "InspectMind",
      kind: "stored",
      fields: [
        { name: "mood", type: "enum", names: ["calm", "angry"] },
        { name: "target", type: "link" },
        { name: "home", type: "entity" },
        { name: "name", type: "string" },
      ],
      count: 1,
    });
    expect(named("InspectPlace")).toMatchObject({
      fields: [
        { name: "x", type: "f32" },
        { name: "at", type: "f32x3" },
        { name: "many", type: "f64x16" },
      ],
    });
    expect(named("InspectGone")).toMatchObject({ fields: [] });
    expect(named("InspectBag")).toMatchObject({ kind: "object", count: 1 });
  });

  test("I1 entities are pages of a list", () => {
    const ecs = world();
    const all = several<20>(ecs, 20);
    ecs.addComponent(all[3], Mind, { name: "boss" });
    const page = ask(ecs, { ask: "entities", from: 4, count: 2 });
    expect(page).toEqual({
      total: 21,
      from: 4,
      entities: [
        { entity: all[3], index: 4, generation: 0, label: "boss", components: ["InspectMind"], children: 0 },
        { entity: all[4], index: 5, generation: 0, components: [], children: 0 },
      ],
    });
    expect(ask(ecs, { ask: "entities", from: 30 })).toEqual({ total: 21, from: 30, entities: [] });
    ecs.removeEntity(all[4]);
    ecs.removeMarked();
    const again = ecs.addEntity();
    expect(ask(ecs, { ask: "entities", from: 5, count: 1 }).entities[0]).toMatchObject({
      entity: again,
      index: 5,
      generation: 1,
    });
  });

  test("I1 entities are a tree whose children follow those that are expanded", () => {
    const ecs = world();
    const [a, b, c, d, e] = several<5>(ecs, 5);
    ecs.setParent(b, a);
    ecs.setParent(c, b);
    ecs.setParent(d, a);
    const rows = (expanded: number[]) =>
      ask(ecs, { ask: "entities", expanded }).entities.map(({ entity, depth, children }) => [entity, depth, children]);
    expect(rows([])).toEqual([
      [0, 0, 0],
      [a, 0, 2],
      [e, 0, 0],
    ]);
    expect(rows([a, b])).toEqual([
      [0, 0, 0],
      [a, 0, 2],
      [b, 1, 1],
      [c, 2, 0],
      [d, 1, 0],
      [e, 0, 0],
    ]);
    expect(ask(ecs, { ask: "entities", expanded: [a], from: 2, count: 1 })).toMatchObject({
      total: 5,
      entities: [{ entity: b }],
    });
    expect(ask(ecs, { ask: "children", entity: a, from: 1 })).toMatchObject({ total: 2, entities: [{ entity: d }] });
    expect(ask(ecs, { ask: "children" }).total).toBe(3);
  });

  test("I1 an entity has its components, and each system with the reason", () => {
    const ecs = world();
    systems(ecs);
    const parent = ecs.addEntity([Mind, { name: "camp" }], Enemy);
    const e = ecs.addEntity([Place, { x: NaN, at: [1, 2, Infinity] }], [Mind, { home: parent, target: NONE }], Gone);
    ecs.setParent(e, parent);
    const answer = ask(ecs, { ask: "entity", entity: e });
    expect(answer).toMatchObject({
      entity: e,
      parent: { entity: parent, index: 1, label: "camp" },
      components: expect.arrayContaining(["Parent", "InspectPlace", "InspectMind", "InspectGone"]),
      tracking: [
        { system: "Thinker", tracked: false, noneOf: ["InspectEnemy", "InspectLife"] },
        { system: "Mover", tracked: false, excluded: ["InspectGone"] },
        { system: "Screen", tracked: false, usesNone: true },
      ],
    });
    const fields = Object.fromEntries(answer.details.map(({ name, fields: list }) => [name, list]));
    expect(fields["InspectPlace"]!.slice(0, 2)).toEqual([
      { name: "x", type: "f32", value: "NaN" },
      { name: "at", type: "f32x3", value: [1, 2, "Infinity"] },
    ]);
    expect(fields["InspectMind"]).toEqual([
      { name: "mood", type: "enum", names: ["calm", "angry"], value: "calm" },
      { name: "target", type: "link", value: null },
      { name: "home", type: "entity", value: parent, label: "camp" },
      { name: "name", type: "string", value: "" },
    ]);
    ecs.removeComponent(e, Gone);
    ecs.addComponent(e, Life);
    expect(ask(ecs, { ask: "entity", index: 2 }).tracking.slice(0, 2)).toEqual([
      { system: "Thinker", tracked: true, dirty: true },
      { system: "Mover", tracked: true, dirty: true },
    ]);
    expect(ask(ecs, { ask: "entity", entity: parent }).tracking[1]).toEqual({
      system: "Mover",
      tracked: false,
      missing: ["InspectPlace"],
    });
  });

  test("I1 an object component has its properties and accessors; what JSON does not say is read-only", () => {
    const ecs = world();
    const e = ecs.addEntity(Bag, new Thing());
    const { details } = ask(ecs, { ask: "entity", entity: e });
    expect(details.find(({ name }) => name === "InspectBag")!.fields).toEqual([
      { name: "gold", type: "number", value: 1 },
      { name: "items", type: "json", value: ["key"] },
      { name: "open", type: "boolean", value: false },
    ]);
    expect(details.find(({ name }) => name === "Thing")!.fields).toEqual([
      { name: "count", type: "number", value: 1 },
      { name: "fixed", type: "number", value: 1 },
      { name: "image", type: "object", value: { a: [0, 0] }, readOnly: true },
      { name: "weight", type: "number", value: 2 },
      { name: "double", type: "number", value: 4, readOnly: true },
    ]);
  });

  test("I1 values of the game that are cyclic, deep, long or throw have an end", () => {
    const ecs = world();
    class Odd extends Component {
      cyclic: { self?: object } = {};
      deep = { a: { b: { c: { d: { e: 1 } } } } };
      long = Array.from({ length: 101 }, (_, i) => i);
      call = undefined as unknown;
      date = new Date(0);
      big = 1n;
      get broken(): number {
        throw new Error("it is broken");
      }
    }
    const odd = new Odd();
    odd.cyclic.self = odd.cyclic;
    const e = ecs.addEntity(odd);
    const value = (field: string) => read(ecs, e, "Odd", field);
    expect(value("cyclic")).toEqual({ self: "{…}" });
    expect(value("deep")).toEqual({ a: { b: { c: { d: "{…}" } } } });
    expect((value("long") as unknown[]).slice(-1)).toEqual(["…"]);
    expect([value("call"), value("date"), value("big"), value("broken")]).toEqual([
      null,
      "1970-01-01T00:00:00.000Z",
      "1",
      "[it is broken]",
    ]);
  });

  test("I1 memory is the report with its advice", () => {
    const ecs = world();
    ecs.addComponents(ecs.addEntities(1000), Place);
    const { classes } = ask(ecs, { ask: "memory" });
    const place = classes.find(({ name }) => name === "InspectPlace")!;
    expect(place).toMatchObject({ policy: "linear", count: 1000, utilisation: 1 });
    expect(place.bytes).toBeGreaterThan(1000 * 140);
  });
});

describe("conditions", () => {
  function people(ecs: ECS) {
    const a = ecs.addEntity([Life, { hp: 3 }], [Mind, { name: "Anna", mood: "angry" }], Enemy);
    const b = ecs.addEntity([Life, { hp: 200, tired: true }], [Place, { x: -1.5, at: [0, 5, 0] }], [Bag, { gold: 50 }]);
    const c = ecs.addEntity([Place, { x: NaN }], [Mind, { target: a, home: b, name: "Boris the bad" }], Gone);
    return { a, b, c };
  }
  test("I1 entities are found by components, values, names, numbers and systems", () => {
    const ecs = world();
    systems(ecs);
    const { a, b, c } = people(ecs);
    const cases: [string, number[]][] = [
      ["InspectLife", [a, b]],
      ["!InspectLife", [0, c]],
      ["InspectLife !InspectEnemy", [b]],
      ["InspectLife.hp < 10", [a]],
      ["InspectLife.hp<=3", [a]],
      ["InspectLife.hp >= 200", [b]],
      ["!InspectLife.hp > 10", [0, a, c]],
      ["InspectLife.hp != 3", [b]],
      ["InspectLife.tired", [b]],
      ["InspectLife.tired = false", [a]],
      ["InspectPlace.x = -1.5", [b]],
      ["InspectPlace.x = NaN", [c]],
      ["InspectPlace.at.y > 3", [b]],
      ["InspectPlace.at[1] == 5", [b]],
      ["InspectMind.mood = angry", [a]],
      ['InspectMind.name = "Anna"', [a]],
      ["InspectMind.name ~ BAD", [c]],
      ['InspectMind.name < "B"', [a]],
      [`InspectMind.target = ${a}`, [c]],
      ["InspectMind.target = none", [a]],
      ["InspectMind.home != none", [c]],
      ["InspectBag.gold > 10", [b]],
      ["InspectBag.items[0] = key", [b]],
      ['"the bad"', [c]],
      [`${b}`, [b]],
      [`#${b}`, [b]],
      ["@Mover", [b]],
      ["!@Mover", [0, a, c]],
      ["  ", [0, a, b, c]],
    ];
    for (const [where, expected] of cases) expect([where, found(ecs, where)]).toEqual([where, expected]);
  });
  test("I1 a mistake in the conditions says what is wrong", () => {
    const ecs = world();
    people(ecs);
    const where = (text: string) => problem(ecs, { ask: "entities", where: text }).replace("BAD_ARGUMENT: where: ", "");
    expect(where("InspectLive")).toBe('there is no component class "InspectLive"; is it InspectLife?');
    expect(where("inspectlife")).toBe('there is no component class "inspectlife"; is it InspectLife?');
    expect(where("InspectLife.hp <")).toBe("a value is missing behind InspectLife.hp <");
    expect(where("InspectLife.hq")).toBe("InspectLife has no field hq; it has hp, tired");
    expect(where("InspectLife.hp = many")).toBe("hp is a number, not many");
    expect(where("InspectLife.tired = 1")).toBe("tired is true or false, not 1");
    expect(where("InspectMind.mood = sad")).toBe("mood is calm, angry, not sad");
    expect(where("InspectMind.mood < calm")).toBe("names have no order, so < can't compare them");
    expect(where("InspectPlace.at > 1")).toBe("InspectPlace.at is a vector; name an element, as at.x or at[0]");
    expect(where("InspectPlace.at.w > 1")).toBe("at has no element w");
    expect(where("InspectLife < 1")).toBe("InspectLife needs a field, as InspectLife.hp");
    expect(where("@Nobody")).toBe("there is no system Nobody");
    expect(where("@")).toBe("the name of a system is missing behind @");
    expect(where("= 3")).toBe('a component, "text", #number or @system is missing, where = 3 is');
    expect(where("InspectLife.")).toBe("the name of a field is missing behind InspectLife.");
  });
});

test("I1 a column has what conditions compare", () => {
  const ecs = world();
  systems(ecs);
  const a = ecs.addEntity([Life, { hp: 3 }], [Mind, { name: "Anna", mood: "angry" }]);
  const b = ecs.addEntity([Place, { x: NaN, at: [1, 2, 3] }], [Bag, { gold: 5 }]);
  const column = (request: object) => ask(ecs, { ask: "column", ...request });
  expect(column({})).toEqual({ entities: [0, a, b] });
  expect(column({ labels: true })).toEqual({ entities: [0, a, b], values: [null, "Anna", null] });
  expect(column({ component: "InspectLife" })).toEqual({ entities: [a] });
  expect(column({ component: "InspectMind", path: ["mood"] })).toEqual({ entities: [a], values: ["angry"] });
  expect(column({ component: "InspectMind", path: ["target"] })).toEqual({ entities: [a], values: [null] });
  expect(column({ component: "InspectPlace", path: ["x"] })).toEqual({ entities: [b], values: ["NaN"] });
  expect(column({ component: "InspectPlace", path: ["at", 2] })).toEqual({ entities: [b], values: [3] });
  expect(column({ component: "InspectBag", path: ["gold"] })).toEqual({ entities: [b], values: [5] });
  expect(column({ component: "InspectBag", path: ["items", "0", "x"] })).toEqual({ entities: [b], values: [null] });
  expect(column({ system: "Mover" })).toEqual({ entities: [b] });
  const wrong = (request: object) => problem(ecs, { ask: "column", ...request });
  expect(wrong({ component: "Nothing" })).toBe('BAD_ARGUMENT: column: there is no component class "Nothing"');
  expect(wrong({ system: "Nobody" })).toBe("BAD_SYSTEM: column: there is no system Nobody");
  expect(wrong({ component: "InspectPlace", path: "x" })).toMatch("column: path must be a list of names");
  expect(wrong({ component: "InspectPlace", path: [] })).toMatch("column: path must be a list of names");
  expect(wrong({ component: "InspectPlace", path: ["z"] })).toMatch(
    'InspectPlace has no field "z"; it has x, at, many',
  );
  expect(wrong({ component: "InspectPlace", path: ["at", 3] })).toMatch("InspectPlace.at has no element 3");
  expect(ask(ecs, { ask: "entities", of: [b, 99, a] }).entities.map(({ entity }) => entity)).toEqual([b, a]);
});

describe("changes", () => {
  test("I1 set assigns fields of every kind, and they signal", () => {
    const ecs = world();
    class Watch extends defineSystem({ place: Place }, { watch: [Place, Life, Mind, Bag, Thing] }) {
      readonly runs: number[] = [];
      override update(): void {
        this.runs.push(this.dirty.size);
      }
    }
    const watch = ecs.addSystem(0, new Watch());
    const other = ecs.addEntity();
    const e = ecs.addEntity(Place, Life, Mind, Bag, new Thing());
    ecs.update();
    const set = (component: string, field: string, value: never, element?: number) =>
      ask(ecs, { do: "set", entity: e, component, field, value, ...(element !== undefined && { element }) }).value;
    const cases: [string, string, unknown, number?][] = [
      ["InspectPlace", "x", 0.5],
      ["InspectPlace", "x", "NaN"],
      ["InspectPlace", "at", [1, 2, 3]],
      ["InspectLife", "hp", 255],
      ["InspectLife", "tired", true],
      ["InspectMind", "mood", "angry"],
      ["InspectMind", "target", other],
      ["InspectMind", "target", null],
      ["InspectMind", "name", "Zoë"],
      ["InspectBag", "gold", 9],
      ["InspectBag", "items", ["a", { b: 1 }]],
      ["Thing", "count", 7],
      ["Thing", "weight", 8],
    ];
    for (const [component, field, value] of cases) {
      expect([field, set(component, field, value as never)]).toEqual([field, value]);
      expect(read(ecs, e, component, field)).toEqual(value);
      ecs.update();
      expect([field, watch.runs.at(-1)]).toEqual([field, 1]);
    }
    expect(set("InspectPlace", "at", 9 as never, 1)).toEqual([1, 9, 3]);
    expect([...ecs.get(e, Place).at]).toEqual([1, 9, 3]);
    ecs.update();
    expect(set("InspectPlace", "at", 9 as never, 1)).toEqual([1, 9, 3]);
    ecs.update();
    expect(watch.runs.at(-1)).toBe(0); // the same value is no change
  });
  test("I1 set refuses what the field can't store, and changes nothing", () => {
    const ecs = world();
    const e = ecs.addEntity(Place, Life, Mind, Bag, new Thing());
    const set = (component: string, field: unknown, value: unknown, others = {}) =>
      problem(ecs, { do: "set", entity: e, component, field, value, ...others });
    expect(set("InspectLife", "hp", 300)).toBe("BAD_ARGUMENT: set: InspectLife.hp is u8, which can't store 300");
    expect(set("InspectLife", "hp", "3")).toBe('BAD_ARGUMENT: field hp (u8) takes a number, not "3"');
    expect(set("InspectLife", "tired", 1)).toMatch("takes a boolean");
    expect(set("InspectMind", "mood", "sad")).toMatch('takes "calm", "angry", not "sad"');
    expect(set("InspectMind", "home", -1)).toMatch("takes an entity");
    expect(set("InspectPlace", "at", [1, 2])).toMatch("takes a list of 3 numbers");
    expect(set("InspectPlace", "at", [1, 2, null])).toMatch("takes a number");
    expect(set("InspectPlace", "at", 1, { element: 3 })).toMatch("has no element 3");
    expect(set("InspectPlace", "y", 1)).toBe('BAD_ARGUMENT: set: InspectPlace has no field "y"; it has x, at, many');
    expect(set("InspectBag", "gold", "much")).toMatch('InspectBag.gold is a number, not "much"');
    expect(set("InspectBag", "silver", 1)).toMatch("it has gold, items, open");
    expect(set("Thing", "double", 1)).toMatch("can't be assigned");
    expect(set("Thing", "image", {})).toMatch("is a Map, which the inspector can't make");
    expect(set("InspectGone", "x", 1)).toMatch("MISSING_COMPONENT: set: entity 1");
    expect(set("InspectLive", "hp", 1)).toMatch("is it InspectLife?");
    expect(set("InspectLife", "hp", undefined)).toBe("BAD_ARGUMENT: set: the value is missing");
    expect(problem(ecs, { do: "set", entity: 99, component: "InspectLife", field: "hp", value: 1 })).toMatch(
      "STALE_ENTITY: set",
    );
    expect([ecs.get(e, Life).hp, [...ecs.get(e, Place).at]]).toEqual([10, [0, 0, 0]]);
  });
  test("I1 components are added and removed, parents are set, and entities removed", () => {
    const ecs = world();
    const [e, parent] = several<2>(ecs, 2);
    ask(ecs, { do: "add", entity: e, component: "InspectLife" });
    ask(ecs, { do: "add", entity: e, component: "InspectPlace", values: { x: 2, at: [1, "Infinity", 3] } });
    ask(ecs, { do: "add", entity: e, component: "InspectBag", values: { gold: 4 } });
    expect([ecs.get(e, Life).hp, ecs.get(e, Place).at.y, ecs.get(e, Bag).gold]).toEqual([10, Infinity, 4]);
    expect(problem(ecs, { do: "add", entity: e, component: "InspectLife", values: { hp: 300 } })).toMatch(
      "can't store 300",
    );
    expect(problem(ecs, { do: "add", entity: e, component: "InspectLife", values: { hq: 3 } })).toMatch(
      'InspectLife has no field "hq"; it has hp, tired',
    );
    expect(problem(ecs, { do: "add", entity: e, component: "InspectLife", values: 3 })).toMatch("must be an object");
    ask(ecs, { do: "remove", entity: e, component: "InspectLife" });
    expect(ecs.has(e, Life)).toBe(false);
    expect(problem(ecs, { do: "remove", entity: e, component: "InspectLife" })).toMatch("MISSING_COMPONENT");

    ask(ecs, { do: "set", entity: e, component: "Parent", field: "entity", value: parent });
    expect(ecs.parent(e)).toBe(parent);
    expect(read(ecs, e, "Parent", "entity")).toBe(parent);
    ask(ecs, { do: "remove", entity: e, component: "Parent" });
    expect([ecs.parent(e), ecs.has(e, Parent)]).toEqual([NONE, false]);

    ask(ecs, { do: "destroy", entity: e });
    ecs.update();
    expect(ecs.alive(e)).toBe(false);
    expect(problem(ecs, { do: "destroy", entity: e })).toMatch("STALE_ENTITY");
    expect(problem(ecs, { do: "destroy", entity: 0 })).toMatch("BAD_ARGUMENT");
  });
  test("I1 systems are enabled and disabled, the game paused, one frame and one system run", () => {
    const ecs = world();
    systems(ecs);
    const e = ecs.addEntity(Place);
    ask(ecs, { do: "disable", system: "Mover" });
    expect(system(ecs, "Mover").enabled).toBe(false);
    ask(ecs, { do: "enable", system: "Mover" });
    expect(problem(ecs, { do: "run", system: "Mover" })).toBe("BAD_ARGUMENT: run: pause the game first");
    ask(ecs, { do: "pause" });
    expect(ecs.paused).toBe(true);
    ask(ecs, { do: "run", system: "Mover", delta: 2 });
    expect([ecs.get(e, Place).x, ecs.frame, ecs.gameTime]).toEqual([2, 0, 0]);
    expect(system(ecs, "Mover")).toMatchObject({ dirty: 1 });
    expect(ask(ecs, { do: "step", delta: 0.5 })).toEqual({ done: true, frame: 1 });
    expect([ecs.get(e, Place).x, ecs.gameTime, ecs.paused]).toEqual([2.5, 0.5, true]);
    expect(problem(ecs, { do: "run", system: "Screen" })).toMatch("run: Screen is disabled");
    expect(problem(ecs, { do: "run", system: "Nobody" })).toBe("BAD_SYSTEM: run: there is no system Nobody");
    expect(problem(ecs, { do: "enable" })).toMatch("BAD_SYSTEM");
    expect(problem(ecs, { do: "step", delta: -1 })).toBe(
      "BAD_ARGUMENT: step: delta must be a finite, non-negative number, not -1",
    );
    ask(ecs, { do: "resume" });
    expect(ecs.paused).toBe(false);
    ecs.update(1.5e308);
    expect(problem(ecs, { do: "step", delta: 1.5e308 })).toMatch("BAD_ARGUMENT: update: ");
    expect(ecs.paused).toBe(false);
  });
  test("I1 what a system throws is the answer, and inside of a callback nothing runs", () => {
    const ecs = world();
    class Bad extends defineSystem({ place: Place }) {
      answer: unknown;
      override update(): void {
        this.answer = inspect(ecs, [{ do: "step" }, { do: "pause" }, { do: "run", system: "Bad" }]);
        throw new Error("it is bad");
      }
    }
    const bad = ecs.addSystem(0, new Bad());
    expect(problem(ecs, { do: "step" })).toBe("FAILED: it is bad");
    expect(ecs.paused).toBe(true);
    expect(bad.answer).toMatchObject([
      { error: { code: "REENTRANT_UPDATE" } },
      { done: true },
      { error: { code: "REENTRANT_UPDATE" } },
    ]);
    expect(problem(ecs, { do: "run", system: "Bad" })).toBe("FAILED: it is bad");
  });
});

describe("measuring", () => {
  test("I1 frames and events are collected while it is on", () => {
    const ecs = world();
    systems(ecs);
    ecs.addEntity(Place);
    ecs.events.subscribe(Hit, () => {});
    ecs.events.inbox(Hit);
    ecs.addSystem(3, new Ear());
    ecs.events.dispatch(new Hit(1));
    ask(ecs, { do: "measure", on: true });
    expect(ask(ecs, { ask: "world" }).measures).toBe(true);
    ecs.events.dispatch(new Hit(2));
    ecs.events.dispatch(new Hit(3), 60);
    for (let i = 0; i < 130; ++i) ecs.update();
    const { systems: names, frames } = ask(ecs, { ask: "frames" });
    expect([frames.length, frames[0]!.frame, frames.at(-1)!.frame]).toEqual([120, 11, 130]);
    expect(frames.at(-1)!.times.map(([at]) => names[at])).toEqual(["Mover", "Ear"]);
    expect(ask(ecs, { ask: "frames", since: 128 }).frames.map(({ frame }) => frame)).toEqual([129, 130]);
    const sum = frames.reduce((all, { times }) => all + times.find(([at]) => names[at] === "Mover")![1], 0);
    expect(system(ecs, "Mover").average).toBeCloseTo(sum / 120, 3);
    expect(system(ecs, "Screen").average).toBe(0);
    expect(ask(ecs, { ask: "events" })).toEqual({
      names: [{ name: "Hit", count: 1, handlers: 3 }],
      events: [{ frame: 0, name: "Hit", value: { points: 2 } }],
      delayed: [{ name: "Hit", due: 60 }],
    });
    ask(ecs, { do: "measure", on: false });
    ecs.update();
    ecs.events.dispatch(new Hit(4));
    expect(ecs.profiler.enabled).toBe(false);
    expect(ask(ecs, { ask: "frames" }).frames.at(-1)!.frame).toBe(130);
    expect(ask(ecs, { ask: "events" }).events).toHaveLength(1);
  });
  test("I1 a world that is not measured has nothing of it", () => {
    const ecs = world();
    ask(ecs, { do: "measure", on: true });
    ask(ecs, { do: "measure", on: false });
    expect([Object.keys(ecs.profiler), Object.keys(ecs.events)]).toEqual([["userTiming"], []]);
    ecs.profiler.enabled = true;
    ask(ecs, { do: "measure", on: true });
    ask(ecs, { do: "measure", on: false });
    expect(ecs.profiler.enabled).toBe(true); // the game measures
  });
});

describe("recording", () => {
  type HistoryEntry = ReturnType<History["why"]>[number];
  const entry = (part: Partial<HistoryEntry>): HistoryEntry => ({
    entity: 1,
    frame: 1,
    system: "Mover",
    component: "InspectPlace",
    kind: "changed",
    field: "x",
    before: 1,
    after: NaN,
    notified: ["Thinker"],
    at: "game.ts:42",
    ...part,
  });
  const entries = [
    entry({ frame: 3 }),
    entry({ frame: 2, system: undefined, field: "at", before: [1], after: [2], at: "" }),
    entry({ kind: "removed", component: "InspectLife", field: undefined, before: { hp: 1 }, after: undefined }),
  ];
  const watched: unknown[] = [];
  const history: GivenHistory = {
    why: () => entries,
    bySystem: () => entries.slice(0, 1),
    watch: (cls) => void watched.push(cls),
    dispose: () => {},
  };
  function served(ecs: ECS): void {
    const { port1, port2 } = new MessageChannel();
    serveInspector(ecs, port1, { history })();
    port1.close();
    port2.close();
  }

  test("I1 why and by are the entries of the history, filtered", () => {
    const ecs = world();
    expect(problem(ecs, { ask: "why", entity: 1 })).toBe("BAD_ARGUMENT: why: nothing was recorded; record first");
    served(ecs);
    expect(ask(ecs, { ask: "world" }).history).toBe(true);
    expect(ask(ecs, { ask: "why", entity: 1, count: 2 })).toEqual({
      total: 3,
      changes: [
        {
          entity: 1,
          frame: 3,
          system: "Mover",
          component: "InspectPlace",
          kind: "changed",
          field: "x",
          before: 1,
          after: "NaN",
          notified: ["Thinker"],
          at: "game.ts:42",
        },
        {
          entity: 1,
          frame: 2,
          component: "InspectPlace",
          kind: "changed",
          field: "at",
          before: [1],
          after: [2],
          notified: ["Thinker"],
          at: "",
        },
      ],
      systems: ["", "Mover"],
      components: ["InspectLife", "InspectPlace"],
      fields: ["at", "x"],
      unwatched: [],
    });
    const frames = (filters: object) =>
      ask(ecs, { ask: "why", entity: 1, ...filters }).changes.map(({ frame }) => frame);
    expect([frames({ system: "" }), frames({ component: "InspectLife" }), frames({ field: "x" })]).toEqual([
      [2],
      [1],
      [3],
    ]);
    expect(ask(ecs, { ask: "by", system: "Mover" }).total).toBe(1);
  });

  test("I1 why names the classes whose values are not recorded, until they are watched", () => {
    const ecs = world();
    const e = ecs.addEntity(Place, Life, Enemy, Bag); // number 1; nothing watches a class without fields
    ecs.addSystem(0, new Mover());
    expect(problem(ecs, { do: "watch", component: "InspectLife" })).toMatch("nothing was recorded; record first");
    served(ecs);
    const unwatched = () => ask(ecs, { ask: "why", entity: e }).unwatched;
    expect(unwatched()).toEqual(["InspectLife", "InspectBag"]);
    expect(problem(ecs, { do: "watch", component: "Nothing" })).toMatch("BAD_ARGUMENT: watch: there is no");
    ask(ecs, { do: "watch", component: "InspectLife" });
    expect([watched, unwatched()]).toEqual([[Life], ["InspectBag"]]);
    ask(ecs, { do: "record", on: false }); // the history of the game stays
    expect(unwatched()).toEqual(["InspectBag"]);
    const other: GivenHistory = { ...history, watch: () => {} };
    const { port1, port2 } = new MessageChannel();
    serveInspector(ecs, port1, { history: other })();
    port1.close();
    port2.close();
    expect(unwatched()).toEqual(["InspectLife", "InspectBag"]);
  });
  test("I1 a class is recorded that no system watches, if it is watched", () => {
    if (!complete()) return;
    const ecs = world();
    const e = ecs.addEntity(Life);
    ask(ecs, { do: "record", on: true });
    ecs.get(e, Life).hp = 5;
    ask(ecs, { do: "watch", component: "InspectLife" });
    ecs.get(e, Life).hp = 7;
    expect(ask(ecs, { ask: "why", entity: e }).changes).toMatchObject([
      { component: "InspectLife", field: "hp", before: 5, after: 7, notified: [] },
    ]);
    ask(ecs, { do: "record", on: false });
    ask(ecs, { do: "record", on: true });
    expect(ask(ecs, { ask: "why", entity: e })).toMatchObject({ changes: [], unwatched: ["InspectLife"] });
  });

  test("I1 record and rewind go back to earlier frames", () => {
    const ecs = world();
    systems(ecs);
    const e = ecs.addEntity(Place, Bag);
    ecs.addEntity(new Thing()); // which nothing encodes
    expect(problem(ecs, { do: "rewind", frame: 0 })).toMatch("rewind: nothing was recorded");
    expect(ask(ecs, { do: "record", on: true })).toEqual({ done: true, without: expect.arrayContaining(["Thing"]) });
    for (let i = 0; i < 5; ++i) ecs.update(1);
    expect(ask(ecs, { ask: "world" }).rewind).toEqual({ oldest: 0, newest: 5 });
    expect(ask(ecs, { do: "rewind", frame: 2 })).toEqual({ done: true, frame: 2 });
    expect([ecs.get(e, Place).x, ecs.paused]).toEqual([2, true]);
    expect(problem(ecs, { do: "rewind", frame: 9 })).toMatch("BAD_ARGUMENT");
    ask(ecs, { do: "record", on: false });
    expect(ask(ecs, { ask: "world" }).rewind).toBeUndefined();
  });
  test("I1 recording goes on without a class that was first used later, and that nothing encodes", () => {
    const ecs = world();
    class Late {
      constructor(readonly n = 1) {}
    }
    ask(ecs, { do: "record", on: true });
    ecs.update();
    ecs.events.dispatch(new Late(), 100);
    ecs.update();
    ask(ecs, { ask: "world" });
    ecs.update();
    expect(ask(ecs, { ask: "world" })).toMatchObject({ rewind: { newest: 3 } });
  });
  test("I1 a rewind of the game is shown, and stays when recording ends", () => {
    const ecs = world();
    const rewind = new Rewind(ecs);
    const { port1, port2 } = new MessageChannel();
    serveInspector(ecs, port1, { rewind })();
    ecs.update();
    expect(ask(ecs, { ask: "world" }).rewind).toEqual({ oldest: 0, newest: 1 });
    ask(ecs, { do: "record", on: false });
    expect(ask(ecs, { ask: "world" })).toMatchObject({ recording: false, rewind: { newest: 1 } });
    rewind.dispose();
    port1.close();
    port2.close();
  });
});

describe("messages", () => {
  test("I1 a list of requests has a list of answers, of which some can be errors", () => {
    const ecs = world();
    expect(inspect(ecs, [{ ask: "world" }, { ask: "entity", entity: 5 }, { do: "pause" }])).toMatchObject([
      { frame: 0 },
      { error: { code: "STALE_ENTITY" } },
      { done: true },
    ]);
  });
  test("I1 what is no request is an error", () => {
    const ecs = world();
    for (const request of [
      undefined,
      null,
      3,
      "world",
      {},
      { ask: "nothing" },
      { do: "nothing" },
      { ask: "set" },
      { ask: 1 },
    ])
      expect(problem(ecs, request)).toMatch(/^BAD_ARGUMENT: inspect: /);
    expect(problem(ecs, { ask: "entities", from: -1 })).toMatch("from must be a whole number");
    expect(problem(ecs, { ask: "entities", count: "many" })).toMatch("count must be a whole number");
    expect(problem(ecs, { ask: "entities", where: 3 })).toMatch("where must be a string");
    expect(problem(ecs, { ask: "entities", expanded: 3 })).toMatch("expanded must be a list");
    expect(problem(ecs, { ask: "entity" })).toMatch("no entity has the index");
    expect(problem(ecs, { ask: "entity", entity: "1" })).toMatch("the entity must be a number");
    expect(problem(ecs, { do: "measure" })).toMatch("measure: on is missing");
    expect(problem(ecs, { do: "record", on: 1 })).toMatch("record: on must be a boolean");
    ecs.dispose();
    expect(problem(ecs, { ask: "world" })).toMatch(/^DISPOSED/);
    expectError("BAD_ARGUMENT", () => inspect({} as ECS, { ask: "world" }));
  });

  /** Sends to a port, and returns what it answers. */
  function over(port: MessagePort, message: unknown): Promise<unknown> {
    return new Promise((resolve) => {
      port.onmessage = ({ data }) => resolve(data);
      port.postMessage(message);
    });
  }
  test("I1 serveInspector answers messages with a number, and leaves others to the game", async () => {
    const ecs = world();
    const { port1, port2 } = new MessageChannel();
    const ready = new Promise((resolve) => {
      port2.onmessage = ({ data }) => resolve(data);
    });
    const end = serveInspector(ecs, port1);
    expect(await ready).toEqual({ crateful: 1, ready: true });
    port2.postMessage("a message of the game");
    port2.postMessage({ crateful: 3, answer: {} }); // of another server, on a BroadcastChannel
    expect(await over(port2, { crateful: 7, request: { ask: "world" } })).toMatchObject({
      crateful: 7,
      answer: { frame: 0 },
    });
    expect(await over(port2, { crateful: 8, request: [{ do: "step" }] })).toEqual({
      crateful: 8,
      answer: [{ done: true, frame: 1 }],
    });
    end();
    port1.onmessage = () => port1.postMessage("not answered");
    expect(await over(port2, { crateful: 9, request: { do: "step" } })).toBe("not answered");
    port1.close();
    port2.close();
  });
  test("I1 a world at the other end of a connection is asked as one that is here", async () => {
    const ecs = world();
    systems(ecs);
    const e = ecs.addEntity([Life, { hp: 3 }], [Mind, { name: "Anna" }]);
    ecs.addEntity([Life, { hp: 30 }]);
    const { port1, port2 } = new MessageChannel();
    const none = { why: () => [], bySystem: () => [], watch: () => {}, dispose: () => {} };
    const end = serveInspector(ecs, port1, { history: none as never });
    const requests = [
      { ask: "world" },
      { ask: "entities", where: "InspectLife.hp < 10" },
      { ask: "entities", where: "!InspectLife" },
      { ask: "entities", where: "InspectLive" },
      { ask: "entities", where: "" },
      { ask: "entity", entity: e },
      { ask: "entity", entity: 99 },
      { ask: "why", entity: e },
      { ask: "nothing" },
    ] as unknown as InspectRequest[];
    expect(await inspect(port2, requests)).toEqual(inspect(ecs, requests));
    expect(await inspect(port2, { do: "pause" })).toEqual({ done: true });
    expect(ecs.paused).toBe(true);
    expect(await over(port2, { crateful: 1, request: { ask: "entities", where: "InspectLife" } })).toMatchObject({
      answer: { error: { code: "BAD_ARGUMENT" } }, // who asks evaluates it
    });
    end();
    port1.close();
    port2.close();
  });
  test("I1 serveInspector speaks JSON with a WebSocket", () => {
    const ecs = world();
    const sent: string[] = [];
    let receive: (event: { data?: unknown }) => void = () => {};
    const socket = {
      send: (text: string) => void sent.push(text),
      addEventListener: (_: string, listener: typeof receive) => void (receive = listener),
      removeEventListener: () => {},
    };
    serveInspector(ecs, socket);
    receive({ data: "not JSON" });
    receive({ data: '{"crateful":1,"request":{"do":"pause"}}' });
    expect(sent.map((text) => JSON.parse(text) as unknown)).toEqual([
      { crateful: 1, ready: true },
      { crateful: 1, answer: { done: true } },
    ]);
    expect(ecs.paused).toBe(true);
    expectError("BAD_ARGUMENT", () => serveInspector(ecs, {} as never));
  });
});
