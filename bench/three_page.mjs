// What bench/three.mjs measures in a page: `k` of `n` instances move in each frame, in one renderer of three.js.
import {
  BoxGeometry,
  InstancedMesh,
  MeshBasicMaterial,
  Object3D,
  PerspectiveCamera,
  Scene,
  Vector3,
  WebGLRenderer,
} from "three";
import { ECS, defineComponent, init } from "../dist/inline.js";
import { InstancedRows } from "../dist/three.js";
import { median } from "./harness/spread.mjs";

class Position extends defineComponent("Position", { x: "f32", y: "f32", z: "f32", angle: "f32" }) {}

let bytes = 0;
const { bufferSubData } = WebGL2RenderingContext.prototype;
WebGL2RenderingContext.prototype.bufferSubData = function (target, offset, data, from, length) {
  bytes += 4 * (length ?? data.length);
  return bufferSubData.call(this, target, offset, data, from, length);
};

const renderer = new WebGLRenderer();
renderer.setSize(64, 64);
const camera = new PerspectiveCamera(60, 1, 1, 2000);
camera.position.set(0, 0, 600);
const gl = renderer.getContext();
const pixel = new Uint8Array(4);

/** Nothing of it is drawn: in software, drawing takes most of the time of a frame. */
const geometry = new BoxGeometry();
geometry.setDrawRange(0, 0);

/** A world with n positions, and a mesh for them that is in a scene of its own. */
function makeWorld(n) {
  const ecs = new ECS();
  const entities = ecs.addEntities(n);
  const at = (of) => Array.from(entities, (_, i) => of(i));
  ecs.addComponents(entities, Position, {
    x: at((i) => (i % 250) - 125.5),
    y: at((i) => Math.floor(i / 250) - 100.5),
    z: at((i) => (i % 7) / 7),
    angle: at((i) => i / 100),
  });
  const mesh = new InstancedMesh(geometry, new MeshBasicMaterial(), n);
  return { ecs, entities, mesh, scene: new Scene().add(mesh) };
}

/** The ways to bring changes to the GPU; each returns a world and `update()`. */
const ways = {
  /** Uploads the instances of dirty entities. */
  "crateful/three"(n) {
    const world = makeWorld(n);
    const up = new Vector3(0, 1, 0);
    const rows = new InstancedRows(
      world.mesh,
      { position: Position },
      { matrix: ({ position: { x, y, z, angle } }, matrix) => matrix.makeRotationAxis(up, angle).setPosition(x, y, z) },
    );
    world.ecs.addSystem(0, rows);
    return { ...world, update: () => world.ecs.update() };
  },
  /** The loop of the examples of three.js: it sets all matrices, and uploads them. */
  "all instances, as in the examples of three.js"(n) {
    const world = makeWorld(n);
    const rows = world.ecs.query({ position: Position });
    const dummy = new Object3D();
    const update = () => {
      let i = 0;
      for (const { position } of rows) {
        dummy.position.set(position.x, position.y, position.z);
        dummy.rotation.y = position.angle;
        dummy.updateMatrix();
        world.mesh.setMatrixAt(i++, dummy.matrix);
      }
      world.mesh.instanceMatrix.needsUpdate = true;
    };
    return { ...world, update };
  },
  /** Sets the matrices of those that have moved, which the program must know, and uploads all. */
  "changed matrices, all uploaded"(n) {
    const world = makeWorld(n);
    const dummy = new Object3D();
    const update = (moved) => {
      for (const i of moved) {
        const position = world.ecs.get(world.entities[i], Position);
        dummy.position.set(position.x, position.y, position.z);
        dummy.rotation.y = position.angle;
        dummy.updateMatrix();
        world.mesh.setMatrixAt(i, dummy.matrix);
      }
      world.mesh.instanceMatrix.needsUpdate = moved.length > 0;
    };
    update(world.entities.map((_, i) => i));
    return { ...world, update };
  },
};

/** One frame. Returns the bytes that it uploads, and its times in ms; `total` includes the work of the GPU process. */
function frame({ ecs, entities, scene, update }, k, step) {
  const n = entities.length;
  const moved = Array.from({ length: k }, (_, i) => (Math.floor((i * n) / k) + step * 7) % n);
  for (const i of moved) ecs.get(entities[i], Position).angle += 0.1;
  bytes = 0;
  const start = performance.now();
  update(moved);
  const updated = performance.now();
  renderer.render(scene, camera);
  const rendered = performance.now();
  gl.readPixels(0, 0, 1, 1, gl.RGBA, gl.UNSIGNED_BYTE, pixel); // waits for the GPU process
  return { bytes, update: updated - start, render: rendered - updated, total: performance.now() - start };
}

/** Measures all ways, frame by frame in turn. Returns the medians for each k, and throws if a resolution is too coarse. */
globalThis.measure = async ({ n, ks, frames }) => {
  await init();
  if (!crossOriginIsolated) throw new Error("the clock has a resolution of 100 µs only");
  const worlds = Object.entries(ways).map(([name, make]) => ({ name, world: make(n) }));
  return ks.flatMap((k) => {
    const samples = worlds.map(() => []);
    for (let step = 0; step < frames + 60; step++)
      worlds.forEach(({ world }, at) => {
        const sample = frame(world, k, step);
        if (step >= 60) samples[at].push(sample); // then code is compiled
      });
    const of = (list, key) => median(list.map((sample) => sample[key]));
    return worlds.map(({ name }, at) => ({
      name,
      k,
      bytes: of(samples[at], "bytes"),
      update: of(samples[at], "update"),
      render: of(samples[at], "render"),
      total: of(samples[at], "total"),
    }));
  });
};
globalThis.gpu = () => {
  const { UNMASKED_RENDERER_WEBGL } = gl.getExtension("WEBGL_debug_renderer_info");
  return gl.getParameter(UNMASKED_RENDERER_WEBGL);
};
