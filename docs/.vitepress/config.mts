// The site of the documentation: `npm run docs`. Its pages are the Markdown files of this folder.
import path from "node:path";
import { fileURLToPath } from "node:url";
import { defineConfig, type MarkdownOptions } from "vitepress";

const repository = "https://github.com/crateful/crateful";

/** As GitHub makes them. */
const anchor = (heading: string): string =>
  heading
    .toLowerCase()
    .replace(/[^\p{L}\p{N} _-]/gu, "")
    .replaceAll(" ", "-");

/** What is no page: reports of API Extractor. */
const reports = "api/";

/** Links to files that are no pages lead to the repository, and what is empty is no heading of a column. */
const changeMarkdown: MarkdownOptions["config"] = (md) => {
  md.core.ruler.push("empty-headings", ({ tokens }) => {
    tokens.forEach((token, i) => {
      if (token.type !== "th_open" || tokens[i + 1]!.content !== "") return;
      token.tag = tokens[i + 2]!.tag = "td";
    });
  });
  md.core.ruler.push("links-to-the-repository", ({ tokens, env }) => {
    const folder = path.posix.join("docs", path.posix.dirname(env.relativePath));
    for (const link of tokens.flatMap(({ children }) => children ?? [])) {
      const target = link.attrGet("href");
      if (link.type !== "link_open" || target === null || /^(\w+:|[#/])/.test(target)) continue;
      const file = path.posix.join(folder, target);
      if (file.startsWith("docs/") && !file.startsWith(`docs/${reports}`)) continue;
      link.attrSet("href", `${repository}/${file.endsWith("/") ? "tree" : "blob"}/main/${file}`);
    }
  });
};

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
  head: [["link", { rel: "icon", href: "data:image/svg+xml,<svg xmlns='http://www.w3.org/2000/svg' viewBox='0 0 8 8'><path fill='%23c98a4b' d='M0 0h8v8H0z'/><path stroke='%235d3a1a' fill='none' d='M.5.5h7v7h-7zl7 7m0-7-7 7'/></svg>" }]],
  outDir: fileURLToPath(new URL("../../build/site", import.meta.url)),
  cacheDir: fileURLToPath(new URL("../../build/vitepress", import.meta.url)),
  // The layout of the first page has no landmark for its content.
  transformHtml: (html) => html.replace('<div class="VPContent is-home"', '$& role="main"'),
  srcExclude: [`${reports}**`],
  rewrites: { "guide/README.md": "guide/index.md" },
  cleanUrls: true,
  markdown: { theme: { light: "github-light-high-contrast", dark: "github-dark-high-contrast" }, anchor: { slugify: anchor }, config: changeMarkdown },
  themeConfig: {
    search: {
      provider: "local",
      options: {
        miniSearch: {
          // What explains comes before what defines, and that before the background.
          searchOptions: {
            boostDocument: (id: string) =>
              /\/(guide|saving|multiplayer|coming-from\.)/.test(id) ? 2 : /\/(benchmarks|design|demo|articles)/.test(id) ? 0.5 : 1,
          },
        },
      },
    },
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
