// The page of three.test.ts: thousands of squares, which a renderer of three.js draws. The test moves them, and asks for the
// bytes that the renderer sends to the GPU.
import { ECS, defineComponent, init, type Entity } from "crateful";
import { InstancedRows } from "crateful/three";
import {
  type BufferAttribute,
  type Color,
  InstancedMesh,
  Matrix4,
  MeshBasicMaterial,
  OrthographicCamera,
  PlaneGeometry,
  Raycaster,
  Scene,
  Vector2,
  WebGLRenderer,
} from "three";
import { Color as NewColor } from "three";

/** A square has 2 × 2 pixels. */
const [columns, rows] = [250, 200];

class Position extends defineComponent("Position", { x: "f32", y: "f32" }) {}

/** The bytes of `array` that were sent to a buffer that exists, and how many calls did it. */
const sent = { bytes: 0, calls: 0 };
let counted: readonly unknown[] = [];
const { bufferSubData } = WebGL2RenderingContext.prototype;
WebGL2RenderingContext.prototype.bufferSubData = function (...args: unknown[]) {
  const [, , data, , length] = args as [number, number, Float32Array, number?, number?];
  if (counted.includes(data)) {
    sent.calls += 1;
    sent.bytes += 4 * (length ?? data.length);
  }
  return Reflect.apply(bufferSubData, this, args);
};

async function makeRenderer(canvas: HTMLCanvasElement) {
  if (!location.search.includes("webgpu")) return new WebGLRenderer({ canvas, antialias: false });
  const { WebGPURenderer } = await import("three/webgpu");
  const renderer = new WebGPURenderer({ canvas, antialias: false, forceWebGL: true }); // Chromium in software lacks WebGPU
  await renderer.init();
  return renderer;
}

async function start() {
  const canvas = Object.assign(document.createElement("canvas"), { width: 2 * columns, height: 2 * rows });
  document.body.replaceChildren(canvas);
  const renderer = await makeRenderer(canvas);
  const camera = new OrthographicCamera(0, columns, rows, 0, -1, 1);
  const ecs = new ECS();

  const makeMesh = (capacity: number) => {
    const mesh = new InstancedMesh(new PlaneGeometry(), new MeshBasicMaterial(), capacity);
    return { mesh, scene: new Scene().add(mesh) };
  };
  const place = ({ x, y }: Position, matrix: Matrix4) => matrix.setPosition(x + 0.5, y + 0.5, 0);
  const paint = ({ x, y }: Position, color: Color) => color.setRGB(x % 2, y % 2, 1);

  const drawn = makeMesh(1000);
  const { mesh } = drawn;
  const instances = new InstancedRows(
    mesh,
    { position: Position },
    {
      matrix: ({ position }, matrix) => place(position, matrix),
      color: ({ position }, color) => paint(position, color),
    },
  );
  ecs.addSystem(0, instances);

  const pixels = (scene: Scene) => {
    renderer.render(scene, camera);
    const context = new OffscreenCanvas(canvas.width, canvas.height).getContext("2d")!;
    context.drawImage(canvas, 0, 0);
    return context.getImageData(0, 0, canvas.width, canvas.height).data;
  };
  let all: Entity[] = [];
  return {
    /** Adds `n` squares, side by side. */
    spawn(n: number) {
      const added = ecs.addEntities(n);
      const at = (i: number) => (all.length + i) % (columns * rows);
      const x = Array.from(added, (_, i) => at(i) % columns);
      const y = Array.from(added, (_, i) => Math.floor(at(i) / columns));
      ecs.addComponents(added, Position, { x, y });
      all = all.concat(Array.from(added));
    },
    /** Moves `n` squares, of which one is `from` and the others are at equal distances in the list. */
    move(n: number, from: number) {
      for (let i = 0; i < n; i++) {
        const position = ecs.get(all[(from + Math.floor((i * all.length) / n)) % all.length]!, Position);
        position.x = (position.x + 1 + (i % 9)) % columns;
        position.y = (position.y * 3 + i) % rows;
      }
    },
    remove(n: number) {
      for (let i = 0; i < n; i++) ecs.removeEntity(all.splice((i * 7919) % all.length, 1)[0]!);
    },
    clear() {
      ecs.clear();
      all = [];
    },
    /** Updates and renders. Returns what was announced, and what was sent to buffers that exist already. */
    frame() {
      ecs.update();
      counted = [mesh.instanceMatrix, mesh.instanceColor!].map(({ array }: BufferAttribute) => array);
      Object.assign(sent, { bytes: 0, calls: 0 });
      const { pendingBytes: pending } = instances;
      renderer.render(drawn.scene, camera);
      return { pending, ...sent };
    },
    /** How many pixels differ from those that the usual loop over all squares draws, and how many are not black. */
    compare() {
      const usual = makeMesh(all.length);
      const [matrix, color] = [new Matrix4(), new NewColor()];
      all.forEach((e, i) => {
        usual.mesh.setMatrixAt(i, place(ecs.get(e, Position), matrix.identity()));
        usual.mesh.setColorAt(i, paint(ecs.get(e, Position), color));
      });
      const expected = new Uint32Array(pixels(usual.scene).buffer);
      const actual = new Uint32Array(pixels(drawn.scene).buffer);
      usual.mesh.dispose();
      const background = actual.filter((pixel) => (pixel & 0xff0000) === 0).length;
      return { different: expected.filter((pixel, i) => pixel !== actual[i]).length, lit: actual.length - background };
    },
    /** The place of the square at a pixel, found with a ray. */
    pick(x: number, y: number) {
      const raycaster = new Raycaster();
      raycaster.setFromCamera(new Vector2((x / canvas.width) * 2 - 1, 1 - (y / canvas.height) * 2), camera);
      const [hit] = raycaster.intersectObject(mesh);
      return ecs.tryGet(instances.entityAt(hit?.instanceId), Position)?.toJSON();
    },
    /** Loses the context of WebGL, and restores it. */
    async loseContext() {
      const context = canvas.getContext("webgl2")!.getExtension("WEBGL_lose_context")!;
      for (const [name, call] of [
        ["webglcontextlost", () => context.loseContext()],
        ["webglcontextrestored", () => context.restoreContext()],
      ] as const) {
        const happened = new Promise((resolve) => canvas.addEventListener(name, resolve, { once: true }));
        call();
        await happened;
        await new Promise((resolve) => setTimeout(resolve)); // the other listeners of the event have run
      }
    },
  };
}

export type ThreePage = Awaited<ReturnType<typeof start>>;

init()
  .then(start)
  .then((page) => {
    Object.assign(globalThis, { page });
    console.log("end");
  });
