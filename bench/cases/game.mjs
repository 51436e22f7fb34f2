// Cases `game`, `survivors` and `towers`: complete small games, in the everyday form of each library. The adapters provide
// the games (`bench/games/`); this file verifies that each of them plays the same game as the one without a library.
import { expect } from "../harness/expect.mjs";
import { play as playArena } from "../games/arena/hand.mjs";
import { play as playSurvivors } from "../games/survivors/hand.mjs";
import { play as playTowers } from "../games/towers/hand.mjs";

/**
 * @typedef {object} PlayedGame
 * @property {Game} game
 * @property {() => (void | Promise<unknown>)} step plays one frame
 * @property {() => Record<string, object[]>} state lists of all entities: each has x and y, and the numbers of its list
 *
 * What the rules of a game (`bench/games/…/rules.mjs`) say about it:
 * @typedef {object} Game
 * @property {Record<string, number>} counts what has happened so far
 * @property {Record<string, number>} always the lengths of lists that have the same length after each frame
 * @property {Record<string, Record<string, string>>} lists the lists of `state`: the component that their entities have, and
 * for each of their numbers which field of which component it is
 * @property {(entity: object) => boolean} isShown whether the place of the entity is in `sprites`
 * @property {import("../games/common.mjs").Sprites} sprites
 */

export const game = gameCase(playArena);
export const survivors = gameCase(playSurvivors);
export const towers = gameCase(playTowers);

/**
 * So many frames are played before the measurement, a minute. At first there are no bullets, and no enemies near the player; after it, some
 * 40,000 entities have come and gone, so that the world is one that has lived.
 */
const opening = 3_600;

function gameCase(playByHand) {
  return {
    /**
     * @param {{ n: number }} params
     * @param {Promise<{ play: (params: { n: number }) => PlayedGame | Promise<PlayedGame> }>} adapter a module of
     * `bench/games/`; imported only for this case, because koota adds the queries of all modules to every world
     */
    async cell(params, adapter) {
      const { play } = await adapter;
      const played = await play(params);
      for (let i = 0; i < opening; i++) await played.step();
      return {
        step: played.step,
        ops: 1,
        async verify(steps) {
          const reference = playByHand(params);
          for (let i = 0; i < opening + steps; i++) reference.step();
          compare(played, reference);
          // A few more frames one by one, so that an error is found that only shows until the next frame.
          for (let i = 0; i < 8; i++) {
            await played.step();
            reference.step();
            compare(played, reference);
          }
        },
      };
    },
  };
}

function compare(played, reference) {
  const found = summary(played);
  for (const [what, expected] of Object.entries(summary(reference))) expect(what, found[what], expected);
  for (const [kind, expected] of Object.entries(played.game.always))
    expect(`the number of ${kind}`, found[`the number of ${kind}`], expected);
  expect("the sum of the x of all sprites", found["the sum of the x of all sprites"], found["the sum of all x"]);
}

/** Numbers that differ if anything in the game differs. The sums have no rounding errors: see `games/common.mjs`. */
function summary({ game, state }) {
  const lists = state();
  const numbers = {};
  for (const [what, count] of Object.entries(game.counts)) numbers[`the number of ${what}`] = count;
  for (const [kind, { component: _, ...places }] of Object.entries(game.lists)) {
    const list = lists[kind];
    const fields = Object.keys(places);
    numbers[`the number of ${kind}`] = list.length;
    for (const field of ["x", "y", ...fields])
      numbers[`the sum of the ${field} of ${kind}`] = sum(list, (one) => one[field]);
    for (const field of ["y", ...fields])
      numbers[`the sum of x * ${field} of ${kind}`] = sum(list, (one) => one.x * one[field]);
  }
  const places = Array.from(game.sprites.pictures, (picture, slot) => {
    const [x, y] = game.sprites.values.subarray(2 * slot);
    return { x, y, picture };
  });
  const shown = Object.keys(game.lists).flatMap((kind) => lists[kind].filter(game.isShown));
  numbers["the sum of all x"] = sum(shown, ({ x }) => x);
  numbers["the sum of the x of all sprites"] = sum(places, ({ x }) => x);
  numbers["the sum of x * y of all sprites"] = sum(places, ({ x, y }) => x * y);
  numbers["the sum of x * picture of all sprites"] = sum(places, ({ x, picture }) => x * picture);
  return numbers;
}

const sum = (list, value) => list.reduce((total, item) => total + value(item), 0);
