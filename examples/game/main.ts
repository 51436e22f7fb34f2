import { init } from "crateful";

init().then(() => import("./game.js")); // the game runs when the WebAssembly module is loaded
