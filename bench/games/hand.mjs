// What the games without a library have in common: a thing is an object with its place, its velocity, its cell and its sprite.
import { delta } from "./common.mjs";

export function move(thing) {
  thing.x += thing.vx * delta;
  thing.y += thing.vy * delta;
}

export function enterCell({ grid }, thing) {
  thing.cell = grid.move(thing, thing.cell, thing.x, thing.y);
}

export function draw({ sprites }, { sprite, x, y }) {
  sprites.set(sprite, x, y);
}

export function removeWhere(list, isOver) {
  for (let i = list.length - 1; i >= 0; i--) {
    if (!isOver(list[i])) continue;
    list[i] = list[list.length - 1];
    list.pop();
  }
}
