// The project of a template, created, built and served once for the tests of a file.
import path from "node:path";
import { afterAll, afterEach, beforeAll, beforeEach, expect } from "@jest/globals";
import type { Browser } from "playwright-core";
import { connectToChromium } from "../browser/chromium.js";
import { serveFolder, type ServedFolder } from "../browser/serve.js";
import { run } from "../package/consumer.js";
import { play, type Played } from "./play.js";
import { makeCreator, type Creator, type Template } from "./projects.js";

/** `begin` gets the game that is opened for each test. It must not print anything. Call it once per file. */
export function buildTemplate(template: Template, begin: (game: Played) => Promise<void>) {
  let creator: Creator;
  let served: ServedFolder;
  let game: Played;
  const built = {} as { /** Its folder. */ project: string; browser: Browser };
  beforeAll(async () => {
    creator = makeCreator();
    built.project = creator.project(template);
    expect(run("npm", ["run", "build"], built.project)).not.toMatch(/warn/i);
    served = await serveFolder(path.join(built.project, "dist"));
    built.browser = await connectToChromium();
  });
  afterAll(async () => {
    await built.browser?.close();
    await served?.close();
    creator?.dispose();
  });
  beforeEach(async () => {
    game = await play(built.browser, served.url);
    await begin(game);
  });
  afterEach(async () => {
    await game?.page.close();
    expect(game?.problems).toEqual([]);
  });
  return built;
}
