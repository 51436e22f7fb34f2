// The project's goals as data: a name, a number computed from the results, and its limit.
import { gameParams, loopCases, others, ours, tracking } from "./suite.mjs";

const rows = ["crateful"];
const columns = ["crateful-columns"];
const hand = ["hand"];
/** The libraries whose users write to objects, as those of rows do. */
const withObjects = ["miniplex", "koota-each", "becsy"];
const typescript = ours.filter((name) => name !== "crateful-cpp");
const sparse = (n, k, pattern = "same") => ({ n, k, pattern });
const atLeast = (limit) => ({ limit: `≥ ${limit}`, holds: (value) => value >= limit, worst: Math.min });
const atMost = (limit) => ({ limit: `≤ ${limit}`, holds: (value) => value <= limit, worst: Math.max });
const faster = { limit: "< 1", holds: (value) => value < 1, worst: Math.max };
const n = { n: 10_000 };
const none = { limit: "0, rounded to 0.01", holds: (value) => value < 0.005, worst: Math.max };

/** The cases that are compared with EnTT, with their limits: 3 % are noise. */
const enttLimits = {
  ...Object.fromEntries(
    [
      ...["cycle", "cycle_bulk", "add_remove", "add_remove_tracked", "add_remove_watched"],
      ...["create_by_prefab", "each_except_one", "each_except_random", "each_shuffled_10k"],
      ...["each_shuffled_100k", "random_get", "quiet_frame", "sparse_in_one_system", "simulation"],
    ].map((name) => [name, 1.03]),
  ),
  add_remove_callbacks: 1.5,
  hierarchy: 2,
};

/** Of the table `state-limits`: what is limited, and how. */
const stateLimits = {
  "snapshot / copying as many bytes": ["ratio", 1, atMost(6)],
  "restore into an empty world / spawning as many by prefab": ["ratio", 1, atMost(2)],
  "restore over a world with 100 differences / comparing two snapshots": ["ratio", 1, atMost(8)],
  "take: 100 of 100,000 with one changed f32; bytes for each": ["time", 1000, atMost(10)],
  "take: nothing has changed": ["time", 1000, atMost(0.5)],
  "apply of 1,000 changes of 1,000 / setting them through rows": ["ratio", 1, atMost(1.5)],
  "apply of 1,000 changes of 100,000 / setting them through rows": ["ratio", 1, atMost(1.5)],
  "recording: for each of 1,000 changes a frame, of 2,000 entities": ["time", 1, atMost(25)],
  "recording: for each of 1,000 changes a frame, of 100,000 entities": ["time", 1, atMost(25)],
  "rewind by 8 frames of 1,000 changes, of 2,000 entities": ["time", 1000, atMost(500)],
  "rewind by 8 frames of 1,000 changes, of 100,000 entities": ["time", 1000, atMost(500)],
};

const few = sparse(100_000, 100);
const many = sparse(100_000, 10_000);
const room = (crates, tracking, moving = 100) => ({ crates, moving, tracking });
const demo = (crates, tracking) => ({ crates, tracking });
const cpp = ["crateful-cpp"];
const aspects = ["crateful-aspects"];

/** Where games and rows are judged: the part that measures there, what its parameters have besides, and the limits for 5,000 entities. */
const places = [
  ["", undefined, {}, { bitecs: 1.5, miniplex: 1.1 }],
  [", Chromium", "browser", {}, { bitecs: 1.3, miniplex: 1 }],
  [", current Node", "engines", { engine: "current" }, { bitecs: 1.3, miniplex: 1 }],
];

/**
 * A goal has a name, a limit, and what is limited: a result (`[case, libraries, params, part]`, of the fastest of the libraries), or its
 * ratio to another one or to a number. It counts as not measured if one of them was not.
 */
const goals = [
  ["sparse 100k/100: best automatic tracker / crateful", atLeast(3), ["sparse", tracking, few], ["sparse", rows, few]],
  [
    "sparse 100k/100: bitecs with an observer / crateful",
    atLeast(1.5),
    ["sparse", ["bitecs"], few],
    ["sparse", rows, few],
  ],
  ["sparse 100k/100: fastest Crateful / hand", atMost(3), ["sparse", typescript, few], ["sparse", hand, few]],
  ["sparse 100k/10k: crateful / best peer's scan", atMost(2), ["sparse", rows, many], ["sparse_scan", others, many]],
  ["sparse 100k/0: quiet frame of the fastest Crateful, µs", faster, ["sparse", typescript, sparse(100_000, 0)], 1000],
  [
    "sparse: 1M/100 / 1k/100",
    atMost(1.3),
    ["sparse", typescript, sparse(1_000_000, 100)],
    ["sparse", typescript, sparse(1_000, 100)],
  ],
  ...[rows, columns].map((form) => [
    `sparse 100k/100: in C++ / ${form}`,
    atMost(0.5),
    ["sparse", cpp, { ...few, changes: "cpp" }],
    ["sparse", form, few],
  ]),
  ...["packed_5", "simple_iter", "frag_iter"].flatMap((name) => [
    [`${name}: crateful / best peer with objects`, atMost(1), [name, rows], [name, withObjects]],
    [`${name}: crateful / crateful-columns`, atMost(name === "simple_iter" ? 1.8 : 3), [name, rows], [name, columns]],
    [`${name}: crateful-columns / best peer`, atMost(1.2), [name, columns], [name, others]],
  ]),
  ["movement: crateful / best automatic tracker", atMost(0.4), ["movement", rows, n], ["movement", tracking, n]],
  ...places.flatMap(([place, part, own, limits]) => [
    ...[5_000, 50_000].map((n) => [
      `rows of four classes, ${n.toLocaleString("en")}${place}: in a world that has lived / as created`,
      atMost(1.3),
      ["rows", rows, { n, lived: true, ...own }, part],
      ["rows", rows, { n, lived: false, ...own }, part],
    ]),
    ...Object.entries(gameParams).flatMap(([name, list]) =>
      list.flatMap((params) =>
        Object.entries(params.n > 10_000 ? { bitecs: 1.3 } : limits).map(([peer, limit]) => [
          `${name}, ${params.n.toLocaleString("en")}${place}: crateful / ${peer}`,
          atMost(limit),
          [name, rows, { ...params, ...own }, part],
          [name, [peer], { ...params, ...own }, part],
        ]),
      ),
    ),
  ]),
  ...Object.entries({ ...gameParams, rows: [{ n: 5_000, lived: true }] }).map(([name, [params]]) => [
    `${name}, ${params.n.toLocaleString("en")}: with V8's next compiler / without`,
    atMost(2),
    [name, rows, { ...params, engine: "turbolev" }],
    [name, rows, { ...params, engine: "current" }],
  ]),
  ["pairs: crateful / crateful-columns", atMost(2.2), ["pairs", rows, { n: 2_000 }], ["pairs", columns, { n: 2_000 }]],
  ...loopCases.map((name) => [
    `${name} in a world that has lived: crateful / hand`,
    atMost(3),
    [name, rows, { lived: true }],
    [name, hand],
  ]),
  ...["entity_cycle", "add_remove"].flatMap((name) =>
    ["bitecs", "koota", "miniplex"].map((peer) => [
      `${name}: crateful / ${peer}`,
      faster,
      [name, rows],
      [name, [peer]],
    ]),
  ),
  ["entity_cycle: crateful / becsy", atMost(0.7), ["entity_cycle", rows], ["entity_cycle", ["becsy"]]],
  ["add_remove: crateful / becsy", atMost(0.9), ["add_remove", rows], ["add_remove", ["becsy"]]],
  ["add_remove: crateful-bulk / best peer", atMost(1), ["add_remove", ["crateful-bulk"]], ["add_remove", others]],
  // Becsy's `add` takes a class, as that of `crateful-columns`; that of `crateful` takes an object.
  ...[rows, columns].map((form) => [
    `systems with callbacks, 100 others: ${form} / becsy`,
    atMost(1.2),
    ["systems", form, { count: 100 }],
    ["systems", ["becsy"], { count: 100 }],
  ]),
  ...Object.entries({ node: "start", chromium: "browser" }).map(([where, part]) => [
    `start, ${where}: first update, crateful / koota`,
    atMost(1.5),
    [`start_${where}`, rows, {}, part],
    [`start_${where}`, ["koota"], {}, part],
  ]),
  ["download, brotli, KiB", atMost(65), ["size_brotli", rows], 1024],
  ["memory: bytes per entity", atMost(60), ["memory", rows, { n: 100_000 }]],
  ...["native", "wasm"].flatMap((build) =>
    Object.entries(enttLimits).map(([name, limit]) => [
      `${name}, ${build}: crateful / EnTT`,
      atMost(limit),
      [name, rows, { build }],
      [name, ["entt"], { build }],
    ]),
  ),
  ["hierarchy: crateful / a loop over the moved trees", atMost(2), ["hierarchy", rows], ["hierarchy_by_hand", rows]],
  ["hierarchy: crateful / hand", atMost(2), ["hierarchy", rows], ["hierarchy", hand]],
  ["objects by id: crateful / plain objects in a Map", atMost(1.5), ["objects", rows, n], ["objects", hand, n]],
  ["objects in a loop: crateful / plain objects", atMost(3), ["objects_iter", rows, n], ["objects_iter", hand, n]],
  ["objects by id: bytes of garbage an access", none, ["objects_garbage", rows, n]],
  ...[rows, aspects].map((form) => [
    `objects in a loop: ${form}, bytes of garbage an access`,
    atMost(0.1),
    ["objects_iter_garbage", form, n],
  ]),
  ...[1, 10, 100].map((moving) => [
    `room, ${moving} moving: 200k / 1k`,
    atMost(1.3),
    ["room", cpp, room(200_000, true, moving)],
    ["room", cpp, room(1_000, true, moving)],
  ]),
  [
    "room, 10k: without tracking / with",
    atLeast(20),
    ["room", cpp, room(10_000, false)],
    ["room", cpp, room(10_000, true)],
  ],
  [
    "demo, 20k at rest: without tracking / with",
    atLeast(20),
    ["demo_update", rows, demo(20_000, false)],
    ["demo_update", rows, demo(20_000, true)],
  ],
  ["demo, 50k at rest: update, of a 60 Hz frame", atMost(0.2), ["demo_update", rows, demo(50_000, true)], 1e9 / 60],
  ["demo, 50k at rest: draw calls", atMost(6), ["demo_calls", rows, demo(50_000, true)]],
  ["demo, 50k at rest: bytes uploaded a frame", atMost(0), ["demo_uploaded", rows, demo(50_000, true)]],
  ...Object.entries(stateLimits).map(([name, [what, unit, limit]]) => [
    `state: ${name.replace(/; bytes.*/, "")}${what === "ratio" ? "" : unit === 1 ? ", ns" : ", µs"}`,
    limit,
    [`limit_${what}`, rows, { limit: name }],
    unit,
  ]),
  ["state: JSON / snapshot, writing all of 100,000", atLeast(30), ["full_write", ["json"]], ["full_write", rows]],
  [
    "state: writing for 300 receivers that select 60 of 300 changed entities, µs",
    atMost(2000),
    ["receivers_write", rows],
    1000,
  ],
  [
    "storage: a removal among 1M / among 10k",
    atMost(2),
    ["storage", cpp, { from: "sparse", n: 1_000_000 }],
    ["storage", cpp, { from: "sparse", n: 10_000 }],
  ],
  [
    "S8: add and remove, 100 systems / 10 systems",
    atMost(1.3),
    ["systems", rows, { count: 100 }],
    ["systems", rows, { count: 10 }],
  ],
];

/** Returns the value of a goal in these results, and what was compared; undefined if it was not measured. */
function compute([, , one, other = 1], results) {
  const first = results.best(...one);
  const second = typeof other === "number" ? { median: other } : results.best(...other);
  if (!first || !second) return undefined;
  const names = [first, second].map(({ name, library }) => library ?? name).filter(Boolean);
  return { value: first.median / second.median, note: names.join(" / ") };
}

/**
 * A goal is met if its limit holds in every round. `value` is that of the medians.
 * @returns {{ name: string, value?: number, worst?: number, limit: string, met?: boolean, note?: string }[]}
 */
export function judge(results) {
  const rounds = Array.from({ length: results.rounds }, (_, k) => results.round(k));
  return goals.map((goal) => {
    const [name, { limit, holds, worst: choose }] = goal;
    const found = compute(goal, results);
    if (!found) return { name, limit };
    const worst = choose(...rounds.map((round) => compute(goal, round).value));
    return { name, limit, ...found, worst, met: holds(worst) };
  });
}
