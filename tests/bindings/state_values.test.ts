// What is written can be read, and forged values are damage (rules N1, N4, N5, N8).
import { describe, expect, test } from "@jest/globals";
import { Changes, Replica, Rewind } from "crateful/state";
import { Component, defineComponent, defineObject, defineSystem, type ECS, type Entity } from "crateful";
import { restore, snapshot } from "./with_state.js";
import { indexOfText, withChecksum, withPacketChecksum } from "./state_bytes.js";
import { expectError, thrownBy, world } from "./world.js";

const many = Array.from({ length: 300 }, (_, k) => `name${k}`);
const schema = { on: "bool", mood: ["calm", "angry"], rank: many, x: "u8" } as const;
class Unit extends defineComponent("ValuesUnit", schema) {}
class PackedUnit extends defineComponent("ValuesPacked", schema, { policy: "sparse" }) {}

const classes = [Unit, PackedUnit as unknown as typeof Unit];
const fields = ["on", "mood", "rank"] as const;
const wrong = { on: 2, mood: 2, rank: 300 };
const cases = classes.flatMap((cls) => fields.map((field) => [cls, field] as const));

function set(ecs: ECS, cls: typeof Unit, field: (typeof fields)[number], e: Entity, value: number): void {
  const storage = ecs.storage(cls);
  storage.columns[field][storage.slot(e)] = value;
}

describe.each(cases)("a value of %p.%s that cannot be read", (cls, field) => {
  const says = (call: string, e: Entity) =>
    new RegExp(
      `^${call}: ${cls === Unit ? "ValuesUnit" : "ValuesPacked"}.${field} of entity ${e} \\(.*\\) is ${wrong[field]}; ` +
        (field === "on" ? "a bool is 0 or 1" : `its names have the numbers from 0 to ${wrong[field] - 1}`),
    );

  test("N1 X1 snapshot is an error that names it, and works when it was corrected", () => {
    const ecs = world();
    const [, e] = ecs.addEntities(2);
    ecs.addComponents(ecs.addEntities(0), cls);
    for (const each of [e! - 1, e!]) ecs.addComponent(each, cls);
    set(ecs, cls, field, e!, wrong[field]);
    expect(expectError("BAD_ARGUMENT", () => snapshot(ecs)).message).toMatch(says("snapshot", e!));
    expect(() => snapshot(ecs, { without: [cls] })).not.toThrow();
    set(ecs, cls, field, e!, 1);
    const other = world();
    restore(other, snapshot(ecs), { components: [cls] });
    expect(other.get(e!, cls)[field]).toBe(ecs.get(e!, cls)[field]);
  });

  test.each([false, true])("N5 take is an error, and nothing is lost [lossy: %s]", (lossy) => {
    const ecs = world();
    const before = ecs.addEntity(cls);
    const e = ecs.addEntity(cls);
    const receiver = new Changes(ecs, { components: [cls] }).receiver({ lossy });
    const copy = world();
    const replica = new Replica(copy, { components: [cls] });
    replica.apply(receiver.take());
    ecs.update();
    ecs.get(before, cls).x = 7;
    set(ecs, cls, field, e, wrong[field]);
    ecs.storage(cls).markDirty(e);
    for (let k = 0; k < 2; ++k) {
      expect(expectError("BAD_ARGUMENT", () => receiver.take()).message).toMatch(says("take", e));
      ecs.update();
    }
    expect(copy.get(replica.entity(before), cls).x).toBe(0);
    ecs.get(e, cls).toJSON();
    set(ecs, cls, field, e, 1);
    ecs.storage(cls).markDirty(e);
    replica.apply(receiver.take());
    expect(copy.get(replica.entity(before), cls).x).toBe(7);
    expect(copy.get(replica.entity(e), cls)[field]).toBe(ecs.get(e, cls)[field]);
  });

  test("N7 is recorded, and a recording goes back to it", () => {
    const ecs = world();
    const e = ecs.addEntity(cls);
    const rewind = new Rewind(ecs);
    for (const value of [wrong[field], 1]) {
      set(ecs, cls, field, e, value);
      ecs.storage(cls).markDirty(e);
      ecs.update();
    }
    rewind.to(rewind.newest - 1);
    const slot = ecs.storage(cls).slot(e);
    expect(ecs.storage(cls).columns[field][slot]).toBe(wrong[field]);
  });
});

class Small extends defineComponent("ValuesSmall", { on: "bool", mood: ["calm", "angry"] }) {}

test.each(["on", "mood"] as const)(
  "N8 a forged value of %s is BAD_DATA with its position, and changes nothing",
  (field) => {
    const ecs = world();
    const all = [0, 1, 2].map(() => ecs.addEntity(field === "on" ? [Small, { on: true }] : [Small, { mood: "angry" }]));
    const bytes = snapshot(ecs);
    /** Of the last three values in succession that are 1. */
    const three = (list: Uint8Array): number => {
      let first = list.length - 3;
      while ([0, 1, 2].some((i) => list[first + i] !== 1)) --first;
      return first;
    };
    const at = three(bytes) + 1;
    bytes[at] = 9;
    const other = world();
    for (const target of [other, ecs]) {
      const message = `restore: no bool or enum has this value: ${field} (byte ${at})`;
      expect(expectError("BAD_DATA", () => restore(target, withChecksum(bytes), { components: [Small] })).message).toBe(
        message,
      );
    }
    expectError("BAD_DATA", () => restore(other, withChecksum(bytes), { ignore: [Small] }));
    expect(other.count).toBe(0);
    expect(ecs.get(all[1]!, Small)[field]).toBe(field === "on" ? true : "angry");

    const packet = new Changes(ecs, { components: [Small] }).receiver().take();
    const inPacket = three(packet.subarray(0, -4)) + 1;
    packet[inPacket] = 9;
    const replica = new Replica(other, { components: [Small] });
    expect(expectError("BAD_DATA", () => replica.apply(withPacketChecksum(packet))).message).toBe(
      `apply: no bool or enum has this value: ${field} (byte ${inPacket})`,
    );
    expect(other.count).toBe(0);
  },
);

test("N4 a number that has no name in this program does not fit: BAD_ARGUMENT", () => {
  class Plain extends defineComponent("ValuesPlain", { level: "u8" }) {}
  class Named extends defineComponent("ValuesNamed", { level: ["a", "b"] }) {}
  const ecs = world();
  const e = ecs.addEntity([Plain, { level: 1 }]);
  const options = { components: [Named], rename: { ValuesPlain: "ValuesNamed" } };
  const other = world();
  restore(other, snapshot(ecs), options);
  expect(other.get(e, Named).level).toBe("b");
  ecs.get(e, Plain).level = 2;
  expectError("BAD_ARGUMENT", () => restore(other, snapshot(ecs), options));
  expect(other.get(e, Named).level).toBe("b");
});

class Happened {
  static readonly typeName = "ValuesHappened";
  static encode = () => ({ a: 1 });
  static decode = () => new Happened();
}
test.each(["delayed", "in an inbox", "in an inbox of a system"])(
  "N8 a forged event is BAD_DATA with its position [%s]",
  (where) => {
    class Reader extends defineSystem({ small: Small }) {
      readonly happened = this.inbox(Happened);
      override update(): void {}
    }
    const make = () => {
      const ecs = world();
      if (where === "in an inbox") ecs.events.inbox(Happened);
      if (where === "in an inbox of a system") ecs.addSystem(0, new Reader());
      return ecs;
    };
    const ecs = make();
    ecs.events.dispatch(new Happened(), where === "delayed" ? 1 : 0);
    const bytes = snapshot(ecs, { systems: true });
    const json = indexOfText(bytes, '{"a":1}');
    for (const at of [json - 1, json]) {
      const forged = Uint8Array.from(bytes);
      forged[at] = 9;
      const other = make();
      const error = expectError("BAD_DATA", () => restore(other, withChecksum(forged), { events: [Happened] }));
      expect(error.message).toMatch(/^restore: .* is neither bytes nor JSON \(byte \d+\)$/);
      if (at === json) expect(error.message).toContain(`(byte ${json - 1})`);
      restore(other, bytes, { events: [Happened] });
    }
  },
);

test("N1 an event whose name another class has, of which none waits, is not written", () => {
  class Other {
    static readonly typeName = "ValuesHappened";
    static encode = () => 1;
    static decode = () => new Other();
  }
  const ecs = world();
  ecs.events.dispatch(new Happened(), 1);
  restore(ecs, snapshot(ecs));
  ecs.events.subscribe(Other, () => {});
  expect(expectError("BAD_ARGUMENT", () => snapshot(ecs)).message).toContain("two classes of events have the typeName");
  expect(() => snapshot(ecs, { without: [Happened] })).not.toThrow();
});

test("N1 a class with the name of another one that the ECS uses is not written", () => {
  class First extends defineComponent("ValuesSame", { x: "f32" }) {}
  class Second extends defineComponent("ValuesSame", { y: "u8" }) {}
  const ecs = world();
  ecs.addEntity(First);
  expect(() => snapshot(ecs)).not.toThrow();
  ecs.storage(Second); // without components
  expect(expectError("BAD_ARGUMENT", () => snapshot(ecs)).message).toContain("two classes have the name ValuesSame");
});

const high = "\ud800";
describe("names with surrogates that are no pairs", () => {
  const says = (call: () => unknown, code = "BAD_ARGUMENT") => {
    const error = thrownBy(call) as { code: string; message: string };
    expect(error.code).toBe(code);
    expect(error.message).toContain('has a surrogate that is no pair: "');
    expect(error.message).toContain("\\ud8");
  };
  test("C3 C11 C16 a class, a field and a value of an enum", () => {
    for (const text of [high, `a${high}b`, "\udc00", `😀${high}`]) {
      const error = thrownBy(() => defineComponent(text)) as { code: string; message: string };
      expect(error.code).toBe("BAD_ARGUMENT");
      expect(error.message).toContain("defineComponent: the name has a surrogate that is no pair");
    }
    says(() => defineComponent("Lone", { [high]: "f32", "\ud801": "f32" }));
    says(() => defineComponent("Lone", { mood: [high, "\ud801"] }));
    says(() => defineObject(high, { x: 1 }));
    says(() => defineObject("Lone", { [high]: 1 }));
  });
  test("C3 C11 pairs are allowed", () => {
    class Pairs extends defineComponent("😀", { "😀": ["😀", "ä"] }) {}
    const ecs = world();
    const e = ecs.addEntity([Pairs, { "😀": "ä" }]);
    const other = world();
    restore(other, snapshot(ecs), { components: [Pairs] });
    expect(other.get(e, Pairs)["😀"]).toBe("ä");
  });
  test("N1 a typeName of components and of events", () => {
    class Bag extends Component {
      static readonly typeName = high;
      static encode = () => 1;
      static decode = () => new Bag();
    }
    class Rang {
      static readonly typeName = high;
      static encode = () => 1;
      static decode = () => new Rang();
    }
    const ecs = world();
    const e = ecs.addEntity(new Bag());
    says(() => snapshot(ecs));
    says(() => new Changes(ecs));
    ecs.removeComponent(e, Bag);
    ecs.events.dispatch(new Rang(), 1);
    says(() => snapshot(ecs));
  });
  test("S1 N1 a system", () => {
    const ecs = world();
    class Named extends defineSystem({ small: Small }, { name: high }) {
      override update(): void {}
    }
    says(() => ecs.addSystem(0, new Named()), "BAD_SYSTEM");
    expect(ecs.systems).toHaveLength(0);
  });
});

class Thing extends Component {
  static readonly typeName = "ValuesThing";
  constructor(public n = 0) {
    super();
  }
  static encode = ({ n }: Thing): number[] => [n];
  static decode = ([n]: [number]): Thing => new Thing(n);
}
class Bag extends defineObject("ValuesBag", { n: 0 }) {}

test("N8 an encoded value that is damaged is BAD_DATA with its position, in snapshots, first and later packets", () => {
  const components = [Thing, Bag];
  const ecs = world();
  const receiver = new Changes(ecs, { components }).receiver();
  const replica = new Replica(world(), { components });
  const message = (call: string, at: number, of = "") =>
    new RegExp(`^${call}: a value ${of}is neither bytes nor JSON \\(byte ${at}\\)$`);
  for (const n of [7, 8]) {
    ecs.addEntity(new Thing(n), [Bag, { n }]);
    const packet = receiver.take();
    const bytes = snapshot(ecs);
    for (const text of [`[${n}]`, `{"n":${n}}`]) {
      const of = `of ${text.startsWith("[") ? Thing.name : "ValuesBag"} `; // bundlers rename classes
      const damage = (list: Uint8Array, by: number, value: number): [Uint8Array, number] => {
        const at = indexOfText(list, text) - 1; // of the byte that says that it is JSON
        const copy = list.slice();
        copy[at + by] = value;
        return [copy, at];
      };
      for (const [by, value, name] of [
        [0, 7, ""],
        [1, 65, of],
      ] as const) {
        const [forged, at] = damage(packet, by, value);
        const apply = () => replica.apply(withPacketChecksum(forged));
        expect(expectError("BAD_DATA", apply).message).toMatch(message("apply", at, name));
        const [saved, place] = damage(bytes, by, value);
        const load = () => restore(world(), withChecksum(saved), { components });
        expect(expectError("BAD_DATA", load).message).toMatch(message("restore", place, name));
      }
    }
    replica.apply(packet);
  }
});
