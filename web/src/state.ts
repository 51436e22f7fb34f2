// Snapshots. What this entry shares with the others is in their common file, so it works with each of them.
import "./api.js"; // which the others contain too, so that there is one common file
import "./init.js";

export * from "./state/index.js";
