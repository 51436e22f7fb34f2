import { init } from "crateful";

init().then(() => import("./crates.js")); // it runs when the WebAssembly module is loaded
