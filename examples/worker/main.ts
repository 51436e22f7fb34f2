// The page. It draws what the worker publishes, at its own frame rate, and sends it the input.
import { makeDraw } from "./draw.js";
import { COLUMNS, PACKET_BYTES, HEADER, RECORD, ROWS, isFull, setFull, type Message } from "./packets.js";

const shared = crossOriginIsolated && !location.search.includes("transfer");
const worker = new Worker(new URL("./worker.ts", import.meta.url), { type: "module" });
const send = (message: Message, transfer: ArrayBuffer[] = []) => worker.postMessage(message, transfer);

const packets: Float32Array[] = []; // shared: both, the next one first; transferred: those that are here
if (shared) {
  const buffers = [new SharedArrayBuffer(PACKET_BYTES), new SharedArrayBuffer(PACKET_BYTES)];
  for (const buffer of buffers) packets.push(new Float32Array(buffer));
  send({ buffers });
} else {
  const buffers = [new ArrayBuffer(PACKET_BYTES), new ArrayBuffer(PACKET_BYTES)];
  worker.onmessage = ({ data }) => data instanceof ArrayBuffer && packets.push(new Float32Array(data));
  send({ buffers }, buffers);
}

const boxes = new Float32Array(3 * COLUMNS * ROWS); // of each cell: x, y and heat
const now = { update: 0, time: 0, changed: 0 };
/** Copies the boxes that have changed, and returns the packet to the worker. */
function apply(packet: Float32Array): void {
  const [, count = 0, update = 0, time = 0] = packet;
  for (let from = HEADER; from < HEADER + RECORD * count; from += RECORD) {
    const to = 3 * packet[from]!;
    boxes[to] = packet[from + 1]!;
    boxes[to + 1] = packet[from + 2]!;
    boxes[to + 2] = packet[from + 3]!;
  }
  Object.assign(now, { update, time, changed: now.changed + count });
  setFull(packet, false);
  if (packet.buffer instanceof ArrayBuffer) send({ buffers: [packet.buffer] }, [packet.buffer]);
  else packets.push(packet);
}

const element = (id: string) => document.getElementById(id)!;
const canvas = element("canvas") as HTMLCanvasElement;
const draw = makeDraw(canvas, boxes);
let [before, longest, drawn] = [performance.now(), 0, 0];
let since = { time: before, update: 0 };
requestAnimationFrame(function step(time) {
  requestAnimationFrame(step);
  while (packets[0] !== undefined && isFull(packets[0])) apply(packets.shift()!);
  draw();
  document.body.dataset["update"] = String(now.update);
  [longest, before, drawn] = [Math.max(longest, time - before), time, drawn + 1];
  const passed = time - since.time;
  if (passed < 500) return;
  const [rate, changed] = [(1000 * (now.update - since.update)) / passed, now.changed / drawn];
  element("page").textContent = `${(passed / drawn).toFixed(1)} ms per frame\nlongest: ${longest.toFixed(1)} ms`;
  element("world").textContent = `${now.time.toFixed(1)} ms per update\n${rate.toFixed(0)} updates per second`;
  element("data").textContent =
    `${((4 * RECORD * changed) / 1024).toFixed(1)} KiB per frame\n${changed.toFixed(0)} boxes`;
  [longest, drawn, now.changed, since] = [0, 0, 0, { time, update: now.update }];
});

element("mode").textContent = `${shared ? "shared memory" : "transferred buffers"}\n${COLUMNS * ROWS} boxes`;
element("wave").onclick = () => send({ wave: true });
element("block").onclick = () => {
  for (const end = performance.now() + 200; performance.now() < end; );
};
element("slow").onclick = ({ target }) => send({ slow: (target as HTMLInputElement).checked ? 40 : 0 });
for (const type of ["pointermove", "pointerdown", "pointerup"] as const)
  canvas.addEventListener(type, ({ offsetX, offsetY, buttons }) => {
    const [x, y] = [(offsetX / canvas.clientWidth) * COLUMNS, (offsetY / canvas.clientHeight) * ROWS];
    send({ pointer: { x, y, pressed: buttons !== 0 } });
  });
canvas.onpointerleave = () => send({ pointer: null });
addEventListener("keydown", ({ key }) => key === "w" && send({ wave: true }));
if (import.meta.env.DEV)
  import("crateful/inspector").then(({ attachInspector }) => attachInspector(worker, { place: "folded" }));
