// The game in Miniplex 2: entities are plain objects, queries are created once and iterated with `for…of`. It does not
// detect changes, so the grid is updated for everything in it that can move, and for a gem when it is created.
import { begin, entering, game, move, played, queries, world } from "../miniplex.mjs";
import { attractReach, biteCooldown, biteReach, bulletLife, bulletsPerHero, bulletVelocity } from "./rules.mjs";
import { burnDamage, burnTime, enemyHealth, Game, gemSpeed, half, heading, heroVelocity, hitReach } from "./rules.mjs";
import { isNear, pickUpReach, pictureCount, pictureTime } from "./rules.mjs";

const enterCells = entering("movingInCells");

export function play({ n }) {
  begin(new Game(n), {
    heroes: ["hero", "position", "velocity"],
    enemies: ["chaser", "position", "velocity", "knock", "burn", "health"],
    flying: ["attracted", "position", "velocity"],
    movingInCells: ["position", "velocity", "cell"],
    bullets: ["bullet", "position", "velocity"],
    animated: ["animation", "sprite"],
    visible: ["position", "sprite"],
  });
  game.populate(spawnHero, spawnEnemy, spawnGem);
  const own = { hero: ({ chaser }) => chaser.target.hero.number, flying: ({ attracted }) => (attracted ? 1 : 0) };
  return played([act, chase, fly, move, enterCells, attract, hit, burn, animate, show], own);
}

function newSprite() {
  return { slot: game.sprites.add(), picture: 0, visible: false };
}

function spawnHero(number) {
  return world.add({
    hero: { number, health: 0, experience: 0 },
    position: game.heroPlace(number),
    velocity: { x: 0, y: 0 },
    sprite: newSprite(),
    animation: { timer: pictureTime },
  });
}

function spawnEnemy(target, position) {
  world.add({
    position,
    velocity: { x: 0, y: 0 },
    chaser: { target, cooldown: 0 },
    health: { value: enemyHealth },
    burn: { frames: 0 },
    knock: { x: 0, y: 0 },
    cell: { index: -1 },
    sprite: newSprite(),
    animation: { timer: pictureTime },
  });
}

function spawnBullet({ x, y }, velocity) {
  world.add({
    bullet: { life: bulletLife },
    position: { x, y },
    velocity: { x: velocity.x, y: velocity.y },
    sprite: newSprite(),
    animation: { timer: pictureTime },
  });
}

/** Gems have no velocity until they fly, so `enterCells` does not visit them. */
function spawnGem(position) {
  const gem = world.add({ gem: true, position, cell: { index: -1 }, sprite: newSprite() });
  gem.cell.index = game.grid.move(gem, -1, position.x, position.y);
}

/** Heroes walk and fire. */
function act() {
  for (const { hero, position, velocity } of queries.heroes) {
    if (hero.number === 0) game.camera = { x: position.x, y: position.y };
    Object.assign(velocity, heroVelocity(game.frame));
    for (let i = 0; i < bulletsPerHero; i++) spawnBullet(position, bulletVelocity(game.frame, hero.number, i));
  }
}

function chase() {
  for (const { chaser, position, velocity, knock } of queries.enemies) {
    const { target } = chaser;
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

/** A collected gem is replaced by a new one. */
function fly() {
  for (const gem of queries.flying) {
    const { attracted, position, velocity } = gem;
    const { hero, position: place } = attracted.to;
    const dx = place.x - position.x;
    const dy = place.y - position.y;
    velocity.x = gemSpeed * heading(dx, dy);
    velocity.y = gemSpeed * heading(dy, dx);
    if (!isNear(dx, dy, pickUpReach)) continue;
    hero.experience += 1;
    game.collected += 1;
    world.remove(gem);
    spawnGem(game.gemPlace(hero.number, place));
  }
}

/** Gems that are near a hero begin to fly to it. */
function attract() {
  for (const hero of queries.heroes) {
    const { x, y } = hero.position;
    for (const gem of game.grid.near(x, y, attractReach)) {
      if (!gem.gem || gem.attracted || !isNear(gem.position.x - x, gem.position.y - y, attractReach)) continue;
      world.addComponent(gem, "attracted", { to: hero });
      world.addComponent(gem, "velocity", { x: 0, y: 0 });
      game.attracted += 1;
    }
  }
}

function hit() {
  for (const entity of queries.bullets) {
    const { bullet, position, velocity } = entity;
    const { x, y } = position;
    let hits = 0;
    for (const { position: place, health, burn, knock } of game.grid.near(x, y, hitReach)) {
      if (!health || !isNear(place.x - x, place.y - y, hitReach)) continue;
      health.value -= 1;
      burn.frames = burnTime;
      knock.x += half(velocity.x);
      knock.y += half(velocity.y);
      hits += 1;
    }
    game.hits += hits;
    bullet.life -= 1;
    if (hits > 0 || bullet.life === 0) world.remove(entity);
  }
}

/** A dead enemy is replaced by a new one with the same target. */
function burn() {
  for (const entity of queries.enemies) {
    const { burn, health, chaser } = entity;
    if (burn.frames > 0) {
      burn.frames -= 1;
      health.value -= burnDamage(burn.frames);
    }
    if (health.value > 0) continue;
    game.kills += 1;
    world.remove(entity);
    spawnEnemy(chaser.target, game.enemyPlace(chaser.target.hero.number, chaser.target.position));
  }
}

function animate() {
  for (const { animation, sprite } of queries.animated) {
    animation.timer -= 1;
    if (animation.timer > 0) continue;
    animation.timer = pictureTime;
    sprite.picture = (sprite.picture + 1) % pictureCount;
  }
}

function show() {
  for (const { position, sprite } of queries.visible) {
    const isVisible = game.isInView(position.x, position.y);
    if (isVisible) game.sprites.show(sprite.slot, position.x, position.y, sprite.picture);
    else if (sprite.visible) game.sprites.hide(sprite.slot);
    sprite.visible = isVisible;
  }
}
