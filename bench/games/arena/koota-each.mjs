// The game in koota 0.6 through `updateEach`, its everyday form, and with its change tracking, `Changed`.
// A spawned entity is not changed, so its position is set afterwards. (`Added` is not used: it omits entities whose other
// traits are added later in the same call, and `Or(Added(…), Changed(…))` omits more.)
import { createChanged, createQuery } from "koota";
import { begin, Cell, drawEach, enterCellsEach, game, moveEach, played, Position, Velocity, world } from "../koota.mjs";
import {
  bullets,
  collecting,
  fire,
  newSprite,
  players,
  spawning,
  spawnPlayer,
  steer,
  traits,
} from "./koota_shared.mjs";
import { biteReach, heading, Game, hitReach, isNear } from "./rules.mjs";

const { Health, Gem, Sprite } = traits;
const enemies = createQuery(Health, Position, Velocity);
const hurt = createQuery(createChanged()(Health), Health); // with `Changed` alone it would also return new gems
const movedInCells = createQuery(createChanged()(Position), Cell);
const movedSprites = createQuery(createChanged()(Position), Sprite);

const collect = collecting((gem, place) => gem.set(Position, place));
const spawn = spawning(enemies, spawnEnemy);
const enterCells = () => enterCellsEach(movedInCells);
const draw = () => drawEach(movedSprites);

export function play({ n }) {
  begin(new Game(n), traits, [hurt, movedInCells, movedSprites]);
  game.populate(spawnPlayer, spawnEnemy, spawnGem);
  return played([steer, fire, chase, moveEach, enterCells, hit, die, collect, spawn, draw]);
}

function spawnEnemy(place) {
  world.spawn(Health, Position, Velocity, Cell, newSprite()).set(Position, place);
}

function spawnGem(place) {
  world.spawn(Gem, Position, Cell, newSprite()).set(Position, place);
}

function chase() {
  const { x, y } = world.queryFirst(players).get(Position);
  world
    .query(enemies)
    .select(Position, Velocity)
    .updateEach(([position, velocity]) => {
      const dx = x - position.x;
      const dy = y - position.y;
      velocity.x = heading(dx, dy);
      velocity.y = heading(dy, dx);
      if (isNear(dx, dy, biteReach)) game.bites += 1;
    });
}

function hit() {
  world.query(bullets).updateEach(([bullet, position], entity) => {
    const { x, y } = position;
    let hits = 0;
    for (const target of game.grid.near(x, y, hitReach)) {
      if (!target.has(Health)) continue;
      const place = target.get(Position);
      if (!isNear(place.x - x, place.y - y, hitReach)) continue;
      target.set(Health, { value: target.get(Health).value - 1 });
      hits += 1;
    }
    game.hits += hits;
    bullet.life -= 1;
    if (hits > 0 || bullet.life === 0) entity.destroy();
  });
}

function die() {
  for (const entity of world.query(hurt)) {
    if (entity.get(Health).value > 0) continue;
    game.kills += 1;
    entity.destroy();
  }
}
