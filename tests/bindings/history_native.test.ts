// A history of components and systems in C++, in a module that links crateful::inspection (rule D14).
import { expect, test } from "@jest/globals";
import { ECS, init, nativeComponent, type Entity, type RawWorld } from "crateful";
import { History } from "crateful/inspector";

interface Fixture {
  addBody(world: RawWorld, mass: number): Entity;
  addGrower(world: RawWorld, priority: number, silent: boolean): void;
  addWeigher(world: RawWorld, priority: number): void;
  setMass(world: RawWorld, e: Entity, mass: number): void;
}
const { default: factory } = (await import(
  new URL("../../build/wasm/tests/native_fixture.mjs", import.meta.url).href
)) as { default: () => Promise<Fixture> };
const native = await init({ module: factory });
class Body extends nativeComponent("Body", { mass: "f64", owner: "entity", mood: "u8" }) {}

test("D14 names systems of C++, and what C++ has changed outside of systems", () => {
  const ecs = new ECS();
  native.addGrower(ecs.raw, 1, false);
  native.addWeigher(ecs.raw, 2);
  const body = native.addBody(ecs.raw, 3);
  ecs.update();
  const history = new History(ecs);
  native.setMass(ecs.raw, body, 10);
  ecs.update();
  ecs.get(body, Body).mass = 20;
  const entries = history.why(body).map(({ frame, system, component, field, before, after, notified }) => ({
    ...{ frame, system, what: `${component}.${field}`, before, after, notified },
  }));
  const notified = ["Weigher"];
  expect(entries).toEqual([
    { frame: 3, system: undefined, what: "Body.mass", before: 11, after: 20, notified },
    { frame: 2, system: "Grower", what: "Body.mass", before: 10, after: 11, notified },
    { frame: 2, system: undefined, what: "Body.mass", before: 4, after: 10, notified },
  ]);
  expect(history.bySystem("Grower").length).toBe(1);
});
