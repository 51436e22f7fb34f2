// Serves what the tests run in pages: the folder that global_setup.mjs has built, the package, and the demo.
import { readFile } from "node:fs/promises";
import { createServer, type RequestListener, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import path from "node:path";
import process from "node:process";
import { fileURLToPath } from "node:url";
import { answer as answerInit } from "../bindings/answers.js";
import { addHelpers } from "../browser/in_page.js";
import { recordMessages } from "./page/messages.js";

const TYPES: Record<string, string> = {
  ".html": "text/html",
  ".js": "text/javascript",
  ".mjs": "text/javascript",
  ".css": "text/css",
  ".wasm": "application/wasm",
};
const root = fileURLToPath(new URL("../..", import.meta.url));
const script = (source: string) => `<script>${source}</script>`;

export interface Server {
  url: string;
  /** The address of another server, with what tests/bindings/answers.ts describes. */
  answers: string;
  close(): Promise<void>;
}

async function listen(listener: RequestListener) {
  const server = createServer(listener);
  await new Promise<void>((listening) => server.listen(0, "127.0.0.1", listening));
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    close: () =>
      new Promise<void>((closed) => {
        server.close(() => closed());
        server.closeAllConnections();
      }),
  };
}

/** The file at an address: in the built folder, or what the package and its tests consist of. */
function fileOf(pathname: string): string {
  const name = path.normalize(pathname.replace(/^\/copies\/\d+\//, "/"));
  return path.join(/^\/(dist|build\/wasm\/tests)\//.test(name) ? root : process.env["ENGINES_FOLDER"]!, name);
}

async function answer({ pathname, searchParams }: URL, response: ServerResponse): Promise<void> {
  const headers = { "Content-Type": TYPES[path.extname(pathname)] ?? "application/octet-stream" };
  if (pathname === "/empty.html") {
    const policy = searchParams.get("policy");
    const rest = policy === null ? {} : { "Content-Security-Policy": policy };
    response.writeHead(200, { ...headers, ...rest }).end("<!doctype html><title>tests</title>");
    return;
  }
  const content = await readFile(fileOf(pathname));
  response.writeHead(200, headers);
  if (pathname !== "/demo/index.html") return void response.end(content);
  const first = script(`(${recordMessages})();(${addHelpers})(${!searchParams.has("live")})`);
  response.end(content.toString().replace("<head>", `<head>${first}`));
}

/** Starts both servers. */
export async function serve(): Promise<Server> {
  const files = await listen((request, response) => {
    answer(new URL(request.url!, "http://any"), response).catch(() => response.writeHead(404).end());
  });
  const answers = await listen(answerInit);
  return {
    url: files.url,
    answers: answers.url,
    close: async () => void (await Promise.all([files.close(), answers.close()])),
  };
}
