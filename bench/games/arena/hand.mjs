// The game without a library: arrays of objects. The other games must have the same result.
import { draw, enterCell, move, removeWhere } from "../hand.mjs";
import { biteReach, bulletLife, bulletsPerFrame, bulletVelocity, enemyHealth, Game, heading } from "./rules.mjs";
import { hitReach, isNear, pickUpReach, playerVelocity } from "./rules.mjs";

export function play({ n }) {
  const game = new Game(n);
  const player = { ...game.centre, vx: 0, vy: 0, sprite: game.sprites.add() };
  const enemies = [];
  const bullets = [];
  const gems = [];
  for (let i = 0; i < game.enemies; i++) enemies.push(newEnemy(game, game.firstEnemyPlace()));
  for (let i = 0; i < game.gems; i++) gems.push(newGem(game));
  return {
    game,
    step() {
      steer(game, player);
      fire(game, player, bullets);
      chase(game, player, enemies);
      move(player);
      for (const enemy of enemies) move(enemy);
      for (const bullet of bullets) move(bullet);
      for (const enemy of enemies) enterCell(game, enemy);
      hit(game, bullets);
      die(game, enemies);
      collect(game, player);
      while (enemies.length < game.enemies) enemies.push(newEnemy(game, game.enemyPlace(player)));
      draw(game, player);
      for (const enemy of enemies) draw(game, enemy);
      for (const bullet of bullets) draw(game, bullet);
      game.frame += 1;
    },
    state: () => ({ players: [player], enemies, bullets, gems }),
  };
}

function newEnemy(game, { x, y }) {
  return { x, y, vx: 0, vy: 0, cell: -1, sprite: game.sprites.add(), health: enemyHealth };
}

function newGem(game) {
  const gem = { ...game.firstGemPlace(), cell: -1, sprite: game.sprites.add() };
  enterCell(game, gem);
  draw(game, gem);
  return gem;
}

function steer({ frame }, player) {
  const { x, y } = playerVelocity(frame);
  player.vx = x;
  player.vy = y;
}

function fire(game, { x, y }, bullets) {
  for (let i = 0; i < bulletsPerFrame; i++) {
    const velocity = bulletVelocity(game.frame, i);
    bullets.push({ x, y, vx: velocity.x, vy: velocity.y, sprite: game.sprites.add(), life: bulletLife });
  }
}

function chase(game, { x, y }, enemies) {
  for (const enemy of enemies) {
    const dx = x - enemy.x;
    const dy = y - enemy.y;
    enemy.vx = heading(dx, dy);
    enemy.vy = heading(dy, dx);
    if (isNear(dx, dy, biteReach)) game.bites += 1;
  }
}

/** A bullet hits all enemies within reach, also those that another one has hit in the same frame. */
function hit(game, bullets) {
  removeWhere(bullets, (bullet) => {
    let hits = 0;
    for (const target of game.grid.near(bullet.x, bullet.y, hitReach)) {
      if (target.health === undefined || !isNear(target.x - bullet.x, target.y - bullet.y, hitReach)) continue;
      target.health -= 1;
      hits += 1;
    }
    game.hits += hits;
    bullet.life -= 1;
    if (hits === 0 && bullet.life > 0) return false;
    game.sprites.remove(bullet.sprite);
    return true;
  });
}

function die(game, enemies) {
  removeWhere(enemies, (enemy) => {
    if (enemy.health > 0) return false;
    game.kills += 1;
    game.grid.remove(enemy, enemy.cell);
    game.sprites.remove(enemy.sprite);
    return true;
  });
}

/** A collected gem appears at another place. */
function collect(game, { x, y }) {
  for (const gem of game.grid.near(x, y, pickUpReach)) {
    if (gem.health !== undefined || !isNear(gem.x - x, gem.y - y, pickUpReach)) continue;
    Object.assign(gem, game.gemPlace({ x, y }));
    enterCell(game, gem);
    draw(game, gem);
    game.collected += 1;
  }
}
