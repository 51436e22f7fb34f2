// Changes that are damaged or forged (rule N8).
import { expect, test } from "@jest/globals";
import { Component, ECS, EcsError, defineComponent, defineObject, type ComponentClass } from "crateful";
import { Changes, Replica, restore, snapshot } from "crateful/state";
import { random } from "./random.js";
import "./with_state.js";
import { sameBytes, withPacketChecksum } from "./state_bytes.js";

class Place extends defineComponent("BytesPlace", { x: "f32", at: "i16x2", name: "string" }) {}
class Aim extends defineComponent("BytesAim", { target: "link", mode: ["a", "b"], on: "bool" }) {}
class Bag extends defineObject("BytesBag", { items: [] as number[] }) {}
class Odd extends Component {
  static typeName = "BytesOdd";
  constructor(readonly bytes: Uint8Array = new Uint8Array(3)) {
    super();
  }
  static encode = ({ bytes }: Odd): Uint8Array => bytes;
  static decode(data: unknown): Odd {
    if (!(data instanceof Uint8Array) || data.length > 5) throw new EcsError("BAD_DATA", "no such value");
    return new Odd(data);
  }
}
const classes: ComponentClass[] = [Place, Aim, Bag, Odd];

/** Some packets of one receiver. */
function packets(): Uint8Array[] {
  const ecs = new ECS();
  const receiver = new Changes(ecs, { components: classes }).receiver();
  const all = Array.from({ length: 6 }, (_, i) => ecs.addEntity([Place, { x: i, name: `n${i % 3}` }]));
  all.forEach((e, i) => {
    if (i > 0) ecs.setParent(e, all[(i - 1) >> 1]!);
    if (i % 2) ecs.addComponent(e, Aim, { target: all[0]!, mode: "b", on: true });
    if (i % 3 === 0) ecs.addComponent(e, Bag, { items: [i, 300] });
    if (i % 3 === 1) ecs.addComponent(e, new Odd(new Uint8Array([i, 0])));
  });
  const taken = [receiver.take()];
  ecs.get(all[0]!, Bag).items = [7];
  ecs.get(all[1]!, Place).x = 100;
  ecs.addComponent(all[1]!, new Odd());
  ecs.removeComponent(all[3]!, Bag);
  ecs.removeEntity(all[2]!);
  ecs.update();
  taken.push(receiver.take());
  ecs.addEntity([Bag, {}], [Place, {}]);
  taken.push(receiver.take());
  return taken;
}

/** A replica that has applied the packets before number `n`. */
function prepared(all: readonly Uint8Array[], n: number) {
  const ecs = new ECS();
  ecs.addEntity([Place, { x: 5 }], [Bag, { items: [1] }]);
  const replica = new Replica(ecs, { components: classes, limits: { entities: 100, index: 1000 } });
  for (const bytes of all.slice(0, n)) replica.apply(bytes);
  return { ecs, replica };
}

/** Applies bytes: either nothing has changed, or the world works. Returns whether they were accepted. */
function attempt(all: readonly Uint8Array[], n: number, bytes: Uint8Array, again = prepared(all, n)): boolean {
  const { ecs, replica } = again;
  const before = snapshot(ecs);
  try {
    replica.apply(bytes);
  } catch (error) {
    expect(["BAD_DATA", "BAD_ARGUMENT"]).toContain((error as EcsError).code);
    expect(sameBytes(snapshot(ecs), before)).toBe(true);
    return false;
  }
  ecs.update();
  const other = new ECS();
  restore(other, snapshot(ecs));
  other.dispose();
  return true;
}

test("N8 bytes that were changed, cut or extended are BAD_DATA, and change nothing", () => {
  const all = packets();
  all.forEach((bytes, n) => {
    const state = prepared(all, n);
    for (let at = 0; at < bytes.length; ++at) {
      const changed = Uint8Array.from(bytes);
      changed[at]! ^= 1 << (at % 8);
      expect(attempt(all, n, changed, state)).toBe(false);
      if (at > 0) expect(attempt(all, n, bytes.subarray(0, at), state)).toBe(false);
    }
    for (const more of [1, 4, 100]) {
      const longer = new Uint8Array(bytes.length + more);
      longer.set(bytes);
      expect(attempt(all, n, longer, state)).toBe(false);
    }
    expect(attempt(all, n, bytes, state)).toBe(true);
  });
});

test("N8 forged bytes, whose checksum is correct, are refused, or leave a world that works", () => {
  const all = packets();
  let accepted = 0;
  let refused = 0;
  let state = 1;
  const next = (below: number) => {
    state = (Math.imul(state, 1664525) + 1013904223) >>> 0;
    return Math.floor((state / 2 ** 32) * below);
  };
  all.forEach((bytes, n) => {
    const forge = (changed: Uint8Array) => {
      const again = prepared(all, n);
      if (attempt(all, n, withPacketChecksum(changed), again)) ++accepted;
      else ++refused;
      again.ecs.dispose();
    };
    for (let at = 6; at < bytes.length - 4; ++at) {
      for (const value of [0, 1, 0x7f, 0x80, 0xff, bytes[at]! ^ (1 << next(8))]) {
        if (value === bytes[at] || next(3) > 0) continue;
        const changed = Uint8Array.from(bytes);
        changed[at] = value;
        forge(changed);
      }
      if (next(3) > 0) continue;
      forge(bytes.subarray(0, at)); // cut
      const without = Array.from(bytes);
      without.splice(at, 1 + next(3));
      forge(Uint8Array.from(without));
      const longer = Array.from(bytes);
      longer.splice(at, 0, next(256));
      forge(Uint8Array.from(longer));
    }
  });
  expect(accepted).toBeGreaterThan(50);
  expect(refused).toBeGreaterThan(500);
});

test("N8 forged parents, also siblings in a circle, are refused, or leave a world that works", () => {
  const next = random(3);
  const counts = { applied: 0, refused: 0 };
  for (let trial = 0; trial < 2000; ++trial) {
    const from = new ECS();
    const to = new ECS();
    const receiver = new Changes(from, { components: classes }).receiver();
    const replica = new Replica(to, { components: classes });
    const all = Array.from({ length: 5 }, (_, i) => from.addEntity([Place, { x: i }]));
    all.forEach((e, i) => i > 0 && next(4) > 0 && from.setParent(e, all[next(Math.min(i, 2))]!));
    replica.apply(receiver.take());
    from.get(all[0]!, Place).x = 9;
    const bytes = receiver.take();
    expect(bytes.at(-5)).toBe(0); // no parents
    // For each child: its index, its parent, and the sibling in front of which it is; 6 and 7 do not exist.
    const children = Array.from({ length: 7 }, (_, i) => i + 1).filter(() => next(2) > 0);
    const parents = children.flatMap((child) => [child, next(9), next(9)]);
    const forged = withPacketChecksum(Uint8Array.of(...bytes.subarray(0, -5), children.length, ...parents, 0, 0, 0, 0));
    const before = snapshot(to);
    try {
      replica.apply(forged);
      ++counts.applied;
    } catch (error) {
      ++counts.refused;
      if ((error as EcsError).code !== "BAD_DATA" || !sameBytes(snapshot(to), before))
        throw new Error(`${error}: ${parents}`);
    }
    for (const ecs of [from, to]) ecs.dispose();
  }
  expect(counts.applied).toBeGreaterThan(200);
  expect(counts.refused).toBeGreaterThan(200);
});

test("N8 the error has the position", () => {
  const all = packets();
  const { replica } = prepared(all, 0);
  const message = (bytes: Uint8Array) => {
    try {
      replica.apply(withPacketChecksum(bytes));
    } catch (error) {
      return (error as Error).message;
    }
    return "";
  };
  expect(message(all[0]!.subarray(0, 40))).toMatch(/^apply: .*\(byte \d+\)$/);
  // The JSON of an object component.
  const bytes = Uint8Array.from(all[0]!);
  const at = bytes.findIndex((_, i) => bytes[i] === 0x7b && bytes[i + 1] === 0x22); // {"
  bytes[at] = 0x5b;
  expect(message(bytes)).toMatch(/^apply: .*BytesBag.*JSON.*\(byte \d+\)$/);
});
