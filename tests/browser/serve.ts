// Serves the page in two ways: as `npm start` does, and as static files from a folder.
import { existsSync, statSync } from "node:fs";
import { readFile } from "node:fs/promises";
import { createServer, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import path from "node:path";
import { fileURLToPath } from "node:url";
import { startServer, type Served } from "../pages/server.js";

const script = (name: string) => fileURLToPath(new URL(`../../scripts/${name}`, import.meta.url));

/** Serves the page as `npm start` does, without building. */
export const serveForDevelopment = (): Promise<Served> =>
  startServer(script("start.mjs"), ["--no-build"], path.dirname(script("start.mjs")), /(?<=^Crate room: )\S+$/);

const TYPES: Record<string, string> = {
  ".html": "text/html",
  ".js": "text/javascript",
  ".css": "text/css",
  ".wasm": "application/wasm",
};

export interface ServedFolder extends Served {
  /** All requested paths. */
  requested: string[];
  /** Sends only the first half of files with that ending, until the returned function is called. */
  holdBack(ending: string): () => void;
}

/** Serves the files of a folder under a path like "/some/where/", and nothing else. `headers` are sent with all of them. */
export async function serveFolder(
  folder: string,
  under = "/",
  headers: Record<string, string> = {},
): Promise<ServedFolder> {
  const requested: string[] = [];
  let held = { ending: "", until: Promise.resolve() };
  const answer = async (url: string, response: ServerResponse) => {
    requested.push(url);
    if (!url.startsWith(under)) throw new Error(`${url} is not under ${under}`);
    const name = url.slice(under.length).replace(/(^|\/)$/, "$1index.html");
    const wanted = path.join(folder, path.normalize(`/${name}`));
    // Hosts of static pages find those without ".html", too.
    const found = existsSync(wanted) && statSync(wanted).isFile() ? wanted : `${wanted}.html`;
    const file = await readFile(found);
    response.writeHead(200, {
      "Content-Type": TYPES[path.extname(found)] ?? "application/octet-stream",
      "Content-Length": file.length,
      "Cache-Control": "max-age=3600", // a page that is loaded again need not compile the module again
      ...headers,
    });
    if (held.ending === "" || !name.endsWith(held.ending)) return response.end(file);
    response.write(file.subarray(0, file.length / 2));
    await held.until;
    return response.end(file.subarray(file.length / 2));
  };
  const server = createServer((request, response) => {
    answer(new URL(request.url!, "http://any").pathname, response).catch(() => response.writeHead(404).end());
  });
  await new Promise<void>((resolve) => {
    server.listen(0, "127.0.0.1", resolve);
  });
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}${under}`,
    requested,
    holdBack(ending) {
      let release = () => {};
      held = {
        ending,
        until: new Promise((resolve) => {
          release = resolve;
        }),
      };
      return () => {
        held.ending = "";
        release();
      };
    },
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
}
