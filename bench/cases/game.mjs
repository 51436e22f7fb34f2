// Case `game`: a complete small game, in the everyday form of each library. A player walks around and fires bullets;
// enemies chase it; bullets hit enemies through a grid; dead enemies are replaced; most entities are gems at rest.
// The adapters provide the game (`bench/games/`); this file verifies that each of them plays the same game.
import { expect } from "../harness/expect.mjs";
import { play as playByHand } from "../games/hand.mjs";

/**
 * @typedef {object} PlayedGame
 * @property {import("../games/rules.mjs").Game} game
 * @property {() => (void | Promise<unknown>)} step plays one frame
 * @property {() => { players: object[], enemies: object[], bullets: object[], gems: object[] }} state all entities:
 * each has x and y, enemies also have health, bullets also have life
 */

export const game = {
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

/** So many frames are played before the measurement: at first there are no bullets, and no enemies near the player. */
const opening = 300;

function compare(played, reference) {
  const found = summary(played);
  for (const [what, expected] of Object.entries(summary(reference))) expect(what, found[what], expected);
  expect("the number of enemies", found["the number of enemies"], played.game.enemies);
  expect("the sum of the x of all sprites", found["the sum of the x of all sprites"], found["the sum of all x"]);
}

/** Numbers that differ if anything in the game differs. The sums have no rounding errors: see `rules.mjs`. */
function summary({ game, state }) {
  const lists = state();
  const { hits, kills, bites, collected, sprites } = game;
  const numbers = {
    "the number of hits": hits,
    "the number of kills": kills,
    "the number of bites": bites,
    "the number of collected gems": collected,
  };
  for (const [kind, list] of Object.entries(lists)) {
    numbers[`the number of ${kind}`] = list.length;
    numbers[`the sum of the x of ${kind}`] = sum(list, ({ x }) => x);
    numbers[`the sum of the y of ${kind}`] = sum(list, ({ y }) => y);
    numbers[`the sum of x * y of ${kind}`] = sum(list, ({ x, y }) => x * y);
  }
  numbers["the sum of the health of enemies"] = sum(lists.enemies, ({ health }) => health);
  numbers["the sum of the life of bullets"] = sum(lists.bullets, ({ life }) => life);
  const { values } = sprites;
  const places = Array.from({ length: values.length / 2 }, (_, i) => ({ x: values[2 * i], y: values[2 * i + 1] }));
  numbers["the sum of all x"] = sum(Object.values(lists).flat(), ({ x }) => x);
  numbers["the sum of the x of all sprites"] = sum(places, ({ x }) => x);
  numbers["the sum of x * y of all sprites"] = sum(places, ({ x, y }) => x * y);
  return numbers;
}

const sum = (list, value) => list.reduce((total, item) => total + value(item), 0);
