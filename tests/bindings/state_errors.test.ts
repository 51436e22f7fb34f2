// Odd arguments and damaged bytes: crateful/state (rules N2, N8).
import { describe, expect, test } from "@jest/globals";
import { ECS, System, defineObject, type EcsError, type Entity } from "crateful";
import { restore, snapshot, type RestoreOptions } from "./with_state.js";
import { EveryType, Position, Tag, Velocity, add, expectError, growMemory, thrownBy, world } from "./world.js";
import { sameBytes, withChecksum } from "./state_bytes.js";

class Bag extends defineObject("ErrorBag", { items: ["a", { b: 1 }] as unknown[], gold: 1 }) {}

function scene(): ECS {
  const ecs = world();
  const all: Entity[] = [];
  for (let i = 0; i < 5; ++i) all.push(ecs.addEntity([Position, { x: i }], [Bag, { gold: i }]));
  for (let i = 0; i < 3; ++i) ecs.addEntity([EveryType, { string: `text ${i}`, link: all[i]!, bool: true }], Velocity);
  ecs.setParent(all[1]!, all[0]!);
  ecs.setParent(all[2]!, all[0]!);
  ecs.removeEntity(all[4]!);
  ecs.update(0.25);
  ecs.removeEntity(all[3]!);
  return ecs;
}
const any = (value: unknown) => value as never;

describe("odd arguments", () => {
  test("N1 N2 what is no ECS, no bytes or no option is BAD_ARGUMENT, and changes nothing", () => {
    const ecs = scene();
    const bytes = snapshot(ecs);
    for (const odd of [undefined, null, 1, {}, ECS]) {
      expectError("BAD_ARGUMENT", () => snapshot(any(odd)));
      expectError("BAD_ARGUMENT", () => restore(any(odd), bytes));
    }
    for (const odd of [undefined, null, 1, "text", {}, [1, 2], new Blob([])])
      expectError("BAD_ARGUMENT", () => restore(ecs, any(odd)));
    for (const odd of [null, 1, "text", { other: 1 }, { without: 1 }, { without: [1] }, { without: [ECS] }])
      expectError("BAD_ARGUMENT", () => snapshot(ecs, any(odd)));
    const options = [
      null,
      1,
      { without: [] },
      { ignore: "Position" },
      { ignore: [Position, null] },
      { components: ["Position"] },
      { components: Position },
      { rename: null },
      { rename: { Position: 1 } },
      { limits: 1 },
      { limits: null },
      { limits: { entities: -1 } },
      { limits: { entities: Number.NaN } },
      { limits: { index: "1" } },
      { limits: { other: 1 } },
    ];
    for (const odd of options) expectError("BAD_ARGUMENT", () => restore(ecs, bytes, any(odd)));
    expect(snapshot(ecs)).toEqual(bytes);
  });

  test("N2 the bytes can be in any buffer or view, also in memory of the module that grows", () => {
    const bytes = snapshot(scene());
    const padded = new Uint8Array(bytes.length + 9);
    padded.set(bytes, 3);
    // Pages have shared memory only if they are isolated.
    const shared = new (globalThis.SharedArrayBuffer ?? ArrayBuffer)(bytes.length);
    new Uint8Array(shared).set(bytes);
    const views = [
      bytes.buffer,
      Uint8Array.from(bytes),
      padded.subarray(3, 3 + bytes.length),
      new DataView(padded.buffer, 3, bytes.length),
      shared,
      new Uint8Array(shared),
    ];
    for (const view of views) {
      const ecs = world();
      restore(ecs, any(view));
      expect(snapshot(ecs)).toEqual(bytes);
    }
    const ecs = world();
    const holder = ecs.addEntities(Math.ceil(bytes.length / 4));
    ecs.addComponents(holder, EveryType);
    const column = ecs.storage(EveryType).columns.u8;
    const column4 = ecs.storage(EveryType).columns.u32;
    const inMemory = new Uint8Array(column4.buffer, column4.byteOffset, bytes.length);
    inMemory.set(bytes);
    expect(column.buffer).toBe(inMemory.buffer);
    restore(ecs, inMemory);
    expect(snapshot(ecs)).toEqual(bytes);
  });

  test("N2 detached bytes are BAD_DATA", () => {
    const bytes = snapshot(scene());
    structuredClone(bytes.buffer, { transfer: [bytes.buffer as ArrayBuffer] });
    expectError("BAD_DATA", () => restore(world(), bytes));
  });

  test("N1 N2 a disposed ECS is DISPOSED", () => {
    const ecs = scene();
    const bytes = snapshot(ecs);
    ecs.dispose();
    expectError("DISPOSED", () => snapshot(ecs));
    expectError("DISPOSED", () => restore(ecs, bytes));
  });

  test("N2 inside an update or a callback both are REENTRANT_UPDATE", () => {
    const ecs = scene();
    const bytes = snapshot(ecs);
    let calls = 0;
    const refuse = () => {
      ++calls;
      expectError("REENTRANT_UPDATE", () => snapshot(ecs));
      expectError("REENTRANT_UPDATE", () => restore(ecs, bytes));
    };
    add(ecs, { requires: [Position], init: refuse, update: refuse, onAdd: refuse, onRemove: refuse });
    class Happened {}
    ecs.events.subscribe(Happened, refuse);
    ecs.events.dispatch(new Happened());
    ecs.update();
    ecs.clear();
    expect(calls).toBeGreaterThan(8);
    restore(ecs, bytes, {}); // allowed again; calls onAdd
    expect(ecs.count).toBe(7);
  });

  test("N2 an iteration over components that would move is an error, and changes nothing", () => {
    const ecs = scene();
    const bytes = snapshot(ecs);
    const e = ecs.addEntity([Position, { x: 9 }]);
    for (const _ of ecs.query({ position: Position })) {
      expect(expectError("BAD_ARGUMENT", () => restore(ecs, bytes)).message).toContain("an iteration over Position");
      expect(ecs.alive(e)).toBe(true);
      break;
    }
    restore(ecs, bytes);
    for (const { position } of ecs.query({ position: Position })) position.x = 100;
    for (const { position } of ecs.query({ position: Position })) {
      restore(ecs, bytes); // the same components: no value moves
      expect(position.x).toBeLessThan(5);
    }
  });

  test("N2 after memory has grown, both go on", () => {
    const ecs = scene();
    const bytes = snapshot(ecs);
    growMemory(ecs);
    restore(ecs, bytes);
    expect(snapshot(ecs)).toEqual(bytes);
  });

  test("N2 restoring inside the stack overflow of a callback's ECS works afterwards", () => {
    const ecs = world();
    ecs.addEntity(Position);
    const bytes = snapshot(ecs);
    const overflow = (): void => {
      ecs.addEntity(Tag);
      overflow();
    };
    expect((thrownBy(overflow) as Error).name).toMatch(/RangeError|InternalError/); // the latter in Firefox
    restore(ecs, bytes);
    expect(snapshot(ecs)).toEqual(bytes);
  });
});

describe("limits", () => {
  const cases: [RestoreOptions["limits"], string][] = [
    [{ entities: 3 }, "entities"],
    [{ index: 2 }, "indices"],
    [{ bytes: 100 }, "bytes"],
  ];
  test.each(cases)("N8 %j refuses bytes that ask for more", (limits, text) => {
    const ecs = scene();
    const bytes = snapshot(ecs);
    const target = world();
    const { message } = expectError("BAD_DATA", () => restore(target, bytes, { limits: limits! }));
    expect(message).toContain("limits");
    expect(message).toContain(text);
    expect(target.count).toBe(0);
    restore(target, bytes, { limits: { entities: 100, index: 100.5, bytes: Number.POSITIVE_INFINITY } });
    expect(snapshot(target)).toEqual(bytes);
  });
});

/** Numbers that look random. */
function random(seed: number): (below: number) => number {
  let state = seed;
  return (below) => {
    state = (Math.imul(state, 1664525) + 1013904223) >>> 0;
    return Math.floor((state / 2 ** 32) * below);
  };
}

/** Makes one change: a bit, a byte, a word, a cut, or more bytes. */
function damaged(bytes: Uint8Array, next: (below: number) => number): Uint8Array {
  const copy = Uint8Array.from(bytes);
  const at = next(copy.length);
  const view = new DataView(copy.buffer);
  switch (next(6)) {
    case 0:
      copy[at]! ^= 1 << next(8);
      return copy;
    case 1:
      copy[at] = next(256);
      return copy;
    case 2:
      view.setUint32(Math.min(at & ~3, copy.length - 4), [0, 1, 2, 0xffffffff, 0x7fffffff, next(100)][next(6)]!, true);
      return copy;
    case 3:
      return copy.slice(0, at);
    case 4: {
      const longer = new Uint8Array(copy.length + 1 + next(40));
      longer.set(copy);
      return longer;
    }
    default:
      copy.copyWithin(at, next(copy.length), next(copy.length));
      return copy;
  }
}

class Follow extends System {
  readonly componentsRequired = new Set([Position, Bag]);
  override readonly dirtyComponents = new Set([Position]);
  calls = 0;
  override onAdd(): void {
    ++this.calls;
  }
  override onRemove(): void {
    ++this.calls;
  }
  override update(): void {}
}

test.each([true, false])(
  "N8 damaged bytes are an error and change nothing, or a valid state (checksum corrected: %s)",
  (corrects) => {
    const bytes = snapshot(scene());
    const next = random(corrects ? 1 : 2);
    const ecs = world();
    const follow = ecs.addSystem(0, new Follow());
    ecs.addEntity([Position, { x: 1 }], Bag);
    let before = snapshot(ecs);
    let valid = 0;
    let refused = 0;
    const wrong: string[] = [];
    for (let i = 0; i < 4000; ++i) {
      const changed = damaged(bytes, next);
      const input = corrects ? withChecksum(changed) : changed;
      const { calls } = follow;
      try {
        restore(ecs, input);
        ++valid;
        before = snapshot(ecs);
        for (const e of ecs.storage(Position)) ecs.get(e, Position).x += 0;
        ecs.update();
        ecs.clear();
        restore(ecs, before);
      } catch (error) {
        ++refused;
        const { code, message } = error as EcsError;
        const expected = (code === "BAD_DATA" || code === "BAD_ARGUMENT") && message.startsWith("restore: ");
        if (!expected || follow.calls !== calls || !sameBytes(snapshot(ecs), before)) wrong.push(`${i}: ${error}`);
      }
    }
    expect(wrong).toEqual([]);
    expect(refused).toBeGreaterThan(1000);
    if (corrects) expect(valid).toBeGreaterThan(200);
  },
);
