// The rules: walls of bricks, balls that bounce, and a paddle.
import { defineSystem, startLoop } from "crateful";
import { Draw, Panel } from "./draw.ts";
import { chosen } from "./input.ts";
import { Box, Brick, Paddle, Position, Velocity, balls, bricks, ecs, game, height, paddles, width } from "./world.ts";

function release(x: number, y: number) {
  const [speed, angle] = [70 + 10 * game.walls, 2 * Math.random() - 1]; // the angle 0 is up
  const velocity = { x: speed * Math.sin(angle), y: -speed * Math.cos(angle) };
  balls.spawn({ position: { x, y }, box: { hue: 50 }, velocity });
}

/** Begins a round when the ECS was cleared, builds walls, and ends the round when there is no ball. */
class Rounds extends defineSystem({ velocity: Velocity }) {
  readonly #bricks = this.query({ brick: Brick });
  override onClear() {
    Object.assign(game, { playing: true, walls: 0, score: 0 });
    paddles.spawn({ position: { x: width / 2, y: height - 8 }, box: { hue: 190 } });
  }
  override update() {
    if (this.#bricks.count === 0) {
      game.walls += 1;
      for (let i = 0; i < 60; i++) {
        const golden = Math.random() < 0.1;
        const position = { x: 5 + 10 * (i % 10), y: 14 + 5 * Math.floor(i / 10) };
        bricks.spawn({ position, box: { hue: golden ? 50 : 330 - 3 * i }, brick: { golden } });
      }
      ecs.removeEntities(this.rows.ids());
      if (game.playing) release(width / 2, height - 20);
    } else if (game.playing && this.rows.count === 0) {
      Object.assign(game, { playing: false, best: Math.max(game.best, game.score) });
    }
  }
}

class Steer extends defineSystem({ paddle: Paddle, position: Position }) {
  override update(delta: number) {
    const x = chosen(delta);
    for (const { position } of this.rows) position.x = x; // does not signal if it is the same
  }
}

class Move extends defineSystem({ position: Position, velocity: Velocity, box: Box }) {
  readonly #others = this.query({ position: Position, box: Box }, { any: [Paddle, Brick], optional: { brick: Brick } });
  override update(delta: number) {
    for (const { entity, position, velocity, box } of this.rows) {
      position.x += velocity.x * delta;
      position.y += velocity.y * delta;
      const radius = box.width / 2;
      if (position.x < radius) velocity.x = Math.abs(velocity.x);
      if (position.x > width - radius) velocity.x = -Math.abs(velocity.x);
      if (position.y < radius) velocity.y = Math.abs(velocity.y);
      if (position.y > height + radius) ecs.removeEntity(entity); // at the end of the update
      for (const other of this.#others) {
        const [x, y] = [position.x - other.position.x, position.y - other.position.y];
        const overlapX = radius + other.box.width / 2 - Math.abs(x);
        const overlapY = radius + other.box.height / 2 - Math.abs(y);
        if (overlapX <= 0 || overlapY <= 0) continue;
        if (overlapX < overlapY) velocity.x = Math.sign(x) * Math.abs(velocity.x);
        else velocity.y = Math.sign(y) * Math.abs(velocity.y);
        if (!other.brick) {
          velocity.x = 5 * x; // the paddle: the farther from its middle, the flatter
          continue;
        }
        game.score += 1;
        if (other.brick.golden) release(position.x, position.y);
        ecs.removeComponent(other.entity, Brick); // so that no other ball hits it before it is removed
        ecs.removeEntity(other.entity);
      }
    }
  }
}

for (const system of [new Rounds(), new Steer(), new Move(), new Draw(), new Panel()]) ecs.addSystem(0, system);
startLoop(ecs, { fixedStep: 1 / 120 }); // short steps, so that no ball passes through a brick

// While the game is developed: a panel with the entities, their values, and what has changed them.
if (import.meta.env.DEV) {
  import("crateful/inspector").then(({ attachInspector }) => attachInspector(ecs, { place: "folded" }));
}
