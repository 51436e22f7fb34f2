// Names, values and callbacks with which snapshots could fail (rules N1 to N4, N8).
import { expect, test } from "@jest/globals";
import { Component, defineComponent, defineObject, defineSystem } from "crateful";
import { Rewind } from "crateful/state";
import { restore, snapshot } from "./with_state.js";
import { Packed, Position, add, world } from "./world.js";

test("N1 N4 names may contain NUL", () => {
  class Zero extends defineObject("ze\0ro", { x: 1 }) {}
  class Fields extends defineComponent("Fie\0lds", { "a\0b": "u8", kind: ["", "a\0b", "\0"] }) {}
  class Event {
    static readonly typeName = "\0ev\0";
    static encode = () => 1;
    static decode = () => new Event();
  }
  const ecs = world();
  const e = ecs.addEntity([Zero, { x: 2 }], [Fields, { "a\0b": 7, kind: "\0" }]);
  ecs.events.dispatch(new Event(), 1);
  const saved = snapshot(ecs);
  const other = world();
  restore(other, saved, { events: [Event] });
  expect(other.get(e, Zero).x).toBe(2);
  expect(other.get(e, Fields)["a\0b"]).toBe(7);
  expect(other.get(e, Fields).kind).toBe("\0");
  expect(snapshot(other)).toEqual(saved);
  restore(other, saved, { events: [Event], ignore: ["Fie\0lds"], rename: { "ze\0ro": "ze\0ro" } });
  expect(other.has(e, Fields)).toBe(false);
});

test("N1 -0 in object components stays -0", () => {
  class Holder extends defineObject("Holder", { a: 0, list: [] as unknown[] }) {}
  const ecs = world();
  const e = ecs.addEntity([Holder, { a: -0, list: [-0, { b: -0 }, 1.5, "x", null, true] }]);
  const other = world();
  restore(other, snapshot(ecs), { components: [Holder] });
  expect(other.get(e, Holder).a).toBe(-0);
  expect(other.get(e, Holder).list).toEqual([-0, { b: -0 }, 1.5, "x", null, true]);
});

test("N1 a wrong typeName is an error only for who saves components of the class", () => {
  class Wrong extends Component {
    static readonly typeName = 3;
    static encode = () => 1;
    static decode = () => new Wrong();
  }
  const ecs = world();
  ecs.addEntity(new Wrong());
  expect(() => snapshot(ecs)).toThrow(/Wrong.typeName must be a string that is not empty, not 3/);
  expect(() => snapshot(world())).not.toThrow();
});

test("N1 what could never be restored is not written: a class named Parent, and two classes of events with one name", () => {
  class Parent extends defineComponent("Parent", { x: "u8" }) {}
  const ecs = world();
  ecs.addEntity(Parent);
  expect(() => snapshot(ecs)).toThrow(
    expect.objectContaining({ code: "BAD_ARGUMENT", message: expect.stringContaining("Parent is the name") }),
  );
  const make = () =>
    class {
      static readonly typeName = "Same";
      static encode = () => 1;
      static decode = () => 1;
    };
  const other = world();
  other.events.dispatch(new (make())(), 1);
  other.events.dispatch(new (make())(), 1);
  expect(() => snapshot(other)).toThrow(/two classes of events have the typeName Same/);
});

test("N1 events that encode dispatches are no part of the snapshot", () => {
  class Again {
    static readonly typeName = "Again";
    static encode = () => {
      ecs.events.dispatch(new Again(), 2);
      ecs.events.dispatch(new Again());
      return 1;
    };
    static decode = () => new Again();
  }
  const ecs = world();
  const box = ecs.events.inbox(Again);
  ecs.events.dispatch(new Again(), 1);
  ecs.events.dispatch(new Again());
  restore(ecs, snapshot(ecs));
  expect(box).toHaveLength(1);
});

test("N8 limits count entities without the world", () => {
  const ecs = world();
  ecs.addEntities(2);
  const saved = snapshot(ecs);
  expect(() => restore(world(), saved, { limits: { entities: 2 } })).not.toThrow();
  expect(() => restore(world(), saved, { limits: { entities: 1 } })).toThrow(/limits: there are more entities/);
});

test("N8 memory that was transferred is an error", () => {
  const ecs = world();
  const { buffer } = snapshot(ecs);
  structuredClone(buffer, { transfer: [buffer] });
  expect(() => restore(ecs, buffer)).toThrow(expect.objectContaining({ code: "BAD_DATA" }));
});

test("N3 D7 iterating a dirty set outside of an update has no effect on the order after later removals", () => {
  class Watcher extends defineSystem({ position: Position }, { watch: [Position], name: "Watcher", exact: true }) {
    throws = false;
    override update() {
      if (this.throws) throw new Error("thrown");
    }
  }
  const order = (prepare: (watcher: Watcher, ecs: ReturnType<typeof world>) => void) => {
    const [ecs, other] = [world(), world()];
    const watcher = new Watcher();
    const copy = new Watcher();
    ecs.addSystem(0, watcher);
    other.addSystem(0, copy);
    const first = ecs.addEntity(Position);
    ecs.addEntity(Position);
    prepare(watcher, ecs);
    restore(other, snapshot(ecs, { systems: true }), { components: [Position] });
    return [ecs, other].map((each) => {
      each.addEntity(Position);
      each.removeEntity(first);
      each.removeMarked();
      return Array.from((each === ecs ? watcher : copy).dirty, ({ entity }) => entity);
    });
  };
  for (const prepare of [
    () => {},
    (watcher: Watcher) => void Array.from(watcher.dirty),
    (watcher: Watcher) => void Array.from(watcher.dirty.topDown()),
    (watcher: Watcher, ecs: ReturnType<typeof world>) => {
      watcher.throws = true;
      expect(() => ecs.update()).toThrow("thrown");
    },
  ]) {
    const [original, restored] = order(prepare);
    expect(restored).toEqual(original);
  }
});

test("N2 restoring the state of systems during an iteration over a dirty set is an error", () => {
  const ecs = world();
  class Watcher extends defineSystem({ position: Position }, { watch: [Position], name: "Watcher" }) {
    override update() {}
  }
  const watcher = new Watcher();
  ecs.addSystem(0, watcher);
  ecs.addEntity(Position);
  ecs.addEntity(Position);
  const saved = snapshot(ecs, { systems: true });
  for (const _ of watcher.dirty) {
    expect(() => restore(ecs, saved)).toThrow(/an iteration over the entities of system Watcher has not ended/);
    break; // without the error, the loop would not end
  }
  restore(ecs, saved);
});

test("N2 N7 an iterator that was abandoned after its first step ends when what it iterates is exchanged", () => {
  for (const how of ["restore", "restore with systems", "to"]) {
    const ecs = world();
    class Watcher extends defineSystem({ position: Packed }, { watch: [Packed], name: "Watcher" }) {
      override update() {}
    }
    ecs.addSystem(0, new Watcher());
    const system = add(ecs, { requires: [Packed], watches: [Packed] });
    const all = [0, 1, 2].map(() => ecs.addEntity(Position, Packed));
    const rewind = new Rewind(ecs);
    ecs.update();
    const bytes = snapshot(ecs, { systems: how !== "restore" });
    ecs.removeComponent(all[0]!, Packed); // so that the storage and the systems have another order
    ecs.addComponent(all[0]!, Packed);
    ecs.removeComponent(all[0]!, Position); // a linear storage has one order: it must contain something else
    ecs.update();
    const begin = (): Iterator<unknown>[] => [
      system.entities.keys(),
      system.entities.values(),
      system.entities.entries(),
      ecs.storage(Packed)[Symbol.iterator](),
      ecs.storage(Position)[Symbol.iterator](),
    ];
    const iterators = begin();
    for (const iterator of iterators) iterator.next();
    if (how === "to") rewind.to(rewind.newest - 1);
    else restore(ecs, bytes);
    expect([...ecs.storage(Packed).entities]).toEqual(all);
    expect([...ecs.storage(Position)]).toEqual(all);
    expect(iterators[3]!.next().done).toBe(true);
    expect(iterators[4]!.next().done).toBe(true);
    if (how !== "restore") expect(iterators[0]!.next().done).toBe(true);
    for (const iterator of begin()) expect(iterator.next().done).toBe(false);
    rewind.dispose();
  }
});

test("N1 V3 an inbox with a lower limit gets the last events", () => {
  class Note {
    static readonly typeName = "Note";
    constructor(readonly number: number) {}
    static encode = ({ number }: Note) => number;
    static decode = (number: number) => new Note(number);
  }
  const make = (limit: number) => {
    class Reader extends defineSystem(undefined, { name: "Reader" }) {
      readonly notes = this.inbox(Note, { limit });
      override update() {}
    }
    const ecs = world();
    const reader = new Reader();
    ecs.addSystem(0, reader);
    return { ecs, reader };
  };
  const { ecs, reader } = make(5);
  for (let i = 0; i < 5; ++i) ecs.events.dispatch(new Note(i));
  const saved = snapshot(ecs, { systems: true });
  const { warn } = console;
  console.warn = () => {};
  try {
    const other = make(2);
    restore(other.ecs, saved);
    expect([...other.reader.notes].map(({ number }) => number)).toEqual([3, 4]);
  } finally {
    console.warn = warn;
  }
  restore(ecs, saved);
  expect([...reader.notes].map(({ number }) => number)).toEqual([0, 1, 2, 3, 4]);
});

test("N4 new names in a Map or a list are an error", () => {
  const ecs = world();
  const saved = snapshot(ecs);
  for (const rename of [new Map([["A", "B"]]), ["A"]])
    expect(() => restore(ecs, saved, { rename: rename as never })).toThrow(/rename must be an object/);
});

test("N1 data that is nested too deep is an error", () => {
  class Deep extends defineObject("Deep", { list: [] as unknown[] }) {}
  const nested = (levels: number) => {
    let list: unknown[] = [];
    for (let i = 1; i < levels; ++i) list = [list];
    return list;
  };
  const ecs = world();
  const e = ecs.addEntity([Deep, { list: nested(500) }]);
  const saved = snapshot(ecs);
  ecs.get(e, Deep).list = nested(501);
  expect(() => snapshot(ecs)).toThrow(
    expect.objectContaining({ code: "BAD_ARGUMENT", message: expect.stringContaining("nested more than 500") }),
  );
  restore(ecs, saved);
  expect(snapshot(ecs)).toEqual(saved);
});
