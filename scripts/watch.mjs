// npm run watch: compiles web/ and runs tests/bindings again whenever a file changes. The WebAssembly modules are
// built once, at the start.
import { spawn } from "node:child_process";
import process from "node:process";
import { build, webBundles, compileTypes, esbuild } from "./build.mjs";
import { fromRoot, main } from "./process.mjs";
import { jestCommand } from "./parts/jest.mjs";

await main(async () => {
  await build({ targets: ["crateful_package", "native_fixture"] });
  const [jest, env] = jestCommand("bindings", ["--watchAll", ...process.argv.slice(2)]);
  const start = (args, options) => spawn(process.execPath, args, { cwd: fromRoot(), stdio: "inherit", ...options });
  const bundles = await Promise.all(webBundles.map((options) => esbuild().context(options)));
  for (const bundle of bundles) await bundle.watch();
  const children = [start([...compileTypes, "--watch", "--preserveWatchOutput"]), start(jest, { env })];
  await Promise.race(children.map((child) => new Promise((resolve) => child.once("exit", resolve))));
  for (const child of children) child.kill();
  for (const bundle of bundles) await bundle.dispose();
});
