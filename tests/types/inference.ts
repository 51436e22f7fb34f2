// The types that correct code gets. Each line compiles only if the type is exactly the given one.
import {
  Aspect,
  Component,
  ECS,
  EcsError,
  EventsManager,
  NONE,
  Parent,
  Storage,
  System,
  defineComponent,
  defineObject,
  defineSystem,
  init,
  nativeComponent,
  type AnySystem,
  type ComponentClass,
  type Components,
  type DirtySet,
  type Entity,
  type EntityMap,
  type ErrorCode,
  type Part,
  type Row,
  type RowOf,
  type SystemClass,
  type Vector,
} from "crateful";
import { Euler, Quaternion, Vector3 } from "three";
import { expectType, type Equal } from "./equal.js";

class Everything extends defineComponent("Everything", {
  f32: "f32",
  f64: "f64",
  i8: "i8",
  u8: "u8",
  i16: "i16",
  u16: "u16",
  i32: "i32",
  u32: "u32",
  bool: "bool",
  entity: "entity",
}) {}
class Position extends defineComponent("Position", { x: "f32", y: "f32" }, { policy: "linear" }) {
  get length(): number {
    return Math.hypot(this.x, this.y);
  }
}
class Tag extends defineComponent("Tag") {}
class Empty extends defineComponent("Empty", {}) {}
class Health extends Component {
  current = 3;
}
const ecs = new ECS();
const e: Entity = ecs.addEntity();

// Entities are numbers.
expectType<Equal<Entity, number>>();
expectType<Equal<typeof NONE, number>>();
expectType<Equal<ReturnType<ECS["addEntities"]>, Uint32Array>>();
expectType<Equal<ReturnType<typeof init>, Promise<void>>>();

// Fields.
const all = new Everything();
expectType<Equal<typeof all.f32, number>>();
expectType<Equal<typeof all.f64, number>>();
expectType<Equal<typeof all.i8, number>>();
expectType<Equal<typeof all.u32, number>>();
expectType<Equal<typeof all.bool, boolean>>();
expectType<Equal<typeof all.entity, Entity>>();
all.f32 = 1;
all.bool = true;
all.entity = NONE;
new Everything({});
new Everything({ bool: false, entity: e });
new Tag();
new Empty({});
const position: Position = new Position({ x: 1 });
expectType<Equal<typeof position.length, number>>();

// Components, from each way to read them.
const view = ecs.getComponents(e);
expectType<Equal<typeof view, Components>>();
const got = view.get(Position);
expectType<Equal<typeof got, Position>>();
const tried = view.tryGet(Health);
expectType<Equal<typeof tried, Health | undefined>>();
expectType<Equal<ReturnType<typeof view.has>, boolean>>();
view.has();
view.has(Position, Health, Tag);
const added = ecs.addComponent(e, new Health());
expectType<Equal<typeof added, Health>>();
expectType<Equal<ReturnType<ECS["removeComponent"]>, boolean>>();
const classes: ComponentClass[] = [Position, Health, Tag, Empty];
const generic = <C extends Component>(cls: ComponentClass<C>): C => view.get(cls);
const viaGeneric = generic(Position);
expectType<Equal<typeof viaGeneric, Position>>();

// Bulk values.
ecs.addComponents([e], Position);
ecs.addComponents([e], Position, { x: 1, y: [1, 2, 3] });
ecs.addComponents(Uint32Array.of(e), Position, { x: new Float32Array(1), y: Float64Array.of(1) });
ecs.addComponents([e], Everything, { bool: [true, false], entity: [e], u8: Uint8Array.of(1) });
ecs.addComponents([e], Tag);
ecs.addComponents([e], Empty, {});
ecs.addComponents([e], Health, [new Health()]);
ecs.addComponents([e], Health, (i) => {
  expectType<Equal<typeof i, number>>();
  return new Health();
});

// Storages and their columns.
const { columns, strides } = ecs.storage(Everything);
expectType<Equal<typeof columns.f32, Float32Array>>();
expectType<Equal<typeof columns.f64, Float64Array>>();
expectType<Equal<typeof columns.i8, Int8Array>>();
expectType<Equal<typeof columns.u8, Uint8Array>>();
expectType<Equal<typeof columns.i16, Int16Array>>();
expectType<Equal<typeof columns.u16, Uint16Array>>();
expectType<Equal<typeof columns.i32, Int32Array>>();
expectType<Equal<typeof columns.u32, Uint32Array>>();
expectType<Equal<typeof columns.bool, Uint8Array>>();
expectType<Equal<typeof columns.entity, Uint32Array>>();
expectType<Equal<typeof strides.i8, number>>();
expectType<Equal<keyof typeof columns, keyof typeof strides>>();
columns.f32[0] = 1; // the property is read-only, the elements are not
const storage: Storage<Position> = ecs.storage(Position);
expectType<Equal<typeof storage.entities, Uint32Array>>();
expectType<Equal<typeof storage.policy, "sparse" | "linear">>();
expectType<Equal<ReturnType<typeof storage.slot>, number>>();
expectType<Equal<ReturnType<typeof storage.slots>, Uint32Array>>();
storage.markDirty(e);
storage.markDirty([e]);
storage.markDirty(storage.entities);
for (const one of storage) expectType<Equal<typeof one, Entity>>();

// Systems and their aspects.
class Squares extends Aspect {
  square = 0;
}
class Squarer extends System<Squares> {
  componentsRequired = new Set([Position, Tag]);
  override dirtyComponents = new Set<ComponentClass>([Health, Position]);
  override onlyWhenDirty = true;
  constructor() {
    super(true, true);
  }
  override makeAspect() {
    return new Squares();
  }
  override init() {
    expectType<Equal<typeof this.ecs, ECS>>();
  }
  override onAdd(aspect: Squares) {
    aspect.square = aspect.get(Position).x ** 2;
    expectType<Equal<typeof aspect.entity, Entity>>();
  }
  override onEnabled(entities: EntityMap<Squares>) {
    for (const aspect of entities.values()) expectType<Equal<typeof aspect, Squares>>();
  }
  override update(delta: number, entities: EntityMap<Squares>, dirty: DirtySet) {
    expectType<Equal<typeof entities.ids, Uint32Array>>();
    expectType<Equal<typeof dirty.ids, Uint32Array>>();
    for (const [entity, aspect] of entities) {
      expectType<Equal<typeof entity, Entity>>();
      expectType<Equal<typeof aspect, Squares>>();
    }
    for (const entity of dirty) expectType<Equal<typeof entity, Entity>>();
    const aspect = entities.get(e);
    expectType<Equal<typeof aspect, Squares | undefined>>();
    expectType<Equal<typeof delta, number>>();
  }
}
// Parameters may be left out, and typed as plain collections.
class Brief extends System {
  componentsRequired = new Set([Position]);
  update() {}
}
class Plain extends System<Squares> {
  componentsRequired: ReadonlySet<ComponentClass> = new Set([Health]);
  makeAspect() {
    return new Squares();
  }
  update(_delta: number, entities: ReadonlyMap<Entity, Squares>, dirty: ReadonlySet<Entity>) {
    void [...entities.keys(), ...dirty];
  }
}
const squarer = ecs.addSystem(0.5, new Squarer());
expectType<Equal<typeof squarer, Squarer>>();
const found = ecs.getSystem(Squarer);
expectType<Equal<typeof found, Squarer>>();
expectType<Equal<typeof found.disabled, boolean>>();
ecs.addSystem(-1, new Brief());
ecs.addSystem(-1, new Plain());
for (const system of [Squarer, squarer, Brief, Plain]) ecs.toggleSystem(system);
ecs.enableSystem(Squarer);
ecs.disableSystem(squarer);
ecs.removeSystem(Plain);
ecs.removeSystem(squarer);
const systemClass: SystemClass = Brief;
expectType<Equal<ECS["systems"][number]["before"], string[]>>();

// Events.
class Hit {
  constructor(readonly power: number) {}
}
const off = ecs.events.subscribe(Hit, (event) => expectType<Equal<typeof event, Hit>>(), { transient: true });
expectType<Equal<typeof off, () => void>>();
const inbox = ecs.events.inbox(Hit);
expectType<Equal<typeof inbox, Hit[]>>();
ecs.events.dispatch(new Hit(1), 2);
expectType<Equal<ECS["events"], EventsManager>>();

// Time, reports, errors.
expectType<Equal<ReturnType<ECS["update"]>, number>>();
expectType<Equal<ReturnType<ECS["memoryReport"]>[number]["policy"], "sparse" | "linear">>();
expectType<Equal<ReturnType<ECS["profiler"]["report"]>[number]["clocks"][number]["average"], number>>();
const measured = ecs.profiler.measure("a", "b", () => "text");
expectType<Equal<typeof measured, string>>();
ecs.slowMotion.style = "step";
declare const error: EcsError;
expectType<Equal<typeof error.code, ErrorCode>>();
{
  using scoped = new ECS();
  void scoped.count;
}

// Native components: typed by the given schema, untyped without one.
class Body extends nativeComponent("Body", { mass: "f64", owner: "entity" }) {}
const body = view.get(Body);
expectType<Equal<typeof body.mass, number>>();
expectType<Equal<typeof body.owner, Entity>>();
const masses = ecs.storage(Body).columns.mass;
expectType<Equal<typeof masses, Float64Array>>();
ecs.addComponents([e], Body, { mass: 3 });

export { classes, systemClass };

// --- queries
class Hidden extends defineComponent("Hidden") {}
class Label extends Component {
  text = "";
}
const moving = new ECS().query(
  { position: Position, label: Label },
  { without: [Hidden], any: [Everything], optional: { every: Everything } },
);
for (const { entity, position, label, every } of moving) {
  expectType<Equal<typeof entity, Entity>>();
  expectType<Equal<typeof position, Position>>();
  expectType<Equal<typeof label, Label>>();
  expectType<Equal<typeof every, Everything | undefined>>();
  position.x += every?.f32 ?? 0;
}
for (const { position } of moving.of(new Uint32Array(2))) expectType<Equal<typeof position, Position>>();
for (const { position } of moving.of(new Set<Entity>())) expectType<Equal<typeof position, Position>>();
for (const { label } of moving.of([1, 2])) expectType<Equal<typeof label, Label>>();
const row = moving.at(1);
expectType<
  Equal<typeof row, Row<{ position: typeof Position; label: typeof Label }, { every: typeof Everything }> | undefined>
>();
expectType<Equal<RowOf<typeof moving> | undefined, typeof row>>();
expectType<Equal<typeof Position.schema.x.type, "f32">>();
expectType<Equal<typeof Position.schema.x.default, number>>();
expectType<Equal<ReturnType<typeof moving.ids>, Uint32Array>>();
expectType<Equal<typeof moving.count, number>>();
const cursor = new ECS().storage(Position).at(1);
expectType<Equal<typeof cursor, Position | undefined>>();
const component = new ECS().get(1, Position);
expectType<Equal<typeof component, Position>>();
const label = new ECS().tryGet(1, Label);
expectType<Equal<typeof label, Label | undefined>>();

// Hierarchies, and components of the parent (rules H1, H3, H5).
for (const { position, above, tag } of new ECS().query(
  { position: Position },
  { parent: { above: Label }, optional: { tag: Tag } },
)) {
  expectType<Equal<typeof position, Position>>();
  expectType<Equal<typeof above, Label | undefined>>();
  expectType<Equal<typeof tag, Tag | undefined>>();
}
for (const child of new ECS().children(1)) expectType<Equal<typeof child, Entity>>();
for (const { parent } of new ECS().query({ parent: Parent })) expectType<Equal<typeof parent.entity, Entity>>();
class Placed extends defineSystem(
  { position: Position },
  { watchAncestors: [Position], without: [Hidden], any: [Label], before: [Squarer], parent: { above: Label } },
) {
  override update() {
    for (const { above, position } of this.dirty.topDown()) {
      expectType<Equal<typeof above, Label | undefined>>();
      expectType<Equal<typeof position, Position>>();
    }
    for (const e of this.dirty.ids) this.dirty.keep(e);
  }
}
new ECS().addSystem(0, new Placed());
class Ticks extends defineSystem(undefined, { interval: 0.5 }) {
  override update(delta: number) {
    expectType<Equal<typeof delta, number>>();
  }
}
new ECS().addSystem(0, new Ticks());

// Systems whose entities are rows (rule S13).
class Sprite extends defineComponent("Sprite", { x: "f32", frame: "i32" }) {}
class Drawn extends Aspect {
  draws = 0;
}
class Draw extends defineSystem(
  { position: Position, sprite: Sprite },
  { watch: [Position], optional: { health: Health }, aspect: Drawn, onlyWhenDirty: true, name: "draw" },
) {
  readonly #others = this.query({ position: Position }, { optional: { tag: Tag } });
  constructor(readonly input: { x: number }) {
    super();
  }
  override onRemove(aspect: Drawn) {
    aspect.draws = 0;
  }
  override update(delta: number) {
    for (const { entity, position, sprite, health, aspect } of this.dirty) {
      expectType<Equal<typeof entity, Entity>>();
      expectType<Equal<typeof position, Position>>();
      expectType<Equal<typeof health, Health | undefined>>();
      expectType<Equal<typeof aspect, Drawn>>();
      sprite.x = position.length * delta;
      aspect.draws += 1;
    }
    for (const { tag } of this.#others) expectType<Equal<typeof tag, Tag | undefined>>();
    expectType<
      Equal<
        ReturnType<typeof this.rows.at>,
        Row<{ position: typeof Position; sprite: typeof Sprite }, { health: typeof Health }, Drawn> | undefined
      >
    >();
    void this.rows.at(1)?.aspect.draws;
    expectType<Equal<typeof this.dirty.ids, Uint32Array>>();
  }
}
expectType<Equal<typeof drawn.input, { x: number }>>();
const drawn = ecs.addSystem(1, new Draw({ x: 1 }));
expectType<Equal<RowOf<typeof drawn.rows>, RowOf<typeof drawn.dirty>>>();
expectType<Equal<RowOf<Draw["rows"]>["aspect"], Drawn>>();
class Made extends defineSystem({ position: Position }, { aspect: () => new Drawn() }) {
  override onAdd(aspect: Drawn) {
    for (const row of this.rows) expectType<Equal<typeof row.aspect, Drawn>>();
    void aspect;
  }
}
void Made;
expectType<Equal<ReturnType<typeof drawn.makeAspect>, Drawn>>();
class Articles extends System {
  componentsRequired = new Set([Position]);
  update(_delta: number, entities: Map<Entity, Aspect>, dirty: Set<Entity>) {
    for (const [e, aspect] of entities) aspect.get(Position).x += e + dirty.size;
  }
}
class Shortest extends System {
  componentsRequired = new Set([Position]);
  update(_delta: number, entities: EntityMap<Aspect>, dirty: DirtySet) {
    expectType<Equal<typeof dirty.ids, Uint32Array>>();
    expectType<Equal<typeof entities.ids, Uint32Array>>();
  }
}
ecs.addSystem(1, new Articles());
ecs.addSystem(1, new Shortest());
expectType<Equal<ReturnType<typeof byName>, AnySystem>>();
const byName = () => ecs.getSystem("draw");

// --- prefabs and default values
class Enemy extends defineComponent("Enemy", { hp: { type: "f32", default: 3 }, awake: { type: "bool" } }) {}
class Item extends Component {
  constructor(readonly n: number) {
    super();
  }
}
expectType<Equal<Enemy["hp"], number>>();
expectType<Equal<Enemy["awake"], boolean>>();
expectType<Equal<ReturnType<Enemy["toJSON"]>, { hp: number; awake: boolean }>>();
const copied = [new Enemy(new Enemy({ hp: 1 })), Object.assign(new Enemy(), { hp: 2 })];
expectType<Equal<(typeof copied)[0]["hp"], number>>();
const enemies = () => ecs.storage(Enemy).columns;
expectType<Equal<ReturnType<typeof enemies>["hp"], Float32Array>>();
const listed = ecs.prefab([Position, [Enemy, { hp: 1 }]]);
const named = ecs.prefab({ position: Position, item: [Item, () => new Item(1)] });
const spawned = [
  ecs.addEntity(new Position(), [Enemy, { hp: 2, awake: true }], [Item, () => new Item(2)]),
  listed.spawn(),
  listed.spawn([{ x: 1 }]),
  listed.spawn([undefined, { awake: true }]),
  named.spawn({ position: { x: 1 }, item: new Item(2) }),
];
expectType<Equal<typeof spawned, Entity[]>>();
const many = [
  listed.spawn(3, [{ x: new Float32Array(3), y: 1 }]),
  named.spawn(2, { item: (i) => new Item(i), position: { x: [1, 2] } }),
];
expectType<Equal<typeof many, Uint32Array[]>>();
// Fields of `defineObject` have the types of their defaults; of a function, what it returns.
class Bag extends defineObject("Bag", {
  size: 3,
  items: [] as string[],
  at: () => ({ x: 1 }),
  owner: undefined as Entity | undefined,
}) {}
expectType<Equal<Bag["size"], number>>();
expectType<Equal<Bag["items"], string[]>>();
expectType<Equal<Bag["at"], { x: number }>>();
expectType<Equal<Bag["owner"], Entity | undefined>>();
const bags = [new Bag(), new Bag({ items: ["key"], at: { x: 2 } }), new Bag(new Bag())];
expectType<Equal<(typeof bags)[0], Bag>>();
ecs.addEntity(Bag, [Bag, () => new Bag({ size: 1 })]);
for (const row of ecs.query({ bag: Bag })) expectType<Equal<typeof row.bag, Bag>>();
// A component class can have a name that is not known to the compiler, and be derived again.
declare const anyName: string;
class Unnamed extends defineComponent(anyName, { x: "f32" }) {}
class Derived extends Unnamed {
  get double() {
    return 2 * this.x;
  }
}
const unnamed: Unnamed = ecs.get(e, Derived);
expectType<Equal<typeof unnamed.x, number>>();

// --- enums and vectors
class Unit extends defineComponent("Unit", {
  state: ["idle", "walk"],
  mood: { type: ["calm", "angry"], default: "angry" },
  at: "f32x3",
  all: { type: "f64x16" },
  turn: { type: "f32x4", default: { x: 0, y: 0, z: 0, w: 1 } },
}) {}
{
  const unit = new Unit({ state: "walk", at: [1, 2, 3] });
  expectType<Equal<typeof unit.state, "idle" | "walk">>();
  expectType<Equal<typeof unit.mood, "calm" | "angry">>();
  expectType<Equal<typeof unit.at, Vector<3>>>();
  expectType<Equal<typeof unit.at.length, 3>>();
  const [x, y, z] = unit.at;
  expectType<Equal<[typeof x, typeof y, typeof z], [number, number, number]>>();
  expectType<Equal<typeof unit.at.z, number>>();
  expectType<Equal<ReturnType<Unit["toJSON"]>["at"], [number, number, number]>>();
  expectType<Equal<ReturnType<Unit["toJSON"]>["state"], "idle" | "walk">>();
  expectType<Equal<(typeof Unit.schema)["at"]["type"], "f32x3">>();
  expectType<Equal<(typeof Unit.schema)["at"]["default"], [number, number, number]>>();
  const { columns } = ecs.storage(Unit);
  expectType<Equal<typeof columns.at, Float32Array>>();
  expectType<Equal<typeof columns.all, Float64Array>>();
  columns.state[0] = 1;
  unit.at.x += y * z;
  unit.at[1] = x;
  for (let i = 0; i < 3; ++i) unit.at[i] = unit.at[i]! + 1;
  unit.at.set(1, 2, 3);
  unit.at.set([1, 2, 3]);
  unit.at.set(Float64Array.of(1, 2, 3));
  unit.at = new Unit(unit).at;
  const vector3 = new Vector3();
  new Unit({ at: vector3, turn: new Quaternion() });
  new Unit({ at: new Euler() });
  new Unit({ at: { x: 1, y: 2, z: 3 } as const });
  unit.at.set(vector3);
  expectType<Equal<ReturnType<typeof copied>, Vector3>>();
  const copied = () => unit.at.copyTo(vector3);
  ecs.addEntity([Unit, { at: vector3 }]);
  ecs.addComponents([e], Unit, { at: vector3, turn: [new Quaternion()] });
  new Unit({ at: unit.at, all: new Float32Array(16) });
  Object.assign(unit, { at: [1, 2, 3] });
  new Float32Array(unit.at);
  const prefab = ecs.prefab({ unit: [Unit, { at: [1, 2, 3] as const, state: "walk" }] });
  prefab.spawn({ unit: { at: unit.at, mood: "calm" } });
  prefab.spawn(2, { unit: { at: new Float32Array(6), state: ["idle", "walk"], mood: new Uint8Array(2) } });
  prefab.spawn(2, {
    unit: {
      at: [
        [1, 2, 3],
        [4, 5, 6],
      ],
      state: "idle",
    },
  });
  for (const { unit: row } of ecs.query({ unit: Unit })) {
    expectType<Equal<typeof row.at, Vector<3>>>();
    row.at.set(row.at.x, 0, 0);
  }
}

// --- strings
class Title extends defineComponent("Title", { text: "string", kind: { type: "string", default: "crate" } }) {}
{
  const title = new Title({ text: "a" });
  expectType<Equal<typeof title.text, string>>();
  expectType<Equal<ReturnType<Title["toJSON"]>, { text: string; kind: string }>>();
  expectType<Equal<(typeof Title.schema)["kind"], { readonly type: "string"; readonly default: string }>>();
  const { columns } = ecs.storage(Title);
  expectType<Equal<typeof columns.text, Uint32Array>>();
  expectType<Equal<ReturnType<typeof ecs.text>, string>>();
  const prefab = ecs.prefab({ title: [Title, { text: "a" }] });
  prefab.spawn({ title: { kind: "b" } });
  prefab.spawn(2, { title: { text: ["a", "b"], kind: "c" } });
  prefab.spawn(2, { title: { text: columns.text } });
  ecs.addComponents([1, 2], Title, { text: ["a", "b"] });
  ecs.query({ title: Title }, { orderBy: [Title, "text", "descending"] });
  nativeComponent("Title", { text: "string" });
}

// --- lists of parts, and one of several classes
{
  const parts: Part[] = [Position, [Tag, {}], new Health()];
  expectType<Equal<ReturnType<typeof ecs.addEntity>, Entity>>();
  ecs.addEntity(...parts);
  ecs.add(1, ...parts, Tag);
  ecs.add(1, Position, [Title, { text: "a" }], new Health());
  const several = [Position, Tag];
  for (const cls of several) {
    const added = ecs.addComponent(1, cls);
    expectType<Equal<typeof added, void>>();
    ecs.removeComponent(1, cls, Title);
  }
  const objects = ecs.addComponent(1, Math.random() > 0.5 ? Bag : Position);
  expectType<Equal<typeof objects, Bag | void>>();
}
