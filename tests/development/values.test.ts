import { beforeEach, expect, jest, test } from "@jest/globals";
import { defineComponent, defineSystem } from "crateful";
import { entity, world } from "../bindings/world.js";

const warn = jest.spyOn(console, "warn");
beforeEach(() => {
  warn.mockReset();
});
const warnings = () => warn.mock.calls.map(([message]) => message as string);

test("B1 an integer field that gets a value that it can't store is a warning, once per field", () => {
  class Counts extends defineComponent("Counts", { small: "u8", signed: "i16", large: "u32", whole: "i32" }) {}
  const ecs = world();
  const e = entity(ecs, new Counts({ small: 255, signed: -32_768, large: 4_294_967_295, whole: -1 }));
  const counts = ecs.get(e, Counts);
  counts.small = 0;
  expect(warnings()).toEqual([]);
  counts.small = 300;
  counts.small = -1;
  expect([counts.small, warnings()]).toEqual([
    255,
    [
      "crateful: Counts.small got 300, which its type u8 can't store: it is 44 now. Limit or round the value, or declare a larger type",
    ],
  ]);
  for (const { counts: row } of ecs.query({ counts: Counts })) row.signed = 40_000;
  expect(warnings()[1]).toContain("Counts.signed got 40000, which its type i16 can't store: it is -25536 now");
  ecs.addEntity([Counts, { large: -1 }]);
  expect(warnings()[2]).toContain("Counts.large got -1, which its type u32 can't store: it is 4294967295 now");
  ecs.addComponent(e, new Counts({ whole: 0.5 }));
  expect(warnings()[3]).toContain("Counts.whole got 0.5, which its type i32 can't store: it is 0 now");
  expect(warnings().length).toBe(4);
});

test("B1 a numeric field that gets NaN is a warning, once per field", () => {
  class Place extends defineComponent("Place", { x: "f32", y: "f64", ok: "bool", of: "entity" }) {}
  const ecs = world();
  const place = ecs.get(ecs.addEntity(Place), Place);
  place.x = 1e300;
  place.ok = true;
  place.of = 4_294_967_295;
  expect(warnings()).toEqual([]);
  place.x = Number.NaN;
  place.x = Number.NaN;
  expect(warnings()).toEqual(["crateful: Place.x got NaN. A calculation with undefined or 0 / 0 has this result"]);
  ecs.addComponent(ecs.addEntity(), Place, { y: Number.NaN });
  expect(warnings()[1]).toContain("Place.y got NaN");
});

test("C12 B1 an element of a vector that gets a value that it can't store is a warning, once per element", () => {
  class Body extends defineComponent("Body", { at: "f32x2", colour: "u8x4" }) {}
  const ecs = world();
  const body = ecs.get(ecs.addEntity([Body, { colour: [0, 255, 0, 0], at: [1, 2] }]), Body);
  expect(warnings()).toEqual([]);
  body.colour.y = 256;
  body.colour.set(1, 2, -1, 3);
  body.colour.set(1, 2, -1, 3);
  for (const { body } of ecs.query({ body: Body })) body.at.set(1, Number.NaN);
  ecs.addEntity([Body, { colour: [0, 0, 0, 0.5], at: [Number.NaN, 1] }]);
  expect(warnings().map((text) => text.slice(0, 40))).toEqual([
    "crateful: Body.colour[1] got 256, which ",
    "crateful: Body.colour[2] got -1, which i",
    "crateful: Body.at[1] got NaN. A calculat",
    "crateful: Body.colour[3] got 0.5, which ",
    "crateful: Body.at got NaN. A calculation",
  ]);
});

test("C11 B1 names and numbers of an enum are no warnings", () => {
  class Unit extends defineComponent("Unit", { state: ["idle", "walk"] }) {}
  const ecs = world();
  ecs.get(ecs.addEntity([Unit, { state: "walk" }]), Unit).state = "idle";
  ecs.prefab([Unit]).spawn(2, [{ state: Uint8Array.of(0, 1) }]);
  const wrong = () => {
    ecs.get(ecs.addEntity(Unit), Unit).state = 300 as never;
  };
  expect(wrong).toThrow('field state takes "idle", "walk", not 300');
  expect(warnings()).toEqual([]);
});

class Hit {}
test("B1 an inbox that is not read in 60 updates of its system is a warning, once per system", () => {
  class Ears extends defineSystem() {
    readonly hits = this.inbox(Hit);
    override update() {}
  }
  class Reader extends defineSystem() {
    readonly hits = this.inbox(Hit);
    override update() {
      for (const _ of this.hits);
    }
  }
  class Sleeper extends defineSystem(undefined, { disabled: true }) {
    readonly hits = this.inbox(Hit);
    override update() {}
  }
  class Menu extends Ears {
    override when() {
      return false;
    }
  }
  const ecs = world();
  for (const system of [new Ears(), new Reader(), new Sleeper(), new Menu()]) ecs.addSystem(0, system);
  for (let i = 0; i < 100; ++i) ecs.update();
  expect(warnings()).toEqual([]);
  ecs.events.dispatch(new Hit());
  for (let i = 0; i < 60; ++i) ecs.update();
  expect(warnings()).toEqual([]);
  for (let i = 0; i < 200; ++i) ecs.update();
  expect(warnings()).toEqual([
    "crateful: Ears: its inbox of Hit was not read in 60 updates; it holds events (1). Take them out in update: for (const event of this.hits)",
  ]);
});

test("B1 C13 a value that is no string is an error that names the class, the field and the value", () => {
  class Label extends defineComponent("Label", { text: "string" }) {}
  const ecs = world();
  const e = entity(ecs, new Label({ text: "a" }));
  const wrong = () => {
    ecs.get(e, Label).text = 5 as never;
  };
  expect(wrong).toThrow("Label.text (string) takes a string, not 5");
  expect(() => ecs.addComponent(e, Label, { text: null as never })).toThrow(
    "Label.text (string) takes a string, not null",
  );
  expect(() => ecs.addComponents([e], Label, { text: [5 as never] })).toThrow(
    "Label.text (string) takes a string, not 5",
  );
  expect(warnings()).toEqual([]);
});
