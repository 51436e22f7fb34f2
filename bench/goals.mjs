// The project's goals as data: a name, a number computed from the results, and its limit.
import { gameParams, others, ours, tracking } from "./suite.mjs";

const rows = ["crateful"];
const columns = ["crateful-columns"];
/** The libraries whose users write to objects, as those of rows do. */
const withObjects = ["miniplex", "koota-each", "becsy"];
const typescript = ours.filter((name) => name !== "crateful-cpp");
const sparse = (n, k, pattern = "same") => ({ n, k, pattern });
const atLeast = (limit) => ({ limit: `≥ ${limit}`, holds: (value) => value >= limit, worst: Math.min });
const atMost = (limit) => ({ limit: `≤ ${limit}`, holds: (value) => value <= limit, worst: Math.max });
const slower = { limit: "> 1", holds: (value) => value > 1, worst: Math.min };
const faster = { limit: "< 1", holds: (value) => value < 1, worst: Math.max };
const n = { n: 10_000 };
const entities = { n: 100_000 };

/** The cases that are compared with EnTT, with their limits: 3 % are noise. */
const enttLimits = {
  ...Object.fromEntries(
    [
      ...["cycle", "cycle_watched", "cycle_bulk", "add_remove", "add_remove_tracked", "add_remove_watched"],
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
  "JSON.stringify of plain objects / snapshot": ["ratio", 1, atLeast(30)],
  "restore into an empty world / spawning as many by prefab": ["ratio", 1, atMost(2)],
  "restore over a world with 100 differences / comparing two snapshots": ["ratio", 1, atMost(8)],
  "take: 100 of 100,000 with one changed f32; bytes for each": ["time", 1000, atMost(10)],
  "take: nothing has changed": ["time", 1000, atMost(0.5)],
  "take: 300 receivers that select 60 of 300 changed entities; bytes for each": ["time", 1000, atMost(2000)],
  "apply of 1,000 changes of 1,000 / setting them through rows": ["ratio", 1, atMost(1.5)],
  "apply of 1,000 changes of 100,000 / setting them through rows": ["ratio", 1, atMost(1.5)],
  "recording: for each of 1,000 changes a frame, of 2,000 entities": ["time", 1, atMost(25)],
  "recording: for each of 1,000 changes a frame, of 100,000 entities": ["time", 1, atMost(25)],
  "rewind by 8 frames of 1,000 changes, of 2,000 entities": ["time", 1000, atMost(500)],
  "rewind by 8 frames of 1,000 changes, of 100,000 entities": ["time", 1000, atMost(500)],
};

/** A formula returns undefined if one of its inputs was not measured; the goal then counts as not measured. */
const goals = [
  [
    "sparse 100k/100: best automatic tracker / crateful",
    atLeast(3),
    ({ best }) => ratio(best("sparse", tracking, sparse(100_000, 100)), best("sparse", rows, sparse(100_000, 100))),
  ],
  [
    "sparse 100k/100: bitecs with an observer / crateful",
    atLeast(1.5),
    ({ best }) => ratio(best("sparse", ["bitecs"], sparse(100_000, 100)), best("sparse", rows, sparse(100_000, 100))),
  ],
  [
    "sparse 100k/100: best peer with tags / fastest Crateful",
    slower,
    ({ best, mine }) => ratio(best("sparse_tag", others, sparse(100_000, 100)), mine("sparse", sparse(100_000, 100))),
  ],
  [
    "sparse 100k/100: fastest Crateful / hand",
    atMost(3),
    ({ best, mine }) => ratio(mine("sparse", sparse(100_000, 100)), best("sparse", ["hand"], sparse(100_000, 100))),
  ],
  [
    "sparse 100k/10k: crateful / best peer's scan",
    atMost(2),
    ({ best }) =>
      ratio(best("sparse", rows, sparse(100_000, 10_000)), best("sparse_scan", others, sparse(100_000, 10_000))),
  ],
  [
    "sparse 100k/0: quiet frame of the fastest Crateful, µs",
    faster,
    ({ mine }) => ratio(mine("sparse", sparse(100_000, 0)), { median: 1000 }),
  ],
  [
    "sparse: 1M/100 / 1k/100",
    atMost(1.3),
    ({ best, mine }) => {
      const large = mine("sparse", sparse(1_000_000, 100));
      return large && ratio(large, best("sparse", [large.library], sparse(1_000, 100)));
    },
  ],
  ...["crateful", "crateful-columns"].map((name) => [
    `sparse 100k/100: in C++ / ${name}`,
    atMost(0.5),
    ({ best }) =>
      ratio(
        best("sparse", ["crateful-cpp"], { ...sparse(100_000, 100), changes: "cpp" }),
        best("sparse", [name], sparse(100_000, 100)),
      ),
  ]),
  ...["packed_5", "simple_iter", "frag_iter"].flatMap((name) => [
    [
      `${name}: crateful / best peer with objects`,
      atMost(1),
      ({ best }) => ratio(best(name, rows), best(name, withObjects)),
    ],
    [
      `${name}: crateful / crateful-columns`,
      atMost(name === "simple_iter" ? 1.8 : 3),
      ({ best }) => ratio(best(name, rows), best(name, columns)),
    ],
    [
      `${name}: crateful-columns / best peer`,
      atMost(1.2),
      ({ best }) => ratio(best(name, ["crateful-columns"]), best(name, others)),
    ],
    [
      `${name}: crateful-cpp / best peer`,
      { ...atMost(1 / 3), limit: "≤ 1/3" },
      ({ best }) => ratio(best(name, ["crateful-cpp"]), best(name, others)),
    ],
  ]),
  [
    "movement: crateful / best automatic tracker",
    atMost(0.4),
    ({ best }) => ratio(best("movement", rows, n), best("movement", tracking, n)),
  ],
  [
    "movement: crateful / crateful-columns",
    atMost(3),
    ({ best }) => ratio(best("movement", rows, n), best("movement", columns, n)),
  ],
  ...Object.entries(gameParams).flatMap(([name, list]) =>
    list.flatMap((params) => {
      const against = (peer, limit) => [
        `${name}, ${params.n.toLocaleString("en")}: crateful / ${peer}`,
        atMost(limit),
        ({ best }) => ratio(best(name, rows, params), best(name, [peer], params)),
      ];
      return [...(name === "towers" ? [] : [against("bitecs", params.n > 10_000 ? 1 : 1.5)]), against("miniplex", 1)];
    }),
  ),
  ...["entity_cycle", "add_remove"].flatMap((name) =>
    ["bitecs", "koota", "miniplex"].map((peer) => [
      `${name}: crateful / ${peer}`,
      faster,
      ({ best }) => ratio(best(name, ["crateful"]), best(name, [peer])),
    ]),
  ),
  [
    "entity_cycle: crateful / becsy",
    atMost(0.7),
    ({ best }) => ratio(best("entity_cycle", ["crateful"]), best("entity_cycle", ["becsy"])),
  ],
  [
    "add_remove: crateful / becsy",
    atMost(0.9),
    ({ best }) => ratio(best("add_remove", ["crateful"]), best("add_remove", ["becsy"])),
  ],
  [
    "add_remove: crateful-bulk / best peer",
    atMost(1),
    ({ best }) => ratio(best("add_remove", ["crateful-bulk"]), best("add_remove", others)),
  ],
  // Becsy's `add` takes a class, as that of `crateful-columns`; that of `crateful` takes an object.
  ...["crateful", "crateful-columns"].map((name) => [
    `systems with callbacks, 100 others: ${name} / becsy`,
    atMost(1.2),
    ({ best }) => ratio(best("systems", [name], { count: 100 }), best("systems", ["becsy"], { count: 100 })),
  ]),
  ...Object.entries({ node: "start", chromium: "browser" }).map(([where, part]) => [
    `start, ${where}: first update, crateful / koota`,
    atMost(1.5),
    ({ best }) => ratio(best(`start_${where}`, rows, {}, part), best(`start_${where}`, ["koota"], {}, part)),
  ]),
  ["download, brotli, KiB", atMost(65), ({ best }) => ratio(best("size_brotli", rows), { median: 1024 })],
  ["memory: bytes per entity", atMost(60), ({ best }) => alone(best("memory", rows, entities))],
  ...["native", "wasm"].flatMap((build) =>
    Object.entries(enttLimits).map(([name, limit]) => [
      `${name}, ${build}: crateful / EnTT`,
      atMost(limit),
      ({ best }) => ratio(best(name, ["crateful"], { build }), best(name, ["entt"], { build })),
    ]),
  ),
  [
    "hierarchy: crateful / a loop over the moved trees",
    atMost(2),
    ({ best }) => ratio(best("hierarchy", rows), best("hierarchy_by_hand", rows)),
  ],
  ["hierarchy: crateful / hand", atMost(2), ({ best }) => ratio(best("hierarchy", rows), best("hierarchy", ["hand"]))],
  [
    "objects by id: crateful / plain objects",
    atMost(4),
    ({ best }) => ratio(best("objects", ["crateful"], n), best("objects", ["hand"], n)),
  ],
  [
    "objects in a loop: crateful / plain objects",
    atMost(3),
    ({ best }) => ratio(best("objects_iter", ["crateful"], n), best("objects_iter", ["hand"], n)),
  ],
  [
    "objects by id: bytes of garbage an access",
    { limit: "0, rounded to 0.01", holds: (value) => value < 0.005, worst: Math.max },
    ({ best }) => alone(best("objects_garbage", rows, n)),
  ],
  ...["crateful", "crateful-aspects"].map((name) => [
    `objects in a loop: ${name}, bytes of garbage an access`,
    atMost(0.1),
    ({ best }) => alone(best("objects_iter_garbage", [name], n)),
  ]),
  ...[1, 10, 100].map((moving) => [
    `room, ${moving} moving: 200k / 1k`,
    atMost(1.3),
    ({ best }) =>
      ratio(
        best("room", ["crateful-cpp"], room(200_000, true, moving)),
        best("room", ["crateful-cpp"], room(1_000, true, moving)),
      ),
  ]),
  [
    "room, 10k: without tracking / with",
    atLeast(20),
    ({ best }) =>
      ratio(best("room", ["crateful-cpp"], room(10_000, false)), best("room", ["crateful-cpp"], room(10_000, true))),
  ],
  [
    "demo, 20k at rest: without tracking / with",
    atLeast(20),
    ({ best }) =>
      ratio(
        best("demo_update", ["crateful"], demo(20_000, false)),
        best("demo_update", ["crateful"], demo(20_000, true)),
      ),
  ],
  [
    "demo, 50k at rest: update, of a 60 Hz frame",
    atMost(0.2),
    ({ best }) => ratio(best("demo_update", ["crateful"], demo(50_000, true)), { median: 1e9 / 60 }),
  ],
  [
    "demo, 50k at rest: draw calls",
    atMost(6),
    ({ best }) => alone(best("demo_calls", ["crateful"], demo(50_000, true))),
  ],
  [
    "demo, 50k at rest: bytes uploaded a frame",
    atMost(0),
    ({ best }) => alone(best("demo_uploaded", ["crateful"], demo(50_000, true))),
  ],
  ...Object.entries(stateLimits).map(([name, [what, unit, limit]]) => [
    `state: ${name.replace(/; bytes.*/, "")}${what === "ratio" ? "" : unit === 1 ? ", ns" : ", µs"}`,
    limit,
    ({ best }) => ratio(best(`limit_${what}`, rows, { limit: name }), { median: unit }),
  ]),
  [
    "storage: a removal among 1M / among 10k",
    atMost(2),
    ({ best }) =>
      ratio(best("storage", ["crateful-cpp"], storage(1_000_000)), best("storage", ["crateful-cpp"], storage(10_000))),
  ],
  [
    "S8: add and remove, 100 systems / 10 systems",
    atMost(1.3),
    ({ best }) => ratio(best("systems", ["crateful"], { count: 100 }), best("systems", ["crateful"], { count: 10 })),
  ],
];

const room = (crates, tracking, moving = 100) => ({ crates, moving, tracking });
const demo = (crates, tracking) => ({ crates, tracking });
const storage = (count) => ({ from: "sparse", n: count });

const ratio = (one, other) =>
  one && other
    ? {
        value: one.median / other.median,
        note: [one, other]
          .map(({ name, library }) => library ?? name)
          .filter(Boolean)
          .join(" / "),
      }
    : undefined;
const alone = (one) => (one ? { value: one.median } : undefined);

/**
 * A goal is met if its limit holds in every round. `value` is that of the medians.
 * @returns {{ name: string, value?: number, worst?: number, limit: string, met?: boolean, note?: string }[]}
 */
export function judge(results) {
  const rounds = Array.from({ length: results.rounds }, (_, k) => toolsFor(results.round(k)));
  return goals.map(([name, { limit, holds, worst: choose }, formula]) => {
    const found = formula(toolsFor(results));
    if (!found) return { name, limit };
    const worst = choose(...rounds.map((tools) => formula(tools).value));
    return { name, limit, ...found, worst, met: holds(worst) };
  });
}

function toolsFor(results) {
  const best = (name, libraries, params = {}, part = undefined) => results.best(name, libraries, params, part);
  return { best, mine: (name, params) => best(name, typescript, params) };
}
