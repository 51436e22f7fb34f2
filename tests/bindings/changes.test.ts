// Changes and replicas (rules N5, N6).
import { expect, test } from "@jest/globals";
import { ECS, NONE, defineComponent } from "crateful";
import { Changes, Replica } from "crateful/state";
import "./with_state.js";

class Place extends defineComponent("Place", { x: "f32", y: "f32" }) {}

test("N5 N6 what is created, changed and removed arrives", () => {
  const from = new ECS();
  const to = new ECS();
  const changes = new Changes(from, { components: [Place] });
  const receiver = changes.receiver();
  const replica = new Replica(to);
  expect(receiver.take()).toHaveLength(0);
  const e = from.addEntity([Place, { x: 1, y: 2 }]);
  replica.apply(receiver.take());
  const copy = replica.entity(e);
  expect(to.get(copy, Place).toJSON()).toEqual({ x: 1, y: 2 });
  expect(replica.remote(copy)).toBe(e);
  from.get(e, Place).x = 5;
  replica.apply(receiver.take());
  expect(to.get(copy, Place).toJSON()).toEqual({ x: 5, y: 2 });
  from.removeEntity(e);
  from.update();
  replica.apply(receiver.take());
  expect(to.alive(copy)).toBe(false);
  expect(replica.entity(e)).toBe(NONE);
});
