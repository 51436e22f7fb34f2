"use client";
// So that the entries share one file: esbuild makes one for each set of sources that the same entries use.
import "./api.js";
import "./init.js";

export * from "./adapters/react.js";
