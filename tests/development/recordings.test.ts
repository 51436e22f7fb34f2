import { beforeEach, expect, jest, test } from "@jest/globals";
import {
  Component,
  ECS,
  defineComponent,
  defineObject,
  defineSystem,
  init,
  type Entity,
  type RawWorld,
} from "crateful";
import { Rewind, restore, snapshot } from "crateful/state";

interface Fixture {
  addBody(world: RawWorld, mass: number): Entity;
  addGrower(world: RawWorld, priority: number, silent: boolean): void;
}
const { default: factory } = (await import(
  new URL("../../build/wasm/tests/native_fixture.mjs", import.meta.url).href
)) as { default: () => Promise<Fixture> };
const native = await init({ module: factory });

class Place extends defineComponent("Place", { x: "f32", at: "f32x2", room: ["cellar", "hall"] }) {}
class Bag extends defineObject("Bag", { gold: 0 }) {}
class Mesh extends Component {}

const warn = jest.spyOn(console, "warn");
beforeEach(() => {
  warn.mockReset();
});
/** The warnings of an update. */
function update(ecs: ECS): string[] {
  warn.mockReset();
  ecs.update();
  return warn.mock.calls.map(([message]) => message as string);
}
const warning = (cls: string, field: string, entity: number) =>
  `crateful: ${cls}.${field} of entity ${entity} has changed without a signal, so that Rewind does not record it. After writing to ` +
  `columns, call ecs.storage(${cls}).markDirty(entity) before the update ends; in C++, ecs.dirty<${cls}>(entity)`;

test("N7 B1 a write to columns without markDirty is reported in the update after it, once for each class and field", () => {
  class Crate extends defineComponent("Crate", { x: "f32", at: "f32x2", room: ["cellar", "hall"] }) {}
  const ecs = new ECS();
  const [, e] = [ecs.addEntity(Crate), ecs.addEntity(Crate), ecs.addEntity(Crate)];
  using rewind = new Rewind(ecs);
  const crates = ecs.storage(Crate);
  const slot = crates.slot(e);
  expect(update(ecs)).toEqual([]);
  crates.columns.x[slot] = 1;
  crates.columns.at[2 * slot + 1] = 1;
  expect(update(ecs)).toEqual([warning("Crate", "x", e), warning("Crate", "at", e)]);
  crates.columns.x[slot] = 2;
  crates.columns.room[slot] = 1;
  expect(update(ecs)).toEqual([warning("Crate", "room", e)]);
  expect(update(ecs)).toEqual([]);
  rewind.to(0);
  expect(ecs.get(e, Crate).x).toBe(2); // this is why
});

test("N7 B1 D2 assigning -0 over 0, or another NaN, is no write without a signal", () => {
  const ecs = new ECS();
  const e = ecs.addEntity(Place);
  using rewind = new Rewind(ecs);
  const places = ecs.storage(Place);
  new Uint32Array(places.columns.x.buffer, places.columns.x.byteOffset)[places.slot(e)] = 0xffc00001; // a NaN of other bits
  places.markDirty(e);
  expect(update(ecs)).toEqual([]);
  ecs.get(e, Place).at.set(-0, -0);
  for (const { place } of ecs.query({ place: Place })) {
    place.at.x = -0;
    place.x -= 1;
  }
  expect(update(ecs).filter((text) => text.includes("without a signal"))).toEqual([]);
  expect(rewind.newest).toBe(2);
});

test("N7 B1 writes to columns inside and outside of an update that are followed by markDirty are not reported", () => {
  class Write extends defineSystem({ place: Place }) {
    override update(): void {
      const places = this.ecs!.storage(Place);
      for (const { entity } of this.rows) places.columns.x[places.slot(entity)]! += 1;
      places.markDirty([...places]);
    }
  }
  const ecs = new ECS();
  const e = ecs.addEntity(Place);
  ecs.addSystem(0, new Write());
  using rewind = new Rewind(ecs);
  for (let k = 0; k < 3; ++k) {
    expect(update(ecs)).toEqual([]);
    ecs.storage(Place).columns.at[2 * ecs.storage(Place).slot(e)]! += 1;
    ecs.storage(Place).markDirty(e);
  }
  rewind.to(1);
  expect(update(ecs)).toEqual([]);
});

test("N7 B1 without a Rewind, after its end, and of classes that it leaves out, nothing is reported", () => {
  const [ecs, other] = [new ECS(), new ECS()];
  const write = () => {
    const places = ecs.storage(Place);
    places.columns.x[places.slot(e)]! += 1;
  };
  const e = ecs.addEntity(Place, new Mesh());
  other.addEntity(Place);
  using _ = new Rewind(other);
  write();
  expect(update(ecs)).toEqual([]);
  const rewind = new Rewind(ecs, { without: [Place, Mesh] });
  write();
  expect(update(ecs)).toEqual([]);
  rewind.dispose();
  const second = new Rewind(ecs, { without: [Mesh] });
  second.dispose();
  write();
  expect(update(ecs)).toEqual([]);
});

test("N7 B1 setters, object components and what begins a new recording are not reported", () => {
  const ecs = new ECS();
  const e = ecs.addEntity(Place, Bag);
  using _ = new Rewind(ecs);
  ecs.get(e, Place).room = "hall";
  ecs.get(e, Bag).gold = 3;
  expect(update(ecs)).toEqual([]);
  ecs.storage(Place).columns.x[ecs.storage(Place).slot(e)] = 1;
  restore(ecs, snapshot(ecs));
  expect(update(ecs)).toEqual([]);
  class End extends defineSystem({ place: Place }) {
    override update(): void {
      this.ecs!.dispose();
    }
  }
  ecs.addSystem(0, new End());
  expect(update(ecs)).toEqual([]);
});

test.each([false, true])("N7 B1 a field that C++ writes is reported if it does not signal: %s", (silent) => {
  const ecs = new ECS();
  const e = native.addBody(ecs.raw, 3); // of a class that JavaScript does not know
  native.addGrower(ecs.raw, 0, silent);
  using _ = new Rewind(ecs);
  expect(update(ecs)).toEqual(silent ? [warning("Body", "mass", e)] : []);
});
