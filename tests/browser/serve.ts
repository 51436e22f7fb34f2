// Serves the page in two ways: as `npm start` does, and as static files from a folder.
import { spawn } from "node:child_process";
import { readFile } from "node:fs/promises";
import { createServer, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import path from "node:path";
import process from "node:process";
import { createInterface } from "node:readline";
import { fileURLToPath } from "node:url";

export interface Served {
  url: string;
  close(): Promise<void>;
}

const script = (name: string) => fileURLToPath(new URL(`../../scripts/${name}`, import.meta.url));

// Other Node programs must not inherit Jest's options.
function environment(): NodeJS.ProcessEnv {
  const { NODE_OPTIONS: _jestOptions, PORT: _port, ...env } = process.env;
  return env;
}

/** Serves the page as `npm start` does, without building. */
export async function serveForDevelopment(): Promise<Served> {
  const server = spawn(process.execPath, [script("start.mjs"), "--no-build"], {
    env: environment(),
    stdio: ["ignore", "pipe", "inherit"],
  });
  const ended = new Promise<void>((resolve) => {
    server.once("exit", () => resolve());
  });
  const close = () => {
    server.kill();
    return ended;
  };
  for await (const line of createInterface(server.stdout)) {
    const url = /^Crate room: (\S+)$/.exec(line)?.[1];
    if (url === undefined) continue;
    server.stdout.resume(); // discards further output, because a full pipe would block the server
    return { url, close };
  }
  throw new Error("scripts/start.mjs ended without serving the page");
}

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

/** Serves the files of a folder under a path like "/some/where/", and nothing else. */
export async function serveFolder(folder: string, under = "/"): Promise<ServedFolder> {
  const requested: string[] = [];
  let held = { ending: "", until: Promise.resolve() };
  const answer = async (url: string, response: ServerResponse) => {
    requested.push(url);
    if (!url.startsWith(under)) throw new Error(`${url} is not under ${under}`);
    const name = url.slice(under.length) || "index.html";
    const file = await readFile(path.join(folder, path.normalize(`/${name}`)));
    response.writeHead(200, {
      "Content-Type": TYPES[path.extname(name)] ?? "application/octet-stream",
      "Content-Length": file.length,
      "Cache-Control": "max-age=3600", // a page that is loaded again need not compile the module again
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
