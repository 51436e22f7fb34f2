// The game in Woven ECS 1.0, in the everyday form of its guide: `read` and `write`, and its change tracking. A frame is a
// promise. Queries change only between two calls of `execute`, so that each call has the systems that need nothing new from
// each other. What was created and removed between two runs of a system is in no list of its query, so the grid and the
// sprites are told when an entity is removed.
import {
  addComponent,
  createEntity,
  defineComponent,
  defineQuery,
  defineSystem,
  field,
  hasComponent,
  removeEntity,
  World,
} from "@woven-ecs/core";
import {
  attractReach,
  biteCooldown,
  biteReach,
  bulletLife,
  bulletsPerHero,
  bulletVelocity,
  burnDamage,
  burnTime,
  delta,
  enemyHealth,
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

const Position = defineComponent({ x: field.float32(), y: field.float32() });
const Velocity = defineComponent({ x: field.float32(), y: field.float32() });
const Cell = defineComponent({ index: field.int32().default(-1) });
const Sprite = defineComponent({ slot: field.int32(), picture: field.uint8(), visible: field.boolean() });
const Animation = defineComponent({ timer: field.uint8().default(pictureTime) });
const Hero = defineComponent({ number: field.uint8(), health: field.int32(), experience: field.int32() });
const Chaser = defineComponent({ target: field.ref(), cooldown: field.uint8() });
const Health = defineComponent({ value: field.int32().default(enemyHealth) });
const Burn = defineComponent({ frames: field.uint8() });
const Knock = defineComponent({ x: field.int32(), y: field.int32() });
const Bullet = defineComponent({ life: field.uint8().default(bulletLife) });
const Gem = defineComponent({});
const Attracted = defineComponent({ to: field.ref() });

const heroes = defineQuery((q) => q.with(Hero, Position, Velocity));
const enemies = defineQuery((q) => q.with(Chaser, Position, Velocity, Knock));
const flying = defineQuery((q) => q.with(Attracted, Position, Velocity));
const moving = defineQuery((q) => q.with(Position, Velocity));
const movedInCells = defineQuery((q) => q.with(Cell).tracking(Position));
const bullets = defineQuery((q) => q.with(Bullet, Position, Velocity));
const inFlames = defineQuery((q) => q.with(Burn, Health, Chaser));
const animated = defineQuery((q) => q.with(Animation, Sprite));
const sprites = defineQuery((q) => q.with(Position, Sprite));
const gems = defineQuery((q) => q.with(Gem, Position));

let game;
let world;

export async function play({ n }) {
  game = new Game(n);
  const values = [Position, Velocity, Cell, Sprite, Animation, Hero, Chaser, Health, Burn, Knock, Bullet, Attracted];
  world = new World([...values, Gem], { maxEntities: n + 4_000, maxEvents: 1 << 20 });
  await world.execute((ctx) => {
    const all = Array.from({ length: heroCount }, (_, number) => spawnHero(ctx, number));
    for (let i = 0; i < game.enemies; i++) spawnEnemy(ctx, all[i % heroCount], game.firstEnemyPlace(i % heroCount));
    for (let i = 0; i < game.gems; i++) spawnGem(ctx, game.firstGemPlace());
  });
  return {
    game,
    async step() {
      world.sync();
      await world.execute(act, chase, fly);
      await world.execute(move);
      await world.execute(enterCells, attract, hit, burn);
      await world.execute(animate, show);
      game.frame += 1;
    },
    state: () => ({
      heroes: list(heroes, (ctx, e) => Hero.snapshot(ctx, e)),
      enemies: list(enemies, (ctx, e) => ({
        hero: Hero.read(ctx, Chaser.read(ctx, e).target).number,
        cooldown: Chaser.read(ctx, e).cooldown,
        health: Health.read(ctx, e).value,
        burn: Burn.read(ctx, e).frames,
        knockX: Knock.read(ctx, e).x,
        knockY: Knock.read(ctx, e).y,
        picture: Sprite.read(ctx, e).picture,
      })),
      bullets: list(bullets, (ctx, e) => ({
        life: Bullet.read(ctx, e).life,
        picture: Sprite.read(ctx, e).picture,
      })),
      gems: list(gems, (ctx, e) => ({ flying: hasComponent(ctx, e, Attracted) ? 1 : 0 })),
    }),
  };
}

function spawnHero(ctx, number) {
  const e = createEntity(ctx);
  addComponent(ctx, e, Hero, { number });
  addComponent(ctx, e, Position, game.heroPlace(number));
  addComponent(ctx, e, Velocity);
  addComponent(ctx, e, Sprite, { slot: game.sprites.add() });
  addComponent(ctx, e, Animation);
  return e;
}

function spawnEnemy(ctx, target, place) {
  const e = createEntity(ctx);
  addComponent(ctx, e, Position, place);
  addComponent(ctx, e, Velocity);
  addComponent(ctx, e, Chaser, { target });
  addComponent(ctx, e, Health);
  addComponent(ctx, e, Burn);
  addComponent(ctx, e, Knock);
  addComponent(ctx, e, Cell);
  addComponent(ctx, e, Sprite, { slot: game.sprites.add() });
  addComponent(ctx, e, Animation);
}

function spawnBullet(ctx, place, velocity) {
  const e = createEntity(ctx);
  addComponent(ctx, e, Bullet);
  addComponent(ctx, e, Position, place);
  addComponent(ctx, e, Velocity, velocity);
  addComponent(ctx, e, Sprite, { slot: game.sprites.add() });
  addComponent(ctx, e, Animation);
}

function spawnGem(ctx, place) {
  const e = createEntity(ctx);
  addComponent(ctx, e, Gem);
  addComponent(ctx, e, Position, place);
  addComponent(ctx, e, Cell);
  addComponent(ctx, e, Sprite, { slot: game.sprites.add() });
}

function remove(ctx, e) {
  if (hasComponent(ctx, e, Cell)) game.grid.remove(e, Cell.read(ctx, e).index);
  game.sprites.remove(Sprite.read(ctx, e).slot);
  removeEntity(ctx, e);
}

/** Heroes walk and fire. */
const act = defineSystem((ctx) => {
  for (const e of heroes.current(ctx)) {
    const { number } = Hero.read(ctx, e);
    const place = Position.snapshot(ctx, e);
    if (number === 0) game.camera = place;
    Velocity.copy(ctx, e, heroVelocity(game.frame));
    for (let i = 0; i < bulletsPerHero; i++) spawnBullet(ctx, place, bulletVelocity(game.frame, number, i));
  }
});

const chase = defineSystem((ctx) => {
  for (const e of enemies.current(ctx)) {
    const { target, cooldown } = Chaser.read(ctx, e);
    const place = Position.read(ctx, target);
    const position = Position.read(ctx, e);
    const velocity = Velocity.write(ctx, e);
    const knock = Knock.write(ctx, e);
    const dx = place.x - position.x;
    const dy = place.y - position.y;
    velocity.x = heading(dx, dy) + knock.x;
    velocity.y = heading(dy, dx) + knock.y;
    knock.x = half(knock.x);
    knock.y = half(knock.y);
    if (cooldown > 0) Chaser.write(ctx, e).cooldown = cooldown - 1;
    else if (isNear(dx, dy, biteReach)) {
      Chaser.write(ctx, e).cooldown = biteCooldown;
      Hero.write(ctx, target).health -= 1;
      game.bites += 1;
    }
  }
});

/** A collected gem is replaced by a new one. */
const fly = defineSystem((ctx) => {
  for (const e of flying.current(ctx)) {
    const target = Attracted.read(ctx, e).to;
    const place = Position.read(ctx, target);
    const position = Position.read(ctx, e);
    const velocity = Velocity.write(ctx, e);
    const dx = place.x - position.x;
    const dy = place.y - position.y;
    velocity.x = gemSpeed * heading(dx, dy);
    velocity.y = gemSpeed * heading(dy, dx);
    if (!isNear(dx, dy, pickUpReach)) continue;
    const hero = Hero.write(ctx, target);
    hero.experience += 1;
    game.collected += 1;
    remove(ctx, e);
    spawnGem(ctx, game.gemPlace(hero.number, place));
  }
});

const move = defineSystem((ctx) => {
  for (const e of moving.current(ctx)) {
    const position = Position.write(ctx, e);
    const velocity = Velocity.read(ctx, e);
    position.x += velocity.x * delta;
    position.y += velocity.y * delta;
  }
});

const enterCells = defineSystem((ctx) => {
  for (const e of movedInCells.addedOrChanged(ctx)) {
    const { x, y } = Position.read(ctx, e);
    const cell = Cell.write(ctx, e);
    cell.index = game.grid.move(e, cell.index, x, y);
  }
});

/** Gems that are near a hero begin to fly to it. */
const attract = defineSystem((ctx) => {
  for (const hero of heroes.current(ctx)) {
    const { x, y } = Position.read(ctx, hero);
    for (const gem of game.grid.near(x, y, attractReach)) {
      if (!hasComponent(ctx, gem, Gem) || hasComponent(ctx, gem, Attracted)) continue;
      const place = Position.read(ctx, gem);
      if (!isNear(place.x - x, place.y - y, attractReach)) continue;
      addComponent(ctx, gem, Attracted, { to: hero });
      addComponent(ctx, gem, Velocity);
      game.attracted += 1;
    }
  }
});

const hit = defineSystem((ctx) => {
  for (const e of bullets.current(ctx)) {
    const { x, y } = Position.read(ctx, e);
    const velocity = Velocity.read(ctx, e);
    let hits = 0;
    for (const target of game.grid.near(x, y, hitReach)) {
      if (!hasComponent(ctx, target, Health)) continue;
      const place = Position.read(ctx, target);
      if (!isNear(place.x - x, place.y - y, hitReach)) continue;
      Health.write(ctx, target).value -= 1;
      Burn.write(ctx, target).frames = burnTime;
      const knock = Knock.write(ctx, target);
      knock.x += half(velocity.x);
      knock.y += half(velocity.y);
      hits += 1;
    }
    game.hits += hits;
    const bullet = Bullet.write(ctx, e);
    bullet.life -= 1;
    if (hits > 0 || bullet.life === 0) remove(ctx, e);
  }
});

/** A dead enemy is replaced by a new one with the same target. */
const burn = defineSystem((ctx) => {
  for (const e of inFlames.current(ctx)) {
    const frames = Burn.read(ctx, e).frames - 1;
    if (frames >= 0) {
      Burn.write(ctx, e).frames = frames;
      Health.write(ctx, e).value -= burnDamage(frames);
    }
    if (Health.read(ctx, e).value > 0) continue;
    const { target } = Chaser.read(ctx, e);
    game.kills += 1;
    remove(ctx, e);
    spawnEnemy(ctx, target, game.enemyPlace(Hero.read(ctx, target).number, Position.read(ctx, target)));
  }
});

const animate = defineSystem((ctx) => {
  for (const e of animated.current(ctx)) {
    const animation = Animation.write(ctx, e);
    animation.timer -= 1;
    if (animation.timer > 0) continue;
    animation.timer = pictureTime;
    const sprite = Sprite.write(ctx, e);
    sprite.picture = (sprite.picture + 1) % pictureCount;
  }
});

const show = defineSystem((ctx) => {
  for (const e of sprites.current(ctx)) {
    const { x, y } = Position.read(ctx, e);
    const sprite = Sprite.read(ctx, e);
    const isVisible = game.isInView(x, y);
    if (isVisible) game.sprites.show(sprite.slot, x, y, sprite.picture);
    else if (sprite.visible) game.sprites.hide(sprite.slot);
    if (isVisible !== sprite.visible) Sprite.write(ctx, e).visible = isVisible;
  }
});

/** The positions of all entities of a query, and what else `values` returns. */
function list(query, values) {
  let found;
  world.nextSync(() => {});
  world.sync(); // without a callback, the queries of functions process all events since the world was created
  world.execute((ctx) => {
    found = Array.from(query.current(ctx), (e) => ({ ...Position.snapshot(ctx, e), ...values(ctx, e) }));
  });
  return found;
}
