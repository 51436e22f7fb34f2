// Configuring and building one of CMakePresets.json's presets.
import { existsSync, readFileSync } from "node:fs";
import path from "node:path";
import process from "node:process";
import { cores, fromRoot, run, say, which } from "./process.mjs";

/** Configures and builds `preset`; `targets` empty means all of them. `options` are -D… for CMake. */
export function cmakeBuild(preset, { env = process.env, targets = [], options = [] } = {}) {
  say(`cmake: ${preset}`);
  // No generator is fixed in the presets, so that a machine without Ninja builds with make.
  const generator = env.CMAKE_GENERATOR ?? (which("ninja", env) ? "Ninja" : undefined);
  const withGenerator = generator ? { ...env, CMAKE_GENERATOR: generator } : env;
  const fresh = isStale(preset, withGenerator) ? ["--fresh"] : [];
  run("cmake", ["--preset", preset, ...fresh, ...options, "--log-level=WARNING"], { env: withGenerator });
  const chosen = targets.length > 0 ? ["--target", ...targets] : [];
  run("cmake", ["--build", "--preset", preset, "--parallel", String(cores), ...chosen], { env: withGenerator });
}

/** A build folder remembers its generator, compiler and source folder and refuses others. */
function isStale(preset, env) {
  const cacheFile = fromRoot("build", preset, "CMakeCache.txt");
  if (!existsSync(cacheFile)) return false;
  const cache = readFileSync(cacheFile, "utf8");
  const value = (name) => new RegExp(`^${name}:[A-Z]+=(.*)$`, "m").exec(cache)?.[1];
  const toolchain = preset.startsWith("wasm")
    ? path.join(env.EMSCRIPTEN_ROOT, "cmake/Modules/Platform/Emscripten.cmake")
    : undefined;
  return (
    value("CMAKE_HOME_DIRECTORY") !== fromRoot() ||
    (env.CMAKE_GENERATOR !== undefined && value("CMAKE_GENERATOR") !== env.CMAKE_GENERATOR) ||
    (env.CMAKE_GENERATOR === undefined && value("CMAKE_GENERATOR") === "Ninja") ||
    (toolchain !== undefined && value("CMAKE_TOOLCHAIN_FILE") !== toolchain)
  );
}
