// node bench/fields.mjs [rounds]: enums, vectors and strings (rules C11 to C13), compared with number fields in the same loop, in Node, with
// the last build. Each measurement is a process of its own; a round measures both sides of each pair in turn. Prints the ratio of the
// medians, and the lowest and highest ratio of a round.
import { spawnSync } from "node:child_process";
import process from "node:process";
import { pathToFileURL } from "node:url";
import { fromRoot } from "../scripts/process.mjs";
import { median } from "./harness/spread.mjs";

const rows = 10_000;
const dt = 1 / 60;

/** [a loop over number fields, the same with an enum, vector or string, the highest accepted ratio] */
const pairs = [
  ["numbers", "vectors", 1.3],
  ["u8", "enum", 1.5],
  ["u32", "string", 2],
];

const loops = {
  numbers({ ECS, defineComponent }) {
    class Position extends defineComponent("Position", { x: "f32", y: "f32", z: "f32" }) {}
    class Velocity extends defineComponent("Velocity", { x: "f32", y: "f32", z: "f32" }) {}
    const ecs = new ECS();
    ecs.prefab([Position, [Velocity, { x: 1, y: 2, z: 3 }]]).spawn(rows);
    const moving = ecs.query({ position: Position, velocity: Velocity });
    return () => {
      for (const { position, velocity } of moving) {
        position.x += velocity.x * dt;
        position.y += velocity.y * dt;
        position.z += velocity.z * dt;
      }
    };
  },
  vectors({ ECS, defineComponent }) {
    class Position extends defineComponent("Position", { at: "f32x3" }) {}
    class Velocity extends defineComponent("Velocity", { at: "f32x3" }) {}
    const ecs = new ECS();
    ecs.prefab([Position, [Velocity, { at: [1, 2, 3] }]]).spawn(rows);
    const moving = ecs.query({ position: Position, velocity: Velocity });
    return () => {
      for (const { position, velocity } of moving) {
        position.at.x += velocity.at.x * dt;
        position.at.y += velocity.at.y * dt;
        position.at.z += velocity.at.z * dt;
      }
    };
  },
  u8: (module) => counting(module, "u8", [0, 1, 2], 2),
  enum: (module) => counting(module, states, states, "attack"),
  u32: (module) => counting(module, "u32", [0, 1, 2], 2),
  string: (module) => counting(module, "string", states, "attack"),
};
const states = ["idle", "walk", "attack"];
function counting({ ECS, defineComponent }, type, values, wanted) {
  class Unit extends defineComponent("Unit", { state: type }) {}
  const ecs = new ECS();
  ecs.prefab([Unit]).spawn(rows, [{ state: Array.from({ length: rows }, (_, i) => values[i % 3]) }]);
  const units = ecs.query({ unit: Unit });
  return () => {
    let n = 0;
    for (const { unit } of units) if (unit.state === wanted) n += 1;
    return n;
  };
}

/** Prints the lower quartile of the nanoseconds per row. */
async function measureOne(name) {
  const module = await import(pathToFileURL(fromRoot("dist/inline.js")).href);
  await module.init();
  const loop = loops[name](module);
  for (let i = 0; i < 300; i++) loop();
  const times = Array.from({ length: 600 }, () => {
    const start = performance.now();
    loop();
    return performance.now() - start;
  });
  console.log((times.sort((a, b) => a - b)[150] * 1e6) / rows);
}

function measureAll(rounds) {
  const self = fromRoot("bench/fields.mjs");
  const time = (name) => Number(spawnSync(process.execPath, [self, "--cell", name], { encoding: "utf8" }).stdout);
  for (const [plain, other, limit] of pairs) {
    const samples = Array.from({ length: rounds }, () => [time(plain), time(other)]);
    const [before, after] = [0, 1].map((side) => median(samples.map((pair) => pair[side])));
    const ratios = samples.map(([a, b]) => b / a).sort((a, b) => a - b);
    const ratio = after / before;
    console.log(
      `${other} / ${plain}: ${ratio.toFixed(2)} (at most ${limit}; rounds ${ratios[0].toFixed(2)} to ${ratios.at(-1).toFixed(2)}), ` +
        `${after.toFixed(1)} and ${before.toFixed(1)} ns per row`,
    );
    if (ratio > limit) process.exitCode = 1;
  }
}

const [first, name] = process.argv.slice(2);
if (first === "--cell") await measureOne(name);
else measureAll(Number(first ?? 9));
