// Transpiles a file of the tests for Jest, without a check of types.
import { readFileSync } from "node:fs";
import { transformSync } from "esbuild";
import { fromRoot } from "./process.mjs";

const tsconfigRaw = readFileSync(fromRoot("tests/tsconfig.json"), "utf8");

export default {
  process(source, file) {
    const loader = file.endsWith("x") ? "tsx" : "ts";
    return transformSync(source, {
      loader,
      sourcefile: file,
      sourcemap: "external",
      format: "esm",
      target: "es2022",
      tsconfigRaw,
    });
  },
};
