// The game in Becsy 0.16, with its references, and with its change tracking for the grid: `addedOrChanged` and `removed`
// queries. A frame is a promise. `read` of another entity reuses the object that it returned before, so its fields are
// copied first.
import { System, Type } from "@lastolivegames/becsy/lib/perf.js";
import { Cell, component, enteringAfter, game, movingAfter, played, Position, Velocity } from "../becsy.mjs";
import { attractReach, biteCooldown, biteReach, bulletLife, bulletsPerHero, bulletVelocity } from "./rules.mjs";
import { burnDamage, burnTime, enemyHealth, Game, gemSpeed, half, heading, heroVelocity, hitReach } from "./rules.mjs";
import { isNear, pickUpReach, pictureCount, pictureTime } from "./rules.mjs";

const Sprite = component({ slot: Type.int32, picture: Type.uint8, visible: Type.boolean });
const Animation = component({ timer: { type: Type.uint8, default: pictureTime } });
const Hero = component({ number: Type.uint8, health: Type.int32, experience: Type.int32 });
const Chaser = component({ target: Type.ref, cooldown: Type.uint8 });
const Health = component({ value: { type: Type.int32, default: enemyHealth } });
const Burn = component({ frames: Type.uint8 });
const Knock = component({ x: Type.int32, y: Type.int32 });
const Bullet = component({ life: { type: Type.uint8, default: bulletLife } });
class Gem {}
const Attracted = component({ to: Type.ref });

export function play({ n }) {
  return played(new Game(n), n, {
    systems: [Act, Chase, Fly, Move, EnterCells, Attract, Hit, Burning, Animate, Show],
    components: { Sprite, Animation, Hero, Chaser, Health, Burn, Knock, Bullet, Gem, Attracted },
    spawn: [spawnHero, spawnEnemy, spawnGem],
    own: {
      hero: (entity) => entity.read(Chaser).target.read(Hero).number,
      flying: (entity) => (entity.has(Attracted) ? 1 : 0),
    },
  });
}

function spawnHero(system, number) {
  const sprite = { slot: game.sprites.add() };
  return system
    .createEntity(Hero, { number }, Position, game.heroPlace(number), Velocity, Sprite, sprite, Animation)
    .hold();
}

function spawnEnemy(system, target, place) {
  const sprite = { slot: game.sprites.add() };
  const fight = [Chaser, { target }, Health, Burn, Knock];
  system.createEntity(...fight, Position, place, Velocity, Cell, Sprite, sprite, Animation);
}

function spawnBullet(system, place, velocity) {
  const sprite = { slot: game.sprites.add() };
  system.createEntity(Bullet, Position, place, Velocity, velocity, Sprite, sprite, Animation);
}

function spawnGem(system, place) {
  system.createEntity(Gem, Position, place, Cell, Sprite, { slot: game.sprites.add() });
}

/** Heroes walk and fire. */
class Act extends System {
  heroes = this.query((q) => q.current.with(Hero).with(Position).with(Velocity).write);
  created = this.query((q) => q.using(Bullet, Position, Velocity, Sprite, Animation).write);
  execute() {
    for (const entity of this.heroes.current) {
      const { number } = entity.read(Hero);
      const { x, y } = entity.read(Position);
      if (number === 0) game.camera = { x, y };
      Object.assign(entity.write(Velocity), heroVelocity(game.frame));
      for (let i = 0; i < bulletsPerHero; i++) spawnBullet(this, { x, y }, bulletVelocity(game.frame, number, i));
    }
  }
}

class Chase extends System {
  order = this.schedule((s) => s.after(Act));
  enemies = this.query((q) => q.current.with(Position).with(Chaser).write.with(Velocity).write.with(Knock).write);
  heroes = this.query((q) => q.using(Hero).write);
  execute() {
    for (const entity of this.enemies.current) {
      const chaser = entity.write(Chaser);
      const { target } = chaser;
      const { x, y } = target.read(Position);
      const position = entity.read(Position);
      const dx = x - position.x;
      const dy = y - position.y;
      const velocity = entity.write(Velocity);
      const knock = entity.write(Knock);
      velocity.x = heading(dx, dy) + knock.x;
      velocity.y = heading(dy, dx) + knock.y;
      knock.x = half(knock.x);
      knock.y = half(knock.y);
      if (chaser.cooldown > 0) chaser.cooldown -= 1;
      else if (isNear(dx, dy, biteReach)) {
        chaser.cooldown = biteCooldown;
        target.write(Hero).health -= 1;
        game.bites += 1;
      }
    }
  }
}

/** A collected gem is replaced by a new one. */
class Fly extends System {
  order = this.schedule((s) => s.after(Chase));
  flying = this.query((q) => q.current.with(Attracted).with(Position).with(Velocity).write);
  heroes = this.query((q) => q.using(Hero).write);
  created = this.query((q) => q.using(Gem, Position, Cell, Sprite).write);
  deleted = this.query((q) => q.usingAll.write);
  execute() {
    for (const entity of this.flying.current) {
      const hero = entity.read(Attracted).to;
      const { x, y } = hero.read(Position);
      const position = entity.read(Position);
      const dx = x - position.x;
      const dy = y - position.y;
      const velocity = entity.write(Velocity);
      velocity.x = gemSpeed * heading(dx, dy);
      velocity.y = gemSpeed * heading(dy, dx);
      if (!isNear(dx, dy, pickUpReach)) continue;
      hero.write(Hero).experience += 1;
      game.collected += 1;
      entity.delete();
      spawnGem(this, game.gemPlace(hero.read(Hero).number, { x, y }));
    }
  }
}

const Move = movingAfter(Fly);

const EnterCells = enteringAfter(Move);

/** Gems that are near a hero begin to fly to it. */
class Attract extends System {
  order = this.schedule((s) => s.after(EnterCells));
  heroes = this.query((q) => q.current.with(Hero).with(Position));
  gems = this.query((q) => q.using(Gem).read.using(Attracted, Velocity).write);
  execute() {
    for (const hero of this.heroes.current) {
      const { x, y } = hero.read(Position);
      for (const gem of game.grid.near(x, y, attractReach)) {
        if (!gem.has(Gem) || gem.has(Attracted)) continue;
        const place = gem.read(Position);
        if (!isNear(place.x - x, place.y - y, attractReach)) continue;
        gem.add(Attracted, { to: hero });
        gem.add(Velocity);
        game.attracted += 1;
      }
    }
  }
}

class Hit extends System {
  order = this.schedule((s) => s.after(Attract));
  bullets = this.query((q) => q.current.with(Bullet).write.with(Position).with(Velocity));
  targets = this.query((q) => q.using(Health, Burn, Knock).write);
  deleted = this.query((q) => q.usingAll.write);
  execute() {
    for (const entity of this.bullets.current) {
      const { x, y } = entity.read(Position);
      const velocity = entity.read(Velocity);
      let hits = 0;
      for (const target of game.grid.near(x, y, hitReach)) {
        if (!target.has(Health)) continue;
        const place = target.read(Position);
        if (!isNear(place.x - x, place.y - y, hitReach)) continue;
        target.write(Health).value -= 1;
        target.write(Burn).frames = burnTime;
        const knock = target.write(Knock);
        knock.x += half(velocity.x);
        knock.y += half(velocity.y);
        hits += 1;
      }
      game.hits += hits;
      const bullet = entity.write(Bullet);
      bullet.life -= 1;
      if (hits > 0 || bullet.life === 0) entity.delete();
    }
  }
}

/** A dead enemy is replaced by a new one with the same target. */
class Burning extends System {
  order = this.schedule((s) => s.after(Hit));
  burning = this.query((q) => q.current.with(Burn).write.with(Health).write.with(Chaser));
  heroes = this.query((q) => q.using(Hero, Position).read);
  created = this.query((q) => q.using(Position, Velocity, Chaser, Health, Burn, Knock, Cell, Sprite, Animation).write);
  deleted = this.query((q) => q.usingAll.write);
  execute() {
    for (const entity of this.burning.current) {
      const burn = entity.write(Burn);
      const health = entity.write(Health);
      if (burn.frames > 0) {
        burn.frames -= 1;
        health.value -= burnDamage(burn.frames);
      }
      if (health.value > 0) continue;
      const { target } = entity.read(Chaser);
      game.kills += 1;
      entity.delete();
      spawnEnemy(this, target, game.enemyPlace(target.read(Hero).number, target.read(Position)));
    }
  }
}

class Animate extends System {
  order = this.schedule((s) => s.after(Burning));
  animated = this.query((q) => q.current.with(Animation).write.with(Sprite).write);
  execute() {
    for (const entity of this.animated.current) {
      const animation = entity.write(Animation);
      animation.timer -= 1;
      if (animation.timer > 0) continue;
      animation.timer = pictureTime;
      const sprite = entity.write(Sprite);
      sprite.picture = (sprite.picture + 1) % pictureCount;
    }
  }
}

class Show extends System {
  order = this.schedule((s) => s.after(Animate));
  sprites = this.query((q) => q.current.with(Position).with(Sprite).write);
  left = this.query((q) => q.removed.with(Sprite));
  execute() {
    this.accessRecentlyDeletedData();
    for (const entity of this.left.removed) game.sprites.remove(entity.read(Sprite).slot);
    for (const entity of this.sprites.current) {
      const { x, y } = entity.read(Position);
      const sprite = entity.write(Sprite);
      const isVisible = game.isInView(x, y);
      if (isVisible) game.sprites.show(sprite.slot, x, y, sprite.picture);
      else if (sprite.visible) game.sprites.hide(sprite.slot);
      sprite.visible = isVisible;
    }
  }
}
