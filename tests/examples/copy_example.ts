import { cpSync } from "node:fs";
import path from "node:path";
import { root, type Consumer } from "../package/consumer.js";

/** Copies the files of an example that git would track into the consumer's folder. Returns the copy. */
export function copyExample(example: string, consumer: Consumer): string {
  const folder = path.join(consumer.folder, example);
  cpSync(path.join(root, "examples", example), folder, {
    recursive: true,
    filter: (file) => !/^(build|dist|out|node_modules)$/.test(path.basename(file)),
  });
  return folder;
}
