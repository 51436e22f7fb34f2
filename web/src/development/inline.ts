import "./checks.js";

export * from "../inline.js";
