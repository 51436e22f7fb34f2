// npm run capture: plays the demo by script and creates the README's pictures, docs/crate-room.png and
// docs/crate-room.webp. The script runs each frame, so nothing but the measured times depends on the machine.
import { mkdtempSync, rmSync } from "node:fs";
import { createRequire } from "node:module";
import { tmpdir } from "node:os";
import path from "node:path";
import process from "node:process";
import { build } from "./build.mjs";
import { softwareFlags } from "./chromium.mjs";
import { fromRoot, main, run, say } from "./process.mjs";
import { ensure, ensureBrowser } from "./toolchain.mjs";

const framesAPicture = 4; // of 1/60 s
const milliseconds = Math.round((1000 / 60) * framesAPicture);

/** Runs `n` frames of 1/60 s. */
const frames = (page, n) =>
  page.evaluate((count) => {
    for (let i = 0; i < count; i++) window.crateRoom.frame(1 / 60);
  }, n);

/** Places the player below the powder crate with free ground in front and the most powder around it. */
const standBelowPowder = (page) =>
  page.evaluate(() => {
    const { ecs, room, nativeComponent } = window.crateRoom;
    const Position = nativeComponent("Position");
    const place = (e) => {
      const { x, y } = ecs.getComponents(e).get(Position);
      return { x, y };
    };
    const Crate = nativeComponent("Crate");
    const crates = [...ecs.storage(Crate).entities].map((e) => ({
      ...place(e),
      powder: ecs.getComponents(e).get(Crate).powder,
    }));
    const player = ecs.getComponents(room.player).get(Position);
    const near = (a, b, reach) => Math.hypot(a.x - b.x, a.y - b.y) < reach;
    const free = crates.filter(
      (c) => c.powder && !crates.some((d) => d !== c && Math.abs(d.x - c.x) < 13 && d.y > c.y && d.y < c.y + 40),
    );
    const worth = (c) =>
      crates.filter((d) => d.powder && near(c, d, 70)).length - Math.hypot(c.x - player.x, c.y - player.y) / 100;
    const best = free.sort((a, b) => worth(b) - worth(a))[0];
    Object.assign(player, { x: best.x, y: best.y + 34 });
    // Some guards are placed near the player, too.
    [...ecs.storage(nativeComponent("Guard")).entities].slice(0, 3).forEach((guard, i) => {
      Object.assign(ecs.getComponents(guard).get(Position), { x: best.x + 56 * (i - 1), y: best.y + 84 });
    });
  });

async function open(browser, url, query, viewport) {
  const page = await browser.newPage({ viewport });
  // The first frame is already one of the script's.
  await page.addInitScript(() => {
    let handle;
    Object.defineProperty(window, "crateRoom", {
      get: () => handle,
      set: (made) => {
        handle = made;
        made.hold = true;
      },
    });
  });
  await page.goto(url + query);
  await page.waitForFunction(() => window.crateRoom !== undefined);
  await page.locator("#canvas").focus();
  return page;
}

/** Runs frames until the page shows both update times. */
const measured = (page) =>
  page.evaluate(async () => {
    const times = () => ["cost-on", "cost-off"].map((id) => document.getElementById(id).textContent).join();
    while (/measuring|≈|–/.test(times())) {
      window.crateRoom.frame(1 / 60);
      await new Promise(requestAnimationFrame);
    }
  });

/** Walks to the powder, strikes it, and walks away; `take` takes pictures meanwhile. */
async function blowUp(page, take) {
  await standBelowPowder(page);
  await frames(page, 50); // until the camera has arrived
  await page.keyboard.down("w");
  await take(3);
  await page.keyboard.up("w");
  await page.keyboard.down("Space");
  await take(2);
  await page.keyboard.up("Space");
  await page.keyboard.down("s"); // away from the explosion
  await take(7);
  await page.keyboard.up("s");
}

await main(async () => {
  if (!process.argv.includes("--no-build")) await build();
  ensure("webp");
  const { servePage } = await import("./page.mjs");
  const { url, close } = await servePage({ quiet: true });
  const { chromium } = createRequire(import.meta.url)("playwright-core");
  const browser = await chromium.launch({ executablePath: ensureBrowser(), args: softwareFlags });
  const folder = mkdtempSync(path.join(tmpdir(), "crate-room-"));
  try {
    say("docs/crate-room.png");
    const still = await open(browser, url, "?muted&crates=50000&seed=5&guards=3", { width: 1440, height: 900 });
    await measured(still);
    await blowUp(still, (n) => frames(still, n * framesAPicture));
    await frames(still, 12);
    await still.screenshot({ path: fromRoot("docs/crate-room.png") });

    say("docs/crate-room.webp");
    const film = await open(browser, url, "", { width: 860, height: 700 });
    const pictures = [];
    const take = async (n) => {
      for (let i = 0; i < n; i++) {
        await frames(film, framesAPicture);
        pictures.push(path.join(folder, `${String(pictures.length).padStart(4, "0")}.png`));
        await film.screenshot({ path: pictures.at(-1) });
      }
    };
    const tracking = film.getByRole("switch", { name: "Dirty tracking" });
    const crates = film.locator("#crates");
    await take(75); // the explosions of the opening
    await measured(film);
    await take(15);
    await tracking.click();
    await take(20);
    await crates.focus();
    for (let i = 0; i < 6; i++) {
      await film.keyboard.press("PageUp");
      await take(1);
    }
    await film.keyboard.press("End");
    await measured(film);
    await take(22);
    await tracking.click();
    await measured(film);
    await take(22);
    run("img2webp", [
      "-loop",
      "0",
      "-d",
      String(milliseconds),
      "-lossy",
      "-q",
      "45",
      "-m",
      "6",
      ...pictures,
      "-o",
      fromRoot("docs/crate-room.webp"),
    ]);
  } finally {
    await browser.close();
    await close();
    rmSync(folder, { recursive: true, force: true });
  }
});
