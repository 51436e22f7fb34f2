// A selection of entities ends when they are removed, also by `restore` and Rewind (rule N5).
import { describe, expect, test } from "@jest/globals";
import { ECS, NONE, defineComponent, defineObject } from "crateful";
import { Changes, Replica, Rewind, restore, snapshot } from "crateful/state";
import "./with_state.js";

class Place extends defineComponent("SelectedPlace", { x: "f32" }) {}
class Title extends defineObject("SelectedTitle", { text: "" }) {}
const components = [Place, Title];

describe.each([{ lossy: false }, { lossy: true }])("lossy: $lossy", ({ lossy }) => {
  function pair() {
    const from = new ECS();
    const to = new ECS();
    const changes = new Changes(from, { components });
    const receiver = changes.receiver({ lossy, select: [] });
    const replica = new Replica(to, { components });
    const send = () => {
      from.update();
      const bytes = receiver.take();
      replica.apply(bytes);
      if (lossy) receiver.acknowledge(replica.acknowledgement());
    };
    const add = (x: number) => from.addEntity([Place, { x }], [Title, { text: `${x}` }]);
    const remove = (e: number) => {
      from.removeEntity(e);
      from.removeMarked();
    };
    return { from, to, changes, receiver, replica, send, add, remove };
  }

  test("N5 an entity with the handle of one that was removed before `restore` is not selected", () => {
    const { from, to, receiver, replica, send, add, remove } = pair();
    const saved = snapshot(from);
    const mine = add(1);
    receiver.select(mine);
    send();
    expect(to.count).toBe(1);
    remove(mine);
    restore(from, saved);
    expect(add(99)).toBe(mine);
    send();
    expect(to.count).toBe(0);
    expect(replica.entity(mine)).toBe(NONE);
  });

  test("N5 an entity with the handle of one that `restore` has removed is not selected", () => {
    const { from, to, receiver, send, add } = pair();
    const saved = snapshot(from);
    const mine = add(1);
    receiver.select(mine);
    send();
    const next = add(2);
    receiver.select(next); // not taken yet
    restore(from, saved);
    expect([add(99), add(99)]).toEqual([mine, next]);
    send();
    expect(to.count).toBe(0);
  });

  test("N5 an entity that `restore` brings back is not selected", () => {
    const { from, to, receiver, replica, send, add, remove } = pair();
    const mine = add(1);
    receiver.select(mine);
    send();
    const saved = snapshot(from);
    remove(mine);
    restore(from, saved);
    expect(from.alive(mine)).toBe(true);
    send();
    expect(replica.entity(mine)).toBe(NONE);
    receiver.select(mine);
    send();
    expect(to.get(replica.entity(mine), Title).text).toBe("1");
  });

  test("N5 an entity that is alive before and after `restore` stays selected, and so does the world", () => {
    const { from, to, receiver, replica, send, add } = pair();
    from.addComponent(from.world, Place, { x: 4 });
    const mine = add(1);
    const saved = snapshot(from);
    receiver.select(mine);
    receiver.select(from.world);
    send();
    const copy = replica.entity(mine);
    from.get(mine, Place).x = 2;
    from.get(from.world, Place).x = 5;
    send();
    restore(from, saved);
    send();
    expect(replica.entity(mine)).toBe(copy);
    expect(to.get(copy, Place).x).toBe(1);
    expect(to.get(to.world, Place).x).toBe(4);
  });

  test("N5 a selection ends with an entity that a Rewind removes, and stays while it keeps it", () => {
    const { from, to, receiver, replica, send, add } = pair();
    const rewind = new Rewind(from);
    const stays = add(1);
    receiver.select(stays);
    send();
    const before = rewind.newest;
    const copy = replica.entity(stays);
    const mine = add(2);
    receiver.select(mine);
    send();
    rewind.to(before);
    rewind.to(before + 1);
    rewind.to(before);
    expect(add(99)).toBe(mine);
    send();
    expect(replica.entity(stays)).toBe(copy);
    expect(to.count).toBe(1);
  });

  test("N5 a selection ends with `clear`, except that of the world", () => {
    const { from, to, receiver, send, add } = pair();
    from.addComponent(from.world, Place, { x: 4 });
    receiver.select(add(1));
    receiver.select(from.world);
    send();
    from.clear();
    add(99);
    from.get(from.world, Place).x = 5;
    send();
    expect(to.count).toBe(0);
    expect(to.get(to.world, Place).x).toBe(5);
  });

  test("N5 a selection ends with an entity that a replica removes from the world of the sender", () => {
    const { from, to, receiver, send } = pair();
    const origin = new ECS();
    const source = new Changes(origin, { components }).receiver();
    const incoming = new Replica(from, { components });
    const e = origin.addEntity([Place, { x: 1 }]);
    incoming.apply(source.take());
    receiver.select(incoming.entity(e));
    send();
    expect(to.count).toBe(1);
    origin.removeEntity(e);
    origin.removeMarked();
    const next = origin.addEntity([Place, { x: 99 }]);
    incoming.apply(source.take());
    expect(from.get(incoming.entity(next), Place).x).toBe(99);
    send();
    expect(to.count).toBe(0);
  });

  test("N5 the world is sent while it has a component", () => {
    const { from, to, receiver, replica, send } = pair();
    receiver.select(from.world);
    send();
    expect(replica.entity(from.world)).toBe(NONE);
    from.addComponent(from.world, Place, { x: 1 });
    send();
    expect(to.get(to.world, Place).x).toBe(1);
    from.removeComponent(from.world, Place);
    send();
    expect(to.has(to.world, Place)).toBe(false);
    from.addComponent(from.world, Place, { x: 2 });
    send();
    expect(to.get(to.world, Place).x).toBe(2);
  });

  test("N5 a receiver can be disposed after its source and its ECS", () => {
    const { from, changes, receiver, add } = pair();
    const saved = snapshot(from);
    receiver.select(add(1));
    changes.dispose();
    restore(from, saved);
    expect(receiver.take().length).toBe(0);
    from.dispose();
    expect(() => receiver.dispose()).not.toThrow();
  });
});
