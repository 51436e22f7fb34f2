// Runs in the page: measures a number of frames, one after another, in one of four ways.
import { bytesOf, fill, header, makeWorld, record } from "./world.mjs";

/** Copies the boxes of a packet. */
function apply(boxes, packet) {
  const end = header + record * packet[1];
  for (let from = header; from < end; from += record) {
    const to = 3 * packet[from];
    boxes[to] = packet[from + 1];
    boxes[to + 1] = packet[from + 2];
    boxes[to + 2] = packet[from + 3];
  }
}

/** Returns the milliseconds that each frame took in the page and in the worker. */
export async function run({ n, moving, mode }, frames) {
  const boxes = new Float32Array(3 * (n + 1)); // index 0 is the world entity
  const result = await (mode === "page" ? inPage : inWorker)({ n, moving, mode }, frames, boxes);
  let sum = 0;
  for (let i = 0; i < boxes.length; i += 3) sum += boxes[i];
  if (sum !== moving * frames) throw new Error(`the sum of all x is ${sum}, not ${moving * frames}`);
  return result;
}

async function inPage({ n, moving }, frames, boxes) {
  const packet = new Float32Array(bytesOf(n) / 4);
  const ecs = await makeWorld(n, moving, (rows, indexOf) => {
    fill(packet, rows, indexOf);
    apply(boxes, packet);
  });
  const page = [];
  for (let i = 0; i < frames; i++) {
    const before = performance.now();
    ecs.update(1 / 60);
    page.push(performance.now() - before);
    await new Promise(requestAnimationFrame);
  }
  return { page, worker: [] };
}

async function inWorker(start, frames, boxes) {
  const worker = new Worker("worker.js", { type: "module" });
  const answer = () =>
    new Promise((resolve, reject) => {
      worker.onmessage = resolve;
      worker.onerror = reject;
    });
  const shared = start.mode === "shared";
  const buffer = shared ? new SharedArrayBuffer(bytesOf(start.n)) : new ArrayBuffer(bytesOf(start.n));
  worker.postMessage({ start, buffers: [buffer] }, shared ? [] : [buffer]);
  await answer();
  const page = [];
  const read = {
    objects(event) {
      for (const { index, x, y, heat } of event.data) {
        boxes[3 * index] = x;
        boxes[3 * index + 1] = y;
        boxes[3 * index + 2] = heat;
      }
    },
    transferred(event) {
      apply(boxes, new Float32Array(event.data));
      worker.postMessage({ buffers: [event.data] }, [event.data]);
    },
    shared() {
      const state = new Int32Array(buffer);
      if (Atomics.load(state, 0) !== 1) throw new Error("there is no packet");
      apply(boxes, new Float32Array(buffer));
      Atomics.store(state, 0, 0);
    },
  }[start.mode];
  for (let i = 0; i < frames; i++) {
    worker.postMessage({ step: start.mode });
    const event = await answer();
    const before = performance.now();
    read(event); // the browser reads a message when its data are first used
    page.push(performance.now() - before);
    await new Promise(requestAnimationFrame);
  }
  worker.postMessage({ end: true });
  const { data } = await answer();
  worker.terminate();
  return { page, worker: data.times };
}
