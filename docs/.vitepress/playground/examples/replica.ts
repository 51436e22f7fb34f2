// Changes for a replica: the left half is a server, and the right half is a client that gets what changed, ten times a second.
import { Changes, ECS, Replica, defineComponent, defineSystem, init, startLoop } from "crateful/state";

class Position extends defineComponent("Position", { x: "f32", y: "f32" }) {}
class Velocity extends defineComponent("Velocity", { x: "f32", y: "f32" }) {}
class Colour extends defineComponent("Colour", { hue: "u16" }) {}

const SIZE = 300;
const canvas = document.querySelector("canvas")!;
const context = canvas.getContext("2d")!;

class Move extends defineSystem({ position: Position, velocity: Velocity }) {
  override update(delta: number) {
    for (const { position, velocity } of this.rows) {
      position.x += velocity.x * delta;
      position.y += velocity.y * delta;
      if (position.x < 0 || position.x > SIZE) velocity.x *= -1;
      if (position.y < 0 || position.y > SIZE) velocity.y *= -1;
    }
  }
}

await init();
const server = new ECS();
server.addSystem(10, new Move());
const resting = server.addEntities(200);
const random = () => Float32Array.from(resting, () => SIZE * Math.random());
server.addComponents(resting, Position, { x: random(), y: random() });
server.addComponents(resting, Colour, { hue: 220 });
for (let i = 0; i < 10; i++)
  server.addEntity(Position, [Velocity, { x: 40 + 10 * i, y: 130 - 10 * i }], [Colour, { hue: 30 }]);

const receiver = new Changes(server, { components: [Position, Colour] }).receiver();
const client = new ECS();
const replica = new Replica(client, { components: [Position, Colour] });

let packets = 0;
function send() {
  const packet = receiver.take(); // a Uint8Array, for any channel that keeps the order
  replica.apply(packet);
  if (++packets <= 3 || packets % 20 === 0) console.log(`packet ${packets}: ${packet.length} bytes`);
}

const halves = [server, client].map((ecs) => ecs.query({ position: Position, colour: Colour }));
startLoop(server, {
  frame() {
    if (server.frame % 6 === 0) send(); // between two updates
    context.clearRect(0, 0, canvas.width, canvas.height);
    halves.forEach((boxes, i) => {
      for (const { position, colour } of boxes) {
        context.fillStyle = `hsl(${colour.hue} 80% 68%)`;
        context.fillRect(8 + 324 * i + position.x, 46 + position.y, 8, 8);
      }
      context.fillStyle = "#e6e8ee";
      context.font = "22px system-ui";
      context.fillText(["Server", "Client"][i]!, 12 + 324 * i, 32);
    });
  },
});
