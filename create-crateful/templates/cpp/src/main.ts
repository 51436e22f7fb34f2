// Loads the module that CMake has built from game.cpp, and then the game.
import { init } from "crateful/module";
import createGame from "../build/game.mjs";

init({ module: createGame }).then(async (cpp) => (await import("./game.ts")).run(cpp));
