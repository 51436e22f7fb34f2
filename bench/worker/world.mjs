// The world of part `worker`: some of its boxes move in each update, the others rest.
import { ECS, defineComponent, defineSystem, entityIndex, init } from "../../dist/inline.js";

class Box extends defineComponent("Box", { x: "f32", y: "f32", heat: "f32" }) {}
class Velocity extends defineComponent("Velocity", { x: "f32", y: "f32" }) {}

class Move extends defineSystem({ box: Box, velocity: Velocity }) {
  update() {
    for (const { box, velocity } of this.rows) {
      box.x += velocity.x;
      box.y += velocity.y;
    }
  }
}

/**
 * @param {number} n boxes, of which every (n / moving)th moves
 * @param {(rows: Iterable<object>, indexOf: (entity: number) => number) => void} publish gets the rows of changed boxes
 */
export async function makeWorld(n, moving, publish) {
  await init();
  class Publish extends defineSystem({ box: Box }, { watch: [Box] }) {
    update() {
      publish(this.dirty, entityIndex);
    }
  }
  const ecs = new ECS();
  const boxes = ecs.addEntities(n);
  ecs.addComponents(boxes, Box, { heat: 1 });
  const chosen = boxes.filter((_, i) => i % (n / moving) === 0);
  ecs.addComponents(chosen, Velocity, { x: 1, y: 0.5 });
  ecs.addSystem(10, new Move());
  ecs.addSystem(20, new Publish());
  return ecs;
}

/** Floats at the start of a packet (its state, and the number of records) and of a record (index, x, y, heat). */
export const [header, record] = [2, 4];
export const bytesOf = (n) => 4 * (header + record * n);

/** Writes the changed boxes to a packet. */
export function fill(packet, rows, indexOf) {
  let at = header;
  for (const { entity, box } of rows) {
    packet[at++] = indexOf(entity);
    packet[at++] = box.x;
    packet[at++] = box.y;
    packet[at++] = box.heat;
  }
  packet[1] = (at - header) / record;
}
