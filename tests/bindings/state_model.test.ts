// Random operations, with snapshots that are restored into new worlds and over worlds that have changed (rules N1 to N3).
import { expect, test } from "@jest/globals";
import {
  Component,
  ECS,
  NONE,
  System,
  defineComponent,
  defineObject,
  type Aspect,
  type ComponentClass,
  type Entity,
} from "crateful";
import { restore, snapshot } from "./with_state.js";
import { sameBytes } from "./state_bytes.js";
import { random, seeds, times } from "./random.js";

const place = { x: "f32", at: "f32x3", name: "string" } as const;
class Place extends defineComponent("ModelPlace", place, { policy: "sparse" }) {}
class Grid extends defineComponent("ModelGrid", { level: "u16", mode: ["a", "b", "c"] }, { policy: "linear" }) {}
class Aim extends defineComponent("ModelAim", { target: "link", owner: "entity" }) {}
class Marked extends defineComponent("ModelMarked", {}, { policy: "sparse" }) {}
class Bag extends defineObject("ModelBag", { items: [] as number[], gold: 0 }) {}
class Raw extends Component {
  static readonly typeName = "ModelRaw";
  constructor(public bytes: Uint8Array = new Uint8Array(2)) {
    super();
  }
  static encode = ({ bytes }: Raw): Uint8Array => bytes;
  static decode = (bytes: Uint8Array): Raw => new Raw(bytes);
}
const classes: ComponentClass[] = [Place, Grid, Aim, Marked, Bag, Raw];

const operations = times(1500);

/** Tracks what it requires, and keeps a list of its own from its callbacks. */
class Follow extends System {
  readonly componentsRequired: ReadonlySet<ComponentClass>;
  override readonly dirtyComponents: ReadonlySet<ComponentClass>;
  readonly known = new Map<Entity, Aspect>();
  entities!: Iterable<Entity>;
  constructor(
    readonly cls: ComponentClass,
    readonly excluded?: ComponentClass,
  ) {
    super();
    this.componentsRequired = this.dirtyComponents = new Set([cls]);
    if (excluded) Object.assign(this, { componentsExcluded: new Set([excluded]) });
  }
  override onAdd(aspect: Aspect): void {
    if (this.known.has(aspect.entity)) throw new Error(`${aspect.entity} is added twice`);
    if (!aspect.get(this.cls)) throw new Error("nothing to read");
    this.known.set(aspect.entity, aspect);
  }
  override onRemove(aspect: Aspect): void {
    if (this.known.get(aspect.entity) !== aspect) throw new Error(`another aspect of ${aspect.entity}`);
    if (!aspect.get(this.cls)) throw new Error("nothing to read");
    this.known.delete(aspect.entity);
  }
  dirtyIds: Entity[] = [];
  override update(_delta: number, entities: { keys(): Iterable<Entity> }, dirty: { ids: Iterable<Entity> }): void {
    this.entities = entities.keys();
    this.dirtyIds = [...dirty.ids];
  }
}

/** JSON in which NaN and -0 are not null and 0. */
const exactly = (value: unknown): string =>
  JSON.stringify(value, (_, part: unknown) => (part !== part ? "NaN" : Object.is(part, -0) ? "-0" : part));

/** Everything that programs can read, by entity. */
function read(ecs: ECS): Map<Entity, string> {
  const all = new Map<Entity, string>();
  for (let index = 0, found = 0; found <= ecs.count && index < 5000; ++index) {
    for (let generation = 0; generation < 40; ++generation) {
      const e = (generation * 2 ** 22 + index) >>> 0;
      if (!ecs.alive(e)) continue;
      ++found;
      const parts = classes.map((cls) => {
        const component = ecs.tryGet(e, cls) as { toJSON?(): unknown; bytes?: Uint8Array } | undefined;
        return component && (component.toJSON?.() ?? Array.from(component.bytes!));
      });
      all.set(e, exactly([parts, ecs.parent(e), [...ecs.children(e)], [...ecs.linked(Aim, e)]]));
      break;
    }
  }
  return all;
}

class Model {
  readonly ecs = new ECS();
  readonly systems = [new Follow(Place), new Follow(Bag, Marked), new Follow(Grid), new Follow(Raw), new Follow(Aim)];
  readonly sorted = this.ecs.query({ place: Place }, { orderBy: [Place, "x"] });
  all: Entity[] = [];
  constructor(readonly next: (below: number) => number) {
    this.systems.forEach((system, i) => void this.ecs.addSystem(i, system));
  }
  pick(): Entity {
    this.all = this.all.filter((e) => this.ecs.alive(e));
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
    return cls === Raw ? new Raw(new Uint8Array([n, 0, 1])) : new Marked();
  }
  /** The class, and some of the others. */
  several(cls: ComponentClass): ComponentClass[] {
    return classes.filter((each) => each === cls || this.next(3) === 0);
  }
  step(): void {
    const { ecs, next } = this;
    const e = this.pick();
    const cls = classes[next(classes.length)]!;
    switch (next(14)) {
      case 0:
      case 1:
        this.create();
        return;
      case 2:
        ecs.removeEntity(e);
        return;
      case 3:
      case 4:
      case 5: {
        const component = ecs.addComponent(e, this.make(cls));
        if (component instanceof Aim) component.target = this.pick();
        return;
      }
      case 6:
        ecs.add(e, ...this.several(cls).map((each) => this.make(each)));
        return;
      case 7:
        ecs.removeComponent(e, cls, ...this.several(cls));
        return;
      case 8: {
        const other = this.pick();
        for (let above = other; above !== NONE; above = ecs.parent(above)) if (above === e) return;
        ecs.setParent(e, next(3) ? other : NONE);
        return;
      }
      case 9:
        for (const { place } of ecs.query({ place: Place })) {
          if (next(4) === 0) place.x = [place.x + 1, 0, -0][next(3)]!;
          if (next(4) === 0) place.at.y = [place.at.y + 1, 0, -0, NaN][next(4)]!;
        }
        return;
      case 10: {
        const bag = ecs.tryGet(e, Bag);
        if (bag) bag.gold += 1;
        return;
      }
      case 11: {
        const place = ecs.tryGet(e, Place);
        if (place) place.name = `other ${next(9)}`;
        return;
      }
      case 12:
        if (ecs.has(e, Marked)) ecs.addComponent(e, Marked);
        return;
      default:
        ecs.update(0.25);
    }
  }
  /** What must hold at any time. */
  check(): void {
    const { ecs } = this;
    for (const system of this.systems) {
      const tracked = this.all.filter(
        (e) => ecs.has(e, system.cls) && !(system.excluded && ecs.has(e, system.excluded)),
      );
      expect(new Set(system.known.keys())).toEqual(new Set(tracked));
    }
    const places = Array.from(this.sorted, ({ entity, place }) => [place.x, entity & 0x3fffff] as const);
    expect(places.length).toBe(ecs.query({ place: Place }).count);
    places.forEach(([x, i], k) => {
      if (k > 0) expect(places[k - 1]![0] < x || (places[k - 1]![0] === x && places[k - 1]![1] < i)).toBe(true);
    });
  }
}

test.each(seeds(6))("N1 N2 N3 random worlds are equal to their snapshots (seed %d)", (seed) => {
  const next = random(seed);
  const model = new Model(next);
  const { ecs } = model;
  let saved: { bytes: Uint8Array; all: Entity[] } | undefined;
  let restored = 0;
  for (let i = 0; i < operations; ++i) {
    model.step();
    if (next(25) === 0) saved = { bytes: snapshot(ecs), all: [...model.all] };
    if (saved === undefined || next(25) > 0) continue;

    const before = read(ecs);
    const fresh = new ECS();
    restore(fresh, saved.bytes, { components: classes });
    expect(sameBytes(snapshot(fresh), saved.bytes)).toBe(true);
    const now = read(fresh);
    const objects = new Map(model.all.map((e) => [e, ecs.tryGet(e, Bag)]));
    ecs.update(0.25);
    ecs.update(0.25); // nothing is dirty now, also not because of what the first one removed
    const unchanged = read(ecs);
    const kept = new Map(model.all.map((e) => [e, ecs.tryGet(e, Place)]));
    restore(ecs, saved.bytes);
    ++restored;
    model.all = [...new Set([...saved.all, ...model.all])].filter((e) => ecs.alive(e));
    expect(sameBytes(snapshot(ecs), saved.bytes)).toBe(true);
    expect(read(ecs)).toEqual(now);
    model.check();
    for (const [e, place] of kept) if (place && ecs.has(e, Place)) expect(ecs.get(e, Place)).toBe(place);
    // What differs is dirty, and nothing else.
    const differs = (e: Entity, system: Follow) => {
      const of = (world: Map<Entity, string>) =>
        JSON.stringify((JSON.parse(world.get(e) ?? "[[]]") as unknown[][])[0]![classes.indexOf(system.cls)] ?? null);
      const marked = (world: Map<Entity, string>) => (JSON.parse(world.get(e) ?? "[[]]") as unknown[][])[0]![3] ?? null;
      const wasTracked = of(unchanged) !== "null" && !(system.excluded && marked(unchanged) !== null);
      return !wasTracked || of(unchanged) !== of(now);
    };
    const expected = model.systems.map((system) => model.all.filter((e) => system.known.has(e) && differs(e, system)));
    const objectsNow = new Map(model.all.map((e) => [e, ecs.tryGet(e, Bag)]));
    for (const [e, bag] of objectsNow) if (bag && objects.get(e) === bag) expect(before.get(e)).toBeDefined();
    ecs.paused = false;
    const alive = [...model.all];
    ecs.update(0.25);
    model.systems.forEach((system, k) => {
      const ids = system.dirtyIds.filter((e) => alive.includes(e));
      expect(new Set(ids)).toEqual(new Set(expected[k]));
      expect(ids).toEqual([...ids].sort((a, b) => (a & 0x3fffff) - (b & 0x3fffff)));
    });
    fresh.dispose();
  }
  if (operations >= 1500) expect(restored).toBeGreaterThan(10);
  ecs.dispose();
});
