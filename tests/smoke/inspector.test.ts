// The panel of the inspector in Chromium (rule I1): what it shows, edits in place, the keyboard alone, axe, and worlds elsewhere.
import path from "node:path";
import { afterAll, afterEach, beforeAll, describe, expect, test } from "@jest/globals";
import type { Browser, BrowserContextOptions, Locator, Page } from "playwright-core";
import { findings } from "../browser/axe.js";
import { connectToChromium } from "../browser/chromium.js";
import { serveFolder, type ServedFolder } from "../browser/serve.js";
import { root } from "../package/consumer.js";

let browser: Browser;
let served: ServedFolder;
beforeAll(async () => {
  served = await serveFolder(path.join(root, "dist"));
  browser = await connectToChromium();
});
afterAll(async () => {
  await browser?.close();
  await served?.close();
});
const pages: Page[] = [];
afterEach(async () => {
  for (const page of pages.splice(0)) await page.context().close();
});

/** The game: a module that exports an ECS, without a loop, and `attachInspector` with a history. */
const GAME = `
import { init, ECS, Component, defineComponent, defineObject, defineSystem } from "/development/state.js";
import { attachInspector, serveInspector } from "/development/inspector.js";
await init();
class Place extends defineComponent("Place", { x: "f32", at: "f32x3" }) {}
class Health extends defineComponent("Health", { hp: { type: "u8", default: 50 }, hurt: "bool" }, { policy: "sparse" }) {}
class Mind extends defineComponent("Mind", { mood: ["calm", "angry"], target: "entity", name: "string" }) {}
class Dead extends defineComponent("Dead") {}
class Bag extends defineObject("Bag", { gold: 3, items: ["key"] }) {}
class Hit { constructor(points) { this.points = points; } }
class Mover extends defineSystem({ place: Place }, { watch: [Place], without: [Dead] }) {
  update(delta) { for (const { place } of this.rows) place.x += delta; }
}
class Thinker extends defineSystem({ mind: Mind }, { watch: [Mind], onlyWhenDirty: true }) { update() {} }
class Grid extends defineSystem(undefined, { whilePaused: true }) { update() {} }
export const ecs = new ECS();
for (const S of [Mover, Thinker, Grid]) ecs.addSystem(0, new S());
const boss = ecs.addEntity(Place, Health, [Mind, { name: "boss" }], Bag);
const guard = ecs.addEntity(Place, [Mind, { name: "guard", target: boss }]);
ecs.setParent(guard, boss);
for (let i = 0; i < (globalThis.amount ?? 60); ++i) ecs.addEntity([Health, { hp: i % 100 }]);
const change = (part) => ({ entity: boss, frame: 1, system: "Mover", component: "Place", kind: "changed", field: "x",
  before: 1, after: 2, notified: ["Thinker"], at: "src/game.ts:42 or src/move.ts:7", ...part });
const entries = [change({ frame: 3 }), change({ frame: 2, system: undefined, component: "Health", field: "hp", before: 50, after: 49, at: "" })];
const history = { why: () => entries, bySystem: () => entries.slice(0, 1), dispose() {},
  watch: ({ name }) => watched.push(name) };
export const [opened, watched] = [[], []];
export const attach = (target = ecs, options = {}) =>
  attachInspector(target, target === ecs ? { history, openSource: (place) => opened.push(place), ...options } : options);
export { boss, guard, serveInspector, Hit, Place, Health, Mind };
`;
/** The game in a worker. */
const WORKER = `
import { ecs, serveInspector } from "/game.js";
serveInspector(ecs, self);
postMessage("ready");
`;
/** What the page has. */
interface Game {
  ecs: {
    update(delta?: number): void;
    count: number;
    paused: boolean;
    frame: number;
    get(e: number, cls: unknown): never;
  };
  boss: number;
  guard: number;
  opened: string[];
  watched: string[];
  Place: unknown;
  Health: unknown;
  Mind: unknown;
  attach(target?: unknown, options?: object): { show(place: string): void; dispose(): void; element: HTMLElement };
  inspector: { show(place: string): void; select(entity: number): void; dispose(): void; element: HTMLElement };
}
declare global {
  var game: Game;
}

interface Opened {
  page: Page;
  problems: string[];
}
/** Opens a page with the game and the panel. */
async function open(
  context: BrowserContextOptions = {},
  attach = "game.inspector = game.attach()",
  amount = 60,
): Promise<Opened> {
  const opened = await browser.newContext({ viewport: { width: 1100, height: 700 }, ...context });
  const page = await opened.newPage();
  pages.push(page);
  page.setDefaultTimeout(0); // Jest's timeout applies
  const problems: string[] = [];
  page.on("pageerror", (error) => problems.push(String(error)));
  page.on("console", (message) => ["error", "warning"].includes(message.type()) && problems.push(message.text()));
  await page.route("**/game.js", (route) => route.fulfill({ contentType: "text/javascript", body: GAME }));
  await page.route("**/worker.js", (route) => route.fulfill({ contentType: "text/javascript", body: WORKER }));
  await page.route(served.url, (route) =>
    route.fulfill({
      contentType: "text/html",
      // A page with a strict policy can show it, too.
      headers: {
        "Content-Security-Policy": "default-src 'self'; img-src data:; script-src 'self' 'wasm-unsafe-eval'",
      },
      body: `<!doctype html><html lang="en"><title>A game</title><link rel="icon" href="data:,"><main><h1>A game</h1></main>`,
    }),
  );
  await page.goto(served.url);
  await page.evaluate(
    `(async () => {
      globalThis.amount = ${amount};
      globalThis.game = { ...(await import("/game.js")) };
      ${attach}
    })()`,
  );
  return { page, problems };
}
const tab = (page: Page, name: string): Locator => page.getByRole("tab", { name, exact: true });
const row = (page: Page, text: string): Locator => page.getByRole("treeitem").filter({ hasText: text });
async function choose(page: Page, name: string): Promise<void> {
  await tab(page, "Entities").click();
  await row(page, name).first().click();
  await page.getByRole("heading", { name }).waitFor();
}
/** The value of a field in the game. */
const inGame = (page: Page, expression: string): Promise<unknown> => page.evaluate(expression);
/** Waits, frame by frame, until it is true. */
async function until(page: Page, condition: string): Promise<void> {
  while (!(await inGame(page, condition))) await page.evaluate(() => new Promise(requestAnimationFrame));
}

const TABS = ["Systems", "Entities", "Why", "Rewind", "Frames", "Events", "Memory"];

test("I1 systems are shown, switched, and run one at a time", async () => {
  const { page, problems } = await open();
  const mover = page.getByRole("row", { name: /Mover/ });
  await page.evaluate(() => game.ecs.update(0.5));
  await mover.filter({ hasText: /Mover.*2.*2/ }).waitFor();
  await page.getByLabel("Mover is on").click();
  await until(page, "!game.ecs.systems.find(({ name }) => name === 'Mover').enabled");
  await page.getByRole("button", { name: "Off 1" }).waitFor(); // unfolded
  await mover.waitFor();
  await page.getByLabel("Mover is on").click();
  expect(await page.getByRole("button", { name: "Run Mover" }).isDisabled()).toBe(true);
  await page.getByRole("button", { name: "Pause", exact: true }).click();
  await page.getByRole("button", { name: "Run Mover" }).click();
  await until(page, "game.ecs.get(game.boss, game.Place).x > 0.51");
  expect(await inGame(page, "game.ecs.frame")).toBe(1);
  await page.getByRole("button", { name: "Run one frame" }).click();
  await until(page, "game.ecs.frame === 2");
  await page.getByRole("button", { name: "Mover", exact: true }).click();
  await page.getByText("Without").waitFor();
  await page.getByRole("button", { name: "Its entities" }).click();
  await row(page, "guard").waitFor();
  expect(await page.getByLabel("Find entities").inputValue()).toBe('@"Mover"');
  expect(problems).toEqual([]);
});

test("I1 entities are found, expanded and pinned, and their fields edited in place", async () => {
  const { page, problems } = await open();
  await choose(page, "boss");
  const field = (name: string) => page.getByLabel(name, { exact: true });
  const edit = async (name: string, text: string): Promise<void> => {
    await field(name).fill(text);
    await field(name).press("Enter");
  };
  await edit("Place.x", "2.5");
  await until(page, "game.ecs.get(game.boss, game.Place).x === 2.5");
  await page.evaluate(() => (game.ecs.get(game.boss, game.Place) as { x: number }).x++);
  while ((await field("Place.x").inputValue()) !== "3.5") await page.evaluate(() => new Promise(requestAnimationFrame)); // it has the focus
  await field("Place.x").fill("10");
  await field("Place.x").press("ArrowUp"); // counts from what is typed
  await until(page, "game.ecs.get(game.boss, game.Place).x === 11");
  await edit("Place.at.y", "7");
  await until(page, "game.ecs.get(game.boss, game.Place).at.y === 7");
  await field("Health.hp").press("Shift+ArrowUp");
  await until(page, "game.ecs.get(game.boss, game.Health).hp === 60");
  await field("Health.hurt").check();
  await until(page, "game.ecs.get(game.boss, game.Health).hurt");
  await field("Mind.mood").selectOption("angry");
  await until(page, "game.ecs.get(game.boss, game.Mind).mood === 'angry'");
  await edit("Mind.target", "2");
  await until(page, "game.ecs.get(game.boss, game.Mind).target === game.guard");
  await edit("Bag.items", '["key", "map"]');
  await page.waitForFunction(() => document.activeElement !== null);

  await edit("Health.hp", "300");
  await page.getByRole("alert").filter({ hasText: "which can't store 300" }).waitFor();
  expect(await inGame(page, "game.ecs.get(game.boss, game.Health).hp")).toBe(60);
  await edit("Health.hp", "many");
  await page.getByRole("alert").filter({ hasText: "many is no number" }).waitFor();
  await field("Health.hp").press("Escape");
  expect(await field("Health.hp").inputValue()).toBe("60");

  await page.getByText("Not tracked by").waitFor({ state: "hidden" });
  await page.getByLabel("Add a component").selectOption("Dead");
  await page.getByText("it has Dead").waitFor();
  await page.getByRole("button", { name: "Remove Dead" }).click();
  await page.getByText("it has Dead").waitFor({ state: "hidden" });
  await page.getByRole("button", { name: "Pin", exact: true }).click();
  await page.getByRole("button", { name: "Go to Mind.target" }).click();
  await page.getByRole("heading", { name: "guard" }).waitFor();
  await page.getByRole("button", { name: "child of boss" }).click();
  await page.getByRole("heading", { name: "boss" }).waitFor();
  await page.getByRole("button", { name: "1 child" }).click();
  expect(await page.getByLabel("Find entities").inputValue()).toBe("Parent.entity = 1");
  await page.getByRole("button", { name: "Back to the list" }).click();
  await page.getByLabel("Find entities").fill("Health.hp < 3");
  await page.getByText("3 found").waitFor();
  await page.getByLabel("Find entities").fill("Helth");
  await page.getByText("is it Health?").waitFor();
  await page.getByRole("list", { name: "Pinned entities" }).getByText("boss").waitFor();
  expect(problems).toEqual([]);
});

test("I1 a list of 50,000 entities has only the rows that are visible", async () => {
  const { page } = await open({}, "game.inspector = game.attach()", 50_000);
  await tab(page, "Entities").click();
  await page.getByText("50,002 at the top").waitFor();
  const tree = page.getByRole("tree");
  await tree.focus();
  await tree.press("End");
  await row(page, "50002").waitFor();
  expect(await page.getByRole("treeitem").count()).toBeLessThan(80);
  await tree.press("Enter");
  await page.getByRole("heading", { name: "50002" }).waitFor();
});

test("I1 why shows who changed what; a place opens the source", async () => {
  const { page, problems } = await open();
  await choose(page, "boss");
  await page.getByRole("button", { name: "Why", exact: true }).click();
  const changes = page.getByRole("region", { name: "Changes, newest first" });
  await changes.getByText("Place.x").waitFor();
  expect(await changes.getByRole("listitem").allInnerTexts()).toEqual([
    expect.stringMatching(/3\s+Place\.x\s+1 → 2\s+Mover\s+game\.ts:42\s+move\.ts:7\s+dirty for Thinker/),
    expect.stringMatching(/2\s+Health\.hp\s+50 → 49\s+outside of systems/),
  ]);
  await page.getByRole("button", { name: "Watch Health" }).click();
  await page.getByRole("button", { name: "Watch Health" }).waitFor({ state: "detached" });
  expect(await inGame(page, "game.watched")).toEqual(["Health"]);
  for (const place of ["game.ts:42", "move.ts:7"]) await changes.getByRole("button", { name: place }).click();
  expect(await inGame(page, "game.opened")).toEqual(["src/game.ts:42", "src/move.ts:7"]);
  await page.getByLabel("Only this component").selectOption("Health");
  await changes.getByText("Place.x").waitFor({ state: "hidden" });
  await page.getByLabel("Only this component").selectOption("every component");
  await page.getByLabel("Changes of").selectOption("Mover");
  await page.getByText("1 change", { exact: true }).waitFor();
  expect(problems).toEqual([]);
});

test("I1 rewind goes back to values as they were", async () => {
  const { page, problems } = await open();
  await choose(page, "boss");
  await tab(page, "Rewind").click();
  await page.getByRole("button", { name: "Record", exact: true }).click();
  const slider = page.getByRole("slider", { name: "Frame to go to" });
  await slider.waitFor();
  await page.evaluate(() => {
    for (let i = 0; i < 5; ++i) game.ecs.update(1);
  });
  await page.getByText("frame 5, the newest").waitFor();
  await slider.press("ArrowLeft");
  await slider.press("ArrowLeft");
  await until(page, "game.ecs.frame === 3 && game.ecs.paused");
  expect(await inGame(page, "game.ecs.get(game.boss, game.Place).x")).toBe(3);
  const shown = () => page.getByLabel("Place.x", { exact: true }).inputValue();
  while ((await shown()) !== "3") await page.evaluate(() => new Promise(requestAnimationFrame));
  await page.getByRole("button", { name: "One frame forth" }).click();
  await until(page, "game.ecs.get(game.boss, game.Place).x === 4");
  await page.getByRole("button", { name: "Continue here" }).click();
  await until(page, "!game.ecs.paused");
  await page.getByRole("button", { name: "Stop recording" }).click();
  await page.getByRole("button", { name: "Record", exact: true }).waitFor();
  expect(problems).toEqual([]);
});

test("I1 what was done is shown when it is done, before something else is done", async () => {
  const { page, problems } = await open();
  await choose(page, "boss");
  await tab(page, "Rewind").click();
  await page.getByRole("button", { name: "Record", exact: true }).click();
  await page.getByRole("slider").waitFor();
  await page.evaluate(() => {
    for (let i = 0; i < 5; ++i) game.ecs.update(1);
  });
  await page.getByText("frame 5, the newest").waitFor();
  /** Clicks, presses a key, or moves a slider so many times, with only the microtasks of the panel in between: no timer, no frame. */
  const times = (count: number, of: Locator, { key, by = 0 }: { key?: string; by?: number } = {}): Promise<void> =>
    of.evaluate(
      async (element: HTMLInputElement, done) => {
        for (let i = 0; i < done.count; ++i) {
          if (done.key !== undefined) element.dispatchEvent(new KeyboardEvent("keydown", { key: done.key }));
          else if (done.by === 0) element.click();
          else {
            element.value = String(Number(element.value) + done.by);
            element.dispatchEvent(new Event("input"));
          }
          for (let task = 0; task < 100; ++task) await null;
        }
      },
      { count, key, by },
    );
  await times(4, page.getByRole("button", { name: "One frame back" }));
  expect(await inGame(page, "game.ecs.frame")).toBe(1);
  await times(2, page.getByRole("slider"), { by: 1 });
  expect(await inGame(page, "game.ecs.frame")).toBe(3);
  const pause = page.getByRole("button", { name: /^(Pause|Resume)$/ });
  await times(2, pause);
  expect(await inGame(page, "game.ecs.paused")).toBe(true);
  await tab(page, "Entities").click();
  const field = page.getByLabel("Place.x", { exact: true });
  await field.fill("7");
  await times(1, field, { key: "Enter" });
  await times(3, field, { key: "ArrowUp" });
  expect(await inGame(page, "game.ecs.get(game.boss, game.Place).x")).toBe(10);
  await times(3, page.getByLabel("Health.hurt"));
  expect(await inGame(page, "game.ecs.get(game.boss, game.Health).hurt")).toBe(true);
  expect(problems).toEqual([]);
});

test("I1 frames, events and memory are shown", async () => {
  const { page, problems } = await open();
  await until(page, "game.ecs.profiler.enabled");
  await page.evaluate(() => {
    for (let i = 0; i < 3; ++i) game.ecs.update();
    const { Hit, ecs } = game as unknown as {
      Hit: new (n: number) => object;
      ecs: { events: { dispatch(e: object): void } };
    };
    ecs.events.dispatch(new Hit(4));
  });
  await tab(page, "Frames").click();
  await page.getByRole("rowheader", { name: "Mover" }).waitFor();
  await tab(page, "Events").click();
  await page.getByText('{"points":4}').waitFor();
  await page.getByRole("button", { name: "Hit 1 no handlers" }).waitFor();
  await tab(page, "Memory").click();
  await page.getByRole("rowheader", { name: "Health" }).waitFor();
  expect(await page.getByText("would save").count()).toBe(0); // of less than 64 KiB
  const many = await open({}, "game.inspector = game.attach()", 5000);
  await tab(many.page, "Memory").click();
  await many.page.getByText("Health the linear policy would save").waitFor();
  expect(problems).toEqual([]);
});

test("I1 the panel moves to the bottom, to a window and back, is folded, and asks nothing then", async () => {
  const { page, problems } = await open({}, "game.inspector = game.attach(undefined, { place: 'right' })");
  await page.evaluate(() => Reflect.deleteProperty(globalThis, "documentPictureInPicture"));
  await page.getByRole("button", { name: "Dock at the bottom" }).click();
  await page.getByRole("button", { name: "Dock at the right" }).waitFor();
  const [popup] = await Promise.all([
    page.waitForEvent("popup"),
    page.getByRole("button", { name: "Open a window" }).click(),
  ]);
  await popup.getByRole("tab", { name: "Memory" }).click();
  await popup.getByRole("rowheader", { name: "Health" }).waitFor();
  expect(await popup.evaluate(() => getComputedStyle(document.querySelector("crateful-inspector")!).position)).toBe(
    "fixed",
  );
  await Promise.all([popup.waitForEvent("close"), popup.evaluate(() => window.close())]);
  await page.getByRole("button", { name: "Dock at the right" }).waitFor();
  await page.getByRole("button", { name: "Fold" }).click();
  await until(page, "!game.ecs.profiler.enabled");
  await page.getByRole("button", { name: "Inspector" }).click();
  await tab(page, "Memory").waitFor();
  await page.evaluate(() => game.inspector.dispose());
  expect(await page.locator("crateful-inspector").count()).toBe(0);
  await until(page, "!game.ecs.profiler.enabled");
  expect(problems).toEqual([]);
});

test("I1 the panel is where it was last, also if its place is given, and a selected entity unfolds it", async () => {
  const folded = "game.inspector = game.attach(undefined, { place: 'folded' })";
  const { page, problems } = await open({}, folded);
  const place = () => page.locator("crateful-inspector").getAttribute("data-place");
  expect(await place()).toBe("folded");
  await page.evaluate(() => game.inspector.select(game.boss));
  await page.getByRole("heading", { name: "boss" }).waitFor();
  expect(await tab(page, "Entities").getAttribute("aria-selected")).toBe("true");
  await tab(page, "Why").click();
  await page.evaluate(() => game.inspector.select(game.guard));
  expect(await tab(page, "Why").getAttribute("aria-selected")).toBe("true");
  await page.getByText("guard").first().waitFor();
  await page.evaluate(() => game.inspector.dispose());
  await page.evaluate(folded);
  expect(await place()).toBe("right");
  expect(problems).toEqual([]);
});

test("I1 the keyboard alone reaches and uses everything, and its keys do not reach the game", async () => {
  const { page, problems } = await open();
  const { keyboard } = page;
  await page.evaluate(() => {
    const keys: string[] = [];
    Object.assign(game, { keys });
    document.addEventListener("keydown", ({ key }) => keys.push(key));
  });
  const focused = () =>
    page.evaluate(() => {
      const active = document.activeElement?.shadowRoot?.activeElement;
      return active?.getAttribute("aria-label") ?? active?.textContent ?? "";
    });
  const tabTo = async (name: string): Promise<void> => {
    for (let i = 0; i < 60 && (await focused()) !== name; ++i) await keyboard.press("Tab");
    expect(await focused()).toBe(name);
  };
  await tab(page, "Systems").waitFor();
  await tabTo("Size of the inspector");
  const width = () => page.evaluate(() => game.inspector.element.offsetWidth);
  const before = await width();
  await keyboard.press("ArrowLeft");
  expect(await width()).toBe(before + 16);
  await tabTo("Pause");
  await keyboard.press("Enter");
  await until(page, "game.ecs.paused");
  await tabTo("Systems");
  await keyboard.press("ArrowRight");
  expect(await focused()).toBe("Entities");
  await tabTo("Find entities");
  await keyboard.type("Mind");
  await page.getByText("2 found").waitFor();
  for (let i = 0; i < 4; ++i) await keyboard.press("Backspace");
  await row(page, "boss").waitFor();
  await tabTo("Entities");
  await keyboard.press("ArrowDown");
  await keyboard.press("ArrowRight");
  await row(page, "guard").waitFor();
  await keyboard.press("ArrowDown");
  await keyboard.press("Enter");
  await page.getByRole("heading", { name: "guard" }).waitFor();
  await tabTo("Mind.name");
  await keyboard.press("Control+A");
  await keyboard.type("watchman");
  await keyboard.press("Enter");
  await until(page, "game.ecs.get(game.guard, game.Mind).name === 'watchman'");
  // There is no trap: the focus leaves the panel.
  for (let i = 0; i < 60 && (await focused()) !== ""; ++i) await keyboard.press("Tab");
  expect(await focused()).toBe("");
  expect(((await inGame(page, "game.keys")) as string[]).filter((key) => key !== "Tab")).toEqual([]);
  expect(problems).toEqual([]);
});

describe.each([
  {
    name: "a wide screen, light",
    context: { viewport: { width: 1440, height: 900 }, colorScheme: "light" as const },
    place: "bottom",
  },
  {
    name: "a narrow panel, dark",
    context: { viewport: { width: 1024, height: 768 }, colorScheme: "dark" as const },
    place: "right",
  },
  {
    name: "a phone, dark",
    context: { viewport: { width: 390, height: 844 }, colorScheme: "dark" as const, hasTouch: true, isMobile: true },
    place: "bottom",
  },
])("axe finds nothing on $name", ({ context, place }) => {
  test("I1 in any view", async () => {
    const { page, problems } = await open(context, `game.inspector = game.attach(undefined, { place: "${place}" })`);
    await tab(page, "Entities").waitFor();
    await page.evaluate(() => {
      for (let i = 0; i < 5; ++i) game.ecs.update(0.1);
    });
    expect(await findings(page)).toEqual([]);
    await choose(page, "boss");
    for (const name of TABS) {
      await tab(page, name).click();
      await page.evaluate(() => new Promise((frame) => requestAnimationFrame(() => requestAnimationFrame(frame))));
      expect([name, await findings(page)]).toEqual([name, []]);
      expect(await page.evaluate(() => document.documentElement.scrollWidth <= innerWidth)).toBe(true);
    }
    await page.getByRole("button", { name: "Fold" }).click();
    await page.getByRole("button", { name: "Inspector" }).waitFor();
    expect(await findings(page)).toEqual([]);
    expect(problems).toEqual([]);
  });
});

describe("a world elsewhere", () => {
  test("I1 in a worker", async () => {
    const { page, problems } = await open(
      {},
      `const worker = new Worker("/worker.js", { type: "module" });
       await new Promise((ready) => worker.onmessage = ready);
       game.inspector = game.attach(worker);`,
    );
    await choose(page, "boss");
    await page.getByLabel("Health.hp", { exact: true }).fill("7");
    await page.getByLabel("Health.hp", { exact: true }).press("Enter");
    await page.getByRole("button", { name: "Back to the list" }).click();
    await page.getByLabel("Find entities").fill("Health.hp = 7 Mind");
    await page.getByText("1 found").waitFor();
    expect(await inGame(page, "game.ecs.get(game.boss, game.Health).hp")).toBe(50); // that of the page
    expect(problems).toEqual([]);
  });
  test("I1 what was asked before the world answers is asked again", async () => {
    const { page, problems } = await open(
      {},
      `const { port1, port2 } = new MessageChannel();
       game.inspector = game.attach(port1);
       await new Promise((lost) => port2.onmessage = lost);
       port2.onmessage = null;
       game.serveInspector(game.ecs, port2);`,
    );
    await page.getByText(/^3 systems/).waitFor();
    await until(page, "game.ecs.profiler.enabled");
    expect(problems).toEqual([]);
  });
  test("I1 in another tab, over a BroadcastChannel", async () => {
    const { page } = await open({}, `game.serveInspector(game.ecs, new BroadcastChannel("inspect"))`);
    const other = await page.context().newPage();
    await other.route("**/game.js", (route) => route.fulfill({ contentType: "text/javascript", body: GAME }));
    await other.goto(`${served.url}inspector.js`);
    await other.evaluate(async () => {
      const { attach } = (await import("/game.js" as string)) as Game;
      attach(new BroadcastChannel("inspect"));
    });
    await other.getByRole("button", { name: "Run one frame" }).click();
    await until(page, "game.ecs.frame === 1");
  });
});
