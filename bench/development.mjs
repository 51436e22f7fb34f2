// node bench/development.mjs [rounds] [shape…]: how much slower the development build is (rule B1) in loops that games run in each
// frame, in Node, with the last build. Each measurement is a process of its own; a round measures both builds in turn. Prints the
// ratio of the medians.
import { spawnSync } from "node:child_process";
import process from "node:process";
import { pathToFileURL } from "node:url";
import { fromRoot } from "../scripts/process.mjs";
import { median } from "./harness/spread.mjs";

const rows = 5000;
const dt = 1 / 60;

/** For each shape, a function that returns a frame. */
const shapes = {
  ...inSystem("a field", (row) => {
    row.position.x += row.velocity.x * dt;
  }),
  ...inSystem("five fields", ({ position, velocity, unit }) => {
    position.x += velocity.x * dt;
    position.y += velocity.y * dt;
    velocity.x *= 0.99;
    velocity.y *= 0.99;
    unit.turns = (unit.turns + 1) & 255;
  }),
  ...inSystem("only reading", ({ entity, position, velocity }) => position.x + velocity.y + entity),
  ...inSystem("a vector", ({ body }) => {
    body.at.x += dt;
    body.at.y += dt;
  }),
  ...inSystem("an enum and a string", ({ unit }) => {
    if (unit.name === "crate" && unit.state === "idle") unit.state = "walk";
  }),
  ...inSystem("a method", ({ position }) => position.move(dt)),
  ...inSystem("an object component", ({ health, position }) => {
    if (health.points > 0) position.x += health.points;
  }),
  ...inSystem("dirty rows", (row, dirty) => (dirty ? row.position.y : (row.position.x += 1)), true),
  "query.at": ({ ecs, all, game }) => {
    const query = ecs.query({ position: game.Position });
    return () => {
      for (const e of all) query.at(e).position.x += dt;
    };
  },
  "ecs.get":
    ({ ecs, all, game }) =>
    () => {
      for (const e of all) ecs.get(e, game.Position).x += dt;
    },
  columns:
    ({ ecs, game }) =>
    () => {
      const { x } = ecs.storage(game.Position).columns;
      for (let i = 0; i < x.length; ++i) x[i] += dt;
    },
  "new entities":
    ({ ecs, game: { Position, Health } }) =>
    () => {
      for (let i = 0; i < 100; ++i) ecs.removeEntity(ecs.addEntity(new Position({ x: i }), new Health()));
      ecs.update(dt);
    },
};

/** A system that calls the function for each row; with `watching`, then also for each row of `dirty`. */
function inSystem(name, each, watching = false) {
  const shape = ({ ecs, game, module: { defineSystem } }) => {
    const { Position, Velocity, Unit, Body, Health } = game;
    const all = { position: Position, velocity: Velocity, unit: Unit, body: Body, health: Health };
    const used = Object.keys(all).filter((key) => `${each}`.includes(key));
    const options = watching ? { watch: [Position] } : {};
    class Each extends defineSystem(Object.fromEntries(used.map((key) => [key, all[key]])), options) {
      update() {
        let sum = 0;
        for (const row of this.rows) sum += each(row, false);
        if (watching) for (const row of this.dirty) sum += each(row, true);
        return sum === undefined ? sum : undefined;
      }
    }
    ecs.addSystem(0, new Each());
    return () => ecs.update(dt);
  };
  return { [name]: shape };
}

function classes({ defineComponent, defineObject }) {
  class Position extends defineComponent("Position", { x: "f32", y: "f32" }) {
    move(by) {
      this.x += by;
    }
  }
  class Velocity extends defineComponent("Velocity", { x: { type: "f32", default: 1 }, y: "f32" }) {}
  const states = ["idle", "walk"];
  class Unit extends defineComponent("Unit", { state: states, turns: "u8", name: "string" }) {}
  class Body extends defineComponent("Body", { at: "f32x3" }) {}
  class Health extends defineObject("Health", { points: 3 }) {}
  return { Position, Velocity, Unit, Body, Health };
}

/** Prints the lower quartile of the microseconds per frame. */
async function measureOne(build, name) {
  const module = await import(pathToFileURL(fromRoot(`dist/${build}inline.js`)).href);
  await module.init();
  const ecs = new module.ECS();
  const game = classes(module);
  const { Position, Velocity, Unit, Body, Health } = game;
  const prefab = ecs.prefab([Position, Velocity, [Unit, { name: "crate" }], Body, Health]);
  const frame = shapes[name]({ ecs, all: [...prefab.spawn(rows)], game, module });
  for (let i = 0; i < 200; i++) frame();
  const times = Array.from({ length: 400 }, () => {
    const start = performance.now();
    frame();
    return performance.now() - start;
  });
  console.log(times.sort((a, b) => a - b)[100] * 1000);
}

function measureAll(rounds, names) {
  const self = fromRoot("bench/development.mjs");
  const time = (...args) => Number(spawnSync(process.execPath, [self, "--cell", ...args], { encoding: "utf8" }).stdout);
  for (const name of names) {
    const samples = Array.from({ length: rounds }, () => [time("", name), time("development/", name)]);
    const [production, development] = [0, 1].map((side) => median(samples.map((pair) => pair[side])));
    const ratio = (development / production).toFixed(1).padStart(6);
    console.log(`${ratio}  ${name}: ${production.toFixed(1)} µs, in development ${development.toFixed(1)} µs`);
  }
}

const [first, ...rest] = process.argv.slice(2);
if (first === "--cell") await measureOne(...rest);
else measureAll(Number(first ?? 5), rest.length > 0 ? rest : Object.keys(shapes));
