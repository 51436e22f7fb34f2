import { defineTests } from "./define.js";

await defineTests("webkit");
