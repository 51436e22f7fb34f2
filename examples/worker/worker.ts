// The world. Boxes rest until something pushes them, then swing back. The page receives those that have changed.
import { ECS, defineComponent, defineSystem, init, startLoop } from "crateful";
import { serveInspector } from "crateful/inspector";
import { COLUMNS, COUNT, HEADER, RECORD, ROWS, TIME, UPDATE, isFull, setFull, type Message } from "./packets.js";

class Box extends defineComponent("Box", { cell: "u32", x: "f32", y: "f32", heat: "f32" }) {} // what the page draws
class Home extends defineComponent("Home", { x: "f32", y: "f32" }) {}
class Velocity extends defineComponent("Velocity", { x: "f32", y: "f32" }) {} // only of boxes that move

const packets: Float32Array[] = []; // shared: both, the next one first; transferred: those that are here
const canPublish = () => packets[0] !== undefined && !isFull(packets[0]);
const input: { -readonly [K in keyof Message]: Message[K] } = {};
// Listens before `init` has finished, because messages that arrive while nothing listens are lost.
addEventListener("message", ({ data: { buffers = [], ...rest } }: MessageEvent<Message>) => {
  for (const buffer of buffers) packets.push(new Float32Array(buffer));
  Object.assign(input, rest);
});

let began = 0; // when the update began
let grid: Uint32Array = new Uint32Array(); // the box of each cell; 0: it was removed

class Push extends defineSystem() {
  readonly #boxes = this.query({ box: Box }, { optional: { velocity: Velocity } });
  override update(delta: number): void {
    began = performance.now();
    while (performance.now() < began + (input.slow ?? 0));
    const { gameTime: t } = this.ecs;
    const path = { x: COLUMNS * (0.5 + 0.38 * Math.sin(0.9 * t)), y: ROWS * (0.5 + 0.35 * Math.sin(1.3 * t)) };
    const { x, y, pressed } = input.pointer ?? { ...path, pressed: false };
    this.#push(x, y, 10, 400 * delta);
    if (input.wave) this.#push(x, y, 2 * COLUMNS, 16);
    input.wave = false;
    if (!pressed) return;
    for (const { entity, box } of this.#boxes.of(this.#around(x, y, 5))) {
      box.heat = -1; // `Publish` removes the entity
      grid[box.cell] = 0;
      this.ecs.removeComponent(entity, Velocity);
    }
  }
  #push(x: number, y: number, radius: number, speed: number): void {
    for (const { entity, box, velocity } of this.#boxes.of(this.#around(x, y, radius))) {
      const distance = Math.hypot(box.x - x, box.y - y) + 0.5;
      const factor = (speed / distance) * Math.max(0, 1 - distance / radius);
      const { x: vx, y: vy } = velocity ?? { x: 0, y: 0 };
      this.ecs.addComponent(entity, Velocity, { x: vx + (box.x - x) * factor, y: vy + (box.y - y) * factor });
    }
  }
  /** The boxes whose cells are in a circle. Its cost is that of the circle, not of the world. */
  *#around(x: number, y: number, radius: number): Generator<number> {
    for (let row = Math.max(0, Math.floor(y - radius)); row < Math.min(ROWS, y + radius); row++)
      for (let column = Math.max(0, Math.floor(x - radius)); column < Math.min(COLUMNS, x + radius); column++) {
        const box = grid[row * COLUMNS + column]!;
        if (box !== 0 && Math.hypot(column + 0.5 - x, row + 0.5 - y) < radius) yield box;
      }
  }
}

class Swing extends defineSystem({ box: Box, home: Home, velocity: Velocity }) {
  override update(delta: number): void {
    for (const { entity, box, home, velocity } of this.rows) {
      velocity.x += (60 * (home.x - box.x) - 5 * velocity.x) * delta;
      velocity.y += (60 * (home.y - box.y) - 5 * velocity.y) * delta;
      const [x, y] = [box.x + velocity.x * delta, box.y + velocity.y * delta];
      const speed = Math.hypot(velocity.x, velocity.y);
      const rests = speed < 0.1 && Math.hypot(home.x - x, home.y - y) < 0.02;
      Object.assign(box, rests ? { x: home.x, y: home.y, heat: 0 } : { x, y, heat: Math.min(1, speed / 25 + 0.05) });
      if (rests) this.ecs.removeComponent(entity, Velocity);
    }
  }
}

/** Fills a packet. It is disabled while there is none; the boxes that change meanwhile stay in its dirty set. */
class Publish extends defineSystem({ box: Box }, { watch: [Box], onlyWhenDirty: true, disabled: true }) {
  override update(): void {
    const packet = packets.shift()!;
    let at = HEADER;
    for (const { entity, box } of this.dirty) {
      packet[at++] = box.cell;
      packet[at++] = box.x;
      packet[at++] = box.y;
      packet[at++] = box.heat;
      if (box.heat < 0) this.ecs.removeEntity(entity);
    }
    packet[COUNT] = (at - HEADER) / RECORD;
    packet[UPDATE] = Math.round(60 * this.ecs.gameTime);
    packet[TIME] = performance.now() - began;
    setFull(packet, true);
    if (packet.buffer instanceof ArrayBuffer) postMessage(packet.buffer, { transfer: [packet.buffer] });
    else packets.push(packet);
    if (!canPublish()) this.ecs.disableSystem(this);
  }
}

init().then(() => {
  const ecs = new ECS();
  const cell = Array.from({ length: COLUMNS * ROWS }, (_, at) => at);
  const home = { x: cell.map((at) => (at % COLUMNS) + 0.5), y: cell.map((at) => Math.floor(at / COLUMNS) + 0.5) };
  grid = ecs.prefab({ box: Box, home: Home }).spawn(cell.length, { box: { cell, ...home }, home });
  for (const system of [new Push(), new Swing()]) ecs.addSystem(0, system);
  const publish = ecs.addSystem(0, new Publish());
  startLoop(ecs, { fixedStep: 1 / 60, maxDelta: 1 / 20, frame: () => canPublish() && ecs.enableSystem(publish) });
  if (import.meta.env.DEV) serveInspector(ecs, self);
});
