// Frameworks that render pages on a server or while they are built, and again in the browser.
import assert from "node:assert/strict";
import { copyFileSync } from "node:fs";
import path from "node:path";
import { serveFolder } from "../browser/serve.js";
import { root } from "../package/consumer.js";
import { end } from "../pages/page.js";
import { startServer, type Served } from "../pages/server.js";
import type { Environment } from "./environment.js";
import { binary, exampleModule, MODULES, printed, type Entry, type Project } from "./project.js";

/** Opens a page in the browser; resolves with what its program prints. */
export type Open = (serving: Promise<Served>) => Promise<string[]>;

/** Statements that run the example, and collect its lines. */
const COLLECT = "const lines = []; await run((line) => lines.push(line));";
/** An expression that runs the example in the browser. */
const IN_BROWSER = `run(console.log).then(() => { ${end} })`;
const ICON = '<link rel="icon" href="data:,">';

/** What a page is sent with in the element `pre`. */
async function sentLines(url: string): Promise<string[]> {
  const answer = await (await fetch(url)).text();
  return /<pre>([\s\S]*)<\/pre>/.exec(answer)![1]!.split("\n");
}

/** Where a page of Next.js runs the example. */
type Place = "client" | "server" | "edge";
/** How Next.js is started: what builds the pages, or the development server. */
type Way = "Turbopack" | "webpack" | "development";

const nextPages = {
  client: (example: string) => `"use client";
    import { useEffect } from "react";
    import { run } from "${example}";
    export default function Page() {
      useEffect(() => void ${IN_BROWSER}, []);
      return null;
    }`,
  server: (example: string) => `import { run } from "${example}";
    export const dynamic = "force-dynamic"; // not while it is built
    export default async function Page() {
      ${COLLECT}
      return <pre>{lines.join("\\n")}</pre>;
    }`,
  edge: (example: string) => `import { run } from "${example}";
    export const runtime = "edge";
    export async function GET() {
      try {
        ${COLLECT}
        return new Response(lines.join("\\n"));
      } catch ({ message }) {
        return new Response(message, { status: 500 });
      }
    }`,
};

/** The address of a page, from that of the server. */
const nextPage = (where: Place, entry: Entry, fixed: boolean) =>
  `${where}-${entry.replace("/", "-")}${where === "edge" && fixed ? "-fixed" : ""}`;

/** Next.js, with the pages of one way in one project, because a build takes half a minute for any number of them. */
function next(open: Open): Environment[] {
  const servers = new Map<Way, Promise<Served>>();

  async function serve(project: Project, way: Way, places: Place[]): Promise<Served> {
    project.write("app/layout.jsx", "export default ({ children }) => <html lang='en'><body>{children}</body></html>;");
    project.write(
      "next.config.mjs",
      `export default { reactStrictMode: true, turbopack: { root: ${JSON.stringify(root)} } };`,
    );
    for (const entry of ["crateful", "crateful/inline"] as const) {
      const example = exampleModule(entry);
      project.write(`examples/${entry}.js`, example);
      const imported = `import wasm from "./crateful.wasm?module";\n${example.replace("init()", "init({ wasm })")}`;
      project.write(`examples/fixed/${entry}.js`, entry === "crateful" ? imported : example);
      for (const where of places) {
        for (const fixed of where === "edge" ? [false, true] : [false]) {
          const file = `app/${nextPage(where, entry, fixed)}/${where === "edge" ? "route.js" : "page.jsx"}`;
          project.write(file, nextPages[where](`../../examples/${fixed ? "fixed/" : ""}${entry}.js`));
        }
      }
    }
    copyFileSync(
      path.join(project.folder, "../node_modules/crateful/dist/crateful.wasm"),
      path.join(project.folder, "examples/fixed/crateful.wasm"),
    );
    if (way !== "development") project.run("next", "build", ...(way === "webpack" ? ["--webpack"] : []));
    const command = [way === "development" ? "dev" : "start", "--port", "0", "--hostname", "localhost"];
    return startServer(binary("next"), command, project.folder);
  }

  const environment = (name: string, way: Way, places: Place[], where: Place): Environment => ({
    name: `Next.js, ${name}`,
    version: "next",
    async run(project, entry, fixed) {
      if (!servers.has(way)) servers.set(way, serve(project, way, places));
      const served = await servers.get(way)!;
      const address = new URL(nextPage(where, entry, fixed), served.url).href;
      if (where === "server") return sentLines(address);
      if (where === "client") {
        const lines = await open(Promise.resolve({ url: address, close: () => Promise.resolve() }));
        return way === "development" ? lines.slice(0, lines.length / 2) : lines; // StrictMode runs effects twice
      }
      const response = await fetch(address);
      const answer = await response.text();
      if (!response.ok) throw new Error(answer);
      return answer.split("\n");
    },
    async dispose() {
      await (await servers.get(way))?.close();
      servers.delete(way);
    },
  });
  const turbopack: Place[] = ["client", "server", "edge"];
  return [
    environment("client component, Turbopack", "Turbopack", turbopack, "client"),
    environment("client component, webpack", "webpack", ["client", "server"], "client"),
    environment("client component, development server, StrictMode", "development", ["client"], "client"),
    environment("server component, Turbopack", "Turbopack", turbopack, "server"),
    environment("server component, webpack", "webpack", ["client", "server"], "server"),
    {
      ...environment("edge runtime, Turbopack", "Turbopack", turbopack, "edge"),
      needs: {
        entry: "crateful",
        text: 'a copy of `crateful.wasm` in the project, `import wasm from "./crateful.wasm?module"` and `init({ wasm })`',
        message: /crateful\S*\.wasm can't be used: fetch failed; import from "crateful\/inline", or pass the address/,
      },
    },
  ];
}

/** A framework whose page prints the example while it is rendered, and again in the browser. */
function onBothSides(
  open: Open,
  name: string,
  version: string,
  /** Where the example belongs, and the other files. */
  files: Record<string, string> & { example: string },
  serve: (project: Project) => Promise<Served>,
): Environment {
  return {
    name: `${name}, on the server and in the page`,
    version,
    async run(project, entry) {
      const { example, ...others } = files;
      project.write("package.json", MODULES);
      project.write(example, exampleModule(entry));
      for (const [file, content] of Object.entries(others)) project.write(file, content);
      const served = await serve(project);
      return open(
        sentLines(served.url).then((lines) => {
          assert.deepEqual(lines, printed);
          return served;
        }),
      );
    },
  };
}

/** Serves a folder of the project. */
const folder = (project: Project, name: string) => serveFolder(path.join(project.folder, name));

const svelteKit = (open: Open) =>
  onBothSides(
    open,
    "SvelteKit",
    "@sveltejs/kit",
    {
      example: "src/routes/example.js",
      "vite.config.js": `import { sveltekit } from "@sveltejs/kit/vite"; export default { plugins: [sveltekit()] };`,
      "svelte.config.js": `import adapter from "@sveltejs/adapter-static"; export default { kit: { adapter: adapter() } };`,
      "src/app.html": `<html lang="en"><head>${ICON}%sveltekit.head%</head><body>%sveltekit.body%</body></html>`,
      "src/routes/+page.server.js": `import { run } from "./example.js";
        export const prerender = true;
        export async function load() {
          ${COLLECT}
          return { lines: lines.join("\\n") };
        }`,
      "src/routes/+page.svelte": `<script>
          import { onMount } from "svelte";
          import { run } from "./example.js";
          let { data } = $props();
          onMount(() => void ${IN_BROWSER});
        </script>
        <pre>{data.lines}</pre>`,
    },
    (project) => {
      project.run("node", path.join(root, "build/everywhere/node_modules/vite/bin/vite.js"), "build");
      return folder(project, "build");
    },
  );

const nuxt = (open: Open) =>
  onBothSides(
    open,
    "Nuxt",
    "nuxt",
    {
      example: "app/example.js",
      "nuxt.config.js": `export default {
        telemetry: false,
        devtools: { enabled: false },
        compatibilityDate: "2026-01-01",
        app: { head: { link: [{ rel: "icon", href: "data:," }] } },
      };`,
      "app/app.vue": `<script setup>
          import { run } from "./example.js";
          const { data } = await useAsyncData("lines", async () => {
            ${COLLECT}
            return lines.join("\\n");
          });
          onMounted(() => void ${IN_BROWSER});
        </script>
        <template><pre>{{ data }}</pre></template>`,
      "serve.mjs": `Object.assign(process.env, { HOST: "127.0.0.1", PORT: "0" });
        await import("./.output/server/index.mjs");`,
    },
    (project) => {
      project.run("nuxt", "build");
      return startServer("serve.mjs", [], project.folder);
    },
  );

const astro = (open: Open) =>
  onBothSides(
    open,
    "Astro",
    "astro",
    {
      example: "src/example.js",
      "src/pages/index.astro": `---
import { run } from "../example.js";
${COLLECT}
---
${ICON}<pre>{lines.join("\\n")}</pre>
<script>
  import { run } from "../example.js";
  ${IN_BROWSER};
</script>`,
    },
    (project) => {
      project.run("astro", "build");
      return folder(project, "dist");
    },
  );

const reactRouter = (open: Open) =>
  onBothSides(
    open,
    "React Router, framework mode",
    "@react-router/dev",
    {
      example: "app/example.js",
      "vite.config.js": `import { reactRouter } from "@react-router/dev/vite"; export default { plugins: [reactRouter()] };`,
      "react-router.config.js": 'export default { ssr: false, prerender: ["/"] };',
      "app/routes.js": 'import { index } from "@react-router/dev/routes"; export default [index("page.jsx")];',
      "app/root.jsx": `import { Outlet, Scripts } from "react-router";
        export default () => (
          <html lang="en">
            <head>${ICON.replace(">", " />")}</head>
            <body>
              <Outlet />
              <Scripts />
            </body>
          </html>
        );`,
      // Without this file, the tool asks for further packages.
      "app/entry.server.jsx": `import { renderToReadableStream } from "react-dom/server";
        import { ServerRouter } from "react-router";
        export default async (request, status, headers, context) =>
          new Response(await renderToReadableStream(<ServerRouter context={context} url={request.url} />), {
            status,
            headers,
          });`,
      "app/page.jsx": `import { useEffect } from "react";
        import { useLoaderData } from "react-router";
        import { run } from "./example.js";
        export async function loader() {
          ${COLLECT}
          return lines.join("\\n");
        }
        export default function Page() {
          useEffect(() => void ${IN_BROWSER}, []);
          return <pre>{useLoaderData()}</pre>;
        }`,
    },
    (project) => {
      project.run("react-router", "build");
      return folder(project, "build/client");
    },
  );

export const frameworks = (open: Open): Environment[] => [
  ...next(open),
  svelteKit(open),
  nuxt(open),
  astro(open),
  reactRouter(open),
];
