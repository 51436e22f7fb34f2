// The page as static files on a plain server.
import { readFileSync } from "node:fs";
import path from "node:path";
import { gzipSync } from "node:zlib";
import { expect, test } from "@jest/globals";
import { pageFolder } from "./chromium.js";
import { useRooms } from "./room.js";
import { serveFolder } from "./serve.js";

const rooms = useRooms();

test("the built page runs under a path of a plain server and requests nothing outside of it", async () => {
  const under = "/some/deep/path/";
  const served = await serveFolder(pageFolder(), under);
  try {
    const requested: string[] = [];
    const page = await rooms.open("?crates=600&muted", {
      url: served.url,
      live: true,
      before: async (fresh) => {
        fresh.on("request", (request) => requested.push(request.url()));
      },
    });
    await page.waitForFunction(() => window.theRoom().room.inspections > 10);
    expect(await page.evaluate(() => window.play.picture().colours)).toBeGreaterThan(100);
    for (const name of ["Inspector", "Events", "Memory", "Scaling", "One frame apart"])
      await page.getByRole("tab", { name }).click();

    expect(requested.length).toBeGreaterThan(3);
    expect(requested.filter((url) => !url.startsWith(served.url) && !url.startsWith("data:"))).toEqual([]);
    expect(served.requested.filter((url) => !url.startsWith(under))).toEqual([]);
    expect(await page.evaluate(() => crossOriginIsolated)).toBe(false); // the server sends no isolation headers, and none are needed
  } finally {
    await served.close();
  }
});

test("what the page loads is smaller than 656 KB, compressed with gzip", async () => {
  const served = await serveFolder(pageFolder());
  try {
    const page = await rooms.open("?crates=600&muted", { url: served.url });
    await page.locator("crateful-inspector").waitFor(); // it is loaded last
    const names = new Set(served.requested.map((url) => (url.endsWith("/") ? "index.html" : url)));
    const sizes = [...names].map((name) => gzipSync(readFileSync(path.join(pageFolder(), name)), { level: 9 }).length);
    expect(sizes.length).toBeGreaterThan(4);
    expect(sizes.reduce((sum, size) => sum + size, 0)).toBeLessThan(656_000);
  } finally {
    await served.close();
  }
});
