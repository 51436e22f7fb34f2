// Enum fields in TypeScript; those of C++ structs are in native_components.test.ts.
import { expect, test } from "@jest/globals";
import { defineComponent, type Schema } from "crateful";
import { add, entity, expectError, thrownBy, values, world } from "./world.js";

const states = ["idle", "walk", "attack"] as const;
class Unit extends defineComponent("Unit", { state: states, mood: { type: ["calm", "angry"], default: "angry" } }) {}
class PackedUnit extends defineComponent("PackedUnit", { state: states }, { policy: "sparse" }) {}

const many = Array.from({ length: 300 }, (_, k) => `name${k}`);
class Many extends defineComponent("Many", { name: many }) {}

test("C11 the default is the first name, or the one that is declared", () => {
  const ecs = world();
  const plain = new Unit();
  expect([plain.state, plain.mood]).toEqual(["idle", "angry"]);
  const e = ecs.addEntity(Unit);
  expect(ecs.get(e, Unit).toJSON()).toEqual({ state: "idle", mood: "angry" });
  ecs.addComponents([e], Unit);
  expect(ecs.get(e, Unit).toJSON()).toEqual({ state: "idle", mood: "angry" });
});

test.each([Unit, PackedUnit as unknown as typeof Unit])("C11 a field holds the name that it was given [%p]", (cls) => {
  const ecs = world();
  const plain = new cls({ state: "walk" });
  expect(plain.state).toBe("walk");
  plain.state = "attack";
  const e = entity(ecs, plain);
  expect(plain.state).toBe("attack");
  plain.state = "idle";
  expect(ecs.get(e, cls).state).toBe("idle");
  for (const row of ecs.query({ unit: cls })) {
    row.unit.state = "walk";
    expect(row.unit.state).toBe("walk");
  }
  expect(plain.state).toBe("walk");
  ecs.removeComponent(e, cls);
  expectError("MISSING_COMPONENT", () => plain.state);
});

test("C11 columns contain the numbers of the names", () => {
  const ecs = world();
  const prefab = ecs.prefab([Unit]);
  const entities = prefab.spawn(3, [{ state: ["attack", "idle", "walk"] }]);
  const { state } = ecs.storage(Unit).columns;
  expect(state).toBeInstanceOf(Uint8Array);
  expect(values(ecs, Unit, "state")).toEqual([2, 0, 1]);
  const slot = ecs.storage(Unit).slot(entities[0]!);
  state[slot] = 1;
  expect(ecs.get(entities[0]!, Unit).state).toBe("walk");
  state[slot] = 7; // has no name
  expect(ecs.get(entities[0]!, Unit).state).toBeUndefined();
});

test("C11 more than 256 names are stored as a u16", () => {
  const ecs = world();
  const e = ecs.addEntity([Many, { name: "name299" }]);
  expect(ecs.get(e, Many).name).toBe("name299");
  expect(ecs.storage(Many).columns.name).toBeInstanceOf(Uint16Array);
  expect(values(ecs, Many, "name")).toEqual([299]);
  class Most extends defineComponent("Most", { name: many.slice(0, 256) }) {}
  ecs.addComponent(e, Most, { name: "name255" });
  expect(ecs.storage(Most).columns.name).toBeInstanceOf(Uint8Array);
  expect(values(ecs, Most, "name")).toEqual([255]);
});

test("C11, X1 any other value is an error that lists the names, and changes nothing", () => {
  const ecs = world();
  const e = ecs.addEntity([Unit, { state: "walk" }]);
  const unit = ecs.get(e, Unit);
  const prefab = ecs.prefab([Unit]);
  const { count } = ecs;
  for (const value of ["wlak", "", 1, null, ["walk"], "__proto__"] as never[]) {
    const calls = [
      () => new Unit({ state: value }),
      () => (new Unit().state = value),
      () => (unit.state = value),
      () => (ecs.query({ unit: Unit }).at(e)!.unit.state = value),
      () => ecs.addEntity([Unit, { state: value }]),
      () => ecs.addComponent(e, Unit, { state: value }),
      () => ecs.addComponents([e], Unit, { state: [value] as never }),
      () => ecs.prefab([[Unit, { state: value }]]),
      () => prefab.spawn([{ state: value }]),
      () => prefab.spawn(2, [{ state: ["idle", value] }]),
      () => defineComponent("A", { state: { type: states, default: value } }),
    ];
    for (const call of calls) {
      const { message } = expectError("BAD_ARGUMENT", call);
      expect(message).toContain('field state takes "idle", "walk", "attack", not ');
    }
  }
  expect(thrownBy(() => (unit.state = "wlak" as never))).toHaveProperty(
    "message",
    'field state takes "idle", "walk", "attack", not "wlak"',
  );
  expect(unit.state).toBe("walk");
  expect(ecs.count).toBe(count);
});

test("C11, C14 a column of another storage can be the values of many components, if each number has a name", () => {
  const ecs = world();
  const prefab = ecs.prefab([Unit]);
  const [first] = prefab.spawn(3, [{ state: ["attack", "idle", "walk"] }]);
  const { columns } = ecs.storage(Unit);
  const copies = prefab.spawn(3, [{ state: columns.state.subarray(ecs.storage(Unit).slot(first!)) }]);
  expect([...copies].map((e) => ecs.get(e, Unit).state)).toEqual(["attack", "idle", "walk"]);
  const { message } = expectError("BAD_ARGUMENT", () => prefab.spawn(1, [{ state: Uint8Array.of(3) }]));
  expect(message).toContain('"idle", "walk", "attack"');
  expect(ecs.count).toBe(6);
});

test.each([
  [[], "an enum has 1 to 65536 names, not 0"],
  [Array.from({ length: 65_537 }, (_, k) => String(k)), "an enum has 1 to 65536 names, not 65537"],
  [["a", "b", "a"], 'the names of an enum are different strings, not "a"'],
  [["a", 1], "the names of an enum are different strings, not 1"],
  [["a", undefined], "the names of an enum are different strings, not undefined"],
])("C11, X1 a wrong list of names is an error [%#]", (names, message) => {
  for (const field of [names, { type: names }])
    expect(thrownBy(() => defineComponent("A", { state: field } as Schema))).toHaveProperty(
      "message",
      `defineComponent: A.state: ${message}`,
    );
});

test("C11 the list of names is copied", () => {
  const names = ["a", "b"];
  class Copied extends defineComponent("Copied", { name: names }) {}
  names[0] = "z";
  expect(new Copied().name).toBe("a");
  expect(Copied.schema).toEqual({ name: { type: ["a", "b"], default: "a" } });
});

test("C11, D2 a setter signals if the name changes", () => {
  const ecs = world();
  const e = ecs.addEntity([Unit, { state: "walk" }]);
  const system = add(ecs, { requires: [Unit], watches: [Unit] });
  const changes = (change: () => void) => {
    ecs.update();
    change();
    ecs.update();
    return system.lastRun!.length;
  };
  const unit = ecs.get(e, Unit);
  const row = () => ecs.query({ unit: Unit }).at(e)!.unit;
  expect(changes(() => (unit.state = "walk"))).toBe(0);
  expect(changes(() => (unit.state = "idle"))).toBe(1);
  expect(changes(() => (row().state = "idle"))).toBe(0);
  expect(changes(() => (row().state = "attack"))).toBe(1);
});

test("C11, A2 onRemove can read the name", () => {
  const ecs = world();
  const e = ecs.addEntity([Unit, { state: "attack" }]);
  const read: string[] = [];
  add(ecs, { requires: [Unit], onRemove: (aspect) => read.push(aspect.get(Unit).state) });
  ecs.removeComponent(e, Unit);
  ecs.addComponent(e, new Unit({ state: "walk" }));
  ecs.removeComponent(e, Unit);
  expect(read).toEqual(["attack", "walk"]);
});

test("C11, C14 components, Object.assign, prefabs and overrides accept names; tools show them", () => {
  const ecs = world();
  const e = ecs.addEntity(new Unit({ state: "walk" }));
  const unit = ecs.get(e, Unit);
  expect(new Unit(unit)).toEqual({ state: "walk", mood: "angry" });
  Object.assign(unit, { mood: "calm" });
  expect(JSON.stringify(unit)).toBe('{"state":"walk","mood":"calm"}');
  expect(unit).toEqual({ state: "walk", mood: "calm" });
  const prefab = ecs.prefab({ unit: [Unit, { state: "attack" }] });
  expect(ecs.get(prefab.spawn(), Unit).state).toBe("attack");
  expect(ecs.get(prefab.spawn({ unit: { state: "idle" } }), Unit).state).toBe("idle");
  const [first, second] = prefab.spawn(2, { unit: { mood: ["calm", "angry"] } });
  expect(ecs.get(first!, Unit).toJSON()).toEqual({ state: "attack", mood: "calm" });
  expect(ecs.get(second!, Unit).toJSON()).toEqual({ state: "attack", mood: "angry" });
});
