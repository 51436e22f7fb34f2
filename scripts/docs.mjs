// npm run docs: builds everything, and the site of the documentation with the demo in build/site. --watch serves it while the documents
// change, without the demo and the reference; --no-build builds only the site.
import { readFileSync, readdirSync, writeFileSync } from "node:fs";
import path from "node:path";
import process from "node:process";
import { build } from "./build.mjs";
import { fromRoot, main, run, Stop } from "./process.mjs";
import { ensure, ensureNodeModules } from "./toolchain.mjs";

/** The reference of the TypeScript API, from the comments in `web/src`. */
async function writeReference(outDir) {
  const { Application } = await import("typedoc");
  const entries = ["index", "state", "inspector", "react", "three", "colyseus"];
  const app = await Application.bootstrap({
    name: "Crateful",
    entryPoints: entries.map((name) => fromRoot(`web/src/${name}.ts`)),
    tsconfig: fromRoot("web/tsconfig.json"),
    readme: "none",
    excludeInternal: true,
    excludePrivate: true,
    excludeExternals: true,
    disableSources: true, // lines of one version
    validation: { notExported: false }, // helpers of types
    navigationLinks: { Documentation: process.env.DOCS_BASE ?? "/" },
    favicon: fromRoot("docs/public/crate.svg"),
    logLevel: "Warn",
  });
  const project = await app.convert();
  if (project === undefined) throw new Stop("the reference cannot be built");
  await app.generateDocs(project, outDir);
}

/** The reference of the C++ library, from the comments in its headers. */
function writeCppReference() {
  ensure("doxygen");
  run("doxygen", ["docs/Doxyfile"]);
  const folder = fromRoot("build/site/cpp-reference");
  for (const name of readdirSync(folder).filter((each) => each.endsWith(".html"))) {
    const file = path.join(folder, name);
    const icon = '<link rel="icon" href="../crate.svg"/>'; // without it, browsers ask for /favicon.ico
    writeFileSync(file, readFileSync(file, "utf8").replace("</head>", `${icon}\n</head>`));
  }
}

await main(async () => {
  const watch = process.argv.includes("--watch");
  await ensureNodeModules();
  if (!watch && !process.argv.includes("--no-build")) await build();
  const vitepress = await import("vitepress"); // needs node_modules
  if (watch) {
    const server = await vitepress.createServer(fromRoot("docs"));
    await server.listen();
    server.printUrls();
    return;
  }
  await vitepress.build(fromRoot("docs"));
  await writeReference(fromRoot("build/site/reference"));
  writeCppReference();
  const { buildPage } = await import("./page.mjs");
  await buildPage(fromRoot("build/site/room"));
});
