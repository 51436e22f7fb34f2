// npm run docs: builds everything, and the site of the documentation with the demo in build/site. --watch serves it while the documents
// change, without the demo; --no-build builds only the site.
import process from "node:process";
import { build } from "./build.mjs";
import { fromRoot, main } from "./process.mjs";
import { ensureNodeModules } from "./toolchain.mjs";

await main(async () => {
  const watch = process.argv.includes("--watch");
  ensureNodeModules();
  if (!watch && !process.argv.includes("--no-build")) build();
  const vitepress = await import("vitepress"); // needs node_modules
  if (watch) {
    const server = await vitepress.createServer(fromRoot("docs"));
    await server.listen();
    server.printUrls();
    return;
  }
  await vitepress.build(fromRoot("docs"));
  const { buildPage } = await import("./page.mjs");
  await buildPage(fromRoot("build/site/room"));
});
