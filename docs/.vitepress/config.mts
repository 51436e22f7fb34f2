// The site of the documentation: `npm run docs`. Its pages are the Markdown files of this folder.
import { fileURLToPath } from "node:url";
import { defineConfig } from "vitepress";

const repository = "https://github.com/crateful/crateful";

/** As GitHub makes them. */
const anchor = (heading: string): string =>
  heading
    .toLowerCase()
    .replace(/[^\p{L}\p{N} _-]/gu, "")
    .replaceAll(" ", "-");

const guide = [
  ["Entities and components", "entities-and-components"],
  ["Queries", "queries"],
  ["Systems", "systems"],
  ["Filters, order and intervals", "filters-order-and-intervals"],
  ["Dirty tracking", "dirty-tracking"],
  ["Hierarchy", "hierarchy"],
  ["The world entity", "the-world-entity"],
  ["Aspects", "aspects"],
  ["Events", "events"],
  ["Time", "time"],
  ["Clearing", "clearing"],
  ["Bulk operations", "bulk-operations"],
  ["Errors", "errors"],
  ["Development build", "development-build"],
  ["Hot reload", "hot-reload"],
  ["Measuring", "measuring"],
  ["Testing your game", "testing-your-game"],
];
const page = (text: string, link: string) => ({ text, link: `/${link}` });

export default defineConfig({
  title: "Crateful",
  description: "An entity component system in C++ and WebAssembly for TypeScript: a frame costs what changed, not what exists.",
  lang: "en",
  base: process.env.DOCS_BASE ?? "/",
  outDir: fileURLToPath(new URL("../../build/site", import.meta.url)),
  cacheDir: fileURLToPath(new URL("../../build/vitepress", import.meta.url)),
  srcExclude: ["api/**"], // reports of API Extractor
  rewrites: { "guide/README.md": "guide/index.md" },
  cleanUrls: true,
  markdown: { anchor: { slugify: anchor } },
  themeConfig: {
    search: { provider: "local" },
    editLink: { pattern: `${repository}/edit/main/docs/:path`, text: "Edit this page" },
    outline: { level: [2, 3] },
    socialLinks: [{ icon: "github", link: repository }],
    nav: [
      page("Guide", "guide/"),
      page("Rules", "rules"),
      page("Coming from", "coming-from"),
      page("C++", "cpp"),
      page("Benchmarks", "benchmarks"),
    ],
    sidebar: [
      { text: "Guide", items: [page("Introduction", "guide/"), ...guide.map(([text, file]) => page(text, `guide/${file}`))] },
      {
        text: "State",
        items: [page("Saving, sending, rewinding", "saving"), page("Multiplayer", "multiplayer"), page("Inspector", "inspector")],
      },
      {
        text: "With other libraries",
        items: [page("React", "react"), page("three.js", "three"), page("Workers", "workers"), page("Environments", "environments")],
      },
      {
        text: "Coming from",
        items: [page("koota, bitECS, miniplex, …", "coming-from"), page("EnTT, Flecs, Bevy, Unity", "coming-from-cpp")],
      },
      { text: "C++", items: [page("The C++ library", "cpp"), page("Your own module", "your-own-module")] },
      {
        text: "Reference",
        items: [page("Rules", "rules"), page("Format of snapshots", "format"), page("Glossary", "glossary")],
      },
      {
        text: "Background",
        items: [
          page("Benchmarks", "benchmarks"),
          page("The demo", "demo"),
          page("Design", "design"),
          page("The articles", "articles"),
        ],
      },
    ],
  },
});
