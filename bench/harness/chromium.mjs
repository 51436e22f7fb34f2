// Headless Chromium, and a server for its pages.
import { existsSync, readFileSync, statSync } from "node:fs";
import { createServer } from "node:http";
import { createRequire } from "node:module";
import path from "node:path";

const types = { ".html": "text/html", ".css": "text/css", ".wasm": "application/wasm" };
/** Cross-origin isolation makes the clock of a page finer: 5 µs. */
const headers = {
  "cross-origin-opener-policy": "same-origin",
  "cross-origin-embedder-policy": "require-corp",
  "cache-control": "no-store",
};

/**
 * Starts both, and returns what `use` returns.
 * @param {{ executablePath: string, args: string[] }} options
 * @param {(pathname: string) => string | Buffer | undefined} answer the content of a file; a folder without one has an empty page
 * @param {(browser: object, url: string) => Promise<unknown>} use
 */
export async function withChromium(options, answer, use) {
  const server = createServer((request, response) => {
    const { pathname } = new URL(request.url, "http://127.0.0.1");
    const file = pathname.endsWith("/") ? `${pathname}index.html` : pathname;
    const content = answer(file) ?? (file === pathname ? undefined : "<!doctype html><link rel=icon href='data:,'>");
    if (content === undefined) return response.writeHead(404).end();
    response
      .writeHead(200, { ...headers, "content-type": types[path.extname(file)] ?? "text/javascript" })
      .end(content);
  });
  await new Promise((resolve) => server.listen(0, "127.0.0.1", resolve));
  const { chromium } = createRequire(import.meta.url)("playwright-core"); // from the root's node_modules
  const browser = await chromium.launch(options);
  try {
    return await use(browser, `http://127.0.0.1:${server.address().port}`);
  } finally {
    await browser.close();
    server.close();
  }
}

/** The file of a folder at a path, if there is one. */
export function fileOf(folder, pathname) {
  const file = path.join(folder, path.normalize(pathname));
  return existsSync(file) && statSync(file).isFile() ? readFileSync(file) : undefined;
}
