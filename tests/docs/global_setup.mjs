// Builds the site once, and starts a browser, before all test files of this part.
import { execFileSync } from "node:child_process";
import process from "node:process";
import { fileURLToPath } from "node:url";
import setUpBrowser from "../browser/global_setup.mjs";

export default async function setUp(...options) {
  const root = fileURLToPath(new URL("../..", import.meta.url));
  execFileSync(process.execPath, ["scripts/docs.mjs", "--no-build"], {
    cwd: root,
    stdio: ["ignore", "ignore", "pipe"], // if it fails, the error contains what it has written
  });
  await setUpBrowser(...options);
}
