import "./checks.js";
import text from "crateful:binary";
import factory from "crateful:glue";
import inspectorText from "crateful:inspector_binary";
import inspectorFactory from "crateful:inspector_glue";
import { $state as production } from "../cjs.js";
import { type Library, decoded } from "../init.js";
import type { init as Init } from "../inline.js";
import { developing } from "./init.js";
import { checkRecordings } from "./recordings.js";

export * from "../cjs.js";
export { startLoop } from "./loop.js";

export const init = developing(
  { factory, binary: () => decoded(text) },
  { factory: inspectorFactory, binary: () => decoded(inspectorText) },
  false,
) as typeof Init;
/** What state.js uses. @internal */
export const $state = {
  ...production,
  developing: (own: Library) =>
    developing(own, { ...own, factory: inspectorFactory, binary: () => decoded(inspectorText) }, true),
};

checkRecordings();
