// Snapshots of object components: crateful/state (rules N1, N2, N4, N8).
import { describe, expect, test } from "@jest/globals";
import { Component, System, defineObject, type Aspect, type Entity } from "crateful";
import { Changes, Replica } from "crateful/state";
import { Rewind, restore, snapshot } from "./with_state.js";
import { indexOfText, withChecksum } from "./state_bytes.js";
import { Health, Position, Tag, expectError, thrownBy, world } from "./world.js";

class Bag extends defineObject("Bag", { items: [] as unknown[], gold: 1 as unknown }) {}
/** As a vector of three.js. */
class Point {
  constructor(
    public x: number,
    public y: number,
  ) {}
  toArray(): number[] {
    return [this.x, this.y];
  }
  fromArray([x, y]: number[]): this {
    this.x = x!;
    this.y = y!;
    return this;
  }
}
/** With bytes. */
class Terrain extends Component {
  static typeName = "Terrain";
  constructor(readonly heights: Uint8Array = new Uint8Array(4)) {
    super();
  }
  static encode = ({ heights }: Terrain): Uint8Array => heights;
  static decode = (data: Uint8Array): Terrain => new Terrain(data);
}
/** With JSON. */
class Route extends Component {
  static typeName = "Route";
  constructor(readonly stops: Entity[]) {
    super();
  }
  static encode = (route: Route) => ({ stops: route.stops });
  static decode = (data: { stops: Entity[] }): Route => new Route(data.stops);
}

class Watch<C extends Component> extends System {
  readonly componentsRequired;
  override readonly dirtyComponents;
  log: string[] = [];
  constructor(
    readonly cls: abstract new (...args: never[]) => C,
    readonly show: (component: C) => unknown,
  ) {
    super();
    this.componentsRequired = this.dirtyComponents = new Set([cls]);
  }
  override onAdd(aspect: Aspect): void {
    this.log.push(`+${aspect.entity} ${this.show(aspect.get(this.cls))}`);
  }
  override onRemove(aspect: Aspect): void {
    this.log.push(`-${aspect.entity} ${this.show(aspect.get(this.cls))}`);
  }
  override update(_delta: number, _entities: unknown, dirty: { ids: Iterable<Entity> }): void {
    this.log.push(`dirty ${[...dirty.ids]}`);
  }
  take(): string[] {
    return this.log.splice(0);
  }
}

test("N1 N2 object components are saved as plain data, as JSON or as bytes", () => {
  const ecs = world();
  const a = ecs.addEntity([Bag, { items: ["ä", { deep: [1, null, true] }], gold: -1.5 }]);
  const b = ecs.addEntity(new Terrain(new Uint8Array([0, 255, 7])), new Route([a, 5]));
  const bytes = snapshot(ecs);
  for (const target of [world(), ecs]) {
    restore(target, bytes);
    expect(target.get(a, Bag).toJSON()).toEqual({ items: ["ä", { deep: [1, null, true] }], gold: -1.5 });
    expect(target.get(b, Terrain).heights).toEqual(new Uint8Array([0, 255, 7]));
    expect(target.get(b, Route)).toBeInstanceOf(Route);
    expect(target.get(b, Route).stops).toEqual([a, 5]);
    expect(snapshot(target)).toEqual(bytes);
    const query = target.query({ bag: Bag });
    expect(Array.from(query, ({ bag }) => bag.gold)).toEqual([-1.5]);
  }
});

test("N2 equal object components keep their identity, others are replaced and dirty", () => {
  const ecs = world();
  const watch = ecs.addSystem(0, new Watch(Bag, ({ gold }) => gold));
  const [a, b, c] = [1, 2, 3].map((gold) => ecs.addEntity([Bag, { gold }]));
  const [bagA, bagB, bagC] = [a, b, c].map((e) => ecs.get(e!, Bag));
  ecs.update();
  const bytes = snapshot(ecs);
  bagB!.gold = 20;
  ecs.removeEntity(c!);
  ecs.update();
  const d = ecs.addEntity([Bag, { gold: 4 }]); // at the index of c
  const bagD = ecs.get(d, Bag);
  const e = ecs.addEntity([Bag, { gold: 5 }]);
  ecs.update();
  watch.take();
  restore(ecs, bytes);
  expect(watch.take()).toEqual([`-${d} 4`, `-${e} 5`, `+${c} 3`]);
  expect(ecs.get(a!, Bag)).toBe(bagA);
  expect(ecs.get(b!, Bag)).not.toBe(bagB);
  expect(ecs.get(b!, Bag).gold).toBe(2);
  expect(ecs.get(c!, Bag).gold).toBe(3);
  expect(ecs.tryGet(d, Bag)).toBeUndefined();
  ecs.update();
  expect(watch.take()).toEqual([`dirty ${b},${c}`]);
  for (const lost of [bagB, bagC, bagD]) lost!.gold = 99; // signals nothing
  ecs.update();
  expect(watch.take()).toEqual(["dirty "]);
  ecs.get(b!, Bag).gold = 6;
  ecs.get(c!, Bag).gold = 7;
  ecs.update();
  expect(watch.take()).toEqual([`dirty ${b},${c}`]);
  ecs.addComponent(ecs.addEntity(), bagD!); // it is free again
});

test("N2 an object component that cannot be encoded now is replaced", () => {
  const ecs = world();
  const e = ecs.addEntity([Bag, { gold: 1 }]);
  const bytes = snapshot(ecs);
  ecs.get(e, Bag).gold = Number.NaN;
  expectError("BAD_ARGUMENT", () => snapshot(ecs));
  restore(ecs, bytes);
  expect(ecs.get(e, Bag).gold).toBe(1);
});

describe("errors", () => {
  test("N1 a class that cannot be encoded is an error that names it, unless it is left out or has no components", () => {
    const ecs = world();
    const e = ecs.addEntity(Tag);
    ecs.addComponent(e, new Health(3));
    expect(expectError("BAD_ARGUMENT", () => snapshot(ecs)).message).toMatch(/^snapshot: Health needs static typeName/);
    const bytes = snapshot(ecs, { without: [Health] });
    const health = ecs.get(e, Health);
    restore(ecs, bytes);
    expect(ecs.get(e, Health)).toBe(health);
    ecs.removeComponent(e, Health);
    snapshot(ecs);
  });

  test("N1 a value that is no plain data is an error that names class and field", () => {
    class Odd {}
    const cyclic: unknown[] = [];
    cyclic.push({ cyclic });
    const cases: [unknown, string][] = [
      [undefined, "Bag.gold"],
      [Number.NaN, "Bag.gold"],
      [1n, "Bag.gold"],
      [new (class Dated extends Date {})(), "Bag.gold"],
      [new Map([[1, new Odd()]]), "Bag.gold[0][1]"],
      [new DataView(new ArrayBuffer(8)), "Bag.gold"],
      [new Odd(), "Bag.gold"],
      [new Point(1, 2), "Bag.gold"], // its default is no point
      [[1, { deep: [new Odd()] }], "Bag.gold[1].deep[0]"],
      [new Array(2), "Bag.gold[0]"],
      [() => 1, "Bag.gold"],
      [cyclic, "Bag.gold[0].cyclic"],
    ];
    for (const [gold, path] of cases) {
      const ecs = world();
      const e = ecs.addEntity(Bag);
      ecs.get(e, Bag).gold = gold;
      const { message } = expectError("BAD_ARGUMENT", () => snapshot(ecs));
      expect(message.startsWith(`snapshot: ${path} can't be saved as JSON`)).toBe(true);
    }
  });

  test("N1 N2 fields of defineObject contain Map, Set, Date and typed arrays, also in each other", () => {
    const values: unknown[] = [
      new Map<unknown, unknown>([
        ["a", new Set([1, "b", null])],
        [{ key: [1] }, new Map()],
      ]),
      new Set([new Date(5), -0]),
      new Date(1e12),
      new Uint8Array([0, 255, 7]),
      new Float32Array([Number.NaN, -0, Infinity, 1.5]),
      new BigInt64Array([-1n, 5n]),
      new Uint8ClampedArray(3),
      new Float64Array(new ArrayBuffer(32), 8, 2),
      { $Map: [1] }, // plain objects that look like it
      { $$Map: { $Set: new Set([{ $Date: 1 }]) } },
      { $Map: 1, other: 2 },
      { $Odd: 1 },
      [{ $: 1 }, { deep: [new Map([[1, 2]])] }],
    ];
    const ecs = world();
    const never = ecs.addEntity([Bag, { gold: new Date(Number.NaN) }]);
    const entities = values.map((gold) => ecs.addEntity([Bag, { gold }]));
    const bytes = snapshot(ecs);
    const other = world();
    restore(other, bytes, { components: [Bag] });
    entities.forEach((e, k) => {
      const { gold } = other.get(e, Bag);
      expect(gold).toEqual(values[k]);
      expect(Object.prototype.toString.call(gold)).toBe(Object.prototype.toString.call(values[k]));
    });
    expect(Number(other.get(never, Bag).gold)).toBeNaN();
    expect(snapshot(other)).toEqual(bytes);
    const kept = entities.map((e) => ecs.get(e, Bag));
    restore(ecs, bytes); // equal values are not replaced
    expect(entities.map((e) => ecs.get(e, Bag))).toEqual(kept);
  });

  test("N5 N7 such fields are sent and rewound, also to what was kept out of sight", () => {
    const ecs = world();
    const e = ecs.addEntity([Bag, { gold: new Map([[1, new Date(3)]]) }]);
    const receiver = new Changes(ecs).receiver({ select: [e] });
    const page = world();
    const replica = new Replica(page, { components: [Bag] });
    const send = () => replica.apply(receiver.take());
    send();
    const copy = replica.entity(e);
    expect(page.get(copy, Bag).gold).toEqual(new Map([[1, new Date(3)]]));
    const rewind = new Rewind(ecs);
    ecs.update();
    receiver.deselect(e, { keep: true });
    ecs.get(e, Bag).gold = new Set(["x"]);
    ecs.update();
    send();
    expect(page.get(copy, Bag).gold).toEqual(new Map([[1, new Date(3)]]));
    receiver.select(e);
    send();
    expect(page.get(copy, Bag).gold).toEqual(new Set(["x"]));
    rewind.to(rewind.newest - 1);
    expect(ecs.get(e, Bag).gold).toEqual(new Map([[1, new Date(3)]]));
  });

  test("N1 N2 fields of defineObject contain vectors of other libraries, if their default is one", () => {
    class Spot extends defineObject("Spot", { at: () => new Point(1, 2), other: () => null as Point | null }) {}
    const ecs = world();
    const e = ecs.addEntity(Spot);
    ecs.get(e, Spot).at.x = 7;
    const bytes = snapshot(ecs);
    const other = world();
    restore(other, bytes, { components: [Spot] });
    const { at } = other.get(e, Spot);
    expect(at).toBeInstanceOf(Point);
    expect(at).toEqual(new Point(7, 2));
    expect(snapshot(other)).toEqual(bytes);
    ecs.get(e, Spot).other = new Point(0, 0);
    const { message } = expectError("BAD_ARGUMENT", () => snapshot(ecs));
    expect(message).toContain("Spot.other");
  });

  test.each([
    ["no entries", '"$Map":[1]'],
    ["no list", '"$Set":33'],
    ["no date", '"$Date":{}'],
    ["no base64", '"$Int8Array":"?"'],
    ["bytes that are no elements", '"$Int32Array":"AA=="'],
  ])("N8 a built-in object with %s is refused", (_, text) => {
    const ecs = world();
    const e = ecs.addEntity([Bag, { gold: "x".repeat(text.length) }]);
    const bytes = snapshot(ecs);
    const at = indexOfText(bytes, "x".repeat(text.length)) - 1;
    const forged = `{${text}}`;
    bytes.set(new TextEncoder().encode(forged), at);
    const other = world();
    expectError("BAD_DATA", () => restore(other, withChecksum(bytes), { components: [Bag] }));
    expect(other.alive(e)).toBe(false);
  });

  test("N1 what encode throws is thrown, and it cannot change the ECS", () => {
    const ecs = world();
    const e = ecs.addEntity(new Terrain());
    let call: () => unknown = () => {
      throw new Error("own");
    };
    class Calls extends Component {
      static typeName = "Calls";
      static encode(): unknown {
        return call();
      }
      static decode = (): Calls => new Calls();
    }
    ecs.addComponent(e, new Calls());
    expect((thrownBy(() => snapshot(ecs)) as Error).message).toBe("own");
    call = () => ecs.addEntity();
    expectError("BAD_ARGUMENT", () => snapshot(ecs));
    call = () => snapshot(ecs);
    expectError("REENTRANT_UPDATE", () => snapshot(ecs));
    call = () => undefined;
    expectError("BAD_ARGUMENT", () => snapshot(ecs));
    call = () => Array.from(snapshot(world())); // another world
    const bytes = snapshot(ecs);
    expect(ecs.count).toBe(1);
    ecs.addEntity();
    ecs.update();
    call = () => (ecs.dispose(), 1);
    snapshot(ecs);
    expect(() => ecs.count).toThrow("disposed");
    expect(bytes.length).toBeGreaterThan(0);
  });

  test("N8 if decode throws, changes the ECS or returns something else, the ECS is unchanged", () => {
    let call: (data: unknown) => unknown = () => new Calls();
    class Calls extends Component {
      static typeName = "DecodeCalls";
      static encode = (): number => 1;
      static decode = (data: unknown): unknown => call(data);
    }
    const ecs = world();
    ecs.addEntity(new Calls(), [Position, { x: 1 }]);
    ecs.addEntity(new Calls(), [Bag, { gold: 1 }]);
    const bytes = snapshot(ecs);
    const target = world();
    target.addEntity([Position, { x: 5 }]);
    const watch = target.addSystem(0, new Watch(Position, ({ x }) => x));
    target.update();
    watch.take();
    const before = snapshot(target);
    const one = new Calls();
    const used = new Calls();
    world().addEntity(used);
    const cases: [(data: unknown) => unknown, string][] = [
      [
        () => {
          throw new Error("own");
        },
        "own",
      ],
      [() => target.addEntity(), "restored"],
      [() => target.update(), "inside"],
      [() => restore(target, bytes), "inside"],
      [() => undefined, "Calls.decode must return a new Calls, not undefined"],
      [() => new Terrain(), "must return a new Calls"],
      [() => one, "must return a new Calls"], // the second time
      [() => used, "belongs to entity"],
    ];
    for (const [each, text] of cases) {
      call = each;
      expect((thrownBy(() => restore(target, bytes)) as Error).message).toContain(text);
      expect(snapshot(target)).toEqual(before);
      expect(watch.take()).toEqual([]);
    }
    call = () => (restore(world(), before), new Calls()); // another world
    restore(target, bytes);
    call = () => (target.dispose(), new Calls());
    target.clear();
    restore(target, bytes);
    expect(() => target.count).toThrow("disposed");
  });

  test("N8 data that is no JSON, or no object with fields, is BAD_DATA", () => {
    const ecs = world();
    ecs.addEntity([Bag, { gold: "JSON" }]);
    const bytes = snapshot(ecs);
    const at = indexOfText(bytes, '{"items"');
    const target = world();
    for (const text of ['{"items" ', "[1,2,3]  ", "null     "]) {
      const changed = bytes.slice();
      changed.set(
        new TextEncoder().encode(text.padEnd(changed.length, " ")).subarray(0, text === "null     " ? 23 : text.length),
        at,
      );
      const forged = withChecksum(changed);
      expect(expectError("BAD_DATA", () => restore(target, forged)).message).toMatch(/Bag .*\(byte \d+\)/);
      expect(target.count).toBe(0);
    }
  });
});

test("N4 fields of defineObject are found by name, missing ones get their defaults, and rename maps old ones", () => {
  class Old extends defineObject("Chest", { coins: 3, gone: 1 }) {}
  const ecs = world();
  const e = ecs.addEntity([Old, { coins: 8 }]);
  const bytes = snapshot(ecs);
  class New extends defineObject("Coffer", { gold: 0, extra: () => ["x"] }) {}
  const target = world();
  restore(target, bytes, { components: [New], rename: { Chest: "Coffer", "Chest.coins": "gold" } });
  expect(target.get(e, New).toJSON()).toEqual({ gold: 8, extra: ["x"] });
  restore(target, bytes, { ignore: ["Chest"] });
  expect([target.alive(e), target.has(e, New)]).toEqual([true, false]);
});

test("N4 the name of an object class is explicit: a subclass needs its own", () => {
  class Boss extends Bag {}
  const ecs = world();
  ecs.addEntity(Bag);
  ecs.addEntity(Boss);
  expectError("BAD_ARGUMENT", () => snapshot(ecs)); // two classes with one name
  class Named extends Bag {
    static typeName = "Named";
  }
  const other = world();
  const e = other.addEntity(Bag);
  const f = other.addEntity([Named, { gold: 2 }]);
  const target = world();
  restore(target, snapshot(other));
  expect(target.get(e, Bag).constructor).toBe(Bag);
  expect(target.get(f, Named).gold).toBe(2);
  class Empty extends Terrain {
    static override typeName = "";
  }
  other.addEntity(new Empty());
  expectError("BAD_ARGUMENT", () => snapshot(other));
});
