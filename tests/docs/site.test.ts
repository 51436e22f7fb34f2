// The site of the documentation, as `npm run docs` builds it, in Chromium. Building it fails for links to pages that do not exist.
import { existsSync, readFileSync, readdirSync } from "node:fs";
import path from "node:path";
import { describe, expect, test } from "@jest/globals";
import { findings } from "../browser/axe.js";
import { root } from "../package/consumer.js";
import { site, servedSite } from "./built_site.js";

/** The addresses of all pages: "/guide/queries". */
const pages = readdirSync(path.join(root, "docs"), { recursive: true, encoding: "utf8" })
  .filter((file) => file.endsWith(".md") && !file.startsWith("api/"))
  .map((file) => `/${file.replace(/\.md$/, "").replace(/(^|\/)(README|index)$/, "$1")}`);

const { withPage, open } = servedSite();

test("every document is a page of the site, and the first one leads to each", async () => {
  expect(pages).toContain("/");
  expect(pages).toContain("/guide/");
  expect(pages).toContain("/guide/queries");
  await withPage({ viewport: { width: 1440, height: 900 } }, async (page) => {
    await open(page, "/guide/");
    const listed = await page
      .locator(".VPSidebar a")
      .evaluateAll((links) => links.map((link) => new URL((link as HTMLAnchorElement).href).pathname));
    expect([...new Set(listed)].sort()).toEqual(
      pages
        .filter((address) => address !== "/")
        .concat("/reference/index.html", "/cpp-reference/annotated.html")
        .sort(),
    );
  });
});

/** The HTML of a page. */
const htmlOf = (address: string) =>
  readFileSync(path.join(site, address.endsWith("/") ? `${address}index.html` : `${address}.html`), "utf8");

test("every link inside the site leads to a page and a heading, and every link to the repository to a file", () => {
  const broken = pages.flatMap((from) =>
    Array.from(htmlOf(from).matchAll(/ href="([^"]+)"/g), ([, target]) => target!.replaceAll("&amp;", "&"))
      .filter((target) => {
        const file = /^https:\/\/github\.com\/crateful\/crateful\/(?:blob|tree|edit)\/main\/([^#]*)/.exec(target)?.[1];
        if (file !== undefined) return !existsSync(path.join(root, file));
        if (/^(\w+:|\/(room|reference|cpp-reference)\/)/.test(target) || /\.(css|js|woff2|webp|png|svg)$/.test(target))
          return false;
        const { pathname, hash } = new URL(target, `http://site${from}`);
        if (!pages.includes(pathname)) return true;
        if (hash.startsWith("#code=")) return pathname !== "/playground"; // a program
        return hash !== "" && !htmlOf(pathname).includes(` id="${decodeURIComponent(hash.slice(1))}"`);
      })
      .map((target) => `${from}: ${target}`),
  );
  expect(broken).toEqual([]);
});

test("the reference describes the entries of the package", async () => {
  await withPage({}, async (page) => {
    await open(page, "/guide/");
    await page.locator(".VPSidebar").getByRole("link", { name: "TypeScript API" }).click();
    await page.getByRole("link", { name: "index", exact: true }).first().click();
    await page.getByRole("link", { name: "ECS", exact: true }).first().click();
    await page.getByRole("heading", { name: "Class ECS" }).waitFor();
    await page.getByText("Runs one frame").first().waitFor();
  });
});

test("the reference of C++ describes its classes", async () => {
  await withPage({}, async (page) => {
    await open(page, "/guide/");
    await page.locator(".VPSidebar").getByRole("link", { name: "C++ API" }).click();
    await page.getByRole("link", { name: "ECS", exact: true }).first().click();
    await page.getByText("A world: entities, their components, and the systems").first().waitFor();
    await page.getByText("remove_entity").first().waitFor();
  });
});

test("llms.txt leads to all documents, as they are", () => {
  const links = [...readFileSync(path.join(site, "llms.txt"), "utf8").matchAll(/\]\(\/([^)]+)\)/g)].map(
    ([, file]) => file!,
  );
  for (const file of links)
    expect(readFileSync(path.join(site, file))).toEqual(readFileSync(path.join(root, "docs", file)));
  expect(links.length).toBeGreaterThanOrEqual(pages.length - 1);
  expect(links[0]).toBe("for-assistants.md");
});

/** On the others, axe reads no programs, whose colours are the same on all pages: they take most of its time. */
const WITH_PROGRAMS = ["/your-own-module", "/react"];

describe.each([
  { name: "a wide screen, light", options: { viewport: { width: 1440, height: 900 }, colorScheme: "light" } },
  {
    name: "a phone, dark",
    options: { viewport: { width: 390, height: 844 }, colorScheme: "dark", isMobile: true, hasTouch: true },
  },
] as const)("on $name", ({ options }) => {
  test("axe finds nothing, and no page is wider than the screen", async () => {
    await withPage(options, async (page) => {
      const found: string[] = [];
      for (const address of pages) {
        await open(page, address);
        const without = WITH_PROGRAMS.includes(address) ? [] : ["pre"];
        found.push(...(await findings(page, without)).map((text) => `${address}: ${text}`));
        if (await page.evaluate(() => document.documentElement.scrollWidth > innerWidth))
          found.push(`${address} is too wide`);
      }
      expect(found).toEqual([]);
    });
  });
});

test("the search finds what users of other libraries look for", async () => {
  const questions = [
    ["singleton", "/guide/the-world-entity"],
    ["onChange koota", "/coming-from/koota"],
    ["relation", "/recipes/references"],
    ["serialize bitECS", "/coming-from/bitecs"],
    ["removed entity event", "/guide/events"],
    ["exclude view EnTT", "/coming-from-cpp#entt"],
    ["pipeline phase", "/coming-from-cpp#flecs"],
    ["prefab", "/guide/entities-and-components"],
    ["sort draw order", "/guide/queries"],
    ["undo", "/saving"],
    ["React hook", "/react"],
    ["fixed timestep", "/guide/time"],
    ["how do I remove a relation in koota", "/coming-from/koota"],
    ["bitECS remove entity in query loop", "/coming-from/bitecs"],
    ["miniplex react to changed component", "/coming-from/miniplex"],
    ["becsy coroutine wait", "/coming-from/becsy"],
    ["bevy resource", "/coming-from/bevy"],
    ["unity object pool", "/coming-from/unity"],
    ["entt group", "/coming-from-cpp#entt"],
    ["cooldown", "/recipes/timers"],
    ["inventory", "/recipes/references"],
  ] as const;
  await withPage({ viewport: { width: 1440, height: 900 } }, async (page) => {
    await open(page, "/guide/");
    await page.getByRole("button", { name: "Search" }).click();
    for (const [question, answer] of questions) {
      await page.locator("#localsearch-input").fill("");
      await page.locator(".result").first().waitFor({ state: "detached" });
      await page.locator("#localsearch-input").fill(question);
      const found = (wanted: string) =>
        [...document.querySelectorAll(".result")]
          .slice(0, 4)
          .some((link) => link.getAttribute("href")!.startsWith(wanted));
      const never = () => Promise.reject(new Error(`"${question}" does not find ${answer} among the first four`));
      await page.waitForFunction(found, answer, { timeout: 120_000 }).catch(never);
    }
  });
});

test("the first page runs the demo", async () => {
  await withPage({ viewport: { width: 1440, height: 900 } }, async (page) => {
    await open(page, "/");
    await page.getByText("crate 2 is at 7").waitFor();
    expect(await page.locator("iframe").count()).toBe(0);
    await page.locator(".room").scrollIntoViewIfNeeded();
    await page.frameLocator("iframe[title='The crate room']").locator("#canvas").waitFor();
  });
});
