// 50,000 crates. Those near the pointer jump, glow and come to rest; the others are neither visited nor uploaded.
import { ECS, defineComponent, defineSystem, startLoop } from "crateful";
import { InstancedRows } from "crateful/three";
import {
  ACESFilmicToneMapping,
  BoxGeometry,
  CanvasTexture,
  Color,
  DirectionalLight,
  Fog,
  HemisphereLight,
  InstancedMesh,
  MeshStandardMaterial,
  PerspectiveCamera,
  Plane,
  Raycaster,
  SRGBColorSpace,
  Scene,
  Vector2,
  Vector3,
  WebGLRenderer,
} from "three";

const [COLUMNS, ROWS] = [250, 200];

class Position extends defineComponent("Position", { x: "f32", y: "f32", z: "f32", turn: "f32" }) {}
class Crate extends defineComponent("Crate", { shade: "f32" }) {}
class Flight extends defineComponent("Flight", { speed: "f32", spin: "f32" }) {} // only in the air
class Heat extends defineComponent("Heat", { value: "f32" }) {} // only while it glows

const ecs = new ECS();

/** Crates in the air fall, bounce and come to rest. */
class Fly extends defineSystem({ position: Position, flight: Flight }) {
  override update(delta: number): void {
    for (const { entity, position, flight } of this.rows) {
      flight.speed -= 22 * delta;
      position.y += flight.speed * delta;
      position.turn += flight.spin * delta;
      if (position.y > 0 || flight.speed > 0) continue;
      position.y = 0;
      flight.speed *= -0.35;
      flight.spin *= 0.5;
      if (flight.speed < 1) ecs.removeComponent(entity, Flight);
    }
  }
}

class Cool extends defineSystem({ heat: Heat }) {
  override update(delta: number): void {
    for (const { entity, heat } of this.rows) {
      heat.value -= 0.6 * delta;
      if (heat.value <= 0) ecs.removeComponent(entity, Heat);
    }
  }
}

// The crates, in rows of a grid: so those near a point are found without a search.
const entities = ecs.addEntities(COLUMNS * ROWS);
const of = (value: (column: number, row: number) => number) =>
  Array.from(entities, (_, i) => value(i % COLUMNS, Math.floor(i / COLUMNS)));
ecs.addComponents(entities, Position, {
  x: of((column) => 1.25 * (column - COLUMNS / 2)),
  z: of((_, row) => 1.25 * (row - ROWS / 2)),
  turn: of(() => 0.3 * (Math.random() - 0.5)),
});
ecs.addComponents(entities, Crate, { shade: of(() => Math.random()) });

/** Throws the crates around a point into the air; those that are in the air already stay there. */
function explode(x: number, z: number, radius: number, speed: number): void {
  const [column, row] = [Math.round(x / 1.25 + COLUMNS / 2), Math.round(z / 1.25 + ROWS / 2)];
  for (let r = Math.max(0, row - radius); r <= Math.min(ROWS - 1, row + radius); r++)
    for (let c = Math.max(0, column - radius); c <= Math.min(COLUMNS - 1, column + radius); c++) {
      const strength = 1 - Math.hypot(c - column, r - row) / radius;
      const entity = entities[r * COLUMNS + c]!;
      if (strength <= 0 || ecs.has(entity, Flight)) continue;
      ecs.addComponent(entity, Flight, {
        speed: speed * Math.sqrt(strength) * (0.7 + 0.5 * Math.random()),
        spin: 14 * (Math.random() - 0.5),
      });
      ecs.addComponent(entity, Heat, { value: strength });
    }
}

/** The picture on each side of a crate: planks in a frame. */
function planks(): CanvasTexture {
  const canvas = Object.assign(document.createElement("canvas"), { width: 64, height: 64 });
  const context = canvas.getContext("2d")!;
  const fill = (color: string, x: number, y: number, width: number, height: number) => {
    context.fillStyle = color;
    context.fillRect(x, y, width, height);
  };
  fill("#b9b0a4", 0, 0, 64, 64);
  for (const y of [8, 20, 32, 44]) fill("#e4dccf", 8, y + 1, 48, 10);
  for (const at of [0, 55]) fill("#fffaf0", at, 0, 9, 64);
  for (const at of [0, 55]) fill("#fffaf0", 0, at, 64, 9);
  const texture = new CanvasTexture(canvas);
  texture.colorSpace = SRGBColorSpace;
  return texture;
}

const mesh = new InstancedMesh(new BoxGeometry(), new MeshStandardMaterial({ map: planks() }), entities.length);
const upwards = new Vector3(0, 1, 0);
const glowing = new Color(6, 1.2, 0.15);
const crates = new InstancedRows(
  mesh,
  { position: Position, crate: Crate },
  {
    optional: { heat: Heat },
    matrix: ({ position: { x, y, z, turn } }, matrix) =>
      matrix.makeRotationAxis(upwards, turn).setPosition(x, y + 0.5, z),
    color: ({ crate, heat }, color) =>
      color.setHSL(0.07 + 0.03 * crate.shade, 0.5, 0.3 + 0.25 * crate.shade).lerp(glowing, (heat?.value ?? 0) ** 2),
  },
);
for (const system of [new Fly(), new Cool(), crates]) ecs.addSystem(0, system);

const canvas = document.querySelector("canvas")!;
const renderer = new WebGLRenderer({ canvas, antialias: true });
renderer.toneMapping = ACESFilmicToneMapping;
const scene = new Scene();
scene.background = new Color("#10131c");
scene.fog = new Fog("#10131c", 60, 190);
const sun = new DirectionalLight("#ffdfb0", 2.6);
sun.position.set(-40, 50, 10);
scene.add(mesh, sun, new HemisphereLight("#8fb0ff", "#2a1d12", 1.1));
const camera = new PerspectiveCamera(45, 1, 1, 300);

let stale = true; // a frame must be drawn although no crate has changed
function resize(): void {
  const { clientWidth, clientHeight } = canvas;
  renderer.setPixelRatio(Math.min(devicePixelRatio, 2));
  renderer.setSize(clientWidth, clientHeight, false);
  camera.aspect = clientWidth / clientHeight;
  const distance = camera.aspect < 1 ? 1.5 : 1;
  camera.position.set(0, 34 * distance, 62 * distance);
  camera.lookAt(0, 0, 8);
  camera.updateProjectionMatrix();
  stale = true;
}
addEventListener("resize", resize);
canvas.addEventListener("webglcontextrestored", resize);
resize();

const raycaster = new Raycaster();
const ground = new Plane(upwards, -1);
function explodeAt({ clientX, clientY }: PointerEvent, radius: number, speed: number): void {
  const { clientWidth, clientHeight } = canvas;
  raycaster.setFromCamera(new Vector2((2 * clientX) / clientWidth - 1, 1 - (2 * clientY) / clientHeight), camera);
  const hit = raycaster.ray.intersectPlane(ground, new Vector3());
  if (hit !== null) explode(hit.x, hit.z, radius, speed);
}
canvas.addEventListener("pointermove", (event) => explodeAt(event, 3, 7));
canvas.addEventListener("pointerdown", (event) => explodeAt(event, 14, 20));

const text = (id: string, value: string) => {
  const element = document.getElementById(id)!;
  if (element.textContent !== value) element.textContent = value;
};
const kilobytes = (bytes: number) => `${(bytes / 1000).toLocaleString("en", { maximumFractionDigits: 1 })} KB`;
const moving = ecs.query({}, { any: [Flight, Heat] });

startLoop(ecs, {
  frame() {
    const bytes = crates.pendingBytes;
    const all = mesh.count * (64 + 12); // the bytes of a matrix and a colour
    text("crates", mesh.count.toLocaleString("en"));
    text("moving", moving.count.toLocaleString("en"));
    text("uploaded", kilobytes(bytes));
    text("all", kilobytes(all));
    document.getElementById("share")!.style.width = `${(100 * bytes) / all}%`;
    if (bytes === 0 && !stale) return; // the last picture is still right
    renderer.render(scene, camera);
    stale = false;
  },
});
explode(0, 8, 16, 20);

if (import.meta.env.DEV)
  import("crateful/inspector").then(({ attachInspector }) => attachInspector(ecs, { place: "folded" }));
