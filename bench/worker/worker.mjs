// Runs in the worker: one update of the world per message of the page.
import { fill, makeWorld } from "./world.mjs";

const packets = [];
const times = [];
let world;

const publishers = {
  objects(rows, indexOf) {
    const list = [];
    for (const { entity, box } of rows) list.push({ index: indexOf(entity), x: box.x, y: box.y, heat: box.heat });
    postMessage(list);
  },
  transferred(rows, indexOf) {
    const packet = packets.shift();
    fill(packet, rows, indexOf);
    postMessage(packet.buffer, [packet.buffer]);
  },
  shared(rows, indexOf) {
    fill(packets[0], rows, indexOf);
    Atomics.store(new Int32Array(packets[0].buffer), 0, 1);
  },
};

addEventListener("message", async ({ data }) => {
  for (const buffer of data.buffers ?? []) packets.push(new Float32Array(buffer));
  if (data.start) {
    const { n, moving, mode } = data.start;
    world = await makeWorld(n, moving, publishers[mode]);
    postMessage("ready");
  }
  if (data.step) {
    const before = performance.now();
    world.update(1 / 60);
    times.push(performance.now() - before);
    if (data.step === "shared") postMessage("stepped");
  }
  if (data.end) postMessage({ times });
});
