// What the page says about the library.
import { readFileSync } from "node:fs";
import path from "node:path";
import { expect, test } from "@jest/globals";
import { pageFolder } from "./chromium.js";
import { useRooms } from "./room.js";

const rooms = useRooms();
const clipboard = { permissions: ["clipboard-read", "clipboard-write"] };

test("the title and the header say what the page is, how to install the package, and link to it", async () => {
  const page = await rooms.open(undefined, { context: clipboard });
  expect(await page.title()).toMatch(/^Crateful/);
  expect(await page.locator("h1").textContent()).toMatch(/^Crateful an entity component system/);
  await page.getByRole("button", { name: "npm install crateful" }).click();
  await page.getByText("Copied").waitFor({ state: "attached" });
  expect(await page.evaluate(() => navigator.clipboard.readText())).toBe("npm install crateful");
  for (const name of ["Docs", "GitHub", "npm"])
    expect(await page.getByRole("link", { name, exact: true }).getAttribute("href")).toMatch(/^https:.*\/crateful/);
});

test("Share copies an address that opens the page with its settings", async () => {
  const page = await rooms.open("?crates=600&seed=3&guards=0&debug=boxes&muted", { context: clipboard });
  await page.getByRole("switch", { name: "Dirty tracking" }).uncheck();
  await page.getByRole("button", { name: "Share" }).click();
  await page.getByText("Copied").waitFor({ state: "attached" });
  const address = await page.evaluate(() => navigator.clipboard.readText());
  expect(address).toBe(`${rooms.served.url}?crates=600&seed=3&guards=0&tracking=off&muted=`);
  const shared = await rooms.open(new URL(address).search);
  expect(await shared.evaluate(() => window.theRoom().settings)).toMatchObject({
    crates: 600,
    seed: 3,
    guards: 0,
    tracking: false,
    muted: true,
  });
});

test("Share copies an address without those settings that a new visitor has anyway", async () => {
  const page = await rooms.open("", { context: clipboard });
  const shared = async () => {
    await page.getByRole("button", { name: "Share" }).click();
    await page.getByText("Copied").waitFor({ state: "attached" });
    return page.evaluate(() => navigator.clipboard.readText());
  };
  expect(await shared()).toBe(rooms.served.url);
  await page.getByRole("button", { name: "Sound" }).click();
  expect(await shared()).toBe(`${rooms.served.url}?muted=`);
  await page.locator("#crates").press("End");
  expect(await shared()).toBe(`${rooms.served.url}?crates=50000&muted=`);
});

test("links to the page show a picture that is beside it", () => {
  const html = readFileSync(path.join(pageFolder(), "index.html"), "utf8");
  const [, picture] = /property="og:image" content="https:\/\/[^"]*\/([^"/]+)"/.exec(html)!;
  expect(readFileSync(path.join(pageFolder(), picture!)).subarray(1, 4).toString()).toBe("PNG");
});

test.each([1024, 1180, 1280, 1366, 1440, 2560])(
  "at a width of %d pixels nothing overlaps or is cut off",
  async (width) => {
    const page = await rooms.open("?crates=600&seed=3&guards=0&muted", {
      context: { viewport: { width, height: 800 } },
    });
    const found = await page.evaluate(() => {
      const box = (selector: string) => document.querySelector(selector)!.getBoundingClientRect();
      const cut = [...document.querySelectorAll(".tabs, .panel, .card, header, .controls")].filter(
        (one) => one.scrollWidth > one.clientWidth,
      );
      const parts = [".experiment", ".measured", ".ratio", ".advice", "#guide"].map(box);
      return {
        overlap: parts.some((a, i) =>
          parts.some((b, j) => i < j && a.right > b.left && a.left < b.right && a.bottom > b.top && a.top < b.bottom),
        ),
        cut: cut.map((one) => one.id || one.className),
        right: box("aside").right,
      };
    });
    expect(found).toEqual({ overlap: false, cut: [], right: expect.any(Number) });
    expect(width - found.right).toBeLessThan(30); // the page fills the screen
  },
);
