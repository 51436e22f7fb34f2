// The browser and the page that global_setup.mjs has made for the tests.
import process from "node:process";
import { chromium, type Browser } from "playwright-core";

function setting(name: string): string {
  const value = process.env[name];
  if (!value) throw new Error(`${name} is not set by global_setup.mjs: is the demo built?`);
  return value;
}

/** Connects to the browser. Closing the connection closes only its own pages. */
export const connectToChromium = (): Promise<Browser> => chromium.connect(setting("CHROMIUM_ENDPOINT"));

/** The folder of the built page. */
export const pageFolder = (): string => setting("CRATE_ROOM_PAGE");
