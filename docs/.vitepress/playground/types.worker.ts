// TypeScript's language service for one program, with the types of the package.
import { createSystem, createVirtualTypeScriptEnvironment } from "@typescript/vfs";
import { expose } from "comlink";
import ts from "typescript";
import manifest from "../../../package.json?raw";

const libraries = import.meta.glob<string>(
  "../../../node_modules/typescript/lib/lib.{decorators,dom,es5,es6,es20}*.d.ts",
  {
    query: "?raw",
    import: "default",
    eager: true,
  },
);
const declarations = import.meta.glob<string>(
  ["../../../dist/**/*.d.ts", "!**/{cjs,development,adapters,panel}/**", "!**/{react,three,colyseus}.d.ts"],
  { query: "?raw", import: "default", eager: true },
);

const files = new Map([["/node_modules/crateful/package.json", manifest]]);
for (const [file, text] of Object.entries(libraries)) files.set(`/${file.split("/").at(-1)}`, text);
for (const [file, text] of Object.entries(declarations))
  files.set(file.replace("../../../", "/node_modules/crateful/"), text);

const FILE = "/main.ts";
files.set(FILE, "export {};");
const environment = createVirtualTypeScriptEnvironment(createSystem(files), [FILE], ts, {
  strict: true,
  noImplicitOverride: true,
  target: ts.ScriptTarget.ES2022,
  module: ts.ModuleKind.ESNext,
  moduleResolution: ts.ModuleResolutionKind.Bundler,
  moduleDetection: ts.ModuleDetectionKind.Force,
  lib: ["lib.es2023.d.ts", "lib.dom.d.ts"],
  types: [],
  skipLibCheck: true,
});
const { languageService } = environment;

const textOf = (parts: readonly ts.SymbolDisplayPart[] | undefined): string =>
  ts.displayPartsToString([...(parts ?? [])]);

/** A declaration and its comment. */
export interface Explanation {
  readonly declaration: string;
  readonly comment: string;
}

const service = {
  update(text: string): void {
    environment.updateFile(FILE, text || " "); // an empty text would be a missing file
  },
  errors() {
    const found = [...languageService.getSyntacticDiagnostics(FILE), ...languageService.getSemanticDiagnostics(FILE)];
    return found.map(({ start = 0, length = 0, messageText }) => ({
      from: start,
      to: start + length,
      severity: "error" as const,
      message: ts.flattenDiagnosticMessageText(messageText, "\n"),
    }));
  },
  completions(position: number) {
    const found = languageService.getCompletionsAtPosition(FILE, position, {});
    return (found?.entries ?? []).map(({ name, kind, sortText }) => ({ name, kind, sortText }));
  },
  explainCompletion(position: number, name: string): Explanation | undefined {
    const details = languageService.getCompletionEntryDetails(FILE, position, name, {}, undefined, {}, undefined);
    return details && { declaration: textOf(details.displayParts), comment: textOf(details.documentation) };
  },
  explain(position: number) {
    const info = languageService.getQuickInfoAtPosition(FILE, position);
    if (info === undefined) return undefined;
    const { start, length } = info.textSpan;
    const explanation = { declaration: textOf(info.displayParts), comment: textOf(info.documentation) };
    return { from: start, to: start + length, ...explanation };
  },
};
export type TypeService = typeof service;
expose(service);
