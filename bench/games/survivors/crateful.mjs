// The game with rows, prefabs and links, as the guide shows them.
import { defineComponent, defineSystem } from "../../../dist/inline.js";
import { begin, Cell, ecs, EnterCells, game, Move, played, Position, Velocity } from "../crateful.mjs";
import { attractReach, biteCooldown, biteReach, bulletLife, bulletsPerHero, bulletVelocity } from "./rules.mjs";
import { burnDamage, burnTime, enemyHealth, Game, gemSpeed, half, heading, heroVelocity, hitReach } from "./rules.mjs";
import { isNear, pickUpReach, pictureCount, pictureTime } from "./rules.mjs";

class Sprite extends defineComponent("Sprite", { slot: "i32", picture: "u8", visible: "bool" }) {}
class Animation extends defineComponent("Animation", { timer: { type: "u8", default: pictureTime } }) {}
class Hero extends defineComponent("Hero", { number: "u8", health: "i32", experience: "i32" }) {}
class Chaser extends defineComponent("Chaser", { target: "link", cooldown: "u8" }) {}
class Health extends defineComponent("Health", { value: { type: "i32", default: enemyHealth } }) {}
class Burn extends defineComponent("Burn", { frames: "u8" }) {}
class Knock extends defineComponent("Knock", { x: "i32", y: "i32" }) {}
class Bullet extends defineComponent("Bullet", { life: { type: "u8", default: bulletLife } }) {}
class Gem extends defineComponent("Gem") {}
class Attracted extends defineComponent("Attracted", { to: "link" }) {}

let prefabs;

export function play({ n }) {
  begin(new Game(n), [Act, Chase, Fly, Move, EnterCells, Attract, Hit, Burning, Animate, Show]);
  const seen = { position: Position, sprite: Sprite };
  const moving = { ...seen, velocity: Velocity, animation: Animation };
  prefabs = {
    heroes: ecs.prefab({ ...moving, hero: Hero }),
    enemies: ecs.prefab({ ...moving, chaser: Chaser, health: Health, burn: Burn, knock: Knock, cell: Cell }),
    bullets: ecs.prefab({ ...moving, bullet: Bullet }),
    gems: ecs.prefab({ ...seen, gem: Gem, cell: Cell }),
  };
  game.populate(spawnHero, spawnEnemy, spawnGem);
  return played(
    { Sprite, Hero, Chaser, Health, Burn, Knock, Bullet, Gem },
    { hero: (e) => ecs.get(ecs.get(e, Chaser).target, Hero).number, flying: (e) => (ecs.has(e, Attracted) ? 1 : 0) },
  );
}

function spawnHero(number) {
  return prefabs.heroes.spawn({
    hero: { number },
    position: game.heroPlace(number),
    sprite: { slot: game.sprites.add() },
  });
}

function spawnEnemy(target, position) {
  prefabs.enemies.spawn({ position, chaser: { target }, sprite: { slot: game.sprites.add() } });
}

function spawnBullet({ x, y }, velocity) {
  prefabs.bullets.spawn({ position: { x, y }, velocity, sprite: { slot: game.sprites.add() } });
}

function spawnGem(position) {
  prefabs.gems.spawn({ position, sprite: { slot: game.sprites.add() } });
}

/** Heroes walk and fire. */
class Act extends defineSystem({ hero: Hero, position: Position, velocity: Velocity }) {
  update() {
    for (const { hero, position, velocity } of this.rows) {
      if (hero.number === 0) game.camera = position.toJSON();
      Object.assign(velocity, heroVelocity(game.frame));
      for (let i = 0; i < bulletsPerHero; i++) spawnBullet(position, bulletVelocity(game.frame, hero.number, i));
    }
  }
}

class Chase extends defineSystem({ chaser: Chaser, position: Position, velocity: Velocity, knock: Knock }) {
  heroes = this.query({ hero: Hero, position: Position });
  update() {
    for (const { chaser, position, velocity, knock } of this.rows) {
      const target = this.heroes.at(chaser.target);
      const dx = target.position.x - position.x;
      const dy = target.position.y - position.y;
      velocity.x = heading(dx, dy) + knock.x;
      velocity.y = heading(dy, dx) + knock.y;
      knock.x = half(knock.x);
      knock.y = half(knock.y);
      if (chaser.cooldown > 0) chaser.cooldown -= 1;
      else if (isNear(dx, dy, biteReach)) {
        chaser.cooldown = biteCooldown;
        target.hero.health -= 1;
        game.bites += 1;
      }
    }
  }
}

/** A collected gem is replaced by a new one. */
class Fly extends defineSystem({ attracted: Attracted, position: Position, velocity: Velocity }) {
  heroes = this.query({ hero: Hero, position: Position });
  update() {
    for (const { entity, attracted, position, velocity } of this.rows) {
      const target = this.heroes.at(attracted.to);
      const dx = target.position.x - position.x;
      const dy = target.position.y - position.y;
      velocity.x = gemSpeed * heading(dx, dy);
      velocity.y = gemSpeed * heading(dy, dx);
      if (!isNear(dx, dy, pickUpReach)) continue;
      target.hero.experience += 1;
      game.collected += 1;
      ecs.removeEntity(entity);
      spawnGem(game.gemPlace(target.hero.number, target.position));
    }
  }
}

/** Gems that are near a hero begin to fly to it. */
class Attract extends defineSystem({ hero: Hero, position: Position }) {
  gems = this.query({ gem: Gem, position: Position }, { without: [Attracted] });
  update() {
    for (const { entity, position } of this.rows) {
      const { x, y } = position;
      for (const e of game.grid.near(x, y, attractReach)) {
        const gem = this.gems.at(e);
        if (gem === undefined || !isNear(gem.position.x - x, gem.position.y - y, attractReach)) continue;
        ecs.addComponent(e, Attracted, { to: entity });
        ecs.addComponent(e, Velocity);
        game.attracted += 1;
      }
    }
  }
}

class Hit extends defineSystem({ bullet: Bullet, position: Position, velocity: Velocity }) {
  targets = this.query({ position: Position, health: Health, burn: Burn, knock: Knock });
  update() {
    for (const { entity, bullet, position, velocity } of this.rows) {
      const { x, y } = position;
      let hits = 0;
      for (const e of game.grid.near(x, y, hitReach)) {
        const target = this.targets.at(e);
        if (target === undefined || !isNear(target.position.x - x, target.position.y - y, hitReach)) continue;
        target.health.value -= 1;
        target.burn.frames = burnTime;
        target.knock.x += half(velocity.x);
        target.knock.y += half(velocity.y);
        hits += 1;
      }
      game.hits += hits;
      bullet.life -= 1;
      if (hits > 0 || bullet.life === 0) ecs.removeEntity(entity);
    }
  }
}

/** A dead enemy is replaced by a new one with the same target. */
class Burning extends defineSystem({ burn: Burn, health: Health, chaser: Chaser }) {
  heroes = this.query({ hero: Hero, position: Position });
  update() {
    for (const { entity, burn, health, chaser } of this.rows) {
      if (burn.frames > 0) {
        burn.frames -= 1;
        health.value -= burnDamage(burn.frames);
      }
      if (health.value > 0) continue;
      game.kills += 1;
      ecs.removeEntity(entity);
      const { hero, position } = this.heroes.at(chaser.target);
      spawnEnemy(chaser.target, game.enemyPlace(hero.number, position));
    }
  }
}

class Animate extends defineSystem({ animation: Animation, sprite: Sprite }) {
  update() {
    for (const { animation, sprite } of this.rows) {
      animation.timer -= 1;
      if (animation.timer > 0) continue;
      animation.timer = pictureTime;
      sprite.picture = (sprite.picture + 1) % pictureCount;
    }
  }
}

class Show extends defineSystem({ position: Position, sprite: Sprite }) {
  update() {
    for (const { position, sprite } of this.rows) {
      const isVisible = game.isInView(position.x, position.y);
      if (isVisible) game.sprites.show(sprite.slot, position.x, position.y, sprite.picture);
      else if (sprite.visible) game.sprites.hide(sprite.slot);
      sprite.visible = isVisible;
    }
  }
  onRemove(aspect) {
    game.sprites.remove(aspect.get(Sprite).slot);
  }
}
