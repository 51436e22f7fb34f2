// Enemies chase you, and the blades around you destroy them. Each leaves a gem; five gems are a blade.
import { ECS, Parent, defineComponent, defineSystem, startLoop } from "crateful";

const ecs = new ECS();
const canvas = document.querySelector("canvas")!;
const context = canvas.getContext("2d")!;
const { width, height } = canvas;

class Local extends defineComponent("Local", { x: "f32", y: "f32", angle: "f32" }) {} // relative to the parent
class Global extends defineComponent("Global", { x: "f32", y: "f32", angle: "f32" }) {} // on the canvas
class Star extends defineComponent("Star", { points: "u8", radius: "f32", hue: "u16" }) {}
class Player extends defineComponent("Player") {}
class Blade extends defineComponent("Blade") {}
class Enemy extends defineComponent("Enemy", { speed: "f32" }) {}
class Gem extends defineComponent("Gem") {}
class Game extends defineComponent("Game", { state: ["over", "playing"], score: "u32", best: "u32" }) {}

const game = ecs.addComponent(ecs.world, new Game()); // exists once; `ecs.clear()` keeps it
const place = { local: Local, global: Global };
const blades = ecs.prefab({ ...place, star: [Star, { points: 8, radius: 20, hue: 50 }], blade: Blade });
const enemies = ecs.prefab({ ...place, star: [Star, { points: 5, radius: 22, hue: 345 }], enemy: Enemy });
const gems = ecs.prefab({ ...place, star: [Star, { points: 4, radius: 14, hue: 140 }], gem: Gem });

const target = { x: width / 2, y: height / 2 }; // of the player: the pointer, or what the keys move
const keys = new Set<string>();
const pressed = (minus: string, plus: string) => Number(keys.has(plus)) - Number(keys.has(minus));

/** Creates the player when the ECS was cleared, and then the enemies. */
class Rounds extends defineSystem(undefined, { interval: 0.5 }) {
  #enemies = 0;
  override onClear(): void {
    this.#enemies = 0;
    Object.assign(game, { state: "playing", score: 0 });
    ecs.addEntity([Local, target], Global, [Star, { points: 6, radius: 18, hue: 190 }], Player);
  }
  override update(): void {
    if (game.state === "over") return;
    this.#enemies += 1;
    const angle = Math.random() * 2 * Math.PI;
    const local = { x: width / 2 + 760 * Math.cos(angle), y: height / 2 + 760 * Math.sin(angle) }; // outside
    const enemy = enemies.spawn({ local, enemy: { speed: 90 + 2 * this.#enemies } });
    if (this.#enemies % 4 === 0)
      for (const x of [-50, 50]) ecs.setParent(enemies.spawn({ local: { x }, star: { radius: 13 } }), enemy);
  }
}

/** The player follows its target, and the enemies follow the player. Those with a parent move with it. */
class Chase extends defineSystem({ enemy: Enemy, local: Local }, { without: [Parent] }) {
  readonly #players = this.query({ player: Player, local: Local });
  override update(delta: number): void {
    const step = 400 * delta;
    target.x = Math.min(Math.max(0, target.x + step * pressed("ArrowLeft", "ArrowRight")), width);
    target.y = Math.min(Math.max(0, target.y + step * pressed("ArrowUp", "ArrowDown")), height);
    for (const player of this.#players) {
      this.#move(player.local, target, step);
      for (const { enemy, local } of this.rows) this.#move(local, player.local, enemy.speed * delta);
    }
  }
  #move(local: Local, to: { x: number; y: number }, distance: number): void {
    const [x, y] = [to.x - local.x, to.y - local.y];
    const part = Math.min(1, distance / Math.hypot(x, y));
    local.x += x * part;
    local.y += y * part;
    local.angle += distance / 100;
  }
}

/** Visits what has moved, and its descendants; but no gem at rest. */
class Locate extends defineSystem(place, { watch: [Local], watchAncestors: [Local], parent: { above: Global } }) {
  override update(): void {
    for (const { local, global, above } of this.dirty.topDown()) {
      const { x, y, angle } = above ?? { x: 0, y: 0, angle: 0 };
      global.x = x + local.x * Math.cos(angle) - local.y * Math.sin(angle);
      global.y = y + local.x * Math.sin(angle) + local.y * Math.cos(angle);
      global.angle = angle + local.angle;
    }
  }
}

const body = { global: Global, star: Star };
type Body = { readonly global: Global; readonly star: Star };
class Hits extends defineSystem({ player: Player, ...body }) {
  readonly #blades = this.query({ blade: Blade, ...body });
  readonly #enemies = this.query({ enemy: Enemy, ...body });
  readonly #gems = this.query({ gem: Gem, ...body });
  override update(): void {
    for (const player of this.rows) {
      for (const gem of this.#gems)
        if (this.#touch(gem, [player])) {
          ecs.removeEntity(gem.entity);
          game.score += 1;
        }
      for (const enemy of this.#enemies)
        if (this.#touch(enemy, this.#blades)) {
          gems.spawn({ local: { x: enemy.global.x, y: enemy.global.y } });
          ecs.removeEntity(enemy.entity); // and its children
        } else if (this.#touch(enemy, [player])) {
          ecs.removeEntity(player.entity); // and its blades
          Object.assign(game, { state: "over", best: Math.max(game.best, game.score) });
        }
      const n = this.#blades.count;
      const local = { x: 90 * Math.cos(2.4 * n), y: 90 * Math.sin(2.4 * n) };
      if (n < Math.min(3 + Math.floor(game.score / 5), 6)) ecs.setParent(blades.spawn({ local }), player.entity);
    }
  }
  #touch({ global: { x, y }, star: { radius } }: Body, others: Iterable<Body>): boolean {
    for (const { global, star } of others)
      if (Math.hypot(global.x - x, global.y - y) < star.radius + radius) return true;
    return false;
  }
}

class Panel extends defineSystem({ game: Game }, { watch: [Game], onlyWhenDirty: true }) {
  override update(): void {
    Object.assign(document.body.dataset, { state: game.state, score: game.score });
    document.querySelector("#score")!.textContent = `Score ${game.score} · Best ${game.best}`;
  }
}

const bodies = ecs.query(body);
context.shadowBlur = 16;
function draw(): void {
  context.clearRect(0, 0, width, height);
  for (const { global, star } of bodies) {
    context.beginPath();
    for (let i = 0; i < 2 * star.points; i++) {
      const angle = global.angle + (i * Math.PI) / star.points;
      const radius = i % 2 === 0 ? star.radius : star.radius / 2;
      context.lineTo(global.x + radius * Math.cos(angle), global.y + radius * Math.sin(angle));
    }
    context.fillStyle = context.shadowColor = `hsl(${star.hue} 90% 65%)`;
    context.fill();
  }
}

const restart = () => game.state === "playing" || ecs.clear();
canvas.addEventListener("pointerdown", restart);
canvas.addEventListener("pointermove", ({ offsetX, offsetY }) => {
  target.x = (offsetX / canvas.clientWidth) * width;
  target.y = (offsetY / canvas.clientHeight) * height;
});
addEventListener("keydown", ({ code }) => (code === "Enter" ? restart() : keys.add(code)));
addEventListener("keyup", ({ code }) => keys.delete(code));
addEventListener("blur", () => keys.clear());

for (const system of [new Hits(), new Rounds(), new Chase(), new Locate(), new Panel()]) ecs.addSystem(0, system);
restart();
startLoop(ecs, { frame: draw });
if (import.meta.env.DEV)
  import("crateful/inspector").then(({ attachInspector }) => attachInspector(ecs, { place: "folded" }));
