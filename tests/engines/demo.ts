// The demo in a page: it loads, draws, is played, and follows changes. tests/browser tests it further, in Chromium.
import { mkdirSync, writeFileSync } from "node:fs";
import { afterEach, describe, expect, test } from "@jest/globals";
import type { Engine, EngineName } from "./engine.js";
import type { Server } from "./server.js";

const QUERY = "?crates=3000&seed=3&guards=0&muted";
const reports = new URL("../../build/reports/", import.meta.url);
/** The systems that follow changes. */
const SYSTEMS = ["SpatialHash", "CollisionDetection", "StaticRenderer", "AnimationRenderer", "Lighting"];

/** Opens the room. Unless it is live, frames run only if a test runs them. */
async function openRoom(engine: Engine, server: Server, { query = QUERY, live = false } = {}): Promise<void> {
  await engine.open(`${server.url}/demo/index.html${query}${live ? "&live" : ""}`);
  await engine.evaluate(
    (wanted) =>
      new Promise<void>((loaded, failed) => {
        const look = () => {
          if (window.crateRoom !== undefined && window.crateRoom.room.inspections >= wanted) loaded();
          else if (window.messages.length > 0) failed(new Error(window.messages.join("\n")));
          else requestAnimationFrame(look);
        };
        look();
      }),
    live ? 10 : 0,
  );
  if (!live) await engine.evaluate(() => window.play.frames(60));
}

/** The number of colours of the canvas in a picture of the page. */
const coloursOf = (engine: Engine, png: Uint8Array) =>
  engine.evaluate(async (base64) => {
    const image = await createImageBitmap(await (await fetch(`data:image/png;base64,${base64}`)).blob());
    const { x, y, width, height } = document.querySelector("#canvas")!.getBoundingClientRect();
    const visible = Math.min(height, image.height - y);
    const drawn = new OffscreenCanvas(image.width, image.height).getContext("2d")!;
    drawn.drawImage(image, 0, 0);
    return new Set(new Uint32Array(drawn.getImageData(x, y, width, visible).data.buffer)).size;
  }, Buffer.from(png).toString("base64"));

/** How many entities each of the systems tracks, or visited in the last update. */
const figures = (engine: Engine, figure: "tracked" | "visited") =>
  engine.evaluate(
    (names, which) => {
      const { ecs, room } = window.theRoom();
      const tracked = (name: string) => ecs.systems.find((system) => system.name === name)!.tracked;
      return names.map((name) => (which === "tracked" ? tracked(name) : room.visited(name)));
    },
    SYSTEMS,
    figure,
  );

/** The middle of an element on the page. */
const middleOf = (engine: Engine, selector: string) =>
  engine.evaluate((of) => {
    const { x, y, width, height } = document.querySelector(of)!.getBoundingClientRect();
    return { x: x + width / 2, y: y + height / 2 };
  }, selector);
/** The position of an entity on the page. */
const pointOf = (engine: Engine, e: number) => engine.evaluate((entity) => window.play.pointOf(entity), e);

export function defineDemoTests(name: EngineName, engine: Engine, server: Server): void {
  const open = (options = {}) => openRoom(engine, server, options);
  const frames = (n: number) => engine.evaluate((count) => window.play.frames(count), n);
  const visited = () => figures(engine, "visited");
  const playersPlace = () => engine.evaluate(() => window.play.at(window.theRoom().room.player));

  describe("demo", () => {
    afterEach(async () => expect(await engine.evaluate(() => window.messages)).toEqual([]));

    test("the module loads, and animation frames draw a picture that is not empty", async () => {
      await open({ live: true });
      expect(await engine.evaluate(() => window.play.crates().length)).toBe(3000);
      expect(await engine.evaluate(() => window.theRoom().room.spritesDrawn)).toBeGreaterThan(30);
      const picture = await engine.screenshot();
      mkdirSync(reports, { recursive: true });
      writeFileSync(new URL(`demo-${name}.png`, reports), picture); // to look at
      expect(await coloursOf(engine, picture)).toBeGreaterThan(100);
    });

    test("WebGL draws crates at their positions, and floor where one was removed", async () => {
      await open();
      const { colours, differences } = await engine.evaluate(() => {
        const crate = window.play.standBelowCrate();
        const { x, y } = window.play.at(crate);
        const lid = { x, y: y - 8 }; // it is drawn above the position
        const [before] = window.play.colours([lid]);
        const { colours } = window.play.picture();
        window.theRoom().ecs.removeEntity(crate);
        window.play.frames(2);
        const [after, floor] = window.play.colours([lid, { x: x + 20, y: y - 8 }]);
        const difference = (a: number[], b: number[]) => Math.max(...a.map((c, i) => Math.abs(c - b[i]!)));
        return {
          colours,
          differences: [difference(before!, after!), difference(after!, floor!), difference(before!, floor!)],
        };
      });
      expect(colours).toBeGreaterThan(100);
      expect(differences[0]).toBeGreaterThan(24);
      expect(differences[1]).toBeLessThan(differences[2]!);
    });

    test("a key moves the player, the space bar and a click smash crates", async () => {
      await open({ query: "?crates=600&seed=3&guards=0&muted" });
      const start = await playersPlace();
      await engine.keyDown("d"); // the canvas has the focus from the start
      await frames(30);
      await engine.keyUp("d");
      const end = await playersPlace();
      expect([end.x > start.x + 20, end.y]).toEqual([true, start.y]);

      const isRemoved = (e: number) =>
        engine.evaluate((crate) => window.play.until(() => !window.theRoom().ecs.alive(crate)), e);
      const struck = await engine.evaluate(() => window.play.standBelowCrate());
      await engine.keyDown(" ");
      await engine.keyUp(" ");
      expect(await isRemoved(struck)).toBe(true);
      const clicked = await engine.evaluate(() => window.play.standBelowCrate());
      const { x, y } = await pointOf(engine, clicked);
      await engine.click(x, y);
      expect(await isRemoved(clicked)).toBe(true);
      expect(await engine.evaluate(() => window.theRoom().score.smashed)).toBe(2);
    });

    test("D10 with dirty tracking systems visit what has changed, and without it all that they track", async () => {
      await open();
      const atRest = SYSTEMS.map(() => 0);
      expect(await visited()).toEqual(atRest);
      await engine.evaluate(() => {
        window.play.get(window.play.crates()[0]!, "Position")!["x"]! += 1; // from TypeScript, C++ systems follow
        window.play.frames(1);
      });
      expect(await visited()).toEqual([1, 1, 0, 1, 0]);
      await engine.keyDown("a");
      await frames(5);
      expect(await visited()).toEqual([2, 1, 1, 1, 1]); // the player and its weapon
      await engine.keyUp("a");
      await frames(5);
      expect(await visited()).toEqual(atRest);

      const { x, y } = await middleOf(engine, "#tracking");
      await engine.click(x, y);
      await frames(1);
      const all = await visited();
      expect(all).toEqual(await figures(engine, "tracked"));
      expect(all[0]).toBeGreaterThanOrEqual(3000);
      await engine.click(x, y);
      await frames(1);
      expect(await visited()).toEqual(atRest);
    });

    test("D10 the game has the same states with and without tracking", async () => {
      const play = async (query: string) => {
        await open({ query });
        const hashes: string[] = [];
        for (const key of ["d", "w", " ", "a", "s"]) {
          await engine.keyDown(key);
          await frames(40);
          await engine.keyUp(key);
          hashes.push(await engine.evaluate(() => window.theRoom().room.stateHash()));
        }
        return hashes;
      };
      const query = "?crates=600&seed=5&guards=4&muted";
      const hashes = await play(query);
      expect(new Set(hashes).size).toBe(hashes.length);
      expect(await play(`${query}&tracking=off`)).toEqual(hashes);
    });
  });
}
