// Changes over lossy channels in TypeScript (rules N5, N6).
import { expect, test } from "@jest/globals";
import { ECS, NONE, defineComponent, defineObject } from "crateful";
import { Changes, Replica } from "crateful/state";
import "./with_state.js";
import { expectError } from "./world.js";

class Place extends defineComponent("LossyPlace", { x: "f32", y: "f32" }) {}
class Title extends defineObject("LossyTitle", { text: "" }) {}
const components = [Place, Title];

function pair(options: Parameters<Changes["receiver"]>[0] = {}) {
  const from = new ECS();
  const to = new ECS();
  const changes = new Changes(from, { components });
  const receiver = changes.receiver({ lossy: true, ...options });
  const replica = new Replica(to, { components });
  const arrive = (bytes: Uint8Array) => {
    replica.apply(bytes);
    receiver.acknowledge(replica.acknowledgement());
  };
  return { from, to, changes, receiver, replica, arrive };
}

test("N5 what was lost is part of the next bytes, with its newest values, when later ones have arrived", () => {
  const { from, to, receiver, replica, arrive } = pair();
  const crate = from.addEntity([Place, { x: 1 }], [Title, { text: "lost" }]);
  receiver.take(); // lost
  const cat = from.addEntity([Place, { x: 2 }]);
  arrive(receiver.take());
  expect(replica.entity(crate)).toBe(NONE);
  expect(to.get(replica.entity(cat), Place).x).toBe(2);
  from.get(crate, Title).text = "newest";
  arrive(receiver.take());
  expect(to.get(replica.entity(crate), Place).x).toBe(1);
  expect(to.get(replica.entity(crate), Title).text).toBe("newest");
  expect(receiver.take().length).toBe(0);
});

test("N5 nothing is sent again while it is in flight, and everything without acknowledgements", () => {
  const { from, receiver, replica, arrive } = pair();
  const crate = from.addEntity([Place, { x: 1 }]);
  receiver.take(); // lost
  for (let i = 0; i < 1000; ++i) expect(receiver.take().length).toBe(0); // in the same update
  let again = receiver.take();
  for (let i = 0; i < 1000 && again.length === 0; ++i) {
    from.update();
    again = receiver.take();
  }
  arrive(again);
  expect(replica.entity(crate)).not.toBe(NONE);
});

test("N5 acknowledgements that were lost are no longer delay", () => {
  const usual = updatesUntilSentAgain(pair());
  const game = pair();
  game.from.addEntity([Place, { x: 1 }]);
  const take = () => {
    game.from.update();
    return game.receiver.take();
  };
  for (let i = 0; i < 3600; ++i) game.replica.apply(take()); // no acknowledgement arrives
  let bytes = take();
  while (bytes.length === 0) bytes = take();
  game.arrive(bytes);
  expect(updatesUntilSentAgain(game)).toBeLessThanOrEqual(usual);
});

/** Loses one packet, and counts the updates until it is sent again. */
function updatesUntilSentAgain({ from, receiver, replica, arrive }: ReturnType<typeof pair>): number {
  const crate = from.addEntity([Place, { x: 1 }]);
  receiver.take();
  let bytes = receiver.take();
  let updates = 0;
  for (; bytes.length === 0 && updates < 100_000; ++updates) {
    from.update();
    bytes = receiver.take();
  }
  arrive(bytes);
  expect(replica.entity(crate)).not.toBe(NONE);
  return updates;
}

test("N5 a removal in flight is not sent again if what was removed changes", () => {
  const { from, receiver, replica, arrive } = pair({ select: [] });
  const crate = from.addEntity([Place, { x: 1 }], [Title, { text: "a" }]);
  const take = () => {
    from.update();
    return receiver.take();
  };
  receiver.select(crate);
  arrive(take());
  receiver.deselect(crate);
  expect(take().length).toBeGreaterThan(0); // lost
  from.get(crate, Place).x = 2;
  from.get(crate, Title).text = "b";
  expect(take().length).toBe(0);
  receiver.deselect(crate);
  from.removeEntity(crate);
  expect(take().length).toBe(0);
  let again = take();
  for (let i = 0; i < 1000 && again.length === 0; ++i) again = take();
  arrive(again);
  expect(replica.entity(crate)).toBe(NONE);
});

test("N5 selecting again what is in flight sends nothing", () => {
  const { from, receiver } = pair({ select: [] });
  const crate = from.addEntity([Place, { x: 1 }]);
  receiver.select(crate);
  expect(receiver.take().length).toBeGreaterThan(0);
  receiver.select(crate);
  from.update();
  expect(receiver.take().length).toBe(0);
});

test("N6 late and doubled bytes have no effect", () => {
  const { from, to, receiver, replica, arrive } = pair();
  const crate = from.addEntity([Place, { x: 1 }], [Title, { text: "first" }]);
  const created = receiver.take();
  arrive(created);
  from.get(crate, Title).text = "second";
  const changed = receiver.take();
  from.get(crate, Title).text = "third";
  const newest = receiver.take();
  arrive(newest);
  for (const bytes of [created, changed, newest, newest]) arrive(bytes);
  expect(to.get(replica.entity(crate), Title).text).toBe("third");
  from.removeEntity(crate);
  from.update();
  arrive(receiver.take());
  for (const bytes of [created, changed, newest]) arrive(bytes);
  expect(replica.entity(crate)).toBe(NONE);
  expect(to.count).toBe(0);
  expect(receiver.take().length).toBe(0);
});

test("N6 an entity that is selected again while its removal is in flight stays", () => {
  const { from, to, receiver, replica, arrive } = pair({ select: [] });
  const crate = from.addEntity([Place, { x: 1 }], [Title, { text: "a" }]);
  receiver.select(crate);
  arrive(receiver.take());
  const copy = replica.entity(crate);
  receiver.deselect(crate);
  receiver.take(); // lost
  receiver.select(crate);
  arrive(receiver.take());
  expect(replica.entity(crate)).toBe(copy);
  expect(to.get(copy, Title).text).toBe("a");
  expect(receiver.take().length).toBe(0);
});

test("N5 N8 what is no acknowledgement of this receiver is refused", () => {
  const { from, changes, receiver, replica } = pair();
  const reliable = changes.receiver();
  const other = changes.receiver({ lossy: true });
  from.addEntity([Place, { x: 1 }]);
  expect(replica.acknowledgement().length).toBe(0);
  receiver.acknowledge(replica.acknowledgement());
  replica.apply(receiver.take());
  const good = replica.acknowledgement();
  expect(good.length).toBe(20);
  other.take();
  expectError("BAD_DATA", () => other.acknowledge(good));
  expectError("BAD_DATA", () => receiver.acknowledge(good.subarray(1)));
  expectError("BAD_DATA", () => receiver.acknowledge(Uint8Array.from(good, (byte, k) => (k === 4 ? 9 : byte))));
  expectError("BAD_ARGUMENT", () => reliable.acknowledge(good));
  expectError("BAD_ARGUMENT", () => receiver.acknowledge("good" as never));
  expectError("BAD_ARGUMENT", () => changes.receiver({ lossy: 1 as never }));
  receiver.acknowledge(good.buffer);
  receiver.acknowledge(good);
  expect(receiver.take().length).toBe(0);
  receiver.dispose();
  replica.dispose();
  expectError("DISPOSED", () => receiver.acknowledge(good));
  expectError("DISPOSED", () => replica.acknowledgement());
});

test("N6 bytes of both kinds of channels are not mixed", () => {
  const { from, changes, receiver, arrive, replica } = pair();
  from.addEntity([Place, { x: 1 }]);
  const reliable = changes.receiver().take();
  arrive(receiver.take());
  expectError("BAD_DATA", () => replica.apply(reliable));
});
