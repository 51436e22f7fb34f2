// What a server answers when `init` asks it for the binary.
import { readFileSync } from "node:fs";
import type { IncomingMessage, ServerResponse } from "node:http";

const binary = readFileSync(new URL("../../dist/crateful.wasm", import.meta.url));

const answers: Record<string, [status: number, type: string, body: string | Uint8Array]> = {
  "/crateful.wasm": [200, "application/wasm", binary],
  "/typeless": [200, "text/plain", binary],
  "/page": [200, "text/html", "<!doctype html><title>game</title>"],
  "/streamed-page": [200, "application/wasm", "<!doctype html>"],
};

export function answer({ url }: IncomingMessage, response: ServerResponse): void {
  const [status, type, body] = answers[url!] ?? [404, "text/html", "<!doctype html>"];
  // A connection that is kept is closed after five seconds: a request that begins then, after a long pause of this process, would fail.
  const headers = { "Content-Type": type, "Access-Control-Allow-Origin": "*", Connection: "close" };
  response.writeHead(status, headers).end(body);
}
