// The game without a library: arrays of objects. The other games must have the same result.
import { enterCell, move, removeWhere } from "../hand.mjs";
import { attractReach, biteCooldown, biteReach, bulletLife, bulletsPerHero, bulletVelocity } from "./rules.mjs";
import { burnDamage, burnTime, enemyHealth, Game, gemSpeed, half, heading, heroCount, heroVelocity } from "./rules.mjs";
import { hitReach, isNear, pickUpReach, pictureCount, pictureTime } from "./rules.mjs";

export function play({ n }) {
  const game = new Game(n);
  const heroes = Array.from({ length: heroCount }, (_, number) => newHero(game, number));
  const enemies = [];
  const bullets = [];
  const gems = [];
  const flying = [];
  for (let i = 0; i < game.enemies; i++) {
    const hero = heroes[i % heroCount];
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
    timer: pictureTime,
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
    timer: pictureTime,
    target,
    cooldown: 0,
    health: enemyHealth,
    burn: 0,
    knockX: 0,
    knockY: 0,
  };
}

function newBullet(game, { x, y }, velocity) {
  const { x: vx, y: vy } = velocity;
  const slot = game.sprites.add();
  return { x, y, vx, vy, slot, visible: false, picture: 0, timer: pictureTime, life: bulletLife };
}

function newGem(game, { x, y }) {
  const gem = { x, y, vx: 0, vy: 0, slot: game.sprites.add(), visible: false, picture: 0, cell: -1, to: undefined };
  enterCell(game, gem);
  return gem;
}

function act(game, hero, bullets) {
  const { x, y } = hero;
  if (hero.number === 0) game.camera = { x, y };
  const velocity = heroVelocity(game.frame);
  hero.vx = velocity.x;
  hero.vy = velocity.y;
  for (let i = 0; i < bulletsPerHero; i++) {
    bullets.push(newBullet(game, hero, bulletVelocity(game.frame, hero.number, i)));
  }
}

function chase(game, enemy) {
  const { target } = enemy;
  const dx = target.x - enemy.x;
  const dy = target.y - enemy.y;
  enemy.vx = heading(dx, dy) + enemy.knockX;
  enemy.vy = heading(dy, dx) + enemy.knockY;
  enemy.knockX = half(enemy.knockX);
  enemy.knockY = half(enemy.knockY);
  if (enemy.cooldown > 0) enemy.cooldown -= 1;
  else if (isNear(dx, dy, biteReach)) {
    enemy.cooldown = biteCooldown;
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
    gem.vx = gemSpeed * heading(dx, dy);
    gem.vy = gemSpeed * heading(dy, dx);
    if (!isNear(dx, dy, pickUpReach)) return false;
    hero.experience += 1;
    game.collected += 1;
    Object.assign(gem, game.gemPlace(hero.number, hero));
    gem.to = undefined;
    enterCell(game, gem);
    return true;
  });
}

function attract(game, hero, flying) {
  for (const gem of game.grid.near(hero.x, hero.y, attractReach)) {
    if (gem.health !== undefined || gem.to || !isNear(gem.x - hero.x, gem.y - hero.y, attractReach)) continue;
    gem.to = hero;
    flying.push(gem);
    game.attracted += 1;
  }
}

/** A bullet hits all enemies within reach, also those that another one has hit in the same frame. */
function hit(game, bullets) {
  removeWhere(bullets, (bullet) => {
    let hits = 0;
    for (const target of game.grid.near(bullet.x, bullet.y, hitReach)) {
      if (target.health === undefined || !isNear(target.x - bullet.x, target.y - bullet.y, hitReach)) continue;
      target.health -= 1;
      target.burn = burnTime;
      target.knockX += half(bullet.vx);
      target.knockY += half(bullet.vy);
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
      enemy.health -= burnDamage(enemy.burn);
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
  thing.timer = pictureTime;
  thing.picture = (thing.picture + 1) % pictureCount;
}

function show(game, thing) {
  const isVisible = game.isInView(thing.x, thing.y);
  if (isVisible) game.sprites.show(thing.slot, thing.x, thing.y, thing.picture);
  else if (thing.visible) game.sprites.hide(thing.slot);
  thing.visible = isVisible;
}
