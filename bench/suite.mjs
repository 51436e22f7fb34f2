// The cells of each part of the suite. Each cell runs in its own process.
import { existsSync } from "node:fs";
import { fromRoot } from "../scripts/process.mjs";

/** The variants of Crateful. `crateful-cpp` needs its module to be built. */
export const ours = ["crateful", "crateful-aspects", "crateful-columns", "crateful-bulk", "crateful-cpp"];
export const others = ["bitecs", "becsy", "koota", "koota-each", "miniplex"];
/** Libraries that track changes. bitECS has observers, with which an application can track them. */
export const tracking = ["becsy", "koota", "koota-each"];
export const libraries = [...ours, "hand", ...others].filter((name) =>
  existsSync(fromRoot("bench/peers", `${name}.mjs`)),
);

/** Whether it is a variant of Crateful; part `state` has others. */
export const isOurs = (library) => ours.includes(library) || library.startsWith("crateful-");

const sparseParams = (n, ks) => ks.map((k) => ({ n, k, pattern: "same" }));
const moving = (n) => ({ n, k: 100, pattern: "moving" });

/**
 * A cell is a case, a library, and the parameters to measure one after another. `rounds` limits the number of rounds:
 * byte counts do not vary, cells with a million entities take long, and only the most important cells get 5 rounds.
 * @returns {{ part: string, name: string, library: string, params: object[], garbage?: boolean, rounds?: number }[]}
 */
export function cellsOf(part, peers) {
  const cells = [];
  const add = (name, params, { of = libraries, ...rest } = {}) => {
    for (const library of of) if (peers[library]?.cases[name]) cells.push({ part, name, library, params, ...rest });
  };
  if (part === "sparse") {
    add("sparse", sparseParams(1_000, [0, 100]));
    add("sparse", sparseParams(10_000, [0, 100]), { rounds: 3 });
    add("sparse", [...sparseParams(100_000, [0, 100, 10_000]), moving(100_000)]);
    add("sparse_scan", sparseParams(100_000, [100, 10_000]), { rounds: 3 });
    // The changes are made by a C++ system too, if the library has one, so that no call crosses between the languages.
    add("sparse", [{ ...sparseParams(100_000, [100])[0], changes: "cpp" }], {
      of: libraries.filter((name) => name === "crateful-cpp"),
    });
    const large = [...sparseParams(1_000_000, [0, 100, 10_000]), moving(1_000_000)];
    add("sparse", large, { of: [...ours, "hand", "bitecs", "becsy"], rounds: 3 }); // the others take too long to build this world
  }
  if (part === "standard") {
    for (const name of standardCases) add(name, [{}]);
    for (const name of loopCases) add(name, [{ lived: true }], { of: living });
    add("movement", [{ n: 10_000 }]);
  }
  if (part === "rows") {
    for (const n of [5_000, 50_000]) for (const lived of [false, true]) add("rows", [{ n, lived }]);
    add("pairs", [{ n: 2_000 }]);
  }
  // A process for each size, because the verification of the first plays the game with other entities.
  if (part in gameParams) for (const params of gameParams[part]) add(part, [params]);
  // Where users are: V8 of the current Node is that of Chromium, and so will be its next compiler.
  if (part === "engines") {
    for (const engine of ["current", "turbolev"]) {
      const of = engine === "current" ? libraries : ["crateful"];
      for (const n of [5_000, 50_000])
        for (const lived of [false, true]) add("rows", [{ n, lived, engine }], { of, rounds: 3 });
      for (const [name, list] of Object.entries(gameParams))
        for (const params of list) add(name, [{ ...params, engine }], { of, rounds: 3 });
    }
  }
  if (part === "objects") {
    for (const name of ["objects", "objects_iter"]) {
      add(name, [{ n: 10_000 }]);
      add(name, [{ n: 10_000 }], { garbage: true, rounds: 1 });
    }
  }
  if (part === "hierarchy") for (const name of ["hierarchy", "hierarchy_by_hand"]) add(name, [{}]);
  if (part === "systems") add("systems", [{ count: 10 }, { count: 100 }], { rounds: 3 });
  if (part === "memory") add("memory", [{ n: 100_000 }], { rounds: 1 });
  // These cases are written in C++ and called from Node; only crateful-cpp has them.
  if (part === "storage") {
    const all = (from, sizes) =>
      add(
        "storage",
        sizes.map((n) => ({ from, n })),
      );
    for (const from of ["sparse", "linear"]) all(from, [1_000, 10_000, 100_000, 1_000_000]);
  }
  if (part === "room") add("room", roomParams);
  // The cells of these parts are measured by scripts of their own.
  const scripted = (name, library, script, params = {}) =>
    cells.push({ part, name, library, params: [params], rounds: 3, script: `bench/${part}/${script}.mjs` });
  if (part === "state") {
    for (const limit of stateLimits) scripted("limit", "crateful", "cell", { limit });
    for (const [name, { libraries: of }] of Object.entries(stateCases))
      for (const library of of) scripted(name, library, "cell");
  }
  if (part === "multiplayer")
    for (const library of Object.keys(multiplayerLibraries)) scripted("server", library, "server");
  return cells;
}

/** The complete games of `bench/games/`, each of which is a part, and their numbers of entities. */
export const gameParams = {
  game: [{ n: 5_000 }, { n: 36_500 }],
  survivors: [{ n: 5_000 }, { n: 36_500 }],
  towers: [{ n: 5_000 }],
};
/** Those that are loops over entities; these libraries also run them in worlds that have lived. */
export const loopCases = ["packed_5", "simple_iter", "frag_iter"];
const living = ["crateful", "crateful-columns", "bitecs", "koota", "koota-each", "miniplex"];
export const standardCases = ["packed_5", "simple_iter", "frag_iter", "entity_cycle", "add_remove"];
export const roomParams = [
  ...[1, 10, 100].flatMap((moving) => [1_000, 10_000, 200_000].map((crates) => ({ crates, moving, tracking: true }))),
  ...[1_000, 10_000].map((crates) => ({ crates, moving: 100, tracking: false })),
];

/** The demo's page, with all crates at rest, with and without dirty tracking. */
export const demoParams = [
  [5_000, true],
  [20_000, true],
  [20_000, false],
  [50_000, true],
].map(([crates, tracking]) => ({ crates, tracking }));

/** The cells that are also measured in a browser. */
export function browserCells(peers) {
  const cells = [];
  const add = (name, params) => {
    for (const library of libraries)
      if (peers[library]?.cases[name]) cells.push({ part: "browser", name, library, params });
  };
  add("sparse", sparseParams(100_000, [100]));
  for (const name of ["simple_iter", "entity_cycle"]) add(name, [{}]);
  for (const n of [5_000, 50_000]) for (const lived of [false, true]) add("rows", [{ n, lived }]);
  add("objects", [{ n: 10_000 }]);
  for (const [name, list] of Object.entries(gameParams)) for (const params of list) add(name, [params]);
  return cells;
}

/** Of part `worker`: `moving` of `n` boxes change in each frame. */
export const workerParams = [10_000, 50_000].flatMap((n) => [n / 100, n / 10, n].map((moving) => ({ n, moving })));
export const workerModes = {
  page: "the world is in the page",
  objects: "plain objects, cloned",
  transferred: "a transferred buffer",
  shared: "shared memory",
};

/** Part `multiplayer` (bench/multiplayer/): what sends the worlds of rooms, and how the tables name it. */
export const multiplayerLibraries = {
  crateful: "Crateful",
  colyseus: "@colyseus/schema",
  sockets: "no state: messages of 880 bytes",
};

/** Part `state`: what Crateful's state is compared with, and the comparison with other libraries (bench/state/). */
export const stateLimits = [
  "snapshot",
  "restoreEmpty",
  "restoreOver",
  "take",
  "apply1k",
  "apply100k",
  "record",
  "rewind2k",
  "rewind100k",
];
export const stateCases = {
  units: {
    title: "100,000 entities with three components, of which 100 random ones change: one f32",
    libraries: ["crateful", "bitecs", "bitecs-whole", "colyseus", "json"],
  },
  create: {
    title: "1,000 entities with three components are created",
    libraries: ["crateful", "bitecs", "colyseus", "json"],
  },
  remove: { title: "they are removed", libraries: ["crateful", "bitecs", "colyseus", "json"] },
  receivers: {
    title: "300 of 10,000 entities change, one f32, and 300 receivers get 60 of them each; bytes for one, time for all",
    libraries: ["crateful", "bitecs", "bitecs-whole", "colyseus", "json"],
  },
  full: {
    title: "everything: 100,000 entities with three components, for a new receiver",
    libraries: ["crateful", "crateful-changes", "bitecs", "colyseus", "json"],
  },
};
