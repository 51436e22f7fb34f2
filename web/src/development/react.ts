"use client";
import "./checks.js";
import "./loop.js"; // as in ../react.ts

export * from "../react.js";
