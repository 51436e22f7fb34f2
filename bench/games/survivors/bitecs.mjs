// The game in bitECS 0.4: components as structures of typed arrays, systems as functions over `query()`. It does not
// detect changes, so the grid is updated for everything in it that can move, and for a gem when it is created.
import { addComponents, hasComponent, query, removeEntity } from "bitecs";
import { begin, create, enterCell, enterCells, move, played, rest, setVector } from "../bitecs.mjs";
import { Cell, capacity, game, Position, Sprite, Velocity, world } from "../bitecs.mjs";
import { attractReach, biteCooldown, biteReach, bulletLife, bulletsPerHero, bulletVelocity } from "./rules.mjs";
import { burnDamage, burnTime, enemyHealth, Game, gemSpeed, half, heading, heroVelocity, hitReach } from "./rules.mjs";
import { isNear, pickUpReach, pictureCount, pictureTime } from "./rules.mjs";

const Animation = { timer: new Uint8Array(capacity) };
const [number, health, experience] = [new Uint8Array(capacity), new Int32Array(capacity), new Int32Array(capacity)];
const Hero = { number, health, experience };
const Chaser = { target: new Uint32Array(capacity), cooldown: new Uint8Array(capacity) };
const Health = { value: new Int32Array(capacity) };
const Burn = { frames: new Uint8Array(capacity) };
const Knock = { x: new Int32Array(capacity), y: new Int32Array(capacity) };
const Bullet = { life: new Uint8Array(capacity) };
const Gem = {};
const Attracted = { to: new Uint32Array(capacity) };

const heroes = [Hero, Position, Velocity];
const enemies = [Chaser, Position, Velocity, Knock];
const flying = [Attracted, Position, Velocity];
const bullets = [Bullet, Position, Velocity];
const burning = [Burn, Health, Chaser];
const animated = [Animation, Sprite];
const sprites = [Position, Sprite];

export function play({ n }) {
  begin(new Game(n));
  game.populate(spawnHero, spawnEnemy, spawnGem);
  const systems = [act, chase, fly, move, enterCells, attract, hit, burn, animate, show];
  return played(
    systems,
    { Hero, Chaser, Health, Burn, Knock, Bullet, Gem },
    { hero: (e) => Hero.number[Chaser.target[e]], flying: (e) => (hasComponent(world, e, Attracted) ? 1 : 0) },
  );
}

/** Creates an entity whose sprite has pictures. */
function createAnimated(components, place, velocity) {
  const e = create([Animation, Velocity, ...components], place, velocity);
  Sprite.picture[e] = 0;
  Sprite.visible[e] = 0;
  Animation.timer[e] = pictureTime;
  return e;
}

function spawnHero(number) {
  const e = createAnimated([Hero], game.heroPlace(number), rest);
  Hero.number[e] = number;
  Hero.health[e] = 0;
  Hero.experience[e] = 0;
  return e;
}

function spawnEnemy(target, place) {
  const e = createAnimated([Chaser, Health, Burn, Knock, Cell], place, rest);
  Chaser.target[e] = target;
  Chaser.cooldown[e] = 0;
  Health.value[e] = enemyHealth;
  Burn.frames[e] = 0;
  setVector(Knock, e, rest);
}

function spawnBullet(place, velocity) {
  const e = createAnimated([Bullet], place, velocity);
  Bullet.life[e] = bulletLife;
}

/** Gems have no velocity until they fly, so `enterCells` does not visit them. */
function spawnGem(place) {
  const e = create([Gem, Cell], place);
  Sprite.picture[e] = 0;
  Sprite.visible[e] = 0;
  enterCell(e);
}

/** Heroes walk and fire. */
function act() {
  for (const e of query(world, heroes)) {
    const place = { x: Position.x[e], y: Position.y[e] };
    if (Hero.number[e] === 0) game.camera = place;
    setVector(Velocity, e, heroVelocity(game.frame));
    for (let i = 0; i < bulletsPerHero; i++) spawnBullet(place, bulletVelocity(game.frame, Hero.number[e], i));
  }
}

function chase() {
  for (const e of query(world, enemies)) {
    const target = Chaser.target[e];
    const dx = Position.x[target] - Position.x[e];
    const dy = Position.y[target] - Position.y[e];
    Velocity.x[e] = heading(dx, dy) + Knock.x[e];
    Velocity.y[e] = heading(dy, dx) + Knock.y[e];
    Knock.x[e] = half(Knock.x[e]);
    Knock.y[e] = half(Knock.y[e]);
    if (Chaser.cooldown[e] > 0) Chaser.cooldown[e] -= 1;
    else if (isNear(dx, dy, biteReach)) {
      Chaser.cooldown[e] = biteCooldown;
      Hero.health[target] -= 1;
      game.bites += 1;
    }
  }
}

/** A collected gem is replaced by a new one. */
function fly() {
  for (const e of query(world, flying)) {
    const hero = Attracted.to[e];
    const dx = Position.x[hero] - Position.x[e];
    const dy = Position.y[hero] - Position.y[e];
    Velocity.x[e] = gemSpeed * heading(dx, dy);
    Velocity.y[e] = gemSpeed * heading(dy, dx);
    if (!isNear(dx, dy, pickUpReach)) continue;
    Hero.experience[hero] += 1;
    game.collected += 1;
    removeEntity(world, e);
    spawnGem(game.gemPlace(Hero.number[hero], { x: Position.x[hero], y: Position.y[hero] }));
  }
}

/** Gems that are near a hero begin to fly to it. */
function attract() {
  for (const e of query(world, heroes)) {
    const x = Position.x[e];
    const y = Position.y[e];
    for (const gem of game.grid.near(x, y, attractReach)) {
      if (!isNear(Position.x[gem] - x, Position.y[gem] - y, attractReach)) continue;
      if (!hasComponent(world, gem, Gem) || hasComponent(world, gem, Attracted)) continue;
      addComponents(world, gem, Attracted, Velocity);
      Attracted.to[gem] = e;
      setVector(Velocity, gem, rest);
      game.attracted += 1;
    }
  }
}

function hit() {
  for (const e of query(world, bullets)) {
    const x = Position.x[e];
    const y = Position.y[e];
    let hits = 0;
    for (const target of game.grid.near(x, y, hitReach)) {
      if (!isNear(Position.x[target] - x, Position.y[target] - y, hitReach)) continue;
      if (!hasComponent(world, target, Health)) continue;
      Health.value[target] -= 1;
      Burn.frames[target] = burnTime;
      Knock.x[target] += half(Velocity.x[e]);
      Knock.y[target] += half(Velocity.y[e]);
      hits += 1;
    }
    game.hits += hits;
    Bullet.life[e] -= 1;
    if (hits > 0 || Bullet.life[e] === 0) removeEntity(world, e);
  }
}

/** A dead enemy is replaced by a new one with the same target. */
function burn() {
  for (const e of query(world, burning)) {
    if (Burn.frames[e] > 0) {
      Burn.frames[e] -= 1;
      Health.value[e] -= burnDamage(Burn.frames[e]);
    }
    if (Health.value[e] > 0) continue;
    const target = Chaser.target[e];
    game.kills += 1;
    removeEntity(world, e);
    spawnEnemy(target, game.enemyPlace(Hero.number[target], { x: Position.x[target], y: Position.y[target] }));
  }
}

function animate() {
  for (const e of query(world, animated)) {
    Animation.timer[e] -= 1;
    if (Animation.timer[e] > 0) continue;
    Animation.timer[e] = pictureTime;
    Sprite.picture[e] = (Sprite.picture[e] + 1) % pictureCount;
  }
}

function show() {
  for (const e of query(world, sprites)) {
    const isVisible = game.isInView(Position.x[e], Position.y[e]);
    if (isVisible) game.sprites.show(Sprite.slot[e], Position.x[e], Position.y[e], Sprite.picture[e]);
    else if (Sprite.visible[e]) game.sprites.hide(Sprite.slot[e]);
    Sprite.visible[e] = isVisible ? 1 : 0;
  }
}
