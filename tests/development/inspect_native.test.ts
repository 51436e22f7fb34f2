// The same world in TypeScript and in C++ gives the same answers (rule I1). native/world.cpp is that in C++.
import { afterAll, beforeAll, expect, test } from "@jest/globals";
import { spawn, type ChildProcess } from "node:child_process";
import path from "node:path";
import { createInterface } from "node:readline";
import { ECS, defineComponent, defineSystem, type Entity, type InputRow } from "crateful";
import { inspect } from "crateful/inspector";
import { init } from "crateful/state";
import { root, run } from "../package/consumer.js";

await init();

class Place extends defineComponent("Place", { x: "f32", at: "f32x3", exact: "f64" }) {}
class Life extends defineComponent("Life", {
  hp: { type: "u8", default: 10 },
  tired: "bool",
  debt: "i16",
  score: "u32",
}) {}
class Mind extends defineComponent("Mind", {
  mood: ["calm", "angry"],
  target: "link",
  home: "entity",
  name: "string",
}) {}
class Sign extends defineComponent("Sign", { label: "f32", title: "string" }) {}
class Enemy extends defineComponent("Enemy") {}
class Gone extends defineComponent("Gone") {}
class Twin extends defineComponent("Twin", { a: "u8" }) {}
class OtherTwin extends defineComponent("Twin", { b: "u8" }) {}
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
    for (const { life } of this.dirtyRows) life.tired = life.hp < 5;
  }
}
class Judge extends defineSystem({ mind: Mind }, { watch: [Mind] }) {
  override update(): void {
    for (const { mind } of this.rows) if (mind.name === "trouble") throw new Error("there is trouble");
  }
}

const ecs = new ECS();
function fill(): void {
  for (const cls of [Place, Life, Mind, Sign, Enemy, Gone, Twin, OtherTwin]) ecs.storage(cls); // in the order of their ids
  ecs.addSystem(1, new Mover());
  ecs.addSystem(1, new Thinker());
  ecs.addSystem(2, new Screen());
  ecs.addSystem(3, new Nurse());
  ecs.addSystem(4, new Judge());
  ecs.addSystem(5, "Twice", () => {});
  ecs.addSystem(5, "Twice", () => {});
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

let program: ChildProcess;
let lines: AsyncIterator<string>;
beforeAll(() => {
  fill();
  const build = path.join(root, "build/inspected"); // kept, so that the next run compiles nothing
  run("cmake", ["--fresh", "-S", path.join(root, "tests/development/native"), "-B", build], root);
  run("cmake", ["--build", build, "--parallel", "2"], root);
  program = spawn(path.join(build, "inspected"), { stdio: ["pipe", "pipe", "inherit"] });
  lines = createInterface({ input: program.stdout! })[Symbol.asyncIterator]();
});
afterAll(() => {
  program?.stdin?.end();
  ecs.dispose();
});

async function ofProgram(request: unknown): Promise<unknown> {
  program.stdin!.write(`${JSON.stringify(request)}\n`);
  return JSON.parse((await lines.next()).value as string);
}

/** An answer without what is documented to differ: languages, times, places, memory, and the values of events. */
function comparable(answer: unknown): unknown {
  return JSON.parse(JSON.stringify(answer), (key, value: unknown) => {
    switch (key) {
      case "language":
        return "a language";
      case "kind":
        return value === "native" ? "stored" : value;
      case "last":
      case "average":
      case "total":
      case "bytes":
      case "otherBytes":
        return typeof value;
      default:
        return value;
    }
  });
}
