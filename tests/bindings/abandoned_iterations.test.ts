// Rule T4: what an iteration costs that is abandoned after its first step. A file of its own, because it replaces a function of
// the module.
import { expect, test } from "@jest/globals";
import { init } from "crateful";
import type { RawModule } from "../../web/src/module/raw.js";

// Built by tests/bindings/CMakeLists.txt.
const { default: create } = (await import(
  new URL("../../build/wasm/tests/native_fixture.mjs", import.meta.url).href
)) as {
  default: () => Promise<RawModule>;
};
const core = await create();
await init({ module: core });
const { Packed, Position, add, policies, world } = await import("./world.js"); // uses that module

/** From now on, counts the positions that the core opens. */
function countOpened(): () => number {
  const { _crateful_open_iteration: open } = core;
  let opened = 0;
  core._crateful_open_iteration = (...args) => (++opened, open(...args));
  return () => opened;
}

test.each(policies)("T4 loops over rows that end early give their positions back at once (%s)", (_, cls) => {
  const ecs = world();
  ecs.addComponents(ecs.addEntities(12), cls);
  const query = ecs.query({ position: cls });
  const leave = () => {
    for (const _ of query) return;
  };
  const fail = () => {
    for (const _ of query) throw new Error("left");
  };
  const opened = countOpened();
  for (let i = 0; i < 1_000; ++i) {
    for (const _ of query) break;
    leave();
    expect(fail).toThrow("left");
    const [row] = query;
    const rows = query[Symbol.iterator]();
    rows.next();
    expect(rows.return?.().done).toBe(true);
    expect(row).toBeDefined();
  }
  expect(opened()).toBeLessThanOrEqual(2);
});

test("T4 iterations that are abandoned after their first step use the same few positions in the core", () => {
  const ecs = world();
  const all = ecs.addEntities(12);
  ecs.addComponents(all, Position);
  ecs.addComponents(all, Packed);
  const system = add(ecs, { watches: [Position] });
  ecs.update(); // the system has received its sets
  for (const e of all) ecs.get(e, Position).x = 1;

  const opened = countOpened();
  const abandon = () => {
    ecs.storage(Position)[Symbol.iterator]().next();
    ecs.storage(Packed)[Symbol.iterator]().next();
    system.entities.keys().next();
    system.dirty.values().next();
  };
  for (let i = 0; i < 1_000; ++i) abandon();
  const sets = 4;
  expect(opened()).toBeLessThanOrEqual(5 * sets);
  const begun = opened();
  Array.from(system.entities.keys());
  expect(opened()).toBeLessThanOrEqual(begun + 1);
});
