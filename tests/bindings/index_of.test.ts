// Entities that are found by the value of a field (rule Q11).
import { describe, expect, test } from "@jest/globals";
import { NONE, Parent, defineComponent, type Entity } from "crateful";
import { Health, expectError, random, world } from "./world.js";

const schema = {
  name: "string",
  team: ["red", "blue", "green"],
  speed: "f32",
  level: "i8",
  awake: "bool",
  target: "entity",
  leader: "link",
  exact: "f64",
  at: "f32x3",
} as const;
class Unit extends defineComponent("Unit", schema) {}
class PackedUnit extends defineComponent("PackedUnit", schema, { policy: "sparse" }) {}

describe.each([
  ["linear", Unit],
  ["sparse", PackedUnit as unknown as typeof Unit],
] as const)("Q11 an index of a %s class", (_, cls) => {
  test("get finds the entities with a value in the order of their indices", () => {
    const ecs = world();
    const [a, b, c] = (["blue", "red", "blue"] as const).map((team) => ecs.addEntity([cls, { team }])) as [
      Entity,
      Entity,
      Entity,
    ];
    const teams = ecs.index(cls, "team");
    expect([[...teams.get("blue")], [...teams.get("green")]]).toEqual([[a, c], []]);
    expect([teams.first("blue"), teams.first("green")]).toEqual([a, NONE]);
    ecs.get(b, cls).team = "blue";
    ecs.removeComponent(a, cls);
    expect([...teams.get("blue")]).toEqual([b, c]);
    ecs.removeEntity(b);
    ecs.removeMarked();
    const d = ecs.addEntity([cls, { team: "blue" }]); // at the index of b
    expect([...teams.get("blue")]).toEqual([d, c]);
    ecs.clear();
    expect([...teams.get("blue")]).toEqual([]);
  });

  test("strings are found by their text, which is not stored", () => {
    const ecs = world();
    const [guard, nameless] = [ecs.addEntity([cls, { name: "guard" }]), ecs.addEntity(cls)];
    const names = ecs.index(cls, "name");
    expect([names.first("guard"), names.first(""), names.first("somebody")]).toEqual([guard, nameless, NONE]);
    const { columns } = ecs.storage(cls);
    ecs.get(nameless, cls).name = "next";
    const next = columns.name[ecs.storage(cls).slot(nameless)]!;
    expect(names.first("nobody")).toBe(NONE);
    ecs.get(nameless, cls).name = "one more";
    expect(ecs.storage(cls).columns.name[ecs.storage(cls).slot(nameless)]).toBe(next + 1);
    expect([names.first("one more"), names.first("next")]).toEqual([nameless, NONE]);
    ecs.get(guard, cls).name = "Zoë \ud800";
    expect(names.first("Zoë \ufffd")).toBe(guard);
    expect(names.first("x".repeat(5000))).toBe(NONE);
  });

  test("numbers are rounded to the field; NaN equals itself, -0 equals 0", () => {
    const ecs = world();
    const [third, nan, zero] = [1 / 3, NaN, -0].map((speed) => ecs.addEntity([cls, { speed, exact: speed }])) as [
      Entity,
      Entity,
      Entity,
    ];
    const [speeds, exact, levels] = [ecs.index(cls, "speed"), ecs.index(cls, "exact"), ecs.index(cls, "level")];
    expect([
      speeds.first(1 / 3),
      speeds.first(Math.fround(1 / 3)),
      speeds.first(NaN),
      speeds.first(0),
      speeds.first(-0),
    ]).toEqual([third, third, nan, zero, zero]);
    expect([exact.first(1 / 3), exact.first(Math.fround(1 / 3)), exact.first(NaN), exact.first(0)]).toEqual([
      third,
      NONE,
      nan,
      zero,
    ]);
    ecs.get(third, cls).level = -3;
    expect(levels.first(-3)).toBe(third);
    expectError("BAD_ARGUMENT", () => levels.first(253)); // as which an assignment stores -3
    expect([...levels.get(0)]).toEqual([nan, zero]);
    const row = ecs.get(zero, cls);
    row.awake = true;
    row.target = nan;
    row.leader = nan;
    expect([
      ecs.index(cls, "awake").first(true),
      ecs.index(cls, "target").first(nan),
      ecs.index(cls, "leader").first(nan),
    ]).toEqual([zero, zero, zero]);
    expect([...ecs.index(cls, "target").get(NONE)]).toEqual([third, nan]);
    ecs.removeEntity(nan);
    ecs.removeMarked();
    expect([ecs.index(cls, "leader").first(nan), ecs.index(cls, "target").first(nan)]).toEqual([NONE, zero]);
  });

  test("results are checked when it is their turn", () => {
    const ecs = world();
    const all = Array.from({ length: 4 }, () => ecs.addEntity([cls, { team: "blue" }])) as [
      Entity,
      Entity,
      Entity,
      Entity,
    ];
    const [a, b, c, d] = all;
    const teams = ecs.index(cls, "team");
    const visited: Entity[] = [];
    for (const e of teams.get("blue")) {
      visited.push(e);
      if (e !== a) continue;
      ecs.get(b, cls).team = "red";
      ecs.removeComponent(c, cls);
      ecs.addEntity([cls, { team: "blue" }]);
      expect([...teams.get("blue")].length).toBe(3); // nested
    }
    expect(visited).toEqual([a, d]);
    // Columns count after markDirty; until then, what has the value no longer is left out.
    const storage = ecs.storage(cls);
    storage.columns.team[storage.slot(a)] = 2;
    expect([teams.first("green"), teams.first("blue")]).toEqual([NONE, d]);
    storage.markDirty(a);
    expect(teams.first("green")).toBe(a);
  });

  test("random operations agree with a scan", () => {
    const ecs = world();
    const next = random(5);
    const levels = ecs.index(cls, "level");
    const all: Entity[] = [];
    for (let step = 0; step < 5000; ++step) {
      const level = next(6);
      const e = all[next(all.length)]!;
      const operation = all.length < 5 ? 0 : next(8);
      if (operation < 2) all.push(ecs.addEntity([cls, { level }]));
      else if (operation === 2) ecs.addComponent(e, cls, { level });
      else if (operation === 3) ecs.removeComponent(e, cls);
      else if (operation === 4) {
        ecs.removeEntity(e);
        ecs.removeMarked();
        all.splice(all.indexOf(e), 1);
      } else if (ecs.has(e, cls)) ecs.get(e, cls).level = level;
      const expected = all
        .filter((each) => ecs.tryGet(each, cls)?.level === level)
        .sort((a, b) => (a & 0x3fffff) - (b & 0x3fffff));
      if (step % 3 === 0) expect([...levels.get(level)]).toEqual(expected);
    }
  });

  test("a value that the field cannot store is an error, and finds nothing that is near it", () => {
    const ecs = world();
    const e = ecs.addEntity([cls, { level: 44, speed: Infinity }]);
    const [levels, speeds] = [ecs.index(cls, "level"), ecs.index(cls, "speed")];
    for (const value of [300, -212, 44.9, NaN, Infinity])
      for (const find of [() => levels.first(value), () => [...levels.get(value)]])
        expect(expectError("BAD_ARGUMENT", find).message).toContain("level has the type i8, which can't store");
    expectError("BAD_ARGUMENT", () => speeds.first(1e300)); // too large for the type
    expect([levels.first(44), speeds.first(Infinity)]).toEqual([e, e]);
  });

  test("a loop visits what has the value when it is its turn, also in a component that was added again", () => {
    const ecs = world();
    const all = [1, 2, 3].map(() => ecs.addEntity([cls, { level: 1 }]));
    const visited: Entity[] = [];
    for (const e of ecs.index(cls, "level").get(1)) {
      visited.push(e);
      if (visited.length > 1) continue;
      ecs.removeComponent(all[1]!, cls);
      ecs.addComponent(all[1]!, cls, { level: 1 });
      ecs.addEntity([cls, { level: 1 }]); // it did not have the value when the loop began
    }
    expect(visited).toEqual(all);
  });

  test("errors", () => {
    const ecs = world();
    expect(expectError("BAD_ARGUMENT", () => ecs.index(Parent, "entity")).message).toContain("ecs.children");
    expectError("BAD_ARGUMENT", () => ecs.index(cls, "at" as never));
    expect(expectError("BAD_ARGUMENT", () => ecs.index(cls, "size" as never)).message).toContain("it has name, team");
    expectError("BAD_ARGUMENT", () => ecs.index(Health as never, "current" as never));
    const [teams, names, levels] = [ecs.index(cls, "team"), ecs.index(cls, "name"), ecs.index(cls, "level")];
    for (const wrong of ["purple", 1, undefined] as never[]) expectError("BAD_ARGUMENT", () => teams.first(wrong));
    for (const wrong of [5, null, {}] as never[]) expectError("BAD_ARGUMENT", () => [...names.get(wrong)]);
    for (const wrong of ["1", true, [1]] as never[]) expectError("BAD_ARGUMENT", () => levels.get(wrong));
    ecs.dispose();
    expectError("DISPOSED", () => levels.first(1));
  });
});
