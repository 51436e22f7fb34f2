// Changes of native components, and their exchange with C++ (rules N5, N6).
import { expect, test } from "@jest/globals";
import { ECS, NONE, defineObject, init, nativeComponent, type Entity, type RawWorld } from "crateful";
import { Changes, Replica } from "crateful/state";

interface Fixture {
  addBody(world: RawWorld, mass: number): Entity;
  setMass(world: RawWorld, e: Entity, mass: number): void;
  secretOf(world: RawWorld, e: Entity): number;
  setLabel(world: RawWorld, e: Entity, text: string): void;
  labelOf(world: RawWorld, e: Entity): string;
  setTitle(world: RawWorld, e: Entity, text: string): void;
  titleOf(world: RawWorld, e: Entity): string;
  childOf(world: RawWorld, parent: Entity): Entity;
  addReceiver(world: RawWorld, without: string): number;
  addReplica(world: RawWorld): number;
  takeChanges(receiver: number): Uint8Array;
  applyChanges(replica: number, bytes: Uint8Array, remote: Entity): Entity;
}
const { default: factory } = (await import(
  new URL("../../build/wasm/tests/native_fixture.mjs", import.meta.url).href
)) as { default: () => Promise<Fixture> };
const native = await init({ module: factory });

class Body extends nativeComponent("Body", { mass: "f64", owner: "entity", mood: "u8" }) {}
class Soldier extends nativeComponent("Soldier", { at: "f32x3", stance: ["idle", "walk", "attack"] }) {}
class Aim extends nativeComponent("Aim", { target: "link" }) {}
class Label extends nativeComponent("Label", { length: "u32" }) {}
class Note extends defineObject("Note", { text: "" }) {}

const sides = ["TypeScript", "C++"] as const;
type Side = (typeof sides)[number];

/** Sends from one side to the other. */
function line(from: ECS, to: ECS, sender: Side, receiver: Side) {
  const source =
    sender === "C++" ? native.addReceiver(from.raw, "Note") : new Changes(from, { without: [Note] }).receiver();
  const replica = receiver === "C++" ? native.addReplica(to.raw) : new Replica(to);
  return (remote: Entity): Entity => {
    const bytes = typeof source === "number" ? native.takeChanges(source).slice() : source.take();
    if (typeof replica === "number") return native.applyChanges(replica, bytes, remote);
    replica.apply(bytes);
    return replica.entity(remote);
  };
}

test.each(sides.flatMap((from) => sides.map((to) => [from, to] as const)))(
  "N5 N6 what %s sends can be applied by %s",
  (sender, receiver) => {
    const from = new ECS();
    const to = new ECS();
    to.addEntities(2);
    const body = native.addBody(from.raw, 3);
    const child = native.childOf(from.raw, body);
    from.get(body, Body).owner = child;
    from.addComponent(child, Soldier, { at: [4, 5, 6], stance: "attack" });
    from.addComponent(child, Aim, { target: body });
    from.addComponent(child, Note, { text: "stays here" });
    native.setLabel(from.raw, body, "a label");
    native.setTitle(from.raw, child, "a title");
    const send = line(from, to, sender, receiver);
    const there = send(body);
    const [there2] = to.children(there);
    expect(to.get(there, Body).toJSON()).toMatchObject({ mass: 3, owner: there2, layer: 7 });
    expect(native.secretOf(to.raw, there)).toBe(4711);
    expect(to.get(there2!, Soldier).stance).toBe("attack");
    expect([...to.get(there2!, Soldier).at]).toEqual([4, 5, 6]);
    expect([...to.linked(Aim, there)]).toEqual([there2]);
    expect(native.labelOf(to.raw, there)).toBe("a label");
    expect(to.get(there, Label).length).toBe(7);
    expect(native.titleOf(to.raw, there2!)).toBe("a title");
    const label = to.get(there, Label);

    native.setMass(from.raw, body, 8);
    native.setLabel(from.raw, body, "another");
    expect(send(child)).toBe(there2);
    expect(to.get(there, Body).mass).toBe(8);
    expect(native.labelOf(to.raw, there)).toBe("another");
    expect(to.get(there, Label)).toBe(label);

    from.removeComponent(body, Label);
    send(body);
    expect(to.has(there, Label)).toBe(false);
    native.setLabel(from.raw, body, "again");
    send(body);
    expect(native.labelOf(to.raw, there)).toBe("again");
    from.removeEntity(body);
    from.update();
    expect(send(body)).toBe(NONE);
    expect(to.alive(there)).toBe(false);
  },
);

test("N5 a value of a codec that is encoded as before is not sent", () => {
  const from = new ECS();
  const e = from.addEntity();
  native.setLabel(from.raw, e, "same");
  const receiver = new Changes(from).receiver();
  expect(receiver.take().length).toBeGreaterThan(0);
  native.setLabel(from.raw, e, "same");
  expect(receiver.take()).toHaveLength(0);
});

test("N6 what a codec throws changes nothing", () => {
  const from = new ECS();
  const to = new ECS();
  const e = from.addEntity();
  native.setLabel(from.raw, e, "invalid");
  const bytes = new Changes(from).receiver().take();
  const replica = new Replica(to);
  expect(() => replica.apply(bytes)).toThrow("a label is invalid");
  const numbered = native.addReplica(to.raw);
  expect(() => native.applyChanges(numbered, bytes, e)).toThrow("a label is invalid");
  expect(to.count).toBe(0);
  expect(replica.entity(e)).toBe(NONE);
  to.addEntity(); // it is not locked
});

test("N6 C++ refuses objects of JavaScript", () => {
  const from = new ECS();
  const to = new ECS();
  const e = from.addEntity([Note, { text: "n" }]);
  const bytes = new Changes(from).receiver().take();
  const numbered = native.addReplica(to.raw);
  expect(() => native.applyChanges(numbered, bytes, e)).toThrow("Note");
  expect(to.count).toBe(0);
  expect(() => native.addReceiver(from.raw, "")).toThrow("`components`"); // nothing is left that it could send
});

test("N6 reset writes values of a codec back", () => {
  const from = new ECS();
  const to = new ECS();
  const e = from.addEntity();
  native.setLabel(from.raw, e, "one");
  const receiver = new Changes(from).receiver();
  const replica = new Replica(to);
  replica.apply(receiver.take());
  const copy = replica.entity(e);
  replica.predict(copy);
  native.setLabel(to.raw, copy, "predicted");
  replica.reset();
  expect(native.labelOf(to.raw, copy)).toBe("one");
  native.setLabel(from.raw, e, "two");
  replica.apply(receiver.take());
  to.removeComponent(copy, Label);
  replica.reset();
  expect(native.labelOf(to.raw, copy)).toBe("two");
  native.setLabel(from.raw, e, "invalid");
  expect(() => replica.predict(to.addEntity())).toThrow(expect.objectContaining({ code: "BAD_ARGUMENT" }));
});
