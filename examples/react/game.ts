// The game: balls roll over crates and hit them. It uses no React, and exists as long as the page.
import { ECS, defineComponent, defineSystem } from "crateful";

export const SIDE = 100;

export class Crate extends defineComponent("Crate", { x: "u8", y: "u8", hits: "u8" }) {}
export class Ball extends defineComponent("Ball", { x: "f32", y: "f32", vx: "f32", vy: "f32" }) {}
/** How often components of React were rendered. */
export class Renders extends defineComponent("Renders", { lists: "u32", cells: "u32", cellsPerFrame: "u32" }) {}

export const ecs = new ECS();
export const crates = ecs.query({ crate: Crate });
export const balls = ecs.query({ ball: Ball });

const cells = ecs.addEntities(SIDE * SIDE);
ecs.addComponents(cells, Crate, {
  x: Array.from(cells, (_, i) => i % SIDE),
  y: Array.from(cells, (_, i) => Math.floor(i / SIDE)),
});

export function addBall(): void {
  const angle = Math.random() * 2 * Math.PI;
  const [vx, vy] = [12 * Math.cos(angle), 12 * Math.sin(angle)];
  ecs.addEntity([Ball, { x: Math.random() * SIDE, y: Math.random() * SIDE, vx, vy }]);
}
for (let i = 0; i < 12; i++) addBall();

const cellOf = ({ x, y }: Ball) => Math.floor(y) * SIDE + Math.floor(x);

/** Moves the balls. A ball that reaches another crate hits it. */
class Roll extends defineSystem({ ball: Ball }) {
  override update(delta: number): void {
    for (const { ball } of this.rows) {
      const last = cellOf(ball);
      const [x, y] = [ball.x + ball.vx * delta, ball.y + ball.vy * delta];
      if (x < 0 || x >= SIDE) ball.vx *= -1;
      else ball.x = x;
      if (y < 0 || y >= SIDE) ball.vy *= -1;
      else ball.y = y;
      const cell = cellOf(ball);
      const hit = cell === last ? undefined : crates.at(cells[cell]!);
      if (hit !== undefined) hit.crate.hits = (hit.crate.hits + 1) % 10; // the setter signals
    }
  }
}
ecs.addSystem(10, new Roll());

/** What the components of React have counted since the last frame. */
export const counted = { lists: 0, cells: 0 };
const renders = ecs.addComponent(ecs.world, new Renders()); // exists once

/** Also runs while the game is paused. */
class Count extends defineSystem(undefined, { whilePaused: true }) {
  override update(): void {
    renders.lists += counted.lists;
    renders.cells += counted.cells;
    renders.cellsPerFrame = counted.cells;
    counted.lists = counted.cells = 0;
  }
}
ecs.addSystem(20, new Count());
