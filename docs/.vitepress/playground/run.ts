// What the frame gets: the package, as texts of modules, and the program as JavaScript.
import { transform } from "sucrase";
import page from "./frame.html?raw";
import script from "./frame.js?raw";
import show from "./show.js?raw";

// The development build loads a module of its own, so those of the production build are left out.
const files = import.meta.glob<string>(
  ["../../../dist/development/{crateful,binary,glue,inline,state}.js", "../../../dist/{glue,state_glue}.js"],
  { query: "?raw", import: "default", eager: true },
);

/** The document of the frame. */
export const frame = page.replace("/* script */", () => `${show}\n${script}`);

/** What is posted to it; `modules` has their texts by what they are imported as. */
export interface Start {
  readonly modules: Readonly<Record<string, string>>;
  readonly program: string;
  readonly inspector: boolean;
}

const nameOf = (file: string): string => file.replace("../../../dist/", "crateful/dist/");
/** Modules in blobs have no folder, so what they import has a name from the root. */
const withNames = (text: string, name: string): string =>
  text.replace(/^(.*\bfrom )"(\.[^"]+)";$/gm, (_, start: string, target: string) => {
    const { pathname } = new URL(target, `file:///${name}`);
    return `${start}"${pathname.slice(1)}";`;
  });
const exportsOf = (entry: string): string => `export * from "crateful/dist/development/${entry}.js";`;

const shared: Record<string, string> = {
  ...Object.fromEntries(Object.entries(files).map(([file, text]) => [nameOf(file), withNames(text, nameOf(file))])),
  "crateful/dist/binary.js": 'export default "";',
  "crateful/dist/state_binary.js": 'export default "";',
  crateful: exportsOf("inline"),
  "crateful/inline": exportsOf("inline"),
  "crateful/state": exportsOf("state"),
  "crateful/state/inline": exportsOf("state"),
};

async function inspectorModules(): Promise<Record<string, string>> {
  const name = "crateful/dist/development/inspector.js";
  const { default: text } = await import("../../../dist/development/inspector.js?raw");
  return { [name]: withNames(text, name), "crateful/inspector": exportsOf("inspector") };
}

/** Throws a SyntaxError, with `loc`, if the program can't be read. */
export async function start(program: string, inspector: boolean): Promise<Start> {
  // Lines stay where they are.
  const { code } = transform(program, { transforms: ["typescript"], disableESTransforms: true });
  const needed = inspector || code.includes("crateful/inspector");
  return { modules: { ...shared, ...(needed ? await inspectorModules() : {}) }, program: code, inspector };
}
