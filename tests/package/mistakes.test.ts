// The messages of docs/guide/development-build.md.
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import path from "node:path";
import process from "node:process";
import { expect, test } from "@jest/globals";
import { root, run } from "./consumer.js";

/** A program that makes the mistakes of the page "Development build" that have messages, in the order of its table. */
const mistakes = `
import { Component, ECS, Rewind, System, defineComponent, defineSystem, init, startLoop } from "crateful/state";
console.warn = console.log;
const attempt = (mistake) => {
  try {
    mistake();
  } catch (error) {
    console.log(error.message);
  }
};
attempt(() => (init(), new ECS()));
await init();
const ecs = new ECS();
class Position extends defineComponent("Position", { x: "f32", y: "f32" }) {}
const [a, b] = [ecs.addEntity(Position), ecs.addEntity(Position)];
class Mover extends System {
  componentsRequired = new Set([Position]);
  update() {}
}
const mover = (members) => Object.assign(new Mover(), members);
attempt(() => ecs.addSystem(0, mover({ componentsRequired: [Position] })));
attempt(() => ecs.addSystem(0, mover({ update: undefined })));
attempt(() => ecs.addComponent(a, Position, { x: "1" }));
class Armour extends defineComponent("Armour", { points: "u8" }) {
  points = 100;
}
attempt(() => ecs.addComponent(a, new Armour()));
attempt(() => ecs.addEntity(Armour));
{
  class Armour extends defineComponent("Armour", { points: "u8" }) {
    note = "hello";
  }
  attempt(() => ecs.addEntity(Armour));
}
attempt(() => ecs.update(-0.004));
const query = ecs.query({ position: Position });
const [kept] = Array.from(query, ({ position }) => position);
attempt(() => kept.x);
const row = query.at(a);
query.at(b);
attempt(() => row.position);
const { x } = ecs.storage(Position).columns;
ecs.addEntities(4_000_000);
attempt(() => x.length);
attempt(() => (ecs.get(a, Position).z = 1));
attempt(() => ({ ...ecs.get(a, Position) }));
attempt(() => ({ ...query.at(a) }));
class Loader extends defineSystem({ position: Position }) {
  async update() {}
}
const loader = ecs.addSystem(0, new Loader());
attempt(() => ecs.update());
ecs.removeSystem(loader);
class Minimap extends defineSystem({ position: Position }, { observer: true }) {
  update() {
    attempt(() => ecs.addComponent(b, Armour));
  }
}
const minimap = ecs.addSystem(0, new Minimap());
ecs.update();
ecs.removeSystem(minimap);
ecs.addSystem(0, mover({ dirtyComponent: new Set([Position]) }));
for (const options of [{}, { onlyWhenDirty: true }]) {
  class Draw extends defineSystem({ position: Position }, options) {
    update() {
      void this.dirty;
    }
  }
  ecs.addSystem(0, new Draw());
  ecs.update();
}
ecs.addSystem(0, mover({}));
new MessageChannel().port1.postMessage(ecs.storage(Position).columns.x);
for (let i = 0; i < 19; i++) new ECS();
globalThis.requestAnimationFrame = globalThis.cancelAnimationFrame = () => 0;
startLoop(ecs);
startLoop(ecs);
ecs.update(16.7);
for (const x of [0, 1]) {
  class Fuel extends defineComponent("Fuel") {}
  ecs.storage(Fuel);
}
class Health extends Component {
  points = 3;
}
class Draw extends defineSystem({ health: Health }, { watch: [Health] }) {
  update() {}
}
ecs.addSystem(0, new Draw());
const health = ecs.addComponent(a, new Health());
ecs.update();
health.points = 2;
ecs.update();
ecs.update();
class Counts extends defineComponent("Counts", { small: "u8" }) {}
ecs.addComponent(a, Counts, { small: 300 });
class Hit {}
class Ears extends defineSystem() {
  hits = this.inbox(Hit);
  update() {}
}
ecs.addSystem(0, new Ears());
for (let i = 0; i < 3; i++) ecs.events.dispatch(new Hit());
for (let i = 0; i < 61; i++) ecs.update();
const recorded = new ECS();
const at = recorded.addEntity(Position);
new Rewind(recorded);
recorded.storage(Position).columns.x[at] = 1;
recorded.update();
`;

test("B1 the messages in the guide's table of mistakes are those of the development build", () => {
  const table = readFileSync(path.join(root, "docs/guide/development-build.md"), "utf8").matchAll(
    /^\| .* \| (?:both|development)\b[^|]*\| `(?<message>.*)` \|$/gm,
  );
  const messages = Array.from(table, ({ groups }) => groups!["message"]!);
  expect(messages.length).toBeGreaterThan(10);
  const folder = mkdtempSync(path.join(root, "build", "mistakes-")); // in the repository, whose name is "crateful"
  try {
    writeFileSync(path.join(folder, "mistakes.mjs"), mistakes);
    const printed = run(process.execPath, ["--conditions=development", path.join(folder, "mistakes.mjs")], root);
    expect(printed.trimEnd().split("\n")).toEqual(messages);
  } finally {
    rmSync(folder, { recursive: true });
  }
});
