// npm start: builds everything and serves the demo page. PORT chooses the port; --no-build serves
// what is built already.
import { existsSync } from "node:fs";
import process from "node:process";
import { build } from "./build.mjs";
import { fromRoot, main, Stop } from "./process.mjs";

await main(async () => {
  const wanted = process.env.PORT;
  if (wanted !== undefined && !/^\d{1,5}$/.test(wanted)) throw new Stop(`PORT is no port number: ${wanted}`);
  if (!process.argv.includes("--no-build")) {
    // The page uses one module. If nothing has been built yet, its core is one unit, which is done in a third of the time.
    const first = !existsSync(fromRoot("build/wasm/CMakeCache.txt"));
    await build({ targets: ["crate_room"], options: first ? ["-DCRATEFUL_BUILD_PACKAGE=OFF"] : [] });
  }
  const { servePage } = await import("./page.mjs"); // needs node_modules, which build() brings
  // A chosen port must be free; instead of the default port the next free one is used.
  const { url } = await servePage(wanted === undefined ? {} : { port: Number(wanted), strictPort: true });
  console.log(`\nCrate room: ${url}`);
});
