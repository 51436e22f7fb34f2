// The README's programs in a new project, as `npm create vite` makes it from its template vanilla-ts.
import { afterAll, beforeAll, expect, test } from "@jest/globals";
import { tool } from "../package/consumer.js";
import { STRICT, joined, section, thenRun } from "../package/snippets.js";
import { ending, stopClock } from "./page.js";
import { makeViteProject, type ViteProject } from "./vite.js";

const first = section("README.md", "A first example");
const example = joined(first, "ts");
const game = thenRun(example, "play(ecs);") + joined(section("README.md", "What every game needs"), "ts");

let project: ViteProject;
beforeAll(async () => {
  project = await makeViteProject();
  const strict = { extends: "./tsconfig.json", compilerOptions: { ...STRICT, skipLibCheck: false } };
  project.consumer.write("tsconfig.strict.json", JSON.stringify(strict));
});
afterAll(() => project?.dispose());

test.each(["typescript", "typescript-7"])("%s accepts the programs of the README with all strict flags", (compiler) => {
  project.consumer.write("src/main.ts", example);
  project.consumer.write("src/game.ts", game);
  tool(`${compiler}/bin/tsc`, ["-p", "tsconfig.strict.json"], project.consumer.folder);
});

test("the game of the README runs, limits its delta, removes crates and restarts", async () => {
  project.consumer.write("src/main.ts", ending(game));
  const served = await project.build();
  try {
    // The page's clock stands still, except where this test advances it.
    const { page, lines, flush } = await project.open(served.url, async (fresh) => {
      await stopClock(fresh);
    });
    const place = async () => {
      await flush();
      return Number(/^crate 2 is at (.*)$/.exec(lines.at(-1)!)?.[1]);
    };
    await page.clock.runFor(1000);
    const before = await place();
    expect(before).toBeGreaterThan(7 + 4);
    expect(before).toBeLessThan(7 + 6);
    await page.clock.fastForward(60_000); // as if the tab had been hidden
    expect(await place()).toBeCloseTo(before + 0.1 * 5, 3);

    await page.clock.runFor(25_000);
    expect(await place()).toBeGreaterThanOrEqual(100); // then it was removed
    const removed = lines.length;
    await page.clock.runFor(1000);
    await flush();
    expect(lines.length).toBe(removed);

    const entities = new Set([1, 2, 3]);
    for (const score of [1, 0]) {
      const printedBefore = lines.length;
      await page.keyboard.press("r");
      await page.clock.runFor(100);
      await flush();
      const [restart, ...crates] = lines.slice(printedBefore);
      expect(restart).toBe(`restart, score ${score}`);
      const places = new Map(
        crates.map((line) => /^crate (\d+) is at (.*)$/.exec(line)!.slice(1).map(Number)) as [number, number][],
      );
      [...places.values()].forEach((x, i) => expect(x).toBeGreaterThan(i + 1)); // all three move
      expect(places.size).toBe(3);
      for (const e of places.keys()) entities.add(e);
    }
    expect(entities.size).toBe(9); // each restart has new entities
    await page.close();
  } finally {
    await served.close();
  }
});
