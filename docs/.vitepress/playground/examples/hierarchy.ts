// Hierarchy: moons turn around planets, and planets around the sun. What has moved, and what is below it, gets a new place.
import { ECS, type Entity, defineComponent, defineSystem, init, startLoop } from "crateful";

class Orbit extends defineComponent("Orbit", { radius: "f32", angle: "f32", speed: "f32" }) {}
class Place extends defineComponent("Place", { x: "f32", y: "f32" }) {} // in the canvas
class Disc extends defineComponent("Disc", { size: "f32", hue: "u16" }) {}

const canvas = document.querySelector("canvas")!;
const context = canvas.getContext("2d")!;

class Turn extends defineSystem({ orbit: Orbit }) {
  override update(delta: number) {
    for (const { orbit } of this.rows) orbit.angle += orbit.speed * delta;
  }
}
class Places extends defineSystem(
  { orbit: Orbit, place: Place },
  { watch: [Orbit], watchAncestors: [Orbit], parent: { above: Place } },
) {
  override update() {
    // Ancestors come before their descendants.
    for (const { orbit, place, above } of this.dirty.topDown()) {
      place.x = (above?.x ?? canvas.width / 2) + orbit.radius * Math.cos(orbit.angle);
      place.y = (above?.y ?? canvas.height / 2) + orbit.radius * Math.sin(orbit.angle);
    }
  }
}

await init();
const ecs = new ECS();
ecs.addSystem(10, new Turn());
ecs.addSystem(20, new Places());

function add(size: number, hue: number, radius: number, speed: number, parent?: Entity): Entity {
  const entity = ecs.addEntity([Orbit, { radius, speed }], Place, [Disc, { size, hue }]);
  if (parent !== undefined) ecs.setParent(entity, parent);
  return entity;
}
const sun = add(26, 45, 0, 0);
const blue = add(10, 210, 90, 0.9, sun);
const green = add(13, 150, 155, 0.5, sun);
add(4, 40, 24, 3, blue);
for (let i = 0; i < 3; i++) add(4, 280 + 30 * i, 22 + 9 * i, 2.5 - 0.6 * i, green);
console.log("below the sun:", [...ecs.children(sun)], "below the green planet:", [...ecs.children(green)]);

const discs = ecs.query({ place: Place, disc: Disc });
startLoop(ecs, {
  frame() {
    context.clearRect(0, 0, canvas.width, canvas.height);
    for (const { place, disc } of discs) {
      context.fillStyle = `hsl(${disc.hue} 80% 65%)`;
      context.beginPath();
      context.arc(place.x, place.y, disc.size, 0, 2 * Math.PI);
      context.fill();
    }
  },
});
