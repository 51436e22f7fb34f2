// The game without a library: arrays of objects. The other games must have the same result.
import { enterCell, move, removeWhere } from "../hand.mjs";
import * as rules from "./rules.mjs";

export function play({ n }) {
  const game = new rules.Game(n);
  const heroes = Array.from({ length: rules.heroCount }, (_, number) => newHero(game, number));
  const enemies = [];
  const bullets = [];
  const gems = [];
  const flying = [];
  for (let i = 0; i < game.enemies; i++) {
    const hero = heroes[i % rules.heroCount];
    enemies.push(newEnemy(game, hero, game.firstEnemyPlace(hero.number)));
  }
  for (let i = 0; i < game.gems; i++) gems.push(newGem(game, game.firstGemPlace()));
  return {
    game,
    step() {
      for (const hero of heroes) act(game, hero, bullets);
      for (const enemy of enemies) chase(game, enemy);
      fly(game, flying);
      for (const hero of heroes) move(hero);
      for (const enemy of enemies) move(enemy);
      for (const bullet of bullets) move(bullet);
      for (const gem of flying) move(gem);
      for (const enemy of enemies) enterCell(game, enemy);
      for (const gem of flying) enterCell(game, gem);
      for (const hero of heroes) attract(game, hero, flying);
      hit(game, bullets);
      burn(game, enemies);
      for (const hero of heroes) animate(hero);
      for (const enemy of enemies) animate(enemy);
      for (const bullet of bullets) animate(bullet);
      for (const hero of heroes) show(game, hero);
      for (const enemy of enemies) show(game, enemy);
      for (const bullet of bullets) show(game, bullet);
      for (const gem of gems) show(game, gem);
      game.frame += 1;
    },
    state: () => ({
      heroes,
      enemies: enemies.map((enemy) => ({ ...enemy, hero: enemy.target.number })),
      bullets,
      gems: gems.map((gem) => ({ ...gem, flying: gem.to ? 1 : 0 })),
    }),
  };
}

function newHero(game, number) {
  const { x, y } = game.heroPlace(number);
  return {
    x,
    y,
    vx: 0,
    vy: 0,
    slot: game.sprites.add(),
    visible: false,
    picture: 0,
    timer: rules.pictureTime,
    number,
    health: 0,
    experience: 0,
  };
}

function newEnemy(game, target, { x, y }) {
  return {
    x,
    y,
    vx: 0,
    vy: 0,
    cell: -1,
    slot: game.sprites.add(),
    visible: false,
    picture: 0,
    timer: rules.pictureTime,
    target,
    cooldown: 0,
    health: rules.enemyHealth,
    burn: 0,
    knockX: 0,
    knockY: 0,
  };
}

function newBullet(game, { x, y }, velocity) {
  const { x: vx, y: vy } = velocity;
  const slot = game.sprites.add();
  return { x, y, vx, vy, slot, visible: false, picture: 0, timer: rules.pictureTime, life: rules.bulletLife };
}

function newGem(game, { x, y }) {
  const gem = { x, y, vx: 0, vy: 0, slot: game.sprites.add(), visible: false, picture: 0, cell: -1, to: undefined };
  enterCell(game, gem);
  return gem;
}

function act(game, hero, bullets) {
  const { x, y } = hero;
  if (hero.number === 0) game.camera = { x, y };
  const velocity = rules.heroVelocity(game.frame);
  hero.vx = velocity.x;
  hero.vy = velocity.y;
  for (let i = 0; i < rules.bulletsPerHero; i++) {
    bullets.push(newBullet(game, hero, rules.bulletVelocity(game.frame, hero.number, i)));
  }
}

function chase(game, enemy) {
  const { target } = enemy;
  const dx = target.x - enemy.x;
  const dy = target.y - enemy.y;
  enemy.vx = rules.heading(dx, dy) + enemy.knockX;
  enemy.vy = rules.heading(dy, dx) + enemy.knockY;
  enemy.knockX = rules.half(enemy.knockX);
  enemy.knockY = rules.half(enemy.knockY);
  if (enemy.cooldown > 0) enemy.cooldown -= 1;
  else if (rules.isNear(dx, dy, rules.biteReach)) {
    enemy.cooldown = rules.biteCooldown;
    target.health -= 1;
    game.bites += 1;
  }
}

/** A collected gem becomes a new one. */
function fly(game, flying) {
  removeWhere(flying, (gem) => {
    const hero = gem.to;
    const dx = hero.x - gem.x;
    const dy = hero.y - gem.y;
    gem.vx = rules.gemSpeed * rules.heading(dx, dy);
    gem.vy = rules.gemSpeed * rules.heading(dy, dx);
    if (!rules.isNear(dx, dy, rules.pickUpReach)) return false;
    hero.experience += 1;
    game.collected += 1;
    Object.assign(gem, game.gemPlace(hero.number, hero));
    gem.to = undefined;
    enterCell(game, gem);
    return true;
  });
}

function attract(game, hero, flying) {
  for (const gem of game.grid.near(hero.x, hero.y, rules.attractReach)) {
    if (gem.health !== undefined || gem.to || !rules.isNear(gem.x - hero.x, gem.y - hero.y, rules.attractReach))
      continue;
    gem.to = hero;
    flying.push(gem);
    game.attracted += 1;
  }
}

/** A bullet hits all enemies within reach, also those that another one has hit in the same frame. */
function hit(game, bullets) {
  removeWhere(bullets, (bullet) => {
    let hits = 0;
    for (const target of game.grid.near(bullet.x, bullet.y, rules.hitReach)) {
      if (target.health === undefined || !rules.isNear(target.x - bullet.x, target.y - bullet.y, rules.hitReach))
        continue;
      target.health -= 1;
      target.burn = rules.burnTime;
      target.knockX += rules.half(bullet.vx);
      target.knockY += rules.half(bullet.vy);
      hits += 1;
    }
    game.hits += hits;
    bullet.life -= 1;
    if (hits === 0 && bullet.life > 0) return false;
    game.sprites.remove(bullet.slot);
    return true;
  });
}

/** A dead enemy is replaced by a new one with the same target. */
function burn(game, enemies) {
  for (let i = 0; i < enemies.length; i++) {
    const enemy = enemies[i];
    if (enemy.burn > 0) {
      enemy.burn -= 1;
      enemy.health -= rules.burnDamage(enemy.burn);
    }
    if (enemy.health > 0) continue;
    const { target } = enemy;
    game.kills += 1;
    game.grid.remove(enemy, enemy.cell);
    game.sprites.remove(enemy.slot);
    enemies[i] = newEnemy(game, target, game.enemyPlace(target.number, target));
  }
}

function animate(thing) {
  thing.timer -= 1;
  if (thing.timer > 0) return;
  thing.timer = rules.pictureTime;
  thing.picture = (thing.picture + 1) % rules.pictureCount;
}

function show(game, thing) {
  const isVisible = game.isInView(thing.x, thing.y);
  if (isVisible) game.sprites.show(thing.slot, thing.x, thing.y, thing.picture);
  else if (thing.visible) game.sprites.hide(thing.slot);
  thing.visible = isVisible;
}
