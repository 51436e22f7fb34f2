import { init } from "crateful";

init().then(() => import("./forest.js")); // the program runs when the WebAssembly module is loaded
