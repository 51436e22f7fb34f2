// Configuring and building one of CMakePresets.json's presets.
import { existsSync, readFileSync } from "node:fs";
import path from "node:path";
import process from "node:process";
import { cores, fromRoot, output, run, say, which } from "./process.mjs";

/** Configures `preset` if necessary and builds `targets` (empty: all). `options` are -D… for CMake. */
export function cmakeBuild(preset, { env = process.env, targets = [], options = [] } = {}) {
  say(`cmake: ${preset} ${targets.join(" ")}`);
  // The presets name no generator, so that a machine without Ninja builds with make.
  const generator = env.CMAKE_GENERATOR ?? (which("ninja", env) ? "Ninja" : undefined);
  const compiler = compilerOf(preset);
  const buildEnv = {
    ...env,
    ...(generator ? { CMAKE_GENERATOR: generator } : {}),
    ...compilerSettings({ ...env, CXX: compiler ?? env.CXX }),
  };
  const state = configuration(preset, buildEnv, options);
  if (state !== "current") {
    const fresh = state === "stale" ? ["--fresh"] : [];
    run("cmake", ["--preset", preset, ...fresh, ...options, "--log-level=WARNING"], { env: buildEnv });
  }
  const chosen = targets.length > 0 ? ["--target", ...targets] : [];
  run("cmake", ["--build", "--preset", preset, "--parallel", String(cores), ...chosen], { env: buildEnv });
}

/** The compiler that a preset names; undefined: CMake chooses. */
function compilerOf(preset) {
  const { configurePresets } = JSON.parse(readFileSync(fromRoot("CMakePresets.json"), "utf8"));
  return configurePresets.find(({ name }) => name === preset).cacheVariables.CMAKE_CXX_COMPILER;
}

/** Compilers get memory in large pages and in large parts, where the C library is glibc: it saves a tenth of their time. */
export const compilerMemory = { GLIBC_TUNABLES: "glibc.malloc.hugetlb=1:glibc.malloc.top_pad=67108864" };

/**
 * The environment of compilers that CMake starts, with ccache, where it is installed. Clones of the repository, or copies of the package in
 * folders below `base`, share results: paths are relative, and times of files do not count.
 */
export function compilerSettings(env, base = fromRoot()) {
  const ccache = which("ccache", env);
  if (!ccache) return compilerMemory;
  // em++ is a script that starts clang; the version stands for all that belongs to a compiler.
  const compilers = [env.CXX ?? "c++", "emcc"].filter((name) => which(name, env));
  return {
    ...compilerMemory,
    CMAKE_CXX_COMPILER_LAUNCHER: ccache,
    CCACHE_BASEDIR: base,
    CCACHE_NOHASHDIR: "1",
    CCACHE_DEPEND: "1", // what is not cached is not preprocessed before it is compiled
    CCACHE_SLOPPINESS: "pch_defines,time_macros,include_file_mtime,include_file_ctime",
    CCACHE_COMPILERCHECK: `string:${compilers.map((name) => output(name, ["--version"], { env })).join("")}`,
  };
}

/**
 * "current": the build folder is configured as asked, and the generator itself notices changed CMakeLists.
 * "changed": an option has another value. "stale": another generator, compiler, compiler launcher, toolchain or source folder,
 * which CMake refuses to change in an existing build folder.
 */
function configuration(preset, env, options) {
  const cacheFile = fromRoot("build", preset, "CMakeCache.txt");
  if (!existsSync(cacheFile)) return "changed";
  const cache = readFileSync(cacheFile, "utf8");
  const value = (name) => new RegExp(`^${name}:[A-Z]+=(.*)$`, "m").exec(cache)?.[1];
  const toolchain = preset.startsWith("wasm")
    ? path.join(env.EMSCRIPTEN_ROOT, "cmake/Modules/Platform/Emscripten.cmake")
    : undefined;
  const compiler = compilerOf(preset);
  const stale =
    (compiler !== undefined && path.basename(value("CMAKE_CXX_COMPILER") ?? "") !== compiler) ||
    value("CMAKE_HOME_DIRECTORY") !== fromRoot() ||
    (env.CMAKE_GENERATOR !== undefined && value("CMAKE_GENERATOR") !== env.CMAKE_GENERATOR) ||
    (env.CMAKE_GENERATOR === undefined && value("CMAKE_GENERATOR") === "Ninja") ||
    value("CMAKE_CXX_COMPILER_LAUNCHER") !== env.CMAKE_CXX_COMPILER_LAUNCHER ||
    (toolchain !== undefined && value("CMAKE_TOOLCHAIN_FILE") !== toolchain);
  if (stale) return "stale";
  const generated = ["build.ninja", "Makefile"].some((file) => existsSync(fromRoot("build", preset, file)));
  const asked = options.every((option) => {
    const [, name, wanted] = /^-D(\w+)=(.*)$/.exec(option);
    return value(name) === wanted;
  });
  return generated && asked ? "current" : "changed";
}
