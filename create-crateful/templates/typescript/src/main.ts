// Loads the WebAssembly module, and then the game, whose files can use an ECS at once.
import { init } from "crateful";

init().then(() => import("./game.ts"));
