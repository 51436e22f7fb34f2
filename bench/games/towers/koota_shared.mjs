// Of the game in koota, what is written in the same way with loops over stores and with `updateEach`.
import { trait } from "koota";
import { game } from "../koota.mjs";
import { enemyHealth } from "./rules.mjs";

export const Sprite = trait({ slot: 0 });
export const Walker = trait({ number: 0, lane: 0, next: 0 });
export const Health = trait({ value: enemyHealth });
export const Slow = trait({ frames: 0 });

export function newSprite() {
  return Sprite({ slot: game.sprites.add() });
}
