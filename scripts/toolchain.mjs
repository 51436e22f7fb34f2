// What building and testing need beyond Node and a shell. `ensure()` finds a tool, or installs it where that needs no
// question (root on Debian), or stops with the command to type.
import { copyFileSync, existsSync, mkdirSync, readFileSync, realpathSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import process from "node:process";
import { compilerMemory } from "./cmake.mjs";
import { fromRoot, isMain, main, output, runBeside, say, Stop, which } from "./process.mjs";

const isRoot = process.getuid?.() === 0;
const isDebian = existsSync("/etc/debian_version") && which("apt-get") !== undefined;

/**
 * @typedef {object} Tool
 * @property {() => unknown} present whether it is installed
 * @property {string[]} packages Debian's packages
 * @property {string} purpose what cannot be done without it
 * @property {string} [elsewhere] what to do where apt-get does not exist; without it the tool is optional there
 * @property {boolean} [optional] never an error
 */

/** @type {Record<string, Tool>} */
const tools = {
  cmake: tool("cmake", "building C++", () => which("cmake")),
  compiler: tool("g++", "building C++", () => process.env.CXX ?? which("c++"), "a C++20 compiler"),
  make: tool("make", "building C++", () => which("make") ?? which("ninja")),
  // Speeds up repeated builds; everything works without it.
  ccache: { present: () => which("ccache"), packages: ["ccache"], purpose: "fast builds", optional: true },
  // With the sanitizers and libFuzzer.
  clang: {
    present: () => which("clang++"),
    packages: ["clang", "libclang-rt-dev"],
    purpose: "fuzzing, and a second compiler",
    elsewhere: "install Clang with compiler-rt",
  },
  clangTidy: tool("clang-tidy", "checking C++", () => which("clang-tidy")),
  // With the sources for the WebAssembly run; elsewhere CMake downloads it.
  googletest: {
    present: () => existsSync("/usr/include/gmock/gmock.h") && existsSync("/usr/src/googletest/CMakeLists.txt"),
    packages: ["libgtest-dev", "libgmock-dev"],
    purpose: "GoogleTest",
    optional: true,
  },
  // Elsewhere the demo's native program is built only where CMake finds SDL2.
  sdl: {
    present: () => existsSync("/usr/include/SDL2/SDL.h"),
    packages: ["libsdl2-dev"],
    purpose: "SDL2",
    optional: true,
  },
  beast: {
    present: () => existsSync("/usr/include/boost/beast.hpp"),
    packages: ["libboost-dev"],
    purpose: "the native server of the multiplayer example",
    elsewhere: "install Boost",
  },
  // Elsewhere the compiler says what is missing.
  json: {
    present: () => existsSync("/usr/include/nlohmann/json.hpp"),
    packages: ["nlohmann-json3-dev"],
    purpose: "the inspector of native programs",
    optional: true,
  },
  doxygen: tool("doxygen", "the reference of the C++ library", () => which("doxygen"), "Doxygen"),
  webp: tool("webp", "animated pictures", () => which("img2webp"), "libwebp's tools"),
  browser: {
    present: () => process.env.CHROMIUM_PATH ?? findBrowser(),
    packages: ["chromium"],
    purpose: "tests in a browser",
    elsewhere: "install Chromium or Chrome, or set CHROMIUM_PATH",
  },
  firefox: {
    present: () => process.env.FIREFOX_PATH ?? findFirefox(),
    packages: ["firefox-esr"],
    purpose: "tests in Firefox",
    elsewhere: "install Firefox, or set FIREFOX_PATH",
  },
  // On Linux only.
  webkit: {
    present: () => process.env.WEBKIT_DRIVER_PATH ?? which("WebKitWebDriver"),
    packages: ["webkit2gtk-driver"],
    purpose: "tests in WebKit",
    elsewhere: "install WebKitGTK with WebKitWebDriver and MiniBrowser, or set WEBKIT_DRIVER_PATH",
  },
  redis: tool("redis-server", "several processes of a server", () => which("redis-server")),
  // Firefox and WebKit have no WebGL without a display.
  display: tool("xvfb", "a display for browsers", () => which("Xvfb"), "Xvfb"),
};

/** @returns {Tool} */
function tool(name, purpose, present, what = name) {
  return { present, packages: [name], purpose, elsewhere: `install ${what}` };
}

/** Makes sure that the tools are installed; missing Debian packages are installed in one step. */
export function ensure(...names) {
  const missing = names.map((name) => tools[name]).filter(({ present }) => !present());
  const required = missing.filter(({ optional }) => !optional);
  if (!isDebian && required.length > 0) {
    throw new Stop(required.map(({ purpose, elsewhere }) => `${purpose}: ${elsewhere}`).join("\n"));
  }
  if (isDebian && !isRoot && required.length > 0) {
    throw new Stop(`sudo apt-get install ${required.flatMap(({ packages }) => packages).join(" ")}`);
  }
  const packages = missing.flatMap((one) => one.packages);
  if (isDebian && isRoot && packages.length > 0) install(packages);
}

function install(packages) {
  say(`installing ${packages.join(", ")}`);
  const env = { ...process.env, DEBIAN_FRONTEND: "noninteractive" };
  // Parts that run side by side install packages too, and so may other programs: wait for their locks.
  const lock = path.join(tmpdir(), "crateful-apt.lock");
  const apt = (...args) =>
    output("flock", [lock, "apt-get", "-q", "-y", "-o", "DPkg::Lock::Timeout=600", ...args], { env });
  const get = () => apt("install", "--no-install-recommends", ...packages);
  try {
    get();
  } catch {
    apt("update"); // a fresh machine has no package lists yet, an old one has outdated ones
    get();
  }
}

/** Installs node_modules in a folder as its package-lock.json says, unless it is up to date. */
async function installPackages(folder, how) {
  const wanted = JSON.parse(readFileSync(path.join(folder, "package-lock.json"), "utf8")).packages;
  const hidden = path.join(folder, "node_modules/.package-lock.json"); // npm's record of what it installed
  const present = existsSync(hidden) ? JSON.parse(readFileSync(hidden, "utf8")).packages : {};
  const current = Object.entries(wanted).every(
    ([place, { version, optional }]) =>
      place === "" || present[place]?.version === version || (optional && !present[place]),
  );
  if (current && existsSync(hidden)) return;
  say(`installing the npm packages of ${path.relative(fromRoot(), path.join(folder, "package-lock.json"))}`);
  await runBeside("npm", [how, "--prefer-offline", "--no-audit", "--no-fund"], { cwd: folder });
}

export const ensureNodeModules = () => installPackages(fromRoot(), "ci");

/** The bundlers and runtimes of tests/everywhere, in build/everywhere. */
export async function ensureEverywhere() {
  mkdirSync(fromRoot("build/everywhere"), { recursive: true });
  for (const name of ["package.json", "package-lock.json"])
    copyFileSync(fromRoot("tests/everywhere", name), fromRoot("build/everywhere", name));
  // `npm ci` would insist on the packages of all platforms, which a registry may not have.
  await installPackages(fromRoot("build/everywhere"), "install");
}

/** CMake 3.25 or newer, a C++ compiler, and ccache where it can be installed. */
export function ensureCompiler() {
  ensure("cmake", "compiler", "make", "ccache");
  const version = /version (\d+)\.(\d+)/.exec(output("cmake", ["--version"]));
  if (version && (Number(version[1]) < 3 || (Number(version[1]) === 3 && Number(version[2]) < 25))) {
    throw new Stop(`CMake 3.25 or newer is needed, this one is ${version[1]}.${version[2]}`);
  }
}

/** The environment in which emcc works: PATH, EMSDK…, and EMSCRIPTEN_ROOT for CMake's preset. */
export function ensureEmscripten() {
  ensureCompiler();
  const setup = { stderr: "inherit", env: { ...process.env, ...compilerMemory } }; // it compiles libraries
  const envFile = output("sh", [fromRoot("scripts/setup-emscripten.sh")], setup).trim();
  const printEnvironment = "console.log(JSON.stringify(process.env))";
  const env = JSON.parse(
    output("sh", ["-c", '. "$1" && exec "$2" -e "$3"', "sh", envFile, process.execPath, printEnvironment]),
  );
  env.EMSCRIPTEN_ROOT = emscriptenRoot(which("emcc", env));
  // emcc --emit-tsd runs tsc; ours is pinned.
  env.PATH = fromRoot("node_modules/.bin") + path.delimiter + env.PATH;
  return env;
}

/** The folder with CMake's toolchain file; some packages put only a link or a wrapper on PATH. */
function emscriptenRoot(emcc) {
  const real = path.dirname(realpathSync(emcc));
  const places = [path.dirname(emcc), real, path.join(real, "../libexec"), "/usr/share/emscripten"];
  const found = places.find((place) => existsSync(path.join(place, "cmake/Modules/Platform/Emscripten.cmake")));
  if (!found) throw new Stop(`no Emscripten.cmake beside ${emcc}: install Emscripten with emsdk`);
  return found;
}

function findBrowser() {
  const names = ["chromium", "chromium-browser", "google-chrome-stable", "google-chrome", "chrome"];
  const files = [
    "/Applications/Chromium.app/Contents/MacOS/Chromium",
    "/Applications/Google Chrome.app/Contents/MacOS/Google Chrome",
  ];
  return names.map((name) => which(name)).find(Boolean) ?? files.find((file) => existsSync(file));
}

function findFirefox() {
  const file = "/Applications/Firefox.app/Contents/MacOS/firefox";
  return which("firefox-esr") ?? which("firefox") ?? (existsSync(file) ? file : undefined);
}

/** The path of a Chromium or Chrome. CHROMIUM_PATH overrides the search. */
export function ensureBrowser() {
  ensure("browser");
  const found = tools.browser.present();
  if (!found || !existsSync(found)) throw new Stop(`no browser at ${found ?? "any known path"}: set CHROMIUM_PATH`);
  return found;
}

/** The environment of tests in three browsers: the paths of Chromium, Firefox and WebKit's driver. */
export function ensureEngines() {
  ensure("browser", "firefox", "webkit", "display");
  const found = {
    CHROMIUM_PATH: ensureBrowser(),
    FIREFOX_PATH: tools.firefox.present(),
    WEBKIT_DRIVER_PATH: tools.webkit.present(),
  };
  for (const [name, file] of Object.entries(found))
    if (!file || !existsSync(file)) throw new Stop(`no browser at ${file ?? "any known path"}: set ${name}`);
  return found;
}

// `node scripts/toolchain.mjs` installs everything and builds nothing.
if (isMain(import.meta.url)) {
  await main(async () => {
    await ensureNodeModules();
    ensure("googletest", "sdl", "clangTidy");
    say(`Emscripten: ${ensureEmscripten().EMSCRIPTEN_ROOT}`);
    say(`browsers: ${Object.values(ensureEngines()).join(", ")}`);
  });
}
