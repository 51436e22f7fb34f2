import "./checks.js";

export * from "../node.js";
