// The adapter for three.js. What it shares with the other entries is in their common file, so it works with each of them.
import "./init.js"; // which the others contain too, so that there is one common file

export { InstancedRows } from "./adapters/three.js";
