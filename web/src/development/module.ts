import "./checks.js";

export * from "../module.js";
