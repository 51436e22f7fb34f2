// How the package loads its binary in a page.
import { readFileSync } from "node:fs";
import path from "node:path";
import { afterAll, beforeAll, expect, test } from "@jest/globals";
import type { Browser, Route } from "playwright-core";
import { connectToChromium } from "../browser/chromium.js";
import { serveFolder, type ServedFolder } from "../browser/serve.js";
import { root } from "../package/consumer.js";

const dist = path.join(root, "dist");
const binary = readFileSync(path.join(dist, "crateful.wasm"));

let browser: Browser;
let served: ServedFolder;
beforeAll(async () => {
  served = await serveFolder(dist);
  browser = await connectToChromium();
});
afterAll(async () => {
  await browser?.close();
  await served?.close();
});

/**
 * Calls `init` of the entry as often as there are answers to the request of the binary (undefined: that of the server), and
 * then creates an ECS, if `init` succeeded. `headers` are those of the page. Returns the errors, and the files that were
 * requested.
 */
async function load(
  entry: string,
  answers: (Parameters<Route["fulfill"]>[0] | undefined)[],
  headers: Record<string, string> = {},
) {
  const page = await browser.newPage();
  page.setDefaultTimeout(0); // Jest's timeout applies
  const requested: string[] = [];
  page.on("request", (request) => requested.push(new URL(request.url()).pathname));
  const left = [...answers];
  await page.route("**/*.wasm", (route) => {
    const answer = left.shift();
    return answer === undefined ? route.continue() : route.fulfill(answer);
  });
  await page.route(served.url, (route) =>
    route.fulfill({ contentType: "text/html", headers, body: "<!doctype html>" }),
  );
  await page.goto(served.url);
  requested.length = 0;
  const errors = await page.evaluate(
    async ({ entry: name, calls }) => {
      const { init, ECS } = (await import(`/${name}.js`)) as {
        init(): Promise<void>;
        ECS: new () => { count: number };
      };
      const thrown: string[] = [];
      for (let i = 0; i < calls; ++i) await init().catch((error: Error) => thrown.push(error.message));
      if (thrown.length < calls && new ECS().count !== 0) throw new Error("a new ECS is not empty");
      return thrown;
    },
    { entry, calls: Math.max(1, answers.length) },
  );
  await page.close();
  return { errors, requested };
}

test("the page loads the entry, the scripts that entries share, and the binary", async () => {
  expect(await load("browser", [undefined])).toEqual({
    errors: [],
    requested: ["/browser.js", "/crateful.js", "/glue.js", "/crateful.wasm"],
  });
});

test("the binary is fetched once, also if the server names a wrong type", async () => {
  const { errors, requested } = await load("browser", [{ body: binary, contentType: "text/plain" }]);
  expect(errors).toEqual([]);
  expect(requested.filter((file) => file.endsWith(".wasm"))).toHaveLength(1);
});

test("B2 an address that can't be loaded is named in the error, and init can be called again", async () => {
  const { errors, requested } = await load("browser", [{ status: 404, body: "" }, undefined]);
  expect(errors).toEqual([expect.stringMatching(/^init: http:.*crateful\.wasm can't be used: 404/)]);
  expect(requested.filter((file) => file.endsWith(".wasm"))).toHaveLength(2);
});

test("B2 a Content-Security-Policy that refuses WebAssembly is named in the error", async () => {
  const policy = (sources: string) => ({ "Content-Security-Policy": `script-src 'self' 'unsafe-inline' ${sources}` });
  for (const entry of ["browser", "inline"]) {
    const { errors } = await load(entry, [undefined], policy(""));
    expect(errors).toEqual([expect.stringMatching(/; the Content-Security-Policy must allow 'wasm-unsafe-eval'$/)]);
    expect((await load(entry, [undefined], policy("'wasm-unsafe-eval'"))).errors).toEqual([]);
  }
});

test("B2 locateFile is called with the name of the binary and the folder of the script", async () => {
  const page = await browser.newPage();
  await page.route(served.url, (route) => route.fulfill({ contentType: "text/html", body: "<!doctype html>" }));
  await page.goto(served.url);
  const located = await page.evaluate(async () => {
    const name = "/browser.js";
    const { init } = (await import(name)) as { init(options: object): Promise<void> };
    const calls: string[][] = [];
    const locateFile = (file: string, folder: string) => {
      calls.push([file, folder]);
      return folder + file;
    };
    await init({ locateFile });
    return calls;
  });
  expect(located).toEqual([["crateful.wasm", served.url]]);
  await page.close();
});

test("crateful/inline fetches no binary", async () => {
  expect(await load("inline", [])).toEqual({
    errors: [],
    requested: ["/inline.js", "/crateful.js", "/binary.js", "/glue.js"],
  });
});
