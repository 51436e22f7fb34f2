import "./checks.js";
import text from "crateful:binary";
import factory from "crateful:glue";
import inspectorText from "crateful:inspector_binary";
import inspectorFactory from "crateful:inspector_glue";
import { decoded } from "../init.js";
import type { init as Init } from "../inline.js";
import { developing } from "./init.js";

export * from "../inline.js";
export { startLoop } from "./loop.js";

export const init = developing(
  { factory, binary: () => decoded(text) },
  { factory: inspectorFactory, binary: () => decoded(inspectorText) },
  false,
) as typeof Init;
