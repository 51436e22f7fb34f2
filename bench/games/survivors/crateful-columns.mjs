// The game with columns: loops over WebAssembly memory, bulk calls, and one call of markDirty for all that moved.
import { entityIndex, System } from "../../../dist/inline.js";
import { begin, columnsOf, columnSystems, ecs, game, linear, removed, slots } from "../crateful.mjs";
import { componentsOf, playedWith, prefabsOf } from "./crateful_world.mjs";
import {
  attractReach,
  biteCooldown,
  biteReach,
  bulletsPerHero,
  bulletVelocity,
  burnDamage,
  burnTime,
  Game,
  gemSpeed,
  half,
  heading,
  heroCount,
  heroVelocity,
  hitReach,
  isNear,
  pickUpReach,
  pictureCount,
  pictureTime,
} from "./rules.mjs";

let prefabs;

const components = componentsOf(linear, "entity");
const { Position, Velocity, Cell, Sprite, Animation, Hero, Chaser, Health, Burn, Knock, Bullet, Gem, Attracted } =
  components;
const { Move, EnterCells } = columnSystems(components);

export function play({ n }) {
  begin(new Game(n), [Act, Chase, Fly, Move, EnterCells, Attract, Hit, Burning, Animate, Show, Remove]);
  prefabs = prefabsOf(components);
  const numbers = Array.from({ length: heroCount }, (_, number) => number);
  const heroes = prefabs.heroes.spawn(heroCount, {
    hero: { number: numbers },
    position: columnsOf(numbers.map((number) => game.heroPlace(number))),
    sprite: { slot: slots(heroCount) },
  });
  const targets = Array.from({ length: game.enemies }, (_, i) => heroes[i % heroCount]);
  spawnEnemies(
    targets,
    targets.map((_, i) => game.firstEnemyPlace(i % heroCount)),
  );
  spawnGems(Array.from({ length: game.gems }, () => game.firstGemPlace()));
  return playedWith(components);
}

function spawnEnemies(targets, places) {
  const n = targets.length;
  prefabs.enemies.spawn(n, { chaser: { target: targets }, position: columnsOf(places), sprite: { slot: slots(n) } });
}

function spawnBullets(places, velocities) {
  const n = places.length;
  prefabs.bullets.spawn(n, {
    position: columnsOf(places),
    velocity: columnsOf(velocities),
    sprite: { slot: slots(n) },
  });
}

function spawnGems(places) {
  prefabs.gems.spawn(places.length, { position: columnsOf(places), sprite: { slot: slots(places.length) } });
}

/** Heroes walk and fire. */
class Act extends System {
  componentsRequired = new Set([Hero, Position, Velocity]);
  update(_delta, { ids }) {
    const { x, y } = ecs.storage(Position).columns;
    const { x: velocityX, y: velocityY } = ecs.storage(Velocity).columns;
    const { number } = ecs.storage(Hero).columns;
    const velocity = heroVelocity(game.frame);
    const places = [];
    const velocities = [];
    for (let k = 0; k < ids.length; k++) {
      const h = entityIndex(ids[k]);
      const place = { x: x[h], y: y[h] };
      if (number[h] === 0) game.camera = place;
      velocityX[h] = velocity.x;
      velocityY[h] = velocity.y;
      for (let i = 0; i < bulletsPerHero; i++) {
        places.push(place);
        velocities.push(bulletVelocity(game.frame, number[h], i));
      }
    }
    spawnBullets(places, velocities);
  }
}

class Chase extends System {
  componentsRequired = new Set([Chaser, Position, Velocity, Knock]);
  update(_delta, { ids }) {
    const { target, cooldown } = ecs.storage(Chaser).columns;
    const { x, y } = ecs.storage(Position).columns;
    const { x: velocityX, y: velocityY } = ecs.storage(Velocity).columns;
    const { x: knockX, y: knockY } = ecs.storage(Knock).columns;
    const { health } = ecs.storage(Hero).columns;
    for (let k = 0; k < ids.length; k++) {
      const i = entityIndex(ids[k]);
      const hero = entityIndex(target[i]);
      const dx = x[hero] - x[i];
      const dy = y[hero] - y[i];
      velocityX[i] = heading(dx, dy) + knockX[i];
      velocityY[i] = heading(dy, dx) + knockY[i];
      knockX[i] = half(knockX[i]);
      knockY[i] = half(knockY[i]);
      if (cooldown[i] > 0) cooldown[i] -= 1;
      else if (isNear(dx, dy, biteReach)) {
        cooldown[i] = biteCooldown;
        health[hero] -= 1;
        game.bites += 1;
      }
    }
  }
}

/** A collected gem is replaced by a new one. */
class Fly extends System {
  componentsRequired = new Set([Attracted, Position, Velocity]);
  update() {
    const { entities, columns } = ecs.storage(Attracted);
    const { x, y } = ecs.storage(Position).columns;
    const { x: velocityX, y: velocityY } = ecs.storage(Velocity).columns;
    const { number, experience } = ecs.storage(Hero).columns;
    const places = [];
    for (let k = 0; k < entities.length; k++) {
      const i = entityIndex(entities[k]);
      const hero = entityIndex(columns.to[k]);
      const dx = x[hero] - x[i];
      const dy = y[hero] - y[i];
      velocityX[i] = gemSpeed * heading(dx, dy);
      velocityY[i] = gemSpeed * heading(dy, dx);
      if (!isNear(dx, dy, pickUpReach)) continue;
      experience[hero] += 1;
      game.collected += 1;
      removed.push(entities[k]);
      places.push(game.gemPlace(number[hero], { x: x[hero], y: y[hero] }));
    }
    spawnGems(places);
  }
}

/** Gems that are near a hero begin to fly to it. */
class Attract extends System {
  componentsRequired = new Set([Hero, Position]);
  update(_delta, { ids }) {
    const gems = ecs.storage(Gem);
    const attracted = ecs.storage(Attracted);
    const { x, y } = ecs.storage(Position).columns;
    const found = [];
    const to = [];
    for (let k = 0; k < ids.length; k++) {
      const hero = entityIndex(ids[k]);
      for (const e of game.grid.near(x[hero], y[hero], attractReach)) {
        const i = entityIndex(e);
        if (!isNear(x[i] - x[hero], y[i] - y[hero], attractReach)) continue;
        if (gems.slot(e) === -1 || attracted.slot(e) !== -1) continue;
        found.push(e);
        to.push(ids[k]);
      }
    }
    ecs.addComponents(found, Attracted, { to });
    ecs.addComponents(found, Velocity);
    game.attracted += found.length;
  }
}

class Hit extends System {
  componentsRequired = new Set([Bullet, Position, Velocity]);
  update() {
    const { x, y } = ecs.storage(Position).columns;
    const { x: velocityX, y: velocityY } = ecs.storage(Velocity).columns;
    const healths = ecs.storage(Health);
    const { value: health } = healths.columns;
    const { frames } = ecs.storage(Burn).columns;
    const { x: knockX, y: knockY } = ecs.storage(Knock).columns;
    const { entities, columns } = ecs.storage(Bullet);
    const { life } = columns;
    for (let k = 0; k < entities.length; k++) {
      const i = entityIndex(entities[k]);
      let hits = 0;
      for (const e of game.grid.near(x[i], y[i], hitReach)) {
        const target = entityIndex(e);
        if (!isNear(x[target] - x[i], y[target] - y[i], hitReach) || healths.slot(e) === -1) continue;
        health[target] -= 1;
        frames[target] = burnTime;
        knockX[target] += half(velocityX[i]);
        knockY[target] += half(velocityY[i]);
        hits += 1;
      }
      game.hits += hits;
      life[k] -= 1;
      if (hits > 0 || life[k] === 0) removed.push(entities[k]);
    }
  }
}

/** A dead enemy is replaced by a new one with the same target. */
class Burning extends System {
  componentsRequired = new Set([Burn, Health, Chaser]);
  update(_delta, { ids }) {
    const { frames } = ecs.storage(Burn).columns;
    const { value: health } = ecs.storage(Health).columns;
    const { target } = ecs.storage(Chaser).columns;
    const { x, y } = ecs.storage(Position).columns;
    const { number } = ecs.storage(Hero).columns;
    const targets = [];
    const places = [];
    for (let k = 0; k < ids.length; k++) {
      const i = entityIndex(ids[k]);
      if (frames[i] > 0) {
        frames[i] -= 1;
        health[i] -= burnDamage(frames[i]);
      }
      if (health[i] > 0) continue;
      game.kills += 1;
      removed.push(ids[k]);
      const hero = entityIndex(target[i]);
      targets.push(target[i]);
      places.push(game.enemyPlace(number[hero], { x: x[hero], y: y[hero] }));
    }
    spawnEnemies(targets, places);
  }
}

class Animate extends System {
  componentsRequired = new Set([Animation, Sprite]);
  update(_delta, { ids }) {
    const { timer } = ecs.storage(Animation).columns;
    const { picture } = ecs.storage(Sprite).columns;
    for (let k = 0; k < ids.length; k++) {
      const i = entityIndex(ids[k]);
      timer[i] -= 1;
      if (timer[i] > 0) continue;
      timer[i] = pictureTime;
      picture[i] = (picture[i] + 1) % pictureCount;
    }
  }
}

class Show extends System {
  componentsRequired = new Set([Position, Sprite]);
  update(_delta, { ids }) {
    const { x, y } = ecs.storage(Position).columns;
    const { slot, picture, visible } = ecs.storage(Sprite).columns;
    for (let k = 0; k < ids.length; k++) {
      const i = entityIndex(ids[k]);
      const isVisible = game.isInView(x[i], y[i]);
      if (isVisible) game.sprites.show(slot[i], x[i], y[i], picture[i]);
      else if (visible[i]) game.sprites.hide(slot[i]);
      visible[i] = isVisible ? 1 : 0;
    }
  }
}

class Remove extends System {
  componentsRequired = new Set([Sprite]);
  update() {
    const { slot } = ecs.storage(Sprite).columns;
    const cells = ecs.storage(Cell);
    const { index } = cells.columns;
    for (const e of removed) {
      const i = entityIndex(e);
      if (cells.slot(e) !== -1) game.grid.remove(e, index[i]);
      game.sprites.remove(slot[i]);
    }
    ecs.removeEntities(removed);
    removed.length = 0;
  }
}
