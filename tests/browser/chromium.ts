// The browser that the tests look through.
import process from "node:process";
import { chromium, type Browser } from "playwright-core";

/** Starts the installed Chromium, without a window and without talking to anybody. */
export function launchChromium(): Promise<Browser> {
  const executablePath = process.env["CHROMIUM_PATH"];
  if (!executablePath) throw new Error("CHROMIUM_PATH is not set: run these tests with `npm test -- browser`");
  return chromium.launch({
    executablePath,
    args: [
      "--no-sandbox", // containers and root have none
      "--disable-quic",
      "--disable-background-networking",
      "--disable-component-update",
      "--disable-sync",
      "--no-first-run",
      "--use-angle=swiftshader",
      "--enable-unsafe-swiftshader", // WebGL in software, the same everywhere
    ],
  });
}
