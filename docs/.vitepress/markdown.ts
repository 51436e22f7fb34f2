// How the documents become pages.
import path from "node:path";
import { deflateRawSync } from "node:zlib";
import type { MarkdownOptions } from "vitepress";
import { repository } from "./repository.js";

/** As GitHub makes them. */
const slugify = (heading: string): string =>
  heading
    .toLowerCase()
    .replace(/[^\p{L}\p{N} _-]/gu, "")
    .replaceAll(" ", "-");

/** What is no page: reports of API Extractor. */
export const reports = "api/";

/** The address of the playground with a program, which playground/address.ts reads. */
const playgroundOf = (program: string): string =>
  `/playground#code=${deflateRawSync(program, { level: 9 }).toString("base64url")}`;

type Token = ReturnType<Parameters<NonNullable<MarkdownOptions["config"]>>[0]["parse"]>[number];
const isProgram = ({ type, info }: Token) => type === "fence" && / playground\b/.test(info);

/**
 * Programs with "playground" behind their language have a link to it, and the one of the first page, with the output below it, is edited in
 * place. Links to files that are no pages lead to the repository, and what is empty is no heading of a column.
 */
const change: MarkdownOptions["config"] = (md) => {
  md.core.ruler.push("edit-in-place", ({ tokens, env, Token }) => {
    if (env.relativePath !== "index.md") return;
    const at = tokens.findIndex(isProgram);
    if (tokens[at + 1]?.info !== "text") throw new Error("the first page has no program with its output below it");
    const html = (content: string) => Object.assign(new Token("html_block", "", 0), { content });
    const [program, output] = tokens.slice(at, at + 2) as [Token, Token];
    program.info = "ts";
    const start = html(`<EditableExample address="${playgroundOf(program.content)}">`);
    tokens.splice(at, 2, start, program, html("<template #output>"), output, html("</template></EditableExample>"));
  });
  md.core.ruler.push("open-in-the-playground", (state) => {
    state.tokens = state.tokens.flatMap((token) => {
      if (!isProgram(token)) return token;
      const address = playgroundOf(token.content);
      token.info = token.info.replace(" playground", "");
      const link = md.parse(`[Open in the playground](${address})`, state.env);
      link[0]!.attrJoin("class", "open-in-the-playground");
      return [token, ...link];
    });
  });
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
      const isPage = file.startsWith("docs/") && !file.startsWith(`docs/${reports}`);
      if (isPage) link.attrSet("href", target.replace("README.md", "index.md"));
      else link.attrSet("href", `${repository}/${file.endsWith("/") ? "tree" : "blob"}/main/${file}`);
    }
  });
};

export const markdown: MarkdownOptions = {
  theme: { light: "github-light-high-contrast", dark: "github-dark-high-contrast" }, // the usual ones have too little
  anchor: { slugify },
  config: change,
};
