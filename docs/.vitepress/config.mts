// The site of the documentation: `npm run docs`. Its pages are the Markdown files of this folder.
import process from "node:process";
import { fileURLToPath } from "node:url";
import { defineConfig } from "vitepress";
import { writeForAssistants } from "./assistants.js";
import { contents, navigation } from "./contents.js";
import { markdown, reports } from "./markdown.js";
import { repository } from "./repository.js";

const base = (process.env.DOCS_BASE ?? "/") as `/${string}`;

export default defineConfig({
  title: "Crateful",
  description:
    "An entity component system in C++ and WebAssembly for TypeScript: a frame costs what changed, not what exists.",
  lang: "en",
  base,
  head: [["link", { rel: "icon", href: `${base}crate.svg` }]],
  outDir: fileURLToPath(new URL("../../build/site", import.meta.url)),
  cacheDir: fileURLToPath(new URL("../../build/vitepress", import.meta.url)),
  srcExclude: [`${reports}**`],
  rewrites: { ":folder/README.md": ":folder/index.md" },
  cleanUrls: true,
  markdown,
  vite: {
    build: { chunkSizeWarningLimit: 1500 }, // the playground's chunk with the package, in kilobytes
    // For --watch: Vite would find them when the editor is loaded, and load the page again, while the user types.
    optimizeDeps: {
      include: [
        "@codemirror/autocomplete",
        "@codemirror/lang-javascript",
        "@codemirror/language",
        "@codemirror/lint",
        "@codemirror/state",
        "@codemirror/view",
        "@lezer/highlight",
        "@typescript/vfs",
        "codemirror",
        "comlink",
        "sucrase",
        "typescript",
      ],
    },
  },
  // The layout of the first page has no landmark for its content.
  transformHtml: (html) => html.replace('<div class="VPContent is-home"', '$& role="main"'),
  buildEnd: writeForAssistants,
  themeConfig: {
    search: {
      provider: "local",
      options: {
        miniSearch: {
          searchOptions: {
            // What explains comes before what defines, and that before the background. It runs in the page.
            boostDocument(id: string) {
              if (/\/(guide|saving|multiplayer|recipes\/\w)/.test(id)) return 2;
              return /\/(benchmarks|design|demo|articles|for-assistants)/.test(id) ? 0.5 : 1;
            },
            // The name of a library is the most important word of a question, and "how do I" the least. It runs in the page.
            boostTerm(term: string) {
              if (/^(koota|bitecs|miniplex|becsy|bevy|unity|entt|flecs)$/i.test(term)) return 2;
              return /^(an?|and|are|can|do|does|for|from|how|i|in|is|it|my|of|on|or|the|to|use|what|when|with)$/i.test(
                term,
              )
                ? 0.1
                : 1;
            },
          },
        },
      },
    },
    editLink: { pattern: `${repository}/edit/main/docs/:path`, text: "Edit this page" },
    outline: { level: [2, 3] },
    socialLinks: [{ icon: "github", link: repository }],
    nav: navigation,
    sidebar: contents,
  },
});
