// Snapshots of native components, and their exchange with C++ (rules N1, N2, N4).
import { expect, test } from "@jest/globals";
import { ECS, defineObject, init, nativeComponent, type Entity, type RawWorld } from "crateful";
import { Changes, Replica, Rewind, merge, restore, snapshot } from "crateful/state";
import { sameBytes } from "./state_bytes.js";

interface Fixture {
  addBody(world: RawWorld, mass: number): Entity;
  secretOf(world: RawWorld, e: Entity): number;
  setMass(world: RawWorld, e: Entity, mass: number): void;
  setLabel(world: RawWorld, e: Entity, text: string): void;
  labelOf(world: RawWorld, e: Entity): string;
  titleOf(world: RawWorld, e: Entity): string;
  setTitle(world: RawWorld, e: Entity, text: string): void;
  childOf(world: RawWorld, parent: Entity): Entity;
  snapshot(world: RawWorld): Uint8Array;
  restore(world: RawWorld, bytes: Uint8Array): void;
}
const { default: factory } = (await import(
  new URL("../../build/wasm/tests/native_fixture.mjs", import.meta.url).href
)) as { default: () => Promise<Fixture> };
const native = await init({ module: factory });

class Body extends nativeComponent("Body", { mass: "f64", owner: "entity", mood: "u8" }) {}
class Tile extends nativeComponent("Tile", { kind: "u32", height: "f32" }) {}
const Frozen = nativeComponent("Frozen");
class Soldier extends nativeComponent("Soldier", { at: "f32x3", stance: ["idle", "walk", "attack"] }) {}
class Aim extends nativeComponent("Aim", { target: "link" }) {}
class Note extends defineObject("Note", { text: "" }) {}

/** A world with native components, which C++ can also read. */
function scene(ecs = new ECS()) {
  const body = native.addBody(ecs.raw, 3);
  const child = native.childOf(ecs.raw, body);
  ecs.get(body, Body).owner = child;
  ecs.addComponent(child, Soldier, { at: [4, 5, 6], stance: "attack" });
  ecs.addComponent(child, Aim, { target: body });
  ecs.addComponent(body, Tile, { kind: 9, height: 1.5 });
  ecs.addComponent(body, Frozen, {});
  native.setLabel(ecs.raw, body, "a label");
  native.setTitle(ecs.raw, child, "a title");
  ecs.update(0.5);
  return { ecs, body, child };
}

test("N1 snapshots of TypeScript and of C++ are the same bytes", () => {
  const { ecs } = scene();
  expect(sameBytes(snapshot(ecs), native.snapshot(ecs.raw))).toBe(true);
});

test.each(["TypeScript", "C++"])("N2 what the other side saved can be restored by %s", (side) => {
  const { ecs, body, child } = scene();
  const bytes = side === "C++" ? snapshot(ecs) : native.snapshot(ecs.raw).slice();
  const apply = (to: ECS) => (side === "C++" ? native.restore(to.raw, bytes) : restore(to, bytes));
  for (const target of [new ECS(), ecs]) {
    native.setLabel(ecs.raw, body, "changed");
    native.setMass(ecs.raw, body, 100);
    ecs.setParent(child, 0);
    const kept = target === ecs ? ecs.get(child, Soldier) : undefined;
    if (kept) kept.stance = "idle";
    apply(target);
    if (kept) expect(target.get(child, Soldier)).toBe(kept);
    expect(target.get(body, Body).toJSON()).toMatchObject({ mass: 3, owner: child, layer: 7 });
    expect(target.get(child, Soldier).stance).toBe("attack");
    expect([...target.get(child, Soldier).at]).toEqual([4, 5, 6]);
    expect(target.get(body, Tile).toJSON()).toEqual({ kind: 9, height: 1.5 });
    expect(target.has(body, Frozen)).toBe(true);
    expect([...target.linked(Aim, body)]).toEqual([child]);
    expect(target.parent(child)).toBe(body);
    expect(native.labelOf(target.raw, body)).toBe("a label");
    expect(native.titleOf(target.raw, child)).toBe("a title");
    expect(native.secretOf(target.raw, body)).toBe(4711);
    expect(sameBytes(snapshot(target), bytes)).toBe(true);
  }
});

test("N2 C++ refuses objects of JavaScript, and what a codec throws changes nothing", () => {
  const ecs = new ECS();
  const e = ecs.addEntity([Note, { text: "n" }]);
  const bytes = snapshot(ecs);
  expect(() => native.snapshot(ecs.raw)).toThrow("Note");
  expect(() => native.restore(ecs.raw, bytes)).toThrow("Note");
  const other = new ECS();
  native.setLabel(other.raw, other.addEntity(), "invalid");
  const invalid = snapshot(other);
  expect(() => restore(ecs, invalid)).toThrow("a label is invalid");
  expect(snapshot(ecs)).toEqual(bytes);
  expect(ecs.get(e, Note).text).toBe("n");
});

test("N1 N2 N5 N6 N7 N9 what functions of a codec throw is thrown by each call, and changes nothing", () => {
  const { ecs, body } = scene();
  const before = snapshot(ecs);
  const bytesOf = (text: string) => {
    const other = new ECS();
    native.setLabel(other.raw, other.addEntity(), text);
    return snapshot(other);
  };
  const invalid = bytesOf("invalid");
  expect(() => restore(ecs, invalid)).toThrow("a label is invalid");
  expect(() => native.restore(ecs.raw, invalid)).toThrow("a label is invalid");
  expect(() => merge(ecs, invalid)).toThrow("a label is invalid");
  expect(() => merge(ecs, bytesOf("map"))).toThrow("cannot map");
  expect(sameBytes(snapshot(ecs), before)).toBe(true);

  const page = new ECS();
  const replica = new Replica(page);
  const receiver = new Changes(ecs).receiver();
  replica.apply(receiver.take());
  const count = page.count;
  native.setLabel(ecs.raw, body, "invalid");
  const bytes = receiver.take();
  expect(() => replica.apply(bytes)).toThrow("a label is invalid");
  expect(page.count).toBe(count);

  native.setLabel(ecs.raw, body, "encode");
  expect(() => snapshot(ecs)).toThrow("cannot encode");
  expect(() => native.snapshot(ecs.raw)).toThrow("cannot encode");
  expect(() => receiver.take()).toThrow("cannot encode");
  expect(() => ecs.clone(body)).toThrow("cannot encode");
  expect(() => {
    const rewind = new Rewind(ecs);
    ecs.update();
    rewind.to(rewind.newest);
  }).toThrow("cannot encode");
  native.setLabel(ecs.raw, body, "map");
  expect(() => snapshot(ecs, { compact: true })).toThrow("cannot map");
  native.setLabel(ecs.raw, body, "a label");
  snapshot(ecs, { compact: true });
});
