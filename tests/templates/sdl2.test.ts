// The game of the template sdl2: built with Emscripten and played in the built page, and built natively.
import { spawn } from "node:child_process";
import path from "node:path";
import { createInterface } from "node:readline";
import { expect, test } from "@jest/globals";
import { env, run } from "../package/consumer.js";
import { VIEWPORTS, pixels, sizeOf, type Played } from "./play.js";
import { buildTemplate } from "./build_template.js";

let game: Played;
const built = buildTemplate("sdl2", async (opened) => {
  game = opened;
  await game.until(async () => (await shown()).player !== undefined);
});

const [CELL, COLUMNS, ROWS] = [8, 7, 11]; // a crate has 8 x 8 of the large pixels
const DIGITS = ["75557", "26227", "71747", "71717", "55711", "74717", "74757", "71111", "75757", "75717"];

/** What the picture shows. Places are in crates from the left and from the floor. */
async function shown() {
  const width = CELL * COLUMNS;
  const colours = await pixels(game.page, width, CELL * ROWS);
  const at = (x: number, y: number) => colours[y * width + x];
  const isWood = (colour: number | undefined) => colour === 0xd9a066 || colour === 0x8f563b;
  let player: { column: number; y: number; playing: boolean } | undefined;
  const crates: { column: number; from: number; to: number }[] = [];
  for (let column = 0; column < COLUMNS; column++) {
    let top: number | undefined; // of the wood above
    for (let y = 0; y <= CELL * ROWS; y++) {
      const colour = y < CELL * ROWS ? at(column * CELL + 1, y) : undefined;
      if (colour === 0x5fcde4 || colour === 0xd95763)
        player ??= { column, y: ROWS - y / CELL, playing: colour === 0x5fcde4 };
      if (isWood(colour)) top ??= y;
      else if (top !== undefined) {
        crates.push({ column, from: ROWS - y / CELL, to: ROWS - top / CELL });
        top = undefined;
      }
    }
  }
  let score = "";
  for (let left = width - 4; left >= 0; left -= 4) {
    const rows = [0, 1, 2, 3, 4].map((row) => {
      const bits = [0, 1, 2].map((column) => Number(at(left + column, row + 1) === 0xffffff));
      return bits.reduce((sum, bit) => 2 * sum + bit, 0);
    });
    const digit = DIGITS.indexOf(rows.join(""));
    if (digit === -1) break;
    score = digit + score;
  }
  return {
    player: player?.column,
    playing: player?.playing === true,
    score: Number(score),
    /** Crates that touch are one. */
    crates,
    /** The height of the heap in a column. */
    height: (column: number) => crates.find((one) => one.column === column && one.from === 0)?.to ?? 0,
  };
}

/** Goes out of the way of crates that fall, if it can. */
async function dodge() {
  const { player, crates, height } = await shown();
  const inDanger = (column: number) => crates.some(({ column: c, from }) => c === column && from > 0);
  if (player === undefined || !inDanger(player)) return;
  const reached = [player - 1, player + 1].filter((column) => {
    return column >= 0 && column < COLUMNS && height(column) <= height(player) + 1;
  });
  const to = reached.find((column) => !inDanger(column));
  if (to !== undefined) await game.page.keyboard.press(to < player ? "ArrowLeft" : "ArrowRight");
}

test("crates fall, and those that have landed are points and stay", async () => {
  expect(await shown()).toMatchObject({ player: 3, playing: true, score: 0 });
  await game.until(async () => (await shown()).crates.length > 0, undefined, 5);
  const [first] = (await shown()).crates;
  await game.frames(10);
  expect((await shown()).crates.find(({ column }) => column === first!.column)!.from).toBeLessThan(first!.from - 0.8);
  await game.until(async () => (await shown()).score >= 2, dodge, 5);
  const { playing, height } = await shown();
  expect(playing).toBe(true);
  const heaps = Array.from({ length: COLUMNS }, (_, column) => height(column));
  expect(heaps.reduce((sum, high) => sum + Math.floor(high), 0)).toBeGreaterThanOrEqual(2);
});

test("the keys, a click and a tap move the player by one column", async () => {
  const { x, y, width, height } = (await game.page.locator("canvas").boundingBox())!;
  const column = (n: number) => [x + (width * (n + 0.5)) / COLUMNS, y + height / 2] as const;
  for (const [move, expected] of [
    [() => game.page.keyboard.press("ArrowRight"), 4],
    [() => game.page.keyboard.press("ArrowLeft"), 3],
    [() => game.page.mouse.click(...column(0)), 2],
    [() => game.page.touchscreen.tap(...column(6)), 3],
    [() => game.page.mouse.click(...column(3)), 3],
  ] as const) {
    await move();
    await game.frames(1);
    expect(await shown()).toMatchObject({ player: expected, playing: true });
  }
});

test("a full row is ten points and disappears", async () => {
  let before = await shown();
  for (;;) {
    await dodge();
    await game.frames(4);
    const now = await shown();
    expect(now.playing).toBe(true);
    if (now.score >= before.score + 10) break;
    before = now;
  }
  const { height } = await shown();
  expect(Array.from({ length: COLUMNS }, (_, column) => height(column))).toContain(0);
});

test("a crate that hits the player ends the round, and a key, a click or a tap begins another one", async () => {
  for (const again of [
    () => game.page.keyboard.press("Space"),
    () => game.page.mouse.click(640, 300),
    () => game.page.touchscreen.tap(640, 300),
  ]) {
    await game.until(async () => !(await shown()).playing, undefined, 10);
    const over = await shown();
    await game.frames(20);
    expect(await shown()).toMatchObject({ playing: false, crates: over.crates }); // nothing moves
    await again();
    await game.frames(1);
    expect(await shown()).toMatchObject({ player: 3, playing: true, score: 0 });
    expect((await shown()).crates.filter(({ from }) => from === 0)).toEqual([]);
  }
});

test("the page fits into each window", async () => {
  for (const viewport of VIEWPORTS) {
    await game.page.setViewportSize(viewport);
    expect(await sizeOf(game.page)).toEqual(viewport);
  }
});

test("it can be built natively as its README says, runs, and ends when the window is closed", async () => {
  run("cmake", ["-B", "native", "-DCMAKE_BUILD_TYPE=Release"], built.project);
  run("cmake", ["--build", "native"], built.project);
  const child = spawn(path.join(built.project, "native/game"), {
    env: { ...env, SDL_VIDEODRIVER: "dummy" }, // a driver without a screen
    stdio: ["ignore", "ignore", "pipe"],
  });
  const ended = new Promise((resolve) => {
    child.once("exit", (code, signal) => resolve({ code, signal }));
  });
  for await (const line of createInterface(child.stderr)) {
    expect(line).toMatch(/Dodge: arrow keys/);
    child.kill("SIGTERM"); // SDL treats it as the closing of the window
  }
  expect(await ended).toEqual({ code: 0, signal: null });
});
