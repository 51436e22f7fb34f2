// Object components in changes and replicas (rules N5, N6).
import { expect, test } from "@jest/globals";
import { Component, ECS, NONE, defineComponent, defineObject } from "crateful";
import { Changes, Replica } from "crateful/state";
import "./with_state.js";

class Note extends defineObject("Note", { text: "", list: [] as number[] }) {}
class Place extends defineComponent("Place", { x: "f32", y: "f32" }) {}

test("N5 N6 object components are sent when they signal, and arrive", () => {
  const from = new ECS();
  const to = new ECS();
  const e = from.addEntity([Note, { text: "a" }], [Place, { x: 1 }]);
  const changes = new Changes(from);
  const receiver = changes.receiver();
  const replica = new Replica(to);
  replica.apply(receiver.take());
  const copy = replica.entity(e);
  expect(to.get(copy, Note).text).toBe("a");
  from.get(e, Note).text = "b";
  replica.apply(receiver.take());
  expect(to.get(copy, Note).text).toBe("b");
  const before = to.get(copy, Note);
  from.get(e, Note).dirty();
  expect(receiver.take()).toHaveLength(0);
  from.removeComponent(e, Place);
  replica.apply(receiver.take());
  expect(to.get(copy, Note)).toBe(before);
  expect(to.has(copy, Place)).toBe(false);
  from.removeComponent(e, Note);
  replica.apply(receiver.take());
  expect(replica.entity(e)).toBe(NONE);
  expect(to.alive(copy)).toBe(false);
});
