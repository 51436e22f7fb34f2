// Random changes of a world, sent to several receivers; each replica equals what its receiver gets (rules N5, N6).
import { expect, test } from "@jest/globals";
import {
  Component,
  ECS,
  NONE,
  System,
  defineComponent,
  defineObject,
  type ComponentClass,
  type Entity,
} from "crateful";
import { Changes, Replica } from "crateful/state";
import "./with_state.js";
import { random, seeds, times } from "./random.js";

const place = { x: "f32", at: "f32x3", name: "string" } as const;
class Place extends defineComponent("ModelPlace", place, { policy: "sparse" }) {}
class Grid extends defineComponent("ModelGrid", { level: "u16", mode: ["a", "b", "c"] }, { policy: "linear" }) {}
class Aim extends defineComponent("ModelAim", { target: "link", owner: "entity" }) {}
class Marked extends defineComponent("ModelMarked", {}, { policy: "sparse" }) {}
class Bag extends defineObject("ModelBag", { items: [] as number[], gold: 0 }) {
  static assign(bag: Bag, { items, gold }: { items: number[]; gold: number }): void {
    Object.assign(bag, { items, gold });
  }
}
class Raw extends Component {
  static readonly typeName = "ModelRaw";
  constructor(public bytes: Uint8Array = new Uint8Array(2)) {
    super();
  }
  static encode = ({ bytes }: Raw): Uint8Array => bytes;
  static decode = (bytes: Uint8Array): Raw => new Raw(bytes);
}
/** Refers to an entity in a value that only the class can read. */
class Ring extends defineObject("ModelRing", { to: NONE as Entity }) {
  static mapEntities = ({ to }: { to: Entity }, map: (e: Entity) => Entity) => ({ to: map(to) });
}
const classes: ComponentClass[] = [Place, Grid, Aim, Marked, Bag, Raw, Ring];

const operations = times(1500);

/** JSON in which NaN and -0 are not null and 0. */
const exactly = (value: unknown): string =>
  JSON.stringify(value, (_, part: unknown) => (part !== part ? "NaN" : Object.is(part, -0) ? "-0" : part));

/** Keeps what is dirty since it was asked. */
class Follow extends System {
  readonly componentsRequired: ReadonlySet<ComponentClass>;
  override readonly dirtyComponents: ReadonlySet<ComponentClass>;
  readonly seen = new Set<Entity>();
  constructor(cls: ComponentClass) {
    super();
    this.componentsRequired = this.dirtyComponents = new Set([cls]);
  }
  override update(_delta: number, _entities: unknown, dirty: { ids: Iterable<Entity> }): void {
    for (const e of dirty.ids) this.seen.add(e);
  }
}

/** The sender's world. */
class Source {
  readonly ecs = new ECS();
  all: Entity[] = [];
  constructor(readonly next: (below: number) => number) {}
  pick(): Entity {
    this.all = this.all.filter((e) => this.ecs.alive(e));
    if (this.next(15) === 0) return this.ecs.world;
    return this.all.length === 0 ? this.create() : this.all[this.next(this.all.length)]!;
  }
  create(): Entity {
    const e = this.ecs.addEntity();
    this.all.push(e);
    return e;
  }
  make(cls: ComponentClass): Component {
    const n = this.next(50);
    if (cls === Place) return new Place({ x: n, at: [n, 1, 2], name: `text ${n % 7}` });
    if (cls === Grid) return new Grid({ level: n, mode: (["a", "b", "c"] as const)[n % 3]! });
    if (cls === Aim) return new Aim({ owner: this.pick() });
    if (cls === Bag) return new Bag({ items: [n], gold: n });
    if (cls === Ring) return new Ring({ to: this.pick() });
    return cls === Raw ? new Raw(new Uint8Array(n % 5).fill(n)) : new Marked();
  }
  /** The class, and some of the others. */
  several(cls: ComponentClass): ComponentClass[] {
    return classes.filter((each) => each === cls || this.next(3) === 0);
  }
  step(): void {
    const { ecs, next } = this;
    const e = this.pick();
    const cls = classes[next(classes.length)]!;
    const bag = ecs.tryGet(e, Bag);
    const raw = ecs.tryGet(e, Raw);
    const place = ecs.tryGet(e, Place);
    const aim = ecs.tryGet(e, Aim);
    const ring = ecs.tryGet(e, Ring);
    switch (next(15)) {
      case 0:
        if (this.all.length < 60) this.create();
        return;
      case 1:
        if (e !== ecs.world) ecs.removeEntity(e);
        return;
      case 2:
      case 3: {
        const component = ecs.addComponent(e, this.make(cls));
        if (component instanceof Aim) component.target = this.pick();
        return;
      }
      case 4:
        ecs.add(e, ...this.several(cls).map((each) => this.make(each)));
        return;
      case 5:
        ecs.removeComponent(e, cls, ...this.several(cls));
        return;
      case 6:
      case 7: {
        const other = this.pick();
        for (let above = other; above !== NONE; above = ecs.parent(above)) if (above === e) return;
        const children = next(2) ? [...ecs.children(other)].filter((child) => child !== e) : [];
        if (e === ecs.world) return;
        if (next(4) === 0) ecs.setParent(e, NONE);
        else ecs.setParent(e, other, children.length > 0 ? children[next(children.length)]! : NONE);
        return;
      }
      case 8:
        for (const { place } of ecs.query({ place: Place }))
          if (next(4) === 0) place.x = [place.x + 1, 0, -0, NaN][next(4)]!;
        if (place) place.at.y = [place.at.y + 1, 0, -0, NaN][next(4)]!;
        return;
      case 9:
        if (bag) bag.gold += next(2);
        return;
      case 10:
        if (raw) {
          raw.bytes = Uint8Array.of(next(9), 3);
          if (next(2)) raw.dirty();
          else ecs.addComponent(e, new Raw(raw.bytes));
        }
        return;
      case 11:
        if (place) place.name = next(5) ? `other ${next(9)}` : "";
        return;
      case 12:
        if (aim) aim.owner = next(3) ? this.pick() : NONE;
        if (ring) ring.to = next(3) ? this.pick() : NONE;
        return;
      case 13:
        if (next(12) === 0) ecs.clear();
        return;
      default:
        ecs.update(0.25);
    }
  }
}

/** Loses a fifth of what it gets, doubles a fifth, and delays it. */
class LossyChannel {
  #time = 0;
  #waiting: { due: number; bytes: Uint8Array }[] = [];
  constructor(
    readonly next: (below: number) => number,
    readonly arrive: (bytes: Uint8Array) => void,
  ) {}
  pass(bytes: Uint8Array): void {
    const { next } = this;
    if (next(5) > 0) this.#waiting.push({ due: this.#time + next(5), bytes });
    if (next(5) === 0) this.#waiting.push({ due: this.#time + next(9), bytes });
    const due = this.#waiting.filter((each) => each.due <= this.#time);
    this.#waiting = this.#waiting.filter((each) => each.due > this.#time);
    ++this.#time;
    for (const each of due) this.arrive(each.bytes);
  }
}

/** A receiver, its replica, and which entities it selects: undefined for all. */
class Line {
  readonly ecs = new ECS();
  readonly systems = classes.map((cls) => new Follow(cls));
  readonly replica: Replica;
  readonly receiver;
  before = new Map<Entity, string[]>();
  /** Entities of the program that are to become these of the sender. */
  readonly adopted = new Map<Entity, Entity>();
  constructor(
    readonly source: Source,
    changes: Changes,
    readonly selected: Set<Entity> | undefined,
    readonly maxBytes?: number,
    readonly lossy = false,
  ) {
    this.systems.forEach((system, i) => void this.ecs.addSystem(i, system));
    this.ecs.addEntities(source.next(20));
    this.own = this.ecs.count;
    this.receiver = changes.receiver(selected === undefined ? { lossy } : { select: selected, lossy });
    this.replica = new Replica(this.ecs, { components: classes });
  }
  readonly own: number;
  readonly #there = new LossyChannel(random(7), (bytes) => this.replica.apply(bytes));
  readonly #back = new LossyChannel(random(8), (bytes) => this.receiver.acknowledge(bytes));

  #take() {
    return this.receiver.take(this.maxBytes === undefined ? {} : { maxBytes: this.maxBytes });
  }
  /** On a lossy channel: until everything has arrived. */
  send(): void {
    for (let i = 0; this.lossy && i < 300; ++i) this.pass();
    if (!this.lossy && this.source.next(4) === 0) {
      if (this.source.next(2)) this.#take(); // is lost
      this.receiver.restart();
    }
    while (!this.lossy) {
      const bytes = this.#take();
      this.replica.apply(bytes);
      if (this.maxBytes === undefined || bytes.length === 0) return;
    }
  }
  /** One packet and one acknowledgement of a lossy channel. */
  pass(): void {
    this.source.ecs.update(0); // time is counted in updates
    this.#there.pass(this.#take());
    this.#back.pass(this.replica.acknowledgement());
  }
  select(e: Entity): void {
    if (this.selected!.delete(e)) {
      this.receiver.deselect(e);
    } else {
      this.selected!.add(e);
      this.receiver.select(e);
    }
  }
  /** An entity of the program, with some components, becomes one of the sender that has not arrived. */
  adopt(): void {
    const { ecs, replica, source, adopted } = this;
    this.#forgetArrived();
    for (const [e, own] of adopted) {
      if (source.ecs.alive(e) && source.next(20) > 0) continue;
      ecs.removeEntity(own);
      adopted.delete(e);
    }
    ecs.removeMarked();
    const e = source.pick();
    if (e === source.ecs.world || replica.entity(e) !== NONE || adopted.has(e)) return;
    const own = ecs.addEntity(
      ...classes.filter((cls) => cls !== Aim && cls !== Ring && source.next(2)).map((cls) => source.make(cls)),
    );
    replica.adopt(own, e);
    adopted.set(e, own);
  }
  #forgetArrived(): void {
    for (const [e, own] of this.adopted) {
      // One that has arrived, and was removed and created again, is another one.
      if (this.ecs.alive(own)) expect([NONE, own]).toContain(this.replica.entity(e));
      if (this.replica.entity(e) === own || !this.ecs.alive(own)) this.adopted.delete(e);
    }
  }
  /** The values of an entity's components, where `map` maps the entities in fields. */
  static values(ecs: ECS, e: Entity, map: (e: Entity) => Entity): string[] {
    return classes.map((cls) => {
      const component = ecs.tryGet(e, cls);
      if (component === undefined) return "";
      // A field that is no link can contain an entity that is not alive any more.
      if (component instanceof Aim) return exactly([map(component.target), map(component.owner)]);
      if (component instanceof Ring) return exactly(map(component.to));
      const { bytes } = component as Raw;
      return exactly(bytes ? Array.from(bytes) : (component as Bag).toJSON());
    });
  }
  check(): void {
    const { ecs, replica, source, selected } = this;
    const from = source.ecs;
    const isSent = (e: Entity) =>
      from.alive(e) &&
      (selected?.has(e) ?? true) &&
      (from.parent(e) !== NONE || classes.some((cls) => from.has(e, cls)));
    const known = (e: Entity) => (e !== NONE && isSent(e) ? e : NONE);
    const remote = (e: Entity) => (e === NONE ? NONE : replica.remote(e));
    const sent = [from.world, ...source.all].filter(isSent);
    this.#forgetArrived();
    const now = new Map<Entity, string[]>();
    const expected: unknown[] = [];
    const found: unknown[] = [];
    for (const e of sent) {
      const copy = replica.entity(e);
      const values = Line.values(from, e, known);
      const children = [...from.children(e)].filter((child) => known(child) !== NONE);
      const linked = [...from.linked(Aim, e)].filter((other) => known(other) !== NONE);
      expected.push([e, values, known(from.parent(e)), children, linked.sort()]);
      const copies = [...ecs.children(copy)].map(remote);
      const there = Line.values(ecs, copy, remote);
      found.push([
        replica.remote(copy),
        there,
        remote(ecs.parent(copy)),
        copies,
        [...ecs.linked(Aim, copy)].map(remote).sort(),
      ]);
      now.set(copy, values);
    }
    expect(found).toEqual(expected);
    expect(ecs.count - this.adopted.size).toBe(this.own + sent.filter((e) => e !== from.world).length);
    // What differs is dirty, and nothing else, except fields that refer to entities that came and went.
    for (const system of this.systems) system.seen.clear();
    ecs.update();
    const wrong = classes.map((cls, k) =>
      [...now].filter(([copy, values]) => {
        if (values[k] === "") return false;
        const differs = this.before.get(copy)?.[k] !== values[k];
        if (this.lossy && !differs) return false; // it can have arrived in between
        if (cls === Ring && !differs) return false; // what it refers to can have come and gone
        return (differs || cls !== Aim) && this.systems[k]!.seen.has(copy) !== differs;
      }),
    );
    expect(wrong).toEqual(classes.map(() => []));
    for (const own of this.adopted.values()) now.set(own, Line.values(ecs, own, remote));
    this.before = now;
  }
}

test.each(seeds(6))("N5 N6 random changes arrive at each receiver, and signal (seed %d)", (seed) => {
  const next = random(seed);
  const source = new Source(next);
  const changes = new Changes(source.ecs, { components: classes });
  const lines = [
    new Line(source, changes, undefined),
    new Line(source, changes, new Set()),
    new Line(source, changes, new Set([source.ecs.world])),
    new Line(source, changes, undefined, 4000),
    new Line(source, changes, undefined, undefined, true),
    new Line(source, changes, new Set(), 1200, true),
  ];
  let sent = 0;
  for (let i = 0; i < operations; ++i) {
    source.step();
    for (const line of lines) {
      if (line.selected === undefined || next(4) > 0) continue;
      for (const e of line.selected) if (!source.ecs.alive(e)) line.selected.delete(e);
      line.select(source.pick());
    }
    for (const line of lines) {
      if (line.lossy) line.pass();
      if (next(10) === 0) line.adopt();
      if (next(20) > 0) continue;
      ++sent;
      for (const e of line.selected ?? []) if (!source.ecs.alive(e)) line.selected!.delete(e);
      line.send();
      line.check();
    }
    if (next(400) === 0) lines.push(new Line(source, changes, next(2) ? undefined : new Set()));
  }
  if (operations >= 1500) expect(sent).toBeGreaterThan(operations / 10);
});
