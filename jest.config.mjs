// The suites in TypeScript, run as ES modules (NODE_OPTIONS=--experimental-vm-modules, which `npm test` sets). All test the
// built package in dist/.
import { availableParallelism } from "node:os";
import { fileURLToPath } from "node:url";

const shared = {
  rootDir: fileURLToPath(new URL(".", import.meta.url)),
  testEnvironment: "node",
  extensionsToTreatAsEsm: [".ts"],
  // Transpiled file by file; `npm test -- types` checks their types.
  transform: { "\\.tsx?$": "<rootDir>/scripts/transform.mjs" },
  // A test's own helpers may be imported as ./helper.js, which is what TypeScript calls them.
  moduleNameMapper: { "^(\\.{1,2}/.*)\\.js$": "$1" },
  // Copies of the package that other tests or builds make are not modules of ours.
  modulePathIgnorePatterns: ["<rootDir>/build/"],
};

const browser = {
  globalSetup: "<rootDir>/tests/browser/global_setup.mjs",
  globalTeardown: "<rootDir>/tests/browser/global_teardown.mjs",
};

/** The site, which two files of tests open. */
const docs = { ...browser, globalSetup: "<rootDir>/tests/docs/global_setup.mjs" };

const engines = {
  globalSetup: "<rootDir>/tests/engines/global_setup.mjs",
  globalTeardown: "<rootDir>/tests/engines/global_teardown.mjs",
};

/** The development build, for which all tests of the package hold too. */
const development = {
  testEnvironmentOptions: { customExportConditions: ["node", "node-addons", "development"] },
  testMatch: ["development", "bindings"].map((name) => `<rootDir>/tests/${name}/**/*.test.ts`),
  testPathIgnorePatterns: ["/reused_rows.test.ts$"],
};

/** Those of `bindings` that call the core in many ways, on a module with the sanitizers. Only the core's accesses are checked. */
const sanitized = {
  testMatch: [
    ...["changes_model", "order_model", "rules_model", "state_model"],
    ...["changing_rows", "nested_callbacks", "reused_rows", "rewind"],
  ].map((name) => `<rootDir>/tests/bindings/${name}.test.ts`),
  setupFilesAfterEnv: ["<rootDir>/tests/bindings/sanitized.ts"],
};

/** The adapter for Colyseus and its example, whose folder is a package of its own. */
const multiplayer = {
  testMatch: ["<rootDir>/tests/multiplayer/*.test.ts"],
  moduleNameMapper: {
    ...shared.moduleNameMapper,
    "^crateful$": "<rootDir>/dist/inline.js",
    "^crateful/state$": "<rootDir>/dist/state_inline.js",
    "^crateful/colyseus$": "<rootDir>/dist/colyseus.js",
  },
};

/** The example and its guide with pages, several processes, and the native server. */
const multiplayerPages = { ...multiplayer, ...browser, testMatch: ["<rootDir>/tests/multiplayer/pages/*.test.ts"] };

/** The hooks for React. */
const react = {
  extensionsToTreatAsEsm: [".ts", ".tsx"],
  testEnvironment: "<rootDir>/tests/react/environment.mjs",
  testMatch: ["<rootDir>/tests/react/**/*.test.tsx"],
};
/** The same with the oldest version of React that the package supports, and with the development build. */
const react18 = {
  ...react,
  testEnvironmentOptions: development.testEnvironmentOptions,
  moduleNameMapper: { ...shared.moduleNameMapper, "^(react|react-dom)(/.*)?$": "$1-18$2" },
};

const suite = (name, settings) => ({
  ...shared,
  displayName: name,
  testMatch: [`<rootDir>/tests/${name}/**/*.test.ts`],
  ...settings,
});

export default {
  maxWorkers: Math.max(2, availableParallelism()), // Jest's default leaves one of two cores idle
  projects: [
    suite("bindings"),
    suite("development", development),
    suite("wasm-asan", sanitized),
    suite("react", react),
    suite("react-18", react18),
    suite("smoke", browser),
    suite("browser", browser),
    suite("engines", engines),
    suite("examples", browser),
    suite("docs", docs),
    suite("multiplayer", multiplayer),
    suite("multiplayer-pages", multiplayerPages),
    suite("package"),
    suite("pages", browser),
    suite("cpp", browser),
    suite("everywhere", browser),
    suite("templates", browser),
    suite("soak", browser),
  ],
  testTimeout: 1_800_000, // only for tests that hang: nothing in a test depends on the speed of the machine, or on what else it does
};
