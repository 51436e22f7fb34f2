// What the games in bitECS 0.4 have in common: components as structures of typed arrays, systems as functions over
// `query()`.
import { addComponents, addEntity, createWorld, observe, onRemove, query } from "bitecs";
import { delta, frameOf, stateOf } from "./common.mjs";

export const capacity = 40_000;
export const Position = { x: new Float32Array(capacity), y: new Float32Array(capacity) };
export const Velocity = { x: new Float32Array(capacity), y: new Float32Array(capacity) };
export const Cell = { index: new Int32Array(capacity) };
/** Only the survivors-like game uses `picture` and `visible`. */
export const Sprite = {
  slot: new Int32Array(capacity),
  picture: new Uint8Array(capacity),
  visible: new Uint8Array(capacity),
};

export let game;
export let world;

/** Begins a game in an empty world. */
export function begin(newGame) {
  game = newGame;
  world = createWorld();
  observe(world, onRemove(Cell), (e) => Cell.index[e] !== -1 && game.grid.remove(e, Cell.index[e]));
  observe(world, onRemove(Sprite), (e) => game.sprites.remove(Sprite.slot[e]));
}

/** What `cases/game.mjs` measures and verifies. `components`: those of the game's lists, by name. */
export function played(systems, components, own) {
  const all = { Position, Sprite, ...components };
  const having = (component) => query(world, [all[component], Position]);
  const read = (e, component, field) => all[component][field][e];
  return { game, step: frameOf(game, systems), state: stateOf(game, having, read, own) };
}

export function setVector(component, e, { x, y }) {
  component.x[e] = x;
  component.y[e] = y;
}

/** Creates an entity with Position, Sprite and other components, whose values the caller sets. */
export function create(components, place, velocity) {
  const e = addEntity(world);
  addComponents(world, e, Position, Sprite, ...components);
  setVector(Position, e, place);
  if (velocity) setVector(Velocity, e, velocity);
  Cell.index[e] = -1;
  Sprite.slot[e] = game.sprites.add();
  return e;
}
export const rest = { x: 0, y: 0 };

const moving = [Position, Velocity];
export function move() {
  for (const e of query(world, moving)) {
    Position.x[e] += Velocity.x[e] * delta;
    Position.y[e] += Velocity.y[e] * delta;
  }
}

export function enterCell(e) {
  Cell.index[e] = game.grid.move(e, Cell.index[e], Position.x[e], Position.y[e]);
}

const movingInCells = [Position, Velocity, Cell];
export function enterCells() {
  for (const e of query(world, movingInCells)) enterCell(e);
}

const visible = [Position, Velocity, Sprite];
export function draw() {
  for (const e of query(world, visible)) game.sprites.set(Sprite.slot[e], Position.x[e], Position.y[e]);
}
