// What every browser test needs: the browser, and the demo page to point it at.
import { spawn } from "node:child_process";
import process from "node:process";
import { createInterface } from "node:readline";
import { fileURLToPath } from "node:url";
import { chromium, type Browser } from "playwright-core";

/** Starts the installed Chromium, without a window and without talking to anybody. */
export function launchChromium(): Promise<Browser> {
  const executablePath = process.env["CHROMIUM_PATH"];
  if (!executablePath) throw new Error("CHROMIUM_PATH is not set: run these tests with `npm test -- browser`");
  return chromium.launch({
    executablePath,
    args: [
      "--no-sandbox", // containers and root have none
      "--disable-quic", "--disable-background-networking", "--disable-component-update", "--disable-sync", "--no-first-run",
      "--use-angle=swiftshader", "--enable-unsafe-swiftshader", // WebGL in software, the same everywhere
    ],
  });
}

export interface Served {
  url: string;
  close(): Promise<void>;
}

/** Serves the demo page as `npm start` does, from what is built already. */
export async function servePage(): Promise<Served> {
  const script = fileURLToPath(new URL("../../scripts/start.mjs", import.meta.url));
  const { NODE_OPTIONS: _ofJest, PORT: _ofTheUser, ...env } = process.env;
  const server = spawn(process.execPath, [script, "--no-build"], { env, stdio: ["ignore", "pipe", "inherit"] });
  const ended = new Promise<void>((resolve) => { server.once("exit", () => resolve()); });
  const close = () => { server.kill(); return ended; };
  for await (const line of createInterface(server.stdout)) {
    const url = /^Crate room: (\S+)$/.exec(line)?.[1];
    if (url === undefined) continue;
    server.stdout.resume(); // nobody reads on, and a full pipe would stop the server
    return { url, close };
  }
  throw new Error("scripts/start.mjs ended without serving the page");
}
