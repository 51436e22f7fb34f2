// node bench/ratios.mjs development|fields [rounds] [shape…]: loops that games run in each frame, in Node, with the last build.
//   development: how much slower the development build is than the production build (rule B1)
//   fields: enums, vectors and strings, compared with numbers in the same loop (rules C11 to C13); fails above the accepted ratio
// Each measurement is a process of its own; a round measures both sides in turn. Prints the ratio of the medians, and the lowest and
// highest ratio of a round.
import { spawnSync } from "node:child_process";
import process from "node:process";
import { pathToFileURL } from "node:url";
import { fromRoot } from "../scripts/process.mjs";
import { median } from "./harness/spread.mjs";

const rows = 5000;
const dt = 1 / 60;
const states = ["idle", "walk", "attack"];

/** For each shape, a function that returns a frame. `all`: entities with each of `classes`. */
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
  numbers: ({ ecs, module: { defineComponent } }) => {
    class Place extends defineComponent("Place", { x: "f32", y: "f32", z: "f32" }) {}
    class Speed extends defineComponent("Speed", { x: "f32", y: "f32", z: "f32" }) {}
    ecs.prefab([Place, [Speed, { x: 1, y: 2, z: 3 }]]).spawn(rows);
    const moving = ecs.query({ place: Place, speed: Speed });
    return () => {
      for (const { place, speed } of moving) {
        place.x += speed.x * dt;
        place.y += speed.y * dt;
        place.z += speed.z * dt;
      }
    };
  },
  vectors: ({ ecs, module: { defineComponent } }) => {
    class Place extends defineComponent("Place", { at: "f32x3" }) {}
    class Speed extends defineComponent("Speed", { at: "f32x3" }) {}
    ecs.prefab([Place, [Speed, { at: [1, 2, 3] }]]).spawn(rows);
    const moving = ecs.query({ place: Place, speed: Speed });
    return () => {
      for (const { place, speed } of moving) {
        place.at.x += speed.at.x * dt;
        place.at.y += speed.at.y * dt;
        place.at.z += speed.at.z * dt;
      }
    };
  },
  u8: comparing("u8", [0, 1, 2], 2),
  enum: comparing(states, states, "attack"),
  u32: comparing("u32", [0, 1, 2], 2),
  string: comparing("string", states, "attack"),
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

/** Counts the entities with a value. */
function comparing(type, values, wanted) {
  return ({ ecs, module: { defineComponent } }) => {
    class Kind extends defineComponent("Kind", { state: type }) {}
    ecs.prefab([Kind]).spawn(rows, [{ state: Array.from({ length: rows }, (_, i) => values[i % 3]) }]);
    const kinds = ecs.query({ kind: Kind });
    return () => {
      let n = 0;
      for (const { kind } of kinds) if (kind.state === wanted) n += 1;
      return n;
    };
  };
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

/** [a shape with numbers, the same with an enum, vector or string, the highest accepted ratio] */
const fields = [
  ["numbers", "vectors", 1.3],
  ["u8", "enum", 1.5],
  ["u32", "string", 2],
];

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

/** `one` and `other` are the build and the shape of each side. */
function compare(title, one, other, rounds, limit = Infinity) {
  const self = fromRoot("bench/ratios.mjs");
  const time = (side) => Number(spawnSync(process.execPath, [self, "--cell", ...side], { encoding: "utf8" }).stdout);
  const samples = Array.from({ length: rounds }, () => [time(one), time(other)]);
  const [before, after] = [0, 1].map((side) => median(samples.map((pair) => pair[side])));
  const ratios = samples.map(([a, b]) => b / a).sort((a, b) => a - b);
  const [ratio, lowest, highest] = [after / before, ratios[0], ratios.at(-1)].map((value) => value.toFixed(2));
  console.log(`${title}: ${ratio} (${lowest} to ${highest}), ${after.toFixed(1)} and ${before.toFixed(1)} µs`);
  if (after / before > limit) process.exitCode = 1;
}

const [what, ...options] = process.argv.slice(2);
const rounds = Number(options[0] ?? 5);
if (what === "--cell") await measureOne(...options);
else if (what === "fields") {
  for (const [plain, other, limit] of fields)
    compare(`${other} / ${plain}, at most ${limit}`, ["", plain], ["", other], rounds, limit);
} else {
  const inFields = fields.flat();
  const names = options.length > 1 ? options.slice(1) : Object.keys(shapes).filter((name) => !inFields.includes(name));
  for (const name of names) compare(name, ["", name], ["development/", name], rounds);
}
