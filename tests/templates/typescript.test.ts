// The game of the template typescript: built and played, and served for development.
import { rmSync, writeFileSync } from "node:fs";
import path from "node:path";
import { expect, test } from "@jest/globals";
import { checkInspector } from "../examples/copy_example.js";
import { tool } from "../package/consumer.js";
import { serveWithVite } from "../pages/vite.js";
import { VIEWPORTS, play, sizeOf, type Played } from "./play.js";
import { buildTemplate } from "./build_template.js";

let game: Played;
const built = buildTemplate("typescript", async (opened) => {
  game = opened;
  await game.until(async () => (await shown()).bricks === 60);
});

/** What the page shows. The places are those of the middles, in units of the SVG. */
const shown = (page = game.page) =>
  page.evaluate(() => {
    const rects = [...document.querySelectorAll("svg rect")].slice(1).map((rect) => {
      const [x, y, width, height] = ["x", "y", "width", "height"].map((name) => Number(rect.getAttribute(name)));
      return { x: x! + width! / 2, y: y! + height! / 2, width };
    });
    const balls = rects.filter(({ width }) => width === 4).sort((a, b) => b.y - a.y);
    return {
      state: document.body.dataset["state"],
      score: document.querySelector("#score")!.textContent,
      message: document.querySelector("#message")!.checkVisibility() && document.querySelector("h1")!.textContent,
      bricks: rects.filter(({ width }) => width === 9).length,
      balls,
      paddle: rects.find(({ width }) => width === 20)?.x,
    };
  });
const points = async () => Number(/Score (\d+)/.exec((await shown()).score!)?.[1]);
const over = async () => (await shown()).state === "over";

/** Moves the pointer to a place in the SVG. */
async function point(x: number) {
  const at = await game.page.evaluate((x) => {
    const { x: clientX, y: clientY } = new DOMPoint(x, 150).matrixTransform(
      document.querySelector("svg")!.getScreenCTM()!,
    );
    return { clientX, clientY };
  }, x);
  await game.page.mouse.move(at.clientX, at.clientY);
}
/** Moves the pointer to the lowest ball whenever a ball has moved, and a little beside it, so that its angle changes. */
const follow = () =>
  game.page.evaluate(() => {
    const svg = document.querySelector("svg")!;
    let moved = 0;
    const observer = new MutationObserver(() => {
      const balls = [...svg.querySelectorAll("rect[width='4']")].map((ball) => ball.getBoundingClientRect());
      const lowest = balls.sort((a, b) => b.y - a.y)[0];
      if (lowest === undefined) return;
      moved += 1;
      const clientX = lowest.x + lowest.width * (0.5 + 1.5 * Math.sin(moved / 30));
      dispatchEvent(new PointerEvent("pointermove", { clientX }));
    });
    observer.observe(svg, { attributes: true, subtree: true });
    Object.assign(globalThis, { follower: observer });
  });
const stopFollowing = () =>
  game.page.evaluate(() => (globalThis as unknown as { follower: MutationObserver }).follower.disconnect());
/** Plays until that state; throws an error if the round ends before. */
async function playUntil(reached: (now: Awaited<ReturnType<typeof shown>>) => boolean) {
  await follow();
  await game.frames(2);
  await game.until(
    async () => reached(await shown()),
    async () => {
      const { state, score } = await shown();
      if (state === "over") throw new Error(`the round has ended: ${score}`);
    },
    10,
  );
  await stopFollowing();
}

test("all strict flags of the project hold, and there is no await outside of functions", () => {
  const awaits = path.join(built.project, "src/awaits.ts");
  // With this kind of modules, the compiler refuses it.
  tool("typescript/bin/tsc", ["-p", ".", "--module", "es2020"], built.project);
  expect(() => {
    writeFileSync(awaits, "await Promise.resolve();\nexport {};\n");
    tool("typescript/bin/tsc", ["-p", ".", "--module", "es2020"], built.project);
  }).toThrow("TS1378");
  rmSync(awaits);
});

test("a round begins with a key, the ball breaks bricks, and each is a point", async () => {
  expect(await shown()).toMatchObject({ state: "over", score: "Score 0 · Best 0", message: "Bricks", balls: [] });
  await game.page.keyboard.press("Space");
  await game.frames(2);
  expect(await shown()).toMatchObject({ state: "playing", score: "Score 0 · Best 0", message: false, bricks: 60 });
  const [before] = (await shown()).balls;
  await game.frames(10);
  const [after] = (await shown()).balls;
  expect(after!.y).toBeLessThan(before!.y - 5);
  await playUntil(({ bricks }) => bricks <= 55);
  expect((await shown()).bricks).toBe(60 - (await points()));
});

test("golden bricks release balls", async () => {
  await game.page.keyboard.press("Space");
  await playUntil(({ balls }) => balls.length >= 2);
});

test("the keys and the pointer move the paddle, which stays in the field", async () => {
  await game.page.keyboard.press("Space");
  await game.frames(2);
  expect((await shown()).paddle).toBeCloseTo(50, 3);
  await game.page.keyboard.down("ArrowRight");
  await game.frames(10);
  await game.page.keyboard.up("ArrowRight");
  await game.frames(10);
  const { paddle } = await shown();
  expect(paddle).toBeGreaterThan(60);
  expect(paddle).toBeLessThan(75);
  await point(30);
  await game.frames(2);
  expect((await shown()).paddle).toBeCloseTo(30, 0);
  await game.page.mouse.move(0, 300);
  await game.frames(2);
  expect((await shown()).paddle).toBeCloseTo(10, 3);
});

test("a frame writes to the elements of what has moved only", async () => {
  await game.page.keyboard.press("Space");
  await game.frames(2);
  await game.page.evaluate(() => {
    const written = new Set<Node>();
    const observer = new MutationObserver((records) => records.forEach(({ target }) => written.add(target)));
    observer.observe(document, { attributes: true, childList: true, characterData: true, subtree: true });
    Object.assign(globalThis, { written });
  });
  const written = () =>
    game.page.evaluate(() => {
      const { written } = globalThis as unknown as { written: Set<Element> };
      const widths = [...written].map((node) => node.getAttribute?.("width")).sort();
      written.clear();
      return widths;
    });
  await game.frames(10);
  expect(await written()).toEqual(["4"]); // the ball
  await game.page.keyboard.down("ArrowLeft");
  await game.frames(10);
  expect(await written()).toEqual(["20", "4"]); // and the paddle
});

test("the round ends without a ball, and a click or a tap begins another one", async () => {
  for (const again of [
    () => game.page.mouse.click(640, 400),
    () => game.page.touchscreen.tap(640, 400),
    () => game.page.keyboard.press("Space"),
  ]) {
    await again();
    await game.frames(2);
    expect(await shown()).toMatchObject({ state: "playing", message: false, bricks: 60, balls: [{}] });
    expect(await points()).toBe(0);
    await playUntil(({ bricks }) => bricks < 60);
    await game.page.mouse.move(0, 300);
    await game.until(over, undefined, 10);
    const { score, message, balls } = await shown();
    expect(score).toMatch(/^Score (\d+) · Best \d+$/);
    expect({ message, balls }).toEqual({ message: "Game over", balls: [] });
  }
  expect((await shown()).score).not.toContain("Best 0");
});

test("when no brick is left, there is another wall", async () => {
  await game.page.keyboard.press("Space");
  await playUntil(({ bricks }) => bricks < 10);
  await playUntil(({ bricks }) => bricks > 10);
  expect(await points()).toBeGreaterThanOrEqual(60);
});

test("the page fits into each window", async () => {
  for (const viewport of VIEWPORTS) {
    await game.page.setViewportSize(viewport);
    expect(await sizeOf(game.page)).toEqual(viewport);
  }
});

test("the page that Vite serves for development is the same game", async () => {
  const developed = await serveWithVite(built.project);
  const { page, until, frames, problems } = await play(built.browser, developed.url);
  try {
    await until(async () => (await shown(page)).bricks === 60);
    await page.keyboard.press("Space");
    await frames(2);
    const [before] = (await shown(page)).balls;
    await frames(10);
    expect((await shown(page)).balls[0]!.y).toBeLessThan(before!.y - 5);
    expect(problems).toEqual([]);
  } finally {
    await page.close();
    await developed.close();
  }
});

test("I1 the inspector is only in the page that is served for development", () =>
  checkInspector(built.project, built.browser, ["Steer", "Draw"]));
