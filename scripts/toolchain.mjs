// What building and testing need beyond Node and a shell. Each ensure…() finds its tool, or
// installs it where that can be done without asking, or stops with the command to type.
import { existsSync, readFileSync, realpathSync } from "node:fs";
import path from "node:path";
import process from "node:process";
import { fromRoot, isMain, main, output, run, say, Stop, which } from "./process.mjs";

const isRoot = process.getuid?.() === 0;
const isDebian = existsSync("/etc/debian_version") && which("apt-get") !== undefined;

/** Installs Debian packages where that is ours to do (root on Debian), else names the remedy. */
function install(packages, purpose, elsewhere) {
  if (!isDebian) throw new Stop(`${purpose}: ${elsewhere}`);
  if (!isRoot) throw new Stop(`${purpose}: sudo apt-get install ${packages.join(" ")}`);
  say(`installing ${packages.join(", ")} (${purpose})`);
  const apt = (...args) =>
    output("apt-get", ["-q", "-y", ...args], { env: { ...process.env, DEBIAN_FRONTEND: "noninteractive" } });
  const get = () => apt("install", "--no-install-recommends", ...packages);
  try {
    get();
  } catch {
    // a fresh machine has no package lists yet, an old one has stale ones
    apt("update");
    get();
  }
}

/** node_modules as package-lock.json wants it. */
export function ensureNodeModules() {
  const wanted = JSON.parse(readFileSync(fromRoot("package-lock.json"), "utf8")).packages;
  const hidden = fromRoot("node_modules/.package-lock.json"); // npm's record of what it installed
  const present = existsSync(hidden) ? JSON.parse(readFileSync(hidden, "utf8")).packages : {};
  const current = Object.entries(wanted).every(
    ([place, { version, optional }]) =>
      place === "" || present[place]?.version === version || (optional && !present[place]),
  );
  if (current && existsSync(hidden)) return;
  say("installing the npm packages of package-lock.json");
  run("npm", ["ci"]);
}

/** CMake and a C++ compiler. */
export function ensureCompiler() {
  const missing = [];
  if (!which("cmake")) missing.push("cmake");
  if (!process.env.CXX && !which("c++")) missing.push("g++");
  if (!which("make") && !which("ninja")) missing.push("make");
  if (missing.length > 0) install(missing, "building C++", `install ${missing.join(", ")}`);
  const version = /version (\d+)\.(\d+)/.exec(output("cmake", ["--version"]));
  if (version && (Number(version[1]) < 3 || (Number(version[1]) === 3 && Number(version[2]) < 25))) {
    throw new Stop(`CMake 3.25 or newer is needed, this one is ${version[1]}.${version[2]}`);
  }
}

/** The environment in which emcc works: PATH, EMSDK…, and EMSCRIPTEN_ROOT for CMake's preset. */
export function ensureEmscripten() {
  ensureCompiler();
  const envFile = output("sh", [fromRoot("scripts/setup-emscripten.sh")], { stderr: "inherit" }).trim();
  const printEnvironment = "console.log(JSON.stringify(process.env))";
  const env = JSON.parse(
    output("sh", ["-c", '. "$1" && exec "$2" -e "$3"', "sh", envFile, process.execPath, printEnvironment]),
  );
  env.EMSCRIPTEN_ROOT = emscriptenRoot(which("emcc", env));
  // emcc --emit-tsd runs tsc; ours is pinned.
  env.PATH = fromRoot("node_modules/.bin") + path.delimiter + env.PATH;
  return env;
}

/** The folder with CMake's toolchain file; some packagers put only a link or a wrapper on PATH. */
function emscriptenRoot(emcc) {
  const real = path.dirname(realpathSync(emcc));
  const places = [path.dirname(emcc), real, path.join(real, "../libexec"), "/usr/share/emscripten"];
  const found = places.find((place) => existsSync(path.join(place, "cmake/Modules/Platform/Emscripten.cmake")));
  if (!found) throw new Stop(`no Emscripten.cmake beside ${emcc}: install Emscripten with emsdk`);
  return found;
}

/** GoogleTest from Debian, with the sources for the WebAssembly run; elsewhere CMake downloads it. */
export function ensureGoogleTest() {
  ensureCompiler();
  const present = existsSync("/usr/include/gmock/gmock.h") && existsSync("/usr/src/googletest/CMakeLists.txt");
  if (isDebian && isRoot && !present) install(["libgtest-dev", "libgmock-dev"], "GoogleTest");
}

/** Google Benchmark from Debian; elsewhere CMake downloads it. */
export function ensureGoogleBenchmark() {
  ensureCompiler();
  if (isDebian && isRoot && !existsSync("/usr/include/benchmark/benchmark.h"))
    install(["libbenchmark-dev"], "Google Benchmark");
}

/** SDL2 from Debian; elsewhere the demo's native program is built only where CMake finds it. */
export function ensureSdl() {
  ensureCompiler();
  if (isDebian && isRoot && !existsSync("/usr/include/SDL2/SDL.h")) install(["libsdl2-dev"], "SDL2");
}

/** img2webp, which makes pictures move. */
export function ensureWebp() {
  if (!which("img2webp")) install(["webp"], "moving pictures", "install libwebp's tools");
}

/** The path of a Chromium or Chrome. CHROMIUM_PATH overrides the search. */
export function ensureBrowser() {
  const chosen = process.env.CHROMIUM_PATH;
  if (chosen) {
    if (!existsSync(chosen)) throw new Stop(`CHROMIUM_PATH names no file: ${chosen}`);
    return chosen;
  }
  const find = () =>
    ["chromium", "chromium-browser", "google-chrome-stable", "google-chrome", "chrome"]
      .map((name) => which(name))
      .find(Boolean) ??
    [
      "/Applications/Chromium.app/Contents/MacOS/Chromium",
      "/Applications/Google Chrome.app/Contents/MacOS/Google Chrome",
    ].find((file) => existsSync(file));
  const found = find();
  if (found) return found;
  install(["chromium"], "the browser tests need Chromium", "install Chromium or Chrome, or set CHROMIUM_PATH");
  const installed = find();
  if (!installed) throw new Stop("chromium was installed but is not on PATH: set CHROMIUM_PATH");
  return installed;
}

// `node scripts/toolchain.mjs` sets everything up and builds nothing.
if (isMain(import.meta.url)) {
  await main(() => {
    ensureNodeModules();
    ensureGoogleTest();
    say(`Emscripten: ${ensureEmscripten().EMSCRIPTEN_ROOT}`);
    say(`browser: ${ensureBrowser()}`);
  });
}
