// The browser for the tests.
import process from "node:process";
import { chromium, type Browser } from "playwright-core";

/** Starts the installed Chromium, headless and without network services. */
export function launchChromium(): Promise<Browser> {
  const executablePath = process.env["CHROMIUM_PATH"];
  if (!executablePath) throw new Error("CHROMIUM_PATH is not set: run these tests with `npm test`");
  return chromium.launch({
    executablePath,
    timeout: 0, // Jest's timeout applies
    args: [
      "--no-sandbox", // it is not available in containers and for root
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
