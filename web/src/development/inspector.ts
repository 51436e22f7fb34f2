import "./checks.js";
import "./loop.js"; // as in ../inspector.ts

export * from "../inspector.js";
