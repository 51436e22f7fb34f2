// Recording frames, and going back and forth between them (rule N7).
import { describe, expect, test } from "@jest/globals";
import {
  Component,
  ECS,
  NONE,
  defineComponent,
  defineObject,
  defineSystem,
  type Aspect,
  type ComponentClass,
  type Entity,
} from "crateful";
import { Rewind, restore, snapshot } from "crateful/state";
import "./with_state.js";
import { sameBytes } from "./state_bytes.js";
import { expectError } from "./world.js";
import { random, seeds, times } from "./random.js";

const place = { x: "f32", at: "f32x3", name: "string" } as const;
class Place extends defineComponent("RewindPlace", place, { policy: "sparse" }) {}
class Grid extends defineComponent("RewindGrid", { level: "u16", mode: ["a", "b"] }, { policy: "linear" }) {}
class Aim extends defineComponent("RewindAim", { target: "link", owner: "entity" }) {}
class Marked extends defineComponent("RewindMarked", {}, { policy: "sparse" }) {}
class Bag extends defineObject("RewindBag", { items: [] as number[], gold: 0 }) {}
class Raw extends Component {
  static readonly typeName = "RewindRaw";
  constructor(public bytes: Uint8Array = new Uint8Array(2)) {
    super();
  }
  static encode = ({ bytes }: Raw): Uint8Array => bytes;
  static decode = (bytes: Uint8Array): Raw => new Raw(bytes);
}
class Mesh extends Component {} // cannot be encoded
class Hit {
  static readonly typeName = "RewindHit";
  constructor(readonly points: number) {}
  static encode = ({ points }: Hit): number => points;
  static decode = (points: number): Hit => new Hit(points);
}

class Watch extends defineSystem({ place: Place }, { watch: [Place] }) {
  log: string[] = [];
  override onAdd(aspect: Aspect): void {
    this.log.push(`+${aspect.entity}`);
  }
  override onRemove(aspect: Aspect): void {
    this.log.push(`-${aspect.entity}`);
  }
  override update(): void {
    for (const { entity } of this.dirty) this.log.push(`dirty ${entity}`);
  }
}

/** Calls a function in each update. */
function each(ecs: ECS, call: () => void): void {
  class Each extends defineSystem({ place: Place }) {
    override update(): void {
      call();
    }
  }
  ecs.addSystem(0, new Each());
}
function frame(ecs: ECS, e: Entity, x: number): void {
  ecs.get(e, Place).x = x;
  ecs.update();
}

describe("going to a frame", () => {
  test("N7 makes the ECS what it was after that update, back and forth", () => {
    const ecs = new ECS();
    const e = ecs.addEntity([Place, { x: 0 }]);
    const place = ecs.get(e, Place);
    const rewind = new Rewind(ecs);
    for (let x = 1; x <= 9; ++x) frame(ecs, e, x);
    expect([rewind.oldest, rewind.newest]).toEqual([0, 9]);
    for (const to of [4, 8, 9, 0, 1, 9, 3]) {
      rewind.to(to);
      expect([ecs.frame, place.x, ecs.get(e, Place), rewind.newest]).toEqual([to, to, place, 9]);
    }
    frame(ecs, e, 40); // discards the later ones
    expect(rewind.newest).toBe(4);
    rewind.to(3);
    rewind.to(4);
    expect(place.x).toBe(40);
  });

  test("N7 only what differs is dirty, and entities that stay keep their aspects", () => {
    const ecs = new ECS();
    const watch = ecs.addSystem(0, new Watch());
    const [a, b, c] = [0, 1, 2].map((x) => ecs.addEntity([Place, { x }]));
    ecs.update();
    const rewind = new Rewind(ecs);
    frame(ecs, b!, 9);
    ecs.removeEntity(c!);
    const d = ecs.addEntity([Place, { x: 5 }]);
    ecs.update();
    watch.log = [];
    rewind.to(1);
    ecs.update();
    expect(watch.log).toEqual([`-${d}`, `+${c}`, `dirty ${b}`, `dirty ${c}`]);
    expect(ecs.alive(a!)).toBe(true);
    expect(ecs.alive(d)).toBe(false);
  });

  test("N7 changes since the last update are lost, and those outside of an update belong to the next frame", () => {
    const ecs = new ECS();
    const e = ecs.addEntity([Place, { x: 0 }]);
    const rewind = new Rewind(ecs);
    frame(ecs, e, 1);
    ecs.get(e, Place).x = 2;
    const other = ecs.addEntity();
    rewind.to(1);
    expect([ecs.get(e, Place).x, ecs.alive(other)]).toEqual([1, false]);
    frame(ecs, e, 3);
    rewind.to(1);
    expect(ecs.get(e, Place).x).toBe(1);
    rewind.to(2);
    expect(ecs.get(e, Place).x).toBe(3);
  });

  test("N7 a frame that is not recorded, and the ring that drops the oldest frames", () => {
    const ecs = new ECS();
    const e = ecs.addEntity([Place, { x: 0 }]);
    const rewind = new Rewind(ecs, { bytes: 5000 });
    for (let x = 1; x <= 100; ++x) frame(ecs, e, x);
    const { oldest } = rewind;
    expect(oldest).toBeGreaterThan(50);
    expect(rewind.newest).toBe(100);
    for (const to of [oldest - 1, 101, 99.5, Number.NaN, Number.POSITIVE_INFINITY])
      expect(expectError("BAD_ARGUMENT", () => rewind.to(to)).message).toContain(`choose one from ${oldest} to 100`);
    expect(expectError("BAD_ARGUMENT", () => rewind.to("99" as never)).message).toContain("the frame must be a number");
    expect(ecs.get(e, Place).x).toBe(100);
    rewind.to(oldest);
    expect(ecs.get(e, Place).x).toBe(oldest);
  });

  test("N7 show pauses also if a callback throws, or ends the recording", () => {
    for (const what of ["throws", "disposes"]) {
      const ecs = new ECS();
      const e = ecs.addEntity([Place, { x: 1 }]);
      const rewind = new Rewind(ecs);
      frame(ecs, e, 1);
      ecs.removeComponent(e, Place);
      ecs.update();
      ecs.addSystem(
        0,
        new (class extends defineSystem({ place: Place }) {
          override onAdd() {
            if (what === "disposes") rewind.dispose();
            else throw new Error("in onAdd");
          }
        })(),
      );
      if (what === "throws") expect(() => rewind.show(1)).toThrow("in onAdd");
      else rewind.show(1);
      expect([ecs.paused, ecs.frame, ecs.get(e, Place).x]).toEqual([true, 1, 1]);
      if (what === "disposes") continue;
      ecs.update();
      expect([ecs.frame, rewind.newest]).toEqual([1, 2]);
      ecs.paused = false;
      expect(expectError("BAD_ARGUMENT", () => rewind.show(9)).message).toMatch(/^show: /);
      expect(ecs.paused).toBe(false);
    }
  });

  test("N2 N7 C15 Q11 onAdd finds all entities by their present values", () => {
    class Cable extends defineComponent("RewindCable", { to: "link", length: "i32" }) {}
    for (const how of ["to", "restore"]) {
      const ecs = new ECS();
      const tag = ecs.addEntity([Place, { x: 1 }]);
      const a = ecs.addEntity([Cable, { to: tag, length: 1 }]);
      const rewind = new Rewind(ecs);
      ecs.update();
      const bytes = snapshot(ecs);
      ecs.removeComponent(tag, Place);
      Object.assign(ecs.get(a, Cable), { to: NONE, length: 2 });
      ecs.update();
      const look = () => [[...ecs.linked(Cable, tag)], [...ecs.index(Cable, "length").get(1)]];
      expect(look()).toEqual([[], []]);
      const seen: unknown[] = [];
      ecs.addSystem(
        0,
        new (class extends defineSystem({ place: Place }) {
          override onAdd() {
            seen.push(look());
          }
        })(),
      );
      if (how === "to") rewind.to(1);
      else restore(ecs, bytes);
      expect(seen).toEqual([[[a], [a]]]);
    }
  });

  test("N7 seconds drop the frames that are not needed to go back as far", () => {
    const ecs = new ECS();
    const e = ecs.addEntity([Place, { x: 0 }]);
    const rewind = new Rewind(ecs, { seconds: 1 });
    for (let x = 1; x <= 5; ++x) {
      ecs.get(e, Place).x = x;
      ecs.update(0.25);
    }
    expect(rewind.oldest).toBe(1);
    ecs.update(3);
    expect([rewind.oldest, rewind.newest]).toEqual([5, 6]);
    rewind.to(5);
    expect(ecs.get(e, Place).x).toBe(5);
    for (const seconds of [-1, Number.NaN, "1" as never])
      expectError("BAD_ARGUMENT", () => new Rewind(ecs, { seconds }));
  });

  test("N7 bytes of a frame are those that the ring needs for it", () => {
    const ecs = new ECS();
    const all = [1, 2, 3].map(() => ecs.addEntity([Place, { x: 0 }]));
    const rewind = new Rewind(ecs);
    frame(ecs, all[0]!, 1);
    for (const e of all) ecs.get(e, Place).x = 7;
    frame(ecs, all[0]!, 2);
    expect(rewind.bytesOf(2)).toBeGreaterThan(rewind.bytesOf(1));
    expect(rewind.bytesOf(1)).toBeGreaterThan(0);
    for (const wrong of [0, 3, 1.5, Number.NaN, "1" as never])
      expect(expectError("BAD_ARGUMENT", () => rewind.bytesOf(wrong)).message).toMatch(/^bytesOf: /);
    rewind.dispose();
    expectError("DISPOSED", () => rewind.bytesOf(1));
  });

  test("N7 a frame that is shown is paused, and updates of the paused ECS keep the later ones", () => {
    const ecs = new ECS();
    const watch = ecs.addSystem(0, new Watch());
    const e = ecs.addEntity(Place, Grid, Aim, Bag, Raw);
    const values = () => [
      ecs.get(e, Place).x,
      ecs.get(e, Grid).level,
      ecs.get(e, Aim).target,
      [...ecs.get(e, Bag).items],
      [...ecs.get(e, Raw).bytes],
    ];
    const change = (n: number) => {
      ecs.get(e, Place).x = n;
      ecs.get(e, Grid).level = n;
      ecs.get(e, Aim).target = n % 2 ? e : NONE;
      ecs.get(e, Bag).items = [n];
      ecs.get(e, Raw).bytes = new Uint8Array([n]);
      ecs.storage(Raw).markDirty(e);
    };
    let draws = 0;
    ecs.addSystem(
      1,
      new (class Draw extends defineSystem({ place: Place }, { whilePaused: true }) {
        override update(): void {
          if (ecs.paused) change(100 + ++draws);
        }
      })(),
    );
    const rewind = new Rewind(ecs);
    const seen = [values()];
    for (let n = 1; n <= 6; ++n) {
      change(n);
      ecs.update();
      seen.push(values());
    }
    for (const frame of [2, 5, 6, 0, 3]) {
      rewind.show(frame);
      expect([ecs.frame, ecs.paused, rewind.newest]).toEqual([frame, true, 6]);
      expect(values()).toEqual(seen[frame]);
      for (let k = 0; k < 3; ++k) ecs.update();
      expect([ecs.frame, rewind.newest]).toEqual([frame, 6]);
      expect(values()[0]).toBe(100 + draws);
    }
    expect(() => rewind.show(7)).toThrow(/frame 7 is not recorded/);
    watch.log = [];
    ecs.paused = false;
    change(50);
    ecs.update();
    expect(watch.log).toEqual([`dirty ${e}`]);
    expect([ecs.frame, rewind.oldest, rewind.newest]).toEqual([4, 0, 4]); // it continues from here
    expect(() => rewind.show(9)).toThrow(/frame 9 is not recorded/);
    expect(ecs.paused).toBe(false);
    rewind.dispose();
    expectError("DISPOSED", () => rewind.show(4));
    expect(ecs.paused).toBe(false);
  });

  test("N7 inside an update or a callback, and after disposal, it is an error", () => {
    const ecs = new ECS();
    const e = ecs.addEntity([Place, { x: 0 }]);
    const rewind = new Rewind(ecs);
    frame(ecs, e, 1);
    let seen: unknown;
    each(ecs, () => {
      try {
        rewind.to(0);
      } catch (error) {
        seen = error;
      }
    });
    ecs.update();
    expect(seen).toMatchObject({ code: "REENTRANT_UPDATE" });
    rewind.dispose();
    rewind.dispose();
    ecs.update();
    expectError("DISPOSED", () => rewind.to(0));
    expectError("DISPOSED", () => rewind.oldest);
    const other = new Rewind(ecs);
    ecs.dispose();
    expectError("DISPOSED", () => other.newest);
    other.dispose();
  });

  test("N7 a Rewind can be disposed in an update, with its ECS or without", () => {
    for (const withEcs of [false, true]) {
      const ecs = new ECS();
      const rewind = new Rewind(ecs);
      each(ecs, () => {
        if (withEcs) ecs.dispose();
        rewind.dispose();
      });
      ecs.addEntity([Place, {}]);
      ecs.update();
      if (!withEcs) ecs.update();
    }
  });
});

describe("what is recorded", () => {
  test("N7 object components, when they signal", () => {
    const ecs = new ECS();
    const e = ecs.addEntity([Bag, { gold: 1 }], new Raw(new Uint8Array([1, 2])));
    const bag = ecs.get(e, Bag);
    const rewind = new Rewind(ecs);
    bag.gold = 2;
    ecs.update();
    ecs.get(e, Raw).bytes = new Uint8Array([7]);
    ecs.get(e, Raw).dirty();
    ecs.update();
    ecs.removeComponent(e, Bag);
    const other = ecs.addEntity([Bag, { items: [4] }]);
    ecs.update();
    rewind.to(2);
    expect([ecs.get(e, Bag).gold, [...ecs.get(e, Raw).bytes], ecs.alive(other)]).toEqual([2, [7], false]);
    const raw = ecs.get(e, Raw);
    rewind.to(1);
    expect([...ecs.get(e, Raw).bytes]).toEqual([1, 2]);
    expect(ecs.get(e, Raw)).not.toBe(raw);
    const { gold } = ecs.get(e, Bag);
    rewind.to(0);
    expect([gold, ecs.get(e, Bag).gold]).toEqual([2, 1]);
    rewind.to(3);
    expect([ecs.has(e, Bag), ecs.get(other, Bag).items, [...ecs.get(e, Raw).bytes]]).toEqual([false, [4], [7]]);
  });

  test("N7 what cannot be encoded is an error, unless `without` names it; then it stays with its entity", () => {
    const ecs = new ECS();
    const e = ecs.addEntity(new Mesh(), [Place, { x: 0 }]);
    expect(expectError("BAD_ARGUMENT", () => new Rewind(ecs)).message).toContain("Mesh");
    const rewind = new Rewind(ecs, { without: [Mesh] });
    const mesh = ecs.get(e, Mesh);
    frame(ecs, e, 1);
    const other = ecs.addEntity(new Mesh());
    ecs.update();
    rewind.to(0);
    expect([ecs.get(e, Mesh), ecs.alive(other), ecs.get(e, Place).x]).toEqual([mesh, false, 0]);
  });

  test("N7 what encode throws reaches the caller of `to`, and the recording begins again", () => {
    const thrown = new Error("encode");
    class Throws extends Component {
      static readonly typeName = "RewindThrows";
      static encode(): never {
        throw thrown;
      }
      static decode = (): Throws => new Throws();
    }
    const ecs = new ECS();
    const rewind = new Rewind(ecs);
    const e = ecs.addEntity(new Throws());
    ecs.update(); // is not disturbed
    expect(() => rewind.to(0)).toThrow(thrown);
    expect(() => rewind.oldest).toThrow(thrown);
    ecs.removeEntity(e);
    ecs.update();
    expect([rewind.oldest, rewind.newest]).toEqual([2, 2]);
  });

  test("N7 what decode throws changes nothing", () => {
    const thrown = new Error("decode");
    let throws = false;
    class Throws extends Component {
      static readonly typeName = "RewindDecodes";
      constructor(public n = 1) {
        super();
      }
      static encode = ({ n }: Throws): number => n;
      static decode(n: number): Throws {
        if (throws) throw thrown;
        return new Throws(n);
      }
    }
    const ecs = new ECS();
    const e = ecs.addEntity(new Throws(), [Place, { x: 0 }]);
    const rewind = new Rewind(ecs);
    ecs.get(e, Throws).n = 2;
    ecs.get(e, Throws).dirty();
    frame(ecs, e, 1);
    ecs.get(e, Place).x = 5; // since the update
    throws = true;
    expect(() => rewind.to(0)).toThrow(thrown);
    expect([ecs.frame, ecs.get(e, Place).x, ecs.get(e, Throws).n]).toEqual([1, 5, 2]);
    throws = false;
    ecs.update();
    rewind.to(1);
    expect(ecs.get(e, Place).x).toBe(1);
    rewind.to(2);
    expect(ecs.get(e, Place).x).toBe(5);
    rewind.to(0);
    expect(ecs.get(e, Throws).n).toBe(1);
  });

  test("N7 events that wait, with a delay and in inboxes", () => {
    class Counts extends defineSystem({ place: Place }) {
      readonly hits = this.inbox(Hit);
      sum = 0;
      override update(): void {
        if (this.ecs.frame % 2 === 1) for (const { points } of this.hits) this.sum += points;
      }
    }
    const ecs = new ECS();
    const counts = ecs.addSystem(0, new Counts());
    const heard: number[] = [];
    ecs.events.subscribe(Hit, ({ points }) => void heard.push(points));
    const rewind = new Rewind(ecs);
    ecs.events.dispatch(new Hit(1));
    ecs.events.dispatch(new Hit(2), 0.05);
    ecs.update(0.02); // frame 0 leaves the first one in the inbox
    const play = () => {
      heard.length = counts.sum = 0;
      for (let k = 0; k < 4; ++k) ecs.update(0.02);
      return [[...heard], counts.sum];
    };
    const first = play();
    expect(first).toEqual([[2], 3]);
    rewind.to(1);
    expect(play()).toEqual(first);
    rewind.to(0);
    heard.length = 0;
    expect(play()).toEqual([[], 0]); // they were dispatched later
  });

  test("N7 V3 an inbox that is read in part in each frame", () => {
    const seen: number[] = [];
    class Slow extends defineSystem({ place: Place }) {
      readonly hits = this.inbox(Hit);
      override update(): void {
        for (const { points } of this.hits) {
          seen.push(points);
          break;
        }
      }
    }
    const ecs = new ECS();
    ecs.addSystem(0, new Slow());
    const rewind = new Rewind(ecs);
    for (const points of [1, 2, 3]) ecs.events.dispatch(new Hit(points));
    for (let k = 0; k < 4; ++k) ecs.update(0.02);
    rewind.to(1); // frame 0 has taken one
    for (let k = 0; k < 4; ++k) ecs.update(0.02);
    expect(seen).toEqual([1, 2, 3, 2, 3]);
  });

  test("N7 V3 inboxes of systems that are added and removed", () => {
    class Late extends defineSystem(undefined) {
      readonly hits = this.inbox(Hit);
      override update(): void {}
    }
    const ecs = new ECS();
    const rewind = new Rewind(ecs);
    ecs.update(0.02);
    const late = new Late();
    ecs.addSystem(0, late);
    ecs.events.dispatch(new Hit(1));
    ecs.update(0.02);
    rewind.to(1);
    expect(late.hits.size).toBe(0);
    rewind.to(2);
    expect(Array.from(late.hits, ({ points }) => points)).toEqual([1]);
    ecs.removeSystem(late);
    ecs.update(0.02);
    rewind.to(2);
    expect([rewind.oldest, rewind.newest, ecs.systems.length]).toEqual([0, 3, 0]);
  });

  test("N7 it continues when systems are added and removed; restoring starts it anew", () => {
    const ecs = new ECS();
    const e = ecs.addEntity([Place, { x: 0 }]);
    const rewind = new Rewind(ecs);
    frame(ecs, e, 1);
    const saved = snapshot(ecs);
    const watch = new Watch();
    ecs.addSystem(0, watch);
    frame(ecs, e, 2);
    expect([rewind.oldest, rewind.newest]).toEqual([0, 2]);
    rewind.to(1);
    expect(ecs.get(e, Place).x).toBe(1);
    rewind.to(2);
    ecs.removeSystem(watch);
    frame(ecs, e, 3);
    rewind.to(0);
    expect([ecs.get(e, Place).x, rewind.newest]).toEqual([0, 3]);
    restore(ecs, saved);
    expect([rewind.oldest, rewind.newest]).toEqual([1, 1]);
    frame(ecs, e, 3);
    rewind.to(1);
    expect(ecs.get(e, Place).x).toBe(1);
  });
});

const operations = times(600);
const classes: ComponentClass[] = [Place, Grid, Aim, Marked, Bag, Raw];

/** Changes the world at random in each frame. */
class World {
  readonly ecs = new ECS();
  log: string[] = [];
  constructor() {
    const { log } = this;
    class Works extends defineSystem({ place: Place }, { watch: [Place], exact: true, name: "Works" }) {
      readonly hits = this.inbox(Hit);
      override update(): void {
        for (const { entity, place } of this.dirty) {
          log.push(`${entity} ${place.x}`);
          if (place.x % 5 === 0) place.x += 1;
        }
        for (const { points } of this.hits) {
          log.push(`hit ${points}`);
          if (points % 2 === 0) break;
        }
      }
    }
    this.ecs.addSystem(0, new Works());
  }
  /** One frame, with the same changes for the same seed in the same state. */
  play(seed: number): void {
    const { ecs } = this;
    const next = random(seed);
    const all: Entity[] = [...ecs.query({ place: Place }).ids(), ...ecs.query({ bag: Bag }).ids()];
    const any = () => (all.length === 0 ? NONE : all[next(all.length)]!);
    for (let n = next(6); n > 0; --n) {
      const e = any();
      const what = next(10);
      const cls = classes[next(classes.length)]!;
      if (what < 2 || !ecs.alive(e)) all.push(ecs.addEntity([Place, { x: next(50) }], [Bag, { gold: next(9) }]));
      else if (what < 4) ecs.addComponent(e, this.make(cls, next, any));
      else if (what === 4) ecs.removeComponent(e, cls);
      else if (what === 5) ecs.removeEntity(e);
      else if (what === 6) ecs.events.dispatch(new Hit(next(9)), next(3) * 0.02);
      else if (what === 7 && ecs.has(e, Bag)) ecs.get(e, Bag).gold += 1;
      else if (what === 8 && ecs.has(e, Place)) ecs.get(e, Place).name = `text ${next(9)}`;
      else this.adopt(e, any());
    }
    ecs.update(0.01 * (1 + next(3)));
  }
  make(cls: ComponentClass, next: (below: number) => number, any: () => Entity): Component {
    const n = next(50);
    if (cls === Place) return new Place({ x: n, at: [n, 1, 2], name: `text ${n % 7}` });
    if (cls === Grid) return new Grid({ level: n, mode: n % 2 ? "a" : "b" });
    if (cls === Aim) return new Aim({ owner: any() });
    if (cls === Bag) return new Bag({ items: [n], gold: n });
    return cls === Raw ? new Raw(new Uint8Array([n, 0, 1])) : new Marked();
  }
  adopt(child: Entity, parent: Entity): void {
    for (let above = parent; above !== NONE; above = this.ecs.parent(above)) if (above === child) return;
    this.ecs.setParent(child, parent);
  }
}

/** A world in which `encode` of a component calls a function, once: at the end of the next update. */
function encoding(act: () => void) {
  const ecs = new ECS();
  let acts = false;
  class Acting extends Component {
    static readonly typeName = "RewindActing";
    static encode(): number {
      if (acts) {
        acts = false;
        act();
      }
      return 1;
    }
    static decode = (): Acting => new Acting();
  }
  const all = [ecs.addEntity(new Acting()), ecs.addEntity(new Acting())];
  const rewind = new Rewind(ecs);
  ecs.update();
  return {
    ecs,
    rewind,
    update() {
      for (const each of all) ecs.get(each, Acting).dirty();
      acts = true;
      ecs.update();
      expect(acts).toBe(false);
    },
  };
}

test.each([
  [
    "update",
    (ecs: ECS) =>
      ecs.addSystem(
        0,
        new (class extends Watch {
          override update = failing;
        })(),
      ),
  ],
  [
    "onRemove",
    (ecs: ECS) =>
      ecs.addSystem(
        0,
        new (class extends Watch {
          override onRemove = failing;
        })(),
      ),
  ],
  ["a handler", (ecs: ECS) => ecs.events.subscribe(Hit, failing)],
])("S7 N7 what %s throws arrives while events that wait are recorded", (_name, prepare) => {
  const ecs = new ECS();
  using _rewind = new Rewind(ecs);
  ecs.removeEntity(ecs.addEntity(Place));
  prepare(ecs);
  ecs.events.dispatch(new Hit(1), 0.01);
  ecs.events.dispatch(new Hit(2), 5);
  expect(() => ecs.update(1)).toThrow("on purpose");
});
function failing(): void {
  throw new Error("on purpose");
}

test("S6 N7 an update in a function that encodes is an error", () => {
  const codes: unknown[] = [];
  const world = encoding(() => codes.push(expectError("REENTRANT_UPDATE", () => world.ecs.update()).code));
  world.update();
  expect(codes).toEqual(["REENTRANT_UPDATE"]);
  expect([world.ecs.frame, world.rewind.newest]).toEqual([2, 2]);
  world.rewind.to(1);
  expect(world.ecs.frame).toBe(1);
});

test("N7 a function that encodes can end the recording", async () => {
  const world = encoding(() => world.rewind.dispose());
  world.update();
  world.update = () => world.ecs.update();
  world.update(); // before it is freed
  await Promise.resolve();
  world.update();
  expect(world.ecs.frame).toBe(4);
  expectError("DISPOSED", () => world.rewind.newest);
});

test("M3 N7 a function that encodes can dispose of the ECS", () => {
  const world = encoding(() => world.ecs.dispose());
  world.update();
  expectError("DISPOSED", () => world.ecs.update());
  expectError("DISPOSED", () => world.rewind.newest);
  expect(new ECS().addEntity(Place)).toBeDefined();
});

test.each(seeds(4))("N3 N7 random worlds are what they were, and play again as they did (seed %d)", (seed) => {
  const world = new World();
  const { ecs } = world;
  const next = random(seed + 100);
  const rewind = new Rewind(ecs, { bytes: 30_000 });
  const seen = [{ bytes: snapshot(ecs, { systems: true }), log: "" }];
  let again = 0;
  for (let played = 0; played < operations; ++played) {
    world.log.length = 0;
    world.play(seed * 7777 + ecs.frame);
    const bytes = snapshot(ecs, { systems: true });
    const log = world.log.join();
    const known = seen[ecs.frame];
    if (known !== undefined) {
      ++again;
      expect(log).toBe(known.log);
      expect(sameBytes(bytes, known.bytes)).toBe(true);
    }
    seen[ecs.frame] = { bytes, log };
    if (next(8) > 0) continue;
    if (next(3) === 0) ecs.addEntity([Place, { x: 1 }]); // is lost
    for (let n = next(3); n >= 0; --n) {
      const { oldest, newest } = rewind;
      const to = oldest + next(newest - oldest + 1);
      rewind.to(to);
      expect(ecs.frame).toBe(to);
      expect(sameBytes(snapshot(ecs, { systems: true }), seen[to]!.bytes)).toBe(true);
    }
  }
  if (operations >= 600) expect(again).toBeGreaterThan(operations / 4);
  rewind.dispose();
  ecs.dispose();
});
