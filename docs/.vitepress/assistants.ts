// What assistants read: llms.txt, and all documents as Markdown.
import { cpSync, writeFileSync } from "node:fs";
import path from "node:path";
import type { SiteConfig } from "vitepress";
import { contents } from "./contents.js";
import { reports } from "./markdown.js";

/** The document of a page. */
const documentOf = (link: string): string => `${link.slice(1)}${link.endsWith("/") ? "README" : ""}.md`;

/** Writes them beside the pages. */
export function writeForAssistants({ srcDir, outDir, site }: SiteConfig): void {
  const lists = contents.map(({ text, items }) => {
    const links = items.flatMap((item) =>
      item.target ? [] : `- [${item.text}](${site.base}${documentOf(item.link)})`,
    );
    return `## ${text}\n\n${links.join("\n")}\n`;
  });
  const first = `Read [the page for assistants](${site.base}for-assistants.md) first: the whole API with programs, and the mistakes that people make.`;
  writeFileSync(
    path.join(outDir, "llms.txt"),
    `# ${site.title}\n\n> ${site.description}\n\n${first}\n\n${lists.join("\n")}`,
  );
  const isDocument = (file: string) => path.extname(file) === "" || file.endsWith(".md");
  const isHidden = (file: string) => /^(\.vitepress|public)\b/.test(file) || `${file}/` === reports;
  cpSync(srcDir, outDir, {
    recursive: true,
    filter: (file) => isDocument(path.basename(file)) && !isHidden(path.relative(srcDir, file)),
  });
}
