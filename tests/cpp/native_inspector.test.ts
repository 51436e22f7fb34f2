/**
 * @jest-environment-options { "customExportConditions": ["node", "node-addons", "development"] }
 */
// The same world in TypeScript and in C++ gives the same answers (rule I1). native_inspector/world.cpp is that in C++.
import { afterAll, beforeAll, expect, jest, test } from "@jest/globals";
import { spawn, type ChildProcess } from "node:child_process";
import path from "node:path";
import { createInterface } from "node:readline";
import { ECS, defineComponent, defineSystem, type Component, type ComponentClass } from "crateful";
import { inspect, type InspectRequest } from "crateful/inspector";
import { init } from "crateful/state";
import { root, run } from "../package/consumer.js";

await init();

/** Native classes are sparse. */
const native = { policy: "sparse" } as const;
class Place extends defineComponent("Place", { x: "f32", at: "f32x3", exact: "f64" }, native) {}
class Life extends defineComponent(
  "Life",
  {
    hp: { type: "u8", default: 10 },
    tired: "bool",
    debt: "i16",
    score: "u32",
  },
  native,
) {}
class Mind extends defineComponent(
  "Mind",
  {
    mood: ["calm", "angry"],
    target: "link",
    home: "entity",
    name: "string",
  },
  native,
) {}
class Sign extends defineComponent("Sign", { label: "f32", title: "string" }, native) {}
class Enemy extends defineComponent("Enemy", {}, native) {}
class Gone extends defineComponent("Gone", {}, native) {}
class Twin extends defineComponent("Twin", { a: "u8" }, native) {}
class OtherTwin extends defineComponent("Twin", { b: "u8" }, native) {}
class Hit {
  constructor(readonly points = 0) {}
}

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
class Nurse extends defineSystem({ life: Life }, { watch: [Life], onlyWhenDirty: true }) {
  override update(): void {
    for (const { life } of this.dirty) life.tired = life.hp < 5;
  }
}
class Judge extends defineSystem({ mind: Mind }, { watch: [Mind] }) {
  hits = this.inbox(Hit);
  override update(): void {
    for (const { mind } of this.rows) if (mind.name === "trouble") throw new Error("there is trouble");
  }
}
class Twice extends defineSystem(undefined) {
  override update(): void {}
}

const ecs = new ECS();
function fill(): void {
  // In the order of the ids.
  const classes: ComponentClass<Component>[] = [Place, Life, Mind, Sign, Enemy, Gone, Twin, OtherTwin];
  for (const cls of classes) ecs.storage(cls);
  ecs.addSystem(1, new Mover());
  ecs.addSystem(1, new Thinker());
  ecs.addSystem(2, new Screen());
  ecs.addSystem(3, new Nurse());
  ecs.addSystem(4, new Judge());
  ecs.addSystem(5, new Twice());
  ecs.addSystem(5, new Twice());
  const camp = ecs.addEntity(Place, [Mind, { name: "camp" }], Enemy);
  const anna = ecs.addEntity([Life, { hp: 3 }], [Mind, { mood: "angry", home: camp, name: "Anna" }]);
  const boris = ecs.addEntity(
    [Place, { x: -1.5, at: [0, 5, 0.1], exact: 0.1 }],
    [Life, { hp: 200, tired: true }],
    [Mind, { target: anna, home: camp, name: "Boris the bad" }],
  );
  ecs.addEntity([Place, { exact: 1e21 }], Gone, [Sign, { label: 2, title: 'No "entry"' }]);
  ecs.addEntity([Twin, { a: 1 }], [OtherTwin, { b: 2 }]);
  ecs.setParent(anna, camp);
  ecs.setParent(boris, camp);
  ecs.events.subscribe(Hit, () => {});
  ecs.events.dispatch(new Hit(), 60);
  ecs.addEntities(10);
}

jest.spyOn(console, "warn").mockImplementation(() => {}); // of two classes with one name, and NaN
let program: ChildProcess;
const listeners = new Set<(event: { data: string }) => void>();
/** Its input and output, as a WebSocket. */
const connection = {
  send: (text: string) => void program.stdin!.write(`${text}\n`),
  addEventListener: (_type: string, listener: (event: { data?: unknown }) => void) => void listeners.add(listener),
  removeEventListener: (_type: string, listener: (event: { data?: unknown }) => void) =>
    void listeners.delete(listener),
};
beforeAll(() => {
  fill();
  const build = path.join(root, "build/inspected"); // kept, so that the next run compiles nothing
  run("cmake", ["--fresh", "-S", path.join(root, "tests/cpp/native_inspector"), "-B", build], root);
  run("cmake", ["--build", build, "--parallel", "2"], root);
  program = spawn(path.join(build, "inspected"), { stdio: ["pipe", "pipe", "inherit"] });
  createInterface({ input: program.stdout! }).on("line", (data) => {
    for (const listener of [...listeners]) listener({ data });
  });
});
afterAll(() => {
  program?.stdin?.end();
  ecs.dispose();
});

/**
 * An answer without what is documented to differ: languages, times, memory, places, the values of events, and in messages names of calls,
 * and of classes that are meant. The development build names the class in place of "field".
 */
function comparable(answer: unknown): unknown {
  return JSON.parse(JSON.stringify(answer), (key, value: unknown) => {
    if (key === "language") return "a language";
    if (key === "kind" && value === "native") return "stored";
    if (key === "message")
      return (value as string)
        .replace(/^\w+:/, (call) => call.replace(/_[a-z]/g, (part) => part.slice(1).toUpperCase()))
        .replace(/^\w+\.(\w+ \(\w+\) takes)/, "field $1")
        .replace(/; is it \w+\?$/, "");
    if (key === "at" && typeof value === "string") return "a place";
    if (["last", "average", "bytes", "otherBytes"].includes(key)) return typeof value;
    if (key === "times") return (value as [number, number][]).map(([system, time]) => [system, typeof time]);
    if (key === "events") return (value as object[]).map((event) => ({ ...event, value: undefined }));
    const { times, total } = Object(value) as { times?: unknown; total?: unknown };
    return times === undefined ? value : { ...(value as object), total: typeof total };
  });
}

/** Requests in this order: later ones meet what earlier ones have changed. */
const groups: Record<string, unknown[]> = {
  "what there is": [
    { ask: "world" },
    { ask: "systems" },
    { ask: "classes" },
    { ask: "memory" },
    { ask: "entities" },
    { ask: "entities", from: 3, count: 2 },
    { ask: "entities", from: 1000 },
    { ask: "entities", count: 0 },
    { ask: "entities", expanded: [] },
    { ask: "entities", expanded: [1, 2, "3", 1.5, null, {}, -1] },
    { ask: "entities", expanded: [1], from: 2, count: 2 },
    { ask: "entities", expanded: [1], where: "Life" },
    { ask: "children" },
    { ask: "children", entity: 1 },
    { ask: "children", entity: 1, from: 1 },
    { ask: "children", entity: 2 },
    ...[0, 1, 2, 3, 4, 5, 6].map((entity) => ({ ask: "entity", entity })),
    { ask: "entity", index: 3 },
    { ask: "events" },
    { ask: "frames" },
    { ask: "entities", of: [3, 99, 1, "2", null] },
    { ask: "entities", of: [3, 2, 1], from: 1, count: 1 },
    { ask: "column" },
    { ask: "column", labels: true },
    { ask: "column", component: "Life" },
    { ask: "column", component: "Place", path: ["at"] },
    { ask: "column", component: "Place", path: ["at", 1] },
    { ask: "column", component: "Mind", path: ["mood"] },
    { ask: "column", component: "Mind", path: ["target"] },
    { ask: "column", system: "Mover" },
  ],
  conditions: [
    ...[
      "Life",
      "!Life",
      "Life !Enemy",
      "Life.hp < 10",
      "Life.hp<=3",
      "Life.hp >= 200",
      "!Life.hp > 10",
      "Life.hp != 3",
    ],
    ...[
      "Life.tired",
      "Life.tired = false",
      "Life.hp = 3e0",
      "Life.hp = +3",
      "Life.hp = 3.",
      'Life.hp = "3"',
      "Life.hp ~ 0",
    ],
    ...["Place.x = -1.5", "Place.exact = 1e21", "Place.exact ~ 1e+21", "Place.exact ~ 0.1", "Place.exact > 1e400"],
    ...["Place.at.y > 3", "Place.at[1] == 5", "Place.at.z ~ 0.10000000149", "Mind.mood = angry", "Mind.mood ~ gry"],
    ...[
      'Mind.name = "Anna"',
      "Mind.name = Anna",
      "Mind.name ~ BAD",
      'Mind.name < "B"',
      'Mind.name >= "Anna"',
      'Mind.name = ""',
    ],
    ...[
      "Mind.target = 2",
      "Mind.target = #2",
      "Mind.target = none",
      "Mind.home != none",
      "Mind.home = NULL",
      "Mind.home > 1",
    ],
    ...['"the bad"', '"ANN"', '""', "3", "#3", "0", "4194304", "@Mover", "!@Mover", '@"Twice (2)"', "@Twice", "  ", ""],
    ...[
      "Twin",
      "Parent",
      "Parent.entity = 1",
      "Sign.title ~ entry",
      "Life.hp > 1 @Nurse 2",
      "Life.hp<10Mind",
      "!!Life",
    ],
  ].map((where) => ({ ask: "entities", where })),
  "mistakes in conditions": [
    ...[
      "Live",
      "life",
      "Lif",
      "Nothing",
      "Life.hp <",
      "Life.hq",
      "Life.hp = many",
      "Life.tired = 1",
      "Mind.mood = sad",
    ],
    ...[
      "Mind.mood < calm",
      "Place.at > 1",
      "Place.at.w > 1",
      "Place.at[3] > 1",
      "Place.at.x.y > 1",
      "Place.x.y = 1",
      "Life < 1",
    ],
    ...[
      "Enemy = 1",
      "@Nobody",
      "@",
      "= 3",
      "Life.",
      "Life.hp = 0x",
      "Mind.name < Anna",
      '"open',
      "Life !",
      "Life.hp = Infinityx",
    ],
    ...["Place.at.xy = 1", "Mind.home = nobody", "[1]", "Life[", "Life.tired < true", "3x", "#", "Gone.x"],
  ].map((where) => ({ ask: "entities", where })),
  "what is no request": [
    ...[
      null,
      3,
      "world",
      {},
      [],
      { ask: "nothing" },
      { do: "nothing" },
      { ask: "set" },
      { ask: 1 },
      { ask: ["world"] },
      { do: null, ask: "world" },
    ],
    ...[{ ask: "" }, { do: "" }, { ask: "world", do: "world" }, [[]], [{ ask: "world" }, null, { do: 3 }]],
    ...[
      { ask: "entities", from: -1 },
      { ask: "entities", from: 1.5 },
      { ask: "entities", count: "many" },
    ],
    ...[
      { ask: "entities", where: 3 },
      { ask: "entities", where: null },
      { ask: "entities", expanded: 3 },
    ],
    ...[
      { ask: "entity" },
      { ask: "entity", entity: "1" },
      { ask: "entity", entity: 99 },
      { ask: "entity", entity: 1.5 },
    ],
    ...[
      { ask: "entity", entity: -1 },
      { ask: "entity", entity: 4194305 },
      { ask: "entity", entity: 4294967295 },
    ],
    ...[
      { ask: "entity", entity: 1e300 },
      { ask: "entity", entity: null },
      { ask: "entity", index: 99 },
      { ask: "entity", index: "x" },
    ],
    ...[
      { ask: "children", entity: 99 },
      { ask: "children", entity: {} },
      { ask: "why", entity: 1 },
      { ask: "by", system: "Mover" },
    ],
    ...[
      { ask: "events", count: -1 },
      { ask: "frames", since: "x" },
      { ask: "entities", of: 3 },
      { ask: "column", labels: 1 },
      { ask: "column", component: "Live" },
      { ask: "column", component: 3 },
      { ask: "column", system: "Nobody" },
      { ask: "column", component: "Place", path: "x" },
      { ask: "column", component: "Place", path: [] },
      { ask: "column", component: "Place", path: ["z"] },
      { ask: "column", component: "Place", path: ["at", 3] },
      { ask: "column", component: "Place", path: ["at", "x"] },
      { ask: "column", component: "Enemy", path: ["x"] },
    ],
  ],
  "values that are set": [
    ["Place", "x", 0.5],
    ["Place", "x", 0.1],
    ["Place", "x", "NaN"],
    ["Place", "x", "NaN"],
    ["Place", "x", "-Infinity"],
    ["Place", "x", 1e300],
    ["Place", "x", "1"],
    ["Place", "x", null],
    ["Place", "x", true],
    ["Place", "x", 2],
    ["Place", "at", [1, 2, 3]],
    ["Place", "at", [1, 2]],
    ["Place", "at", [1, 2, null]],
    ["Place", "at", [1, 1e39, 3]],
    ["Place", "at", 7],
    ["Place", "at", { length: 3 }],
    ["Place", "at", 9, 1],
    ["Place", "at", "Infinity", 2],
    ["Place", "at", 1, 3],
    ["Place", "at", 1, -1],
    ["Place", "at", 1, 0.5],
    ["Place", "at", 1, "0"],
    ["Place", "at", [1], 0],
    ["Place", "exact", 1.0000000000000002],
    ["Place", "exact", -0],
    ["Place", "exact", 123456789012345680000],
    ["Place", "exact", 1e-7],
    ["Place", "y", 1],
    ["Place", 3, 1],
    ["Life", "hp", 255],
    ["Life", "hp", 300],
    ["Life", "hp", -1],
    ["Life", "hp", 1.5],
    ["Life", "hp", "NaN"],
    ["Life", "hp", "3"],
    ["Life", "hp", 4, 0],
    ["Life", "hp", 4, 1],
    ["Life", "debt", -32768],
    ["Life", "debt", 32768],
    ["Life", "score", 4294967295],
    ["Life", "score", 4294967296],
    ["Life", "tired", false],
    ["Life", "tired", 1],
    ["Mind", "mood", "angry"],
    ["Mind", "mood", "sad"],
    ["Mind", "mood", 1],
    ["Mind", "target", 4],
    ["Mind", "target", null],
    ["Mind", "target", 99],
    ["Mind", "home", -1],
    ["Mind", "home", "1"],
    ["Mind", "name", "Zoë \u0000 \ud83d\ude00"],
    ["Mind", "name", "NaN"],
    ["Mind", "name", 3],
    ["Mind", "name", "Boris"],
    ["Gone", "x", 1],
    ["Enemy", "x", 1],
    ["Sign", "title", "x"],
    ["Live", "hp", 1],
    [3, "hp", 1],
    [undefined, "hp", 1],
    ["Life", "hp", undefined],
    ["Parent", "entity", null],
    ["Parent", "entity", 2],
    ["Parent", "entity", 3],
    ["Parent", "entity", 99],
    ["Parent", "entity", "1"],
    ["Parent", "entity", 1],
  ].flatMap(([component, field, value, element]) => [
    { do: "set", entity: 3, component, field, value, element },
    { ask: "entity", entity: 3 },
  ]),
  "what is done": [
    { do: "set", entity: 99, component: "Life", field: "hp", value: 1 },
    { do: "set", entity: "3", component: "Life", field: "hp", value: 1 },
    { do: "set", entity: 1, component: "Parent", field: "entity", value: 3 },
    { do: "set", entity: 0, component: "Parent", field: "entity", value: 1 },
    { do: "set", entity: 5, component: "Twin (2)", field: "b", value: 7 },
    { do: "add", entity: 6, component: "Life" },
    { do: "add", entity: 6, component: "Place", values: { x: 2, at: [1, "Infinity", 3] } },
    { do: "add", entity: 6, component: "Mind", values: { mood: "angry", target: 1, name: "Eva" } },
    { do: "add", entity: 6, component: "Mind", values: {} },
    { do: "add", entity: 6, component: "Enemy", values: {} },
    { do: "add", entity: 6, component: "Life", values: { hp: 300 } },
    { do: "add", entity: 6, component: "Life", values: { hq: 3 } },
    { do: "add", entity: 6, component: "Place", values: { at: [1] } },
    { do: "add", entity: 6, component: "Life", values: 3 },
    { do: "add", entity: 6, component: "Life", values: [3] },
    { do: "add", entity: 6, component: "Parent" },
    { do: "add", entity: 6, component: "Lives" },
    { do: "add", entity: 99, component: "Life" },
    { do: "add", entity: 6 },
    { ask: "entity", entity: 6 },
    { do: "remove", entity: 6, component: "Life" },
    { do: "remove", entity: 6, component: "Life" },
    { do: "remove", entity: 0, component: "Life" },
    { do: "remove", entity: 99, component: "Life" },
    { do: "remove", entity: 6, component: "Parent" },
    { do: "remove", entity: 2, component: "Parent" },
    { ask: "entity", entity: 2 },
    { ask: "entity", entity: 1 },
    { do: "destroy", entity: 7 },
    { do: "destroy", entity: 7 },
    { do: "destroy", entity: 0 },
    { do: "destroy", entity: 99 },
    { do: "destroy" },
    { do: "disable", system: "Twice (2)" },
    { do: "enable", system: "Screen" },
    { do: "enable" },
    { do: "enable", system: 3 },
    { do: "disable", system: "Nobody" },
    { do: "run", system: "Mover" },
    { do: "pause" },
    { ask: "world" },
    { do: "run", system: "Mover", delta: 2 },
    { do: "run", system: "Thinker", delta: 0.1 },
    { do: "run", system: "Twice (2)" },
    { do: "run", system: "Nobody" },
    { do: "run", system: "Mover", delta: -1 },
    { do: "run", system: "Mover", delta: "1" },
    { ask: "systems" },
    { do: "step", delta: 0.5 },
    { do: "step" },
    { do: "step", delta: "Infinity" },
    { ask: "systems" },
    { ask: "entities" },
    { do: "destroy", entity: 7 },
    { do: "resume" },
    { ask: "world" },
  ],
  "systems of one name": [
    { do: "enable", system: "Twice (2)" },
    { do: "disable", system: "Twice" },
  ],
  "what a system throws": [
    { do: "set", entity: 2, component: "Mind", field: "name", value: "trouble" },
    { do: "step" },
    { ask: "world" },
    { do: "run", system: "Judge" },
    { do: "set", entity: 2, component: "Mind", field: "name", value: "Anna" },
    { do: "step" },
  ],
  measuring: [
    { do: "measure" },
    { do: "measure", on: 1 },
    { do: "measure", on: true },
    { ask: "world" },
    { do: "step" },
    { do: "step" },
    { ask: "frames" },
    { ask: "frames", since: 5 },
    { ask: "systems" },
    { do: "step", delta: 60 },
    { ask: "events" },
    { do: "measure", on: false },
    { do: "step" },
    { ask: "frames" },
  ],
  recording: [
    { do: "rewind", frame: 0 },
    { do: "watch", component: "Life" },
    { do: "record" },
    { do: "record", on: 1 },
    { do: "record", on: true, bytes: "x" },
    { do: "record", on: true, bytes: -1 },
    { do: "record", on: true },
    { ask: "world" },
    { do: "set", entity: 3, component: "Life", field: "hp", value: 2 },
    { do: "set", entity: 3, component: "Mind", field: "target", value: 2 },
    { do: "set", entity: 3, component: "Mind", field: "target", value: null },
    { do: "set", entity: 3, component: "Mind", field: "home", value: null },
    { do: "step" },
    { do: "set", entity: 3, component: "Place", field: "at", value: [4, 5, 6] },
    { do: "set", entity: 2, component: "Parent", field: "entity", value: 3 },
    { do: "remove", entity: 3, component: "Life" },
    { do: "add", entity: 6, component: "Enemy" },
    { do: "step" },
    { do: "destroy", entity: 8 },
    { do: "step" },
    { ask: "world" },
    { ask: "why", entity: 3 },
    { ask: "why", entity: 3, count: 2 },
    { ask: "why", entity: 3, system: "Nurse" },
    { ask: "why", entity: 3, system: "" },
    { ask: "why", entity: 3, system: 7 },
    { ask: "why", entity: 3, component: "Life", field: "hp" },
    { do: "watch", component: "Nothing" },
    { do: "watch" },
    { do: "set", entity: 4, component: "Sign", field: "label", value: 3 },
    { ask: "why", entity: 4 },
    { do: "watch", component: "Sign" },
    { do: "set", entity: 4, component: "Sign", field: "label", value: 4 },
    { do: "set", entity: 4, component: "Sign", field: "title", value: "y" },
    { ask: "why", entity: 4 },
    { ask: "why", entity: 2 },
    { ask: "why", entity: 6 },
    { ask: "why", entity: 8 },
    { ask: "why", entity: 99 },
    { ask: "why", entity: 1.5 },
    { ask: "why", entity: "3" },
    { ask: "why" },
    { ask: "why", entity: 3, count: -1 },
    { ask: "by", system: "Mover" },
    { ask: "by", system: "" },
    { ask: "by", system: "Nurse", component: "Life" },
    { ask: "by", system: "Nobody" },
    { ask: "by" },
    { do: "rewind", frame: 99 },
    { do: "rewind", frame: 0.5 },
    { do: "rewind" },
    { ask: "entities" },
    { do: "record", on: false },
    { ask: "world" },
    { ask: "why", entity: 3 },
  ],
};

for (const [name, requests] of Object.entries(groups))
  test(`I1 a native program answers as TypeScript does: ${name}`, async () => {
    const here: unknown[] = [];
    const there: unknown[] = [];
    for (const request of requests) {
      const text = JSON.stringify(request);
      here.push([text, comparable(inspect(ecs, JSON.parse(text) as never))]);
      there.push([text, comparable(await inspect(connection, JSON.parse(text) as InspectRequest))]);
    }
    expect(there).toEqual(here);
  });
