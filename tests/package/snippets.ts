// The code blocks of a document, and how they are compiled and run.
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import path from "node:path";
import process from "node:process";
import { compileTypeScript, root, run } from "./consumer.js";

export interface Block {
  /** What follows the three backquotes: the language, and for code of another library also its name; without "playground". */
  info: string;
  /** Whether the site opens it in its playground. */
  playground: boolean;
  text: string;
}
export interface Section {
  title: string;
  blocks: Block[];
}

/** The sections of a document of this repository, with their code blocks. The first section has the document's title. */
export function sectionsOf(document: string): Section[] {
  const text = readFileSync(path.join(root, document), "utf8");
  const sections: Section[] = [];
  const heading = /^#{1,2} (?<title>.+)$|^```(?<info>[^\n]*)\n(?<code>[\s\S]*?)^```$/gm;
  for (const { groups } of text.matchAll(heading)) {
    const { title, info, code } = groups as Record<"title" | "info" | "code", string | undefined>;
    if (title !== undefined) sections.push({ title, blocks: [] });
    else {
      const [language, playground] = info!.split(/ (playground)$/) as [string, string?];
      sections.at(-1)!.blocks.push({ info: language, playground: playground !== undefined, text: code! });
    }
  }
  return sections;
}

/** A document as one section. */
export function page(document: string): Section {
  const sections = sectionsOf(document);
  return { title: sections[0]!.title, blocks: sections.flatMap(({ blocks }) => blocks) };
}

/** The section with that title. */
export function section(document: string, title: string): Section {
  const found = sectionsOf(document).find((other) => other.title === title);
  if (found === undefined) throw new Error(`${document} has no section "${title}"`);
  return found;
}

/** The blocks of a language, joined: blocks of one section continue each other. */
export function joined({ blocks }: Section, info: string): string {
  return blocks
    .filter((block) => block.info === info)
    .map(({ text }) => text)
    .join("");
}

export interface Document extends Section {
  /** The name of the file, without its ending. */
  name: string;
  program: string;
}

/** The pages of a folder that have such a program, or one with PixiJS. */
export const documentsWithPrograms = (folder: string): Document[] =>
  readdirSync(path.join(root, folder))
    .map((file) => {
      const section = page(`${folder}/${file}`);
      return {
        ...section,
        name: file.replace(".md", ""),
        program: section.blocks.find(({ playground }) => playground)?.text ?? joined(section, "ts pixi"),
      };
    })
    .filter(({ program }) => program !== "");

/** The program with these statements at the end of what runs when `init()` has resolved. */
export const thenRun = (program: string, statements: string): string =>
  program.replace(/^(init\([\s\S]*?)^(?=\}\);$)/m, (start) => `${start}${statements}\n`);

/** All flags of TypeScript that refuse code, and that a project may have set. */
export const STRICT = {
  strict: true,
  allowUnreachableCode: false,
  allowUnusedLabels: false,
  erasableSyntaxOnly: true,
  exactOptionalPropertyTypes: true,
  isolatedModules: true,
  noFallthroughCasesInSwitch: true,
  noImplicitOverride: true,
  noImplicitReturns: true,
  noPropertyAccessFromIndexSignature: true,
  noUncheckedIndexedAccess: true,
  noUncheckedSideEffectImports: true,
  noUnusedLocals: true,
  noUnusedParameters: true,
  verbatimModuleSyntax: true,
};

/** A program that loads another one when `init()`, of that entry, has resolved. */
export const starting = (name: string, entry = "crateful") =>
  `import { init } from "${entry}";\ninit().then(() => import("./${name}.js"));\n`;

export interface Programs {
  /** Runs a program that was compiled, when `init()` has resolved, with options of Node; returns its output. */
  run(name: string, ...options: string[]): string;
  dispose(): void;
}

/**
 * Compiles files, named without ".ts", with all strict flags, and with the modules of ES2020 without `await` outside of functions, which
 * older bundlers do not accept. They import this repository's package as "crateful"; `entry` is the one whose `init` is called.
 */
export function compilePrograms(files: Record<string, string>, entry?: string, module = "ES2020"): Programs {
  mkdirSync(path.join(root, "build"), { recursive: true });
  const folder = mkdtempSync(path.join(root, "build", "snippets-")); // in the repository, whose name is "crateful"
  for (const [name, code] of Object.entries(files)) {
    writeFileSync(path.join(folder, `${name}.ts`), code);
    writeFileSync(path.join(folder, `run-${name}.ts`), starting(name, entry));
  }
  const compilerOptions = {
    ...STRICT,
    target: "ES2022",
    module,
    moduleResolution: "bundler",
    lib: ["ES2023", "DOM"],
    types: [],
    skipLibCheck: true,
  };
  writeFileSync(path.join(folder, "tsconfig.json"), JSON.stringify({ compilerOptions, include: ["*.ts"] }));
  compileTypeScript(folder);
  return {
    run: (name, ...options) => run(process.execPath, [...options, path.join(folder, `run-${name}.js`)], root),
    dispose: () => rmSync(folder, { recursive: true, force: true }),
  };
}
