// Helpers of all tests: worlds that are disposed after their test, some components, and a system with
// callbacks that the test defines.
import { afterEach, expect } from "@jest/globals";
import {
  type Aspect,
  Component,
  ECS,
  EcsError,
  System,
  defineComponent,
  init,
  type ComponentClass,
  type DirtySet,
  type Entity,
  type EntityMap,
  type ErrorCode,
  type Row,
} from "crateful";

export { random } from "./random.js";

await init();

const made: ECS[] = [];
afterEach(() => {
  for (const ecs of made.splice(0)) ecs.dispose();
});

/** An ECS that is disposed after the test. */
export function world(): ECS {
  const ecs = new ECS();
  made.push(ecs);
  return ecs;
}

export class Position extends defineComponent("Position", { x: "f32", y: "f32" }) {}
/** As Position, but its values are contiguous: its policy is `sparse`. */
export class Packed extends defineComponent("Packed", { x: "f32", y: "f32" }, { policy: "sparse" }) {}
export class Velocity extends defineComponent("Velocity", { x: "f32", y: "f32" }, { policy: "linear" }) {}
export class Tag extends defineComponent("Tag") {}
export class PackedTag extends defineComponent("PackedTag", {}, { policy: "sparse" }) {}
/** For tests of both policies. */
export const policies = [
  ["sparse", Packed as unknown as typeof Position],
  ["linear", Position],
] as const;
/** A field of each type. */
export const everyType = {
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
  link: "link",
  string: "string",
} as const;
export class EveryType extends defineComponent("EveryType", everyType) {
  get sum(): number {
    return this.f32 + this.f64;
  }
}
export class Health extends Component {
  #current: number;
  constructor(current = 10) {
    super();
    this.#current = current;
  }
  get current(): number {
    return this.#current;
  }
  set current(value: number) {
    this.#current = value;
    this.dirty();
  }
}

/** A class of each kind and policy; its instances differ by one number. */
export const kinds: { kind: string; cls: ComponentClass; make(n: number): Component; read(c: Component): number }[] = [
  {
    kind: "sparse",
    cls: Packed,
    make: (n: number) => new Packed({ x: n }),
    read: (c: Component) => (c as Packed).x,
  },
  {
    kind: "linear",
    cls: Velocity,
    make: (n: number) => new Velocity({ x: n }),
    read: (c: Component) => (c as Velocity).x,
  },
  { kind: "object", cls: Health, make: (n: number) => new Health(n), read: (c: Component) => (c as Health).current },
];

export interface Script<A extends Aspect> {
  requires?: ComponentClass[];
  watches?: ComponentClass[];
  excludes?: ComponentClass[];
  disabled?: boolean;
  debug?: boolean;
  onlyWhenDirty?: boolean;
  update?(delta: number, entities: EntityMap<A>, dirty: DirtySet): void;
  init?(): void;
  makeAspect?(): A;
  onAdd?(aspect: A): void;
  onRemove?(aspect: A): void;
  onEnabled?(entities: EntityMap<A>): void;
  onDisabled?(entities: EntityMap<A>): void;
  onClear?(): void;
}

/** A system with the callbacks of `script`. It overrides only those, and records the arguments of `update`. */
export class Scripted<A extends Aspect = Aspect> extends System<A> {
  readonly componentsRequired: ReadonlySet<ComponentClass>;
  override readonly dirtyComponents: ReadonlySet<ComponentClass>;
  override readonly componentsExcluded: ReadonlySet<ComponentClass>;
  override readonly onlyWhenDirty: boolean;
  readonly #script: Script<A>;
  /** The dirty set at the start of each run. */
  readonly runs: Entity[][] = [];
  declare makeAspect: () => A; // the script's
  entities!: EntityMap<A>;
  dirty!: DirtySet;

  constructor(script: Script<A>) {
    super(script.disabled, script.debug);
    this.#script = script;
    this.componentsRequired = new Set(script.requires ?? [Position]);
    this.dirtyComponents = new Set(script.watches ?? []);
    this.componentsExcluded = new Set(script.excludes ?? []);
    this.onlyWhenDirty = script.onlyWhenDirty ?? false;
    for (const name of ["init", "makeAspect", "onAdd", "onRemove", "onEnabled", "onDisabled", "onClear"] as const) {
      const hook = script[name];
      if (hook !== undefined) Object.assign(this, { [name]: hook.bind(script) });
    }
  }
  override update(delta: number, entities: EntityMap<A>, dirty: DirtySet): void {
    this.entities = entities;
    this.dirty = dirty;
    this.runs.push(Array.from(dirty.ids));
    this.#script.update?.(delta, entities, dirty);
  }
  /** The dirty set of the last run. */
  get lastRun(): Entity[] | undefined {
    return this.runs.at(-1);
  }
}

/** Adds a scripted system. */
export function add<A extends Aspect = Aspect>(ecs: ECS, script: Script<A>, priority = 0): Scripted<A> {
  return ecs.addSystem(priority, new Scripted<A>(script));
}

/** Creates an entity with these components. */
export function entity(ecs: ECS, ...components: Component[]): Entity {
  const e = ecs.addEntity();
  for (const component of components) ecs.addComponent(e, component);
  return e;
}

/** Creates entities with a Position each; `x` is the position in the returned list. */
export function positions(ecs: ECS, n: number, cls: typeof Position | typeof Packed = Position): Entity[] {
  const all = Array.from(ecs.addEntities(n));
  ecs.addComponents(all, cls as typeof Position, { x: all.map((_, i) => i) });
  return all;
}

/** What a column contains for the entities of a storage, in the order of its iteration; of vectors all numbers. */
export function values(ecs: ECS, cls: ComponentClass, field: string): number[] {
  const storage = ecs.storage(cls as typeof Position);
  const column = storage.columns[field as "x"];
  const stride = storage.strides[field as "x"]; // of a stored class, the number of elements
  return Array.from(storage, (e) => storage.slot(e) * stride).flatMap((at) => [...column.subarray(at, at + stride)]);
}

/** Expects an EcsError with that code; returns it. */
export function expectError(code: ErrorCode, call: () => unknown): EcsError {
  let error: unknown;
  try {
    call();
  } catch (thrown) {
    error = thrown;
  }
  expect(error).toBeInstanceOf(EcsError);
  expect((error as EcsError).code).toBe(code);
  return error as EcsError;
}

/** Returns what a call throws. */
export function thrownBy(call: () => unknown): unknown {
  try {
    call();
  } catch (error) {
    return error;
  }
  throw new Error("nothing was thrown");
}

class Ballast extends defineComponent("Ballast", {
  a: "f64",
  b: "f64",
  c: "f64",
  d: "f64",
  e: "f64",
  f: "f64",
  g: "f64",
  h: "f64",
}) {}

/** Makes the memory grow, so that every typed array on it is detached. */
export function growMemory(ecs: ECS): void {
  const { buffer } = ecs.storage(Position).columns.x;
  const others: ECS[] = [];
  while (buffer.byteLength !== 0) {
    const other = new ECS();
    others.push(other);
    other.addComponents(other.addEntities(100_000), Ballast);
  }
  for (const other of others) other.dispose();
}

/** The entities of rows. */
export const entities = (rows: Iterable<Row<{}>>): Entity[] => Array.from(rows, (row) => row.entity);

/** The ECS can be used. */
export function expectUsable(ecs: ECS): void {
  ecs.update();
  ecs.removeMarked();
  ecs.clear();
  const probe = add(ecs, { requires: [Velocity], watches: [Velocity] });
  const e = ecs.addEntity([Velocity, { x: 7 }]);
  ecs.update();
  expect([probe.lastRun, ecs.get(e, Velocity).x, ecs.count]).toEqual([[e], 7, 1]);
}
