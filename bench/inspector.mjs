// node bench/inspector.mjs: what the inspector costs a game, in headless Chromium, with the last build of the development build: a
// frame with each view open, compared with one without an inspector; and recording a signal.
import { softwareFlags } from "../scripts/chromium.mjs";
import { fromRoot, main } from "../scripts/process.mjs";
import { ensureBrowser } from "../scripts/toolchain.mjs";
import { fileOf, withChromium } from "./harness/chromium.mjs";
import { median } from "./harness/spread.mjs";

const views = ["Systems", "Entities", "Why", "Rewind", "Frames", "Events", "Memory"];
const rounds = 7;
const frames = 120;

/** The game: `n` entities, of which a system moves `k` in a frame and another one watches them; a history when it is recorded. */
const game = `
import { init, ECS, defineComponent, defineSystem } from "/development/state.js";
import { attachInspector, History } from "/development/inspector.js";
await init();
class Place extends defineComponent("Place", { x: "f32", y: "f32" }) {}
class Health extends defineComponent("Health", { points: "u8" }) {}
class Hit {}
globalThis.makeGame = (n, k) => {
  const ecs = new ECS();
  const all = Array.from(ecs.addEntities(n));
  ecs.addComponents(all, Place);
  ecs.addComponents(all, Health);
  const query = ecs.query({ place: Place });
  class Mover extends defineSystem({ place: Place }) {
    from = 0;
    update() {
      for (let i = 0; i < k; ++i) query.at(all[(this.from + i) % n]).place.x += 1;
      this.from += k;
      ecs.events.dispatch(new Hit());
    }
  }
  class Drawer extends defineSystem({ place: Place, health: Health }, { watch: [Place] }) {
    update() { for (const { place } of this.dirty) this.sum = place.x; }
  }
  for (const S of [Mover, Drawer]) ecs.addSystem(0, new S());
  return { ecs, all };
};
const raf = () => new Promise(requestAnimationFrame);
let world, panel, running = true;
globalThis.begin = (n, k, attached) => {
  world = globalThis.makeGame(n, k);
  if (attached) {
    localStorage.clear();
    panel = attachInspector(world.ecs, { place: "right" });
  }
  running = true;
  const loop = () => { if (running) { world.ecs.update(1 / 60); requestAnimationFrame(loop); } };
  requestAnimationFrame(loop);
};
globalThis.selectFirst = () => panel.select(world.all[0]);
globalThis.frames = async (count) => { for (let i = 0; i < count; ++i) await raf(); };
globalThis.end = async () => { running = false; await raf(); panel?.dispose(); panel = undefined; world.ecs.dispose(); };
/** Median times of an update in which \`k\` signals are sent, with and without a history. */
globalThis.recording = (k) => {
  const time = (record) => {
    const { ecs } = globalThis.makeGame(20_000, k);
    const history = record ? new History(ecs) : undefined;
    for (let i = 0; i < 30; ++i) ecs.update(1 / 60);
    const times = [];
    for (let i = 0; i < 60; ++i) {
      const start = performance.now();
      ecs.update(1 / 60);
      times.push(performance.now() - start);
    }
    history?.dispose();
    ecs.dispose();
    return times.sort((a, b) => a - b)[30];
  };
  return [time(false), time(true)];
};
`;

await main(async () => {
  const launch = { executablePath: ensureBrowser(), args: softwareFlags };
  await withChromium(
    launch,
    (path) => fileOf(fromRoot("dist"), path),
    async (browser, url) => {
      const page = await browser.newPage({ viewport: { width: 1440, height: 900 } });
      page.on("pageerror", (error) => console.error(error));
      await page.goto(url);
      await page.addScriptTag({ content: game, type: "module" });
      await page.waitForFunction("globalThis.makeGame !== undefined");
      const devtools = await page.context().newCDPSession(page);
      await devtools.send("Performance.enable");
      const busy = async () => {
        const { metrics } = await devtools.send("Performance.getMetrics");
        return 1000 * metrics.find(({ name }) => name === "TaskDuration").value;
      };
      /** The time of a frame in which the main thread is busy, in ms. */
      const frame = async (attached, view, record) => {
        await page.evaluate(`begin(20_000, 100, ${attached})`);
        if (attached) await page.getByRole("tab", { name: view, exact: true }).click();
        if (view === "Why" || view === "Rewind") await page.evaluate("selectFirst()");
        if (record) await page.getByRole("button", { name: /^Record/ }).click();
        await page.evaluate("frames(60)");
        const before = await busy();
        await page.evaluate(`frames(${frames})`);
        const time = ((await busy()) - before) / frames;
        await page.evaluate("end()");
        return time;
      };
      const times = { nothing: [] };
      for (let round = 0; round < rounds; ++round) {
        times.nothing.push(await frame(false));
        for (const view of views) (times[view] ??= []).push(await frame(true, view));
        (times["Why, recording"] ??= []).push(await frame(true, "Why", true));
      }
      const base = median(times.nothing);
      console.log(`20,000 entities, 100 changing: ${base.toFixed(2)} ms a frame without an inspector`);
      for (const [view, all] of Object.entries(times))
        if (all.length > 0) console.log(`  ${view}: ${(median(all) - base).toFixed(2)} ms more`);
      for (const k of [100, 1000, 10_000]) {
        const pairs = [];
        for (let round = 0; round < rounds; ++round) pairs.push(await page.evaluate(`recording(${k})`));
        const [without, recorded] = [0, 1].map((i) => median(pairs.map((pair) => pair[i])));
        const more = ((recorded - without) * 1e6) / k;
        console.log(
          `recording ${k} signals a frame: ${more.toFixed(0)} ns each (${without.toFixed(3)} to ${recorded.toFixed(3)} ms)`,
        );
      }
    },
  );
});
