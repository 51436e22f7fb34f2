// Part `demo`: the page of the crate room in headless Chromium with software graphics, all crates at rest.
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { softwareFlags } from "../scripts/chromium.mjs";
import { fileOf, withChromium } from "./harness/chromium.mjs";
import { progress } from "./harness/progress.mjs";
import { spread } from "./harness/spread.mjs";
import { demoParams } from "./suite.mjs";

const settlingMs = 1500; // the camera reaches its place, and code is compiled
const windowMs = 5000;

/** Returns rows for update and render of a frame, means over the window without the outer tenths; rounds are interleaved. */
export async function demo(rounds, executablePath) {
  const { buildPage } = await import("../scripts/page.mjs");
  const folder = mkdtempSync(path.join(tmpdir(), "crate-room-"));
  const samples = demoParams.map(() => []);
  try {
    await buildPage(folder);
    const answer = (path) => fileOf(folder, path);
    await withChromium({ executablePath, args: softwareFlags }, answer, async (instance, url) => {
      for (let round = 0; round < rounds; round++) {
        for (const [i, params] of demoParams.entries()) {
          progress(`demo: round ${round + 1} of ${rounds}: ${JSON.stringify(params)}`);
          samples[i].push(await measurePage(instance, url, params));
        }
      }
    });
    progress();
    return demoParams.flatMap((params, i) =>
      [
        ...["update", "render"].map((what) => ({
          case: `demo_${what}`,
          unit: "ns",
          ops: 1,
          ...spread(samples[i].map((one) => one[what] * 1e6)),
        })),
        ...["calls", "sprites", "uploaded"].map((what) => ({
          case: `demo_${what}`,
          unit: "count",
          ...spread(samples[i].map((one) => one[what])),
        })),
      ].map((row) => ({ part: "demo", library: "crateful", params, ...row })),
    );
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

async function measurePage(instance, url, { crates, tracking }) {
  const page = await instance.newPage({ viewport: { width: 1440, height: 900 } });
  try {
    await page.goto(`${url}/?crates=${crates}&guards=0&muted&tracking=${tracking ? "on" : "off"}`);
    await page.waitForFunction(() => globalThis.crateRoom?.room.spritesDrawn > 0);
    return await page.evaluate(
      async ([before, during]) => {
        const wait = (time) =>
          new Promise((resolve) => {
            setTimeout(resolve, time);
          });
        const { figures, room } = globalThis.crateRoom;
        await wait(before);
        figures.restart();
        await wait(during);
        return {
          update: figures.update.mean,
          render: figures.render.mean,
          calls: room.drawCalls,
          sprites: room.spritesDrawn,
          uploaded: room.uploadedBytes,
        };
      },
      [settlingMs, windowMs],
    );
  } finally {
    await page.close();
  }
}
