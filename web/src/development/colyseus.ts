import "./checks.js";
import "./loop.js"; // which the other entries contain too, so that there is one common file

export * from "../colyseus.js";
