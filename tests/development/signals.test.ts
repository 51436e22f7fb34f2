import { beforeEach, expect, jest, test } from "@jest/globals";
import { Component, defineComponent, defineObject, defineSystem, type ECS } from "crateful";
import { Euler, Object3D, Quaternion, Vector2, Vector3, Vector4 } from "three";
import { Scripted, add, entity, expectError, world } from "../bindings/world.js";

const warn = jest.spyOn(console, "warn");
beforeEach(() => {
  warn.mockReset();
});
const warnings = () => warn.mock.calls.map(([message]) => message as string);
const frames = (ecs: ECS, n: number) => {
  for (let i = 0; i < n; ++i) ecs.update();
};

/** An ECS with a system that watches a new class, and one component of it. */
function watched() {
  class Mood extends Component {
    level = 1;
    _seen = 0;
    text: string | undefined = undefined;
    list: unknown[] = [1];
    parts: Record<string, unknown> = { arm: 1, leg: { length: 1 } };
    _list: number[] = [];
  }
  const ecs = world();
  const mood = new Mood();
  entity(ecs, mood);
  add(ecs, { requires: [Mood], watches: [Mood] });
  frames(ecs, 2);
  return { ecs, mood, Mood };
}
const warning = (field: string) =>
  `crateful: Mood.${field} has changed without a signal, so that systems that watch Mood do not notice it. Call dirty() ` +
  `after the change, for example in a setter. If no such system reads the field, name it _${field} or #${field}`;

test.each([
  ["level", 2],
  ["level", NaN],
  ["text", "glad"],
  ["added", true],
])("D2 B1 a field %s of a watched object component that changes to %s without dirty() is reported once", (name, to) => {
  const { ecs, mood, Mood } = watched();
  Object.assign(mood, { [name]: to });
  frames(ecs, 2);
  expect(warnings()).toEqual([warning(name)]);
  entity(ecs, new Mood());
  frames(ecs, 2);
  mood.level = 9;
  frames(ecs, 3);
  expect(warnings()).toHaveLength(1);
});

const inside: [string, "list" | "parts", (mood: { list: unknown[]; parts: Record<string, unknown> }) => unknown][] = [
  ["gets an element", "list", ({ list }) => list.push(2)],
  ["gets an object", "list", ({ list }) => list.push({ x: 1 })],
  ["gets another element", "list", ({ list }) => (list[0] = 2)],
  ["is another list", "list", (mood) => (mood.list = [])],
  ["gets another value", "parts", ({ parts }) => (parts.arm = 2)],
  ["gets a property", "parts", ({ parts }) => (parts.hand = 2)],
  ["loses a property", "parts", ({ parts }) => delete parts.arm],
];
test.each(inside)("D2 B1 a list or plain object that %s without dirty() is reported once", (_, field, change) => {
  const { ecs, mood } = watched();
  change(mood);
  frames(ecs, 2);
  expect(warnings()).toEqual([warning(field)]);
  change(mood);
  frames(ecs, 3);
  expect(warnings()).toHaveLength(1);
});

test("D2 B1 C16 a change inside of a field of defineObject is reported once, and one of a field or with dirty() is not", () => {
  class Mood extends defineObject("Mood", { level: 1, list: [] as number[] }) {}
  const ecs = world();
  const mood = new Mood();
  entity(ecs, mood);
  add(ecs, { requires: [Mood], watches: [Mood] });
  const changes = [
    () => (mood.level += 1),
    () => (mood.list = [...mood.list, 1]),
    () => (mood.list.push(2), mood.dirty()),
    () => (mood.list = [...mood.list]),
  ];
  for (const change of changes) {
    frames(ecs, 2);
    change();
    frames(ecs, 2);
  }
  expect(warnings()).toEqual([]);
  mood.list.push(3);
  frames(ecs, 4);
  expect(warnings()).toEqual([warning("list")]);
});

test("D2 B1 of large lists the first elements are compared, and large objects, functions and instances of classes are not", () => {
  const { ecs, mood } = watched();
  const numbers = Array.from({ length: 1000 }, (_, i) => i);
  mood.list = [...numbers];
  mood.parts = Object.fromEntries(numbers.map((i) => [`n${i}`, i]));
  const other = Object.assign(mood, { calls: [() => {}], moods: [mood] });
  mood.dirty();
  frames(ecs, 2);
  mood.list[500] = 0;
  mood.parts.n1 = 0;
  other.calls.push(() => {});
  other.moods.push(mood);
  frames(ecs, 3);
  expect(warnings()).toEqual([]);
  mood.list.push(0);
  frames(ecs, 2);
  expect(warnings()).toEqual([warning("list")]);
});

/** As those of Babylon.js, whose matrices reset the flag. */
class Dirtying {
  _isDirty = true;
  _x = 1;
  _y = 2;
  get x() {
    return this._x;
  }
  set x(value) {
    this._x = value;
    this._isDirty = true;
  }
  get y() {
    return this._y;
  }
}
const vectors: [string, () => object, (vector: never) => unknown][] = [
  ["Vector2", () => new Vector2(), (vector: Vector2) => (vector.y = 1)],
  ["Vector3", () => new Vector3(), (vector: Vector3) => vector.set(0, 0, 1)],
  ["Vector4", () => new Vector4(), (vector: Vector4) => (vector.w = 2)],
  ["Quaternion", () => new Quaternion(), (vector: Quaternion) => vector.set(0, 1, 0, 0)],
  ["Quaternion with a callback", () => new Object3D().quaternion, (vector: Quaternion) => (vector.x = 1)],
  ["Euler", () => new Euler(), (vector: Euler) => (vector.z = 1)],
  ["Euler with a callback, another order", () => new Object3D().rotation, (vector: Euler) => (vector.order = "ZYX")],
  ["vector of accessors", () => new Dirtying(), (vector: Dirtying) => (vector.x = 2)],
];
test.each(vectors)("D2 B1 a %s that changes without dirty() is reported once", (_, make, change) => {
  class Mood extends defineObject("Mood", { at: make, other: new Map<string, number>() }) {}
  const ecs = world();
  const mood = new Mood();
  entity(ecs, mood);
  add(ecs, { requires: [Mood], watches: [Mood] });
  frames(ecs, 4);
  Object.assign(mood.at, { _isDirty: false });
  frames(ecs, 4);
  expect(warnings()).toEqual([]);
  change(mood.at as never);
  mood.dirty();
  frames(ecs, 4);
  expect(warnings()).toEqual([]);
  mood.at = make();
  frames(ecs, 2);
  change(mood.at as never);
  frames(ecs, 4);
  expect(warnings()).toEqual([warning("at")]);
});

test("D2 B1 a list of vectors is compared by their number, as one of objects", () => {
  const { ecs, mood } = watched();
  const vector = new Vector3();
  mood.list = [vector];
  mood.dirty();
  frames(ecs, 2);
  vector.x = 1;
  frames(ecs, 3);
  expect(warnings()).toEqual([]);
  mood.list.push(vector);
  frames(ecs, 3);
  expect(warnings()).toEqual([warning("list")]);
});

test("D2 B1 an instance of a class with more than a vector has is not compared", () => {
  class Tile {
    x = 1;
    y = 1;
    constructor(more: object) {
      Object.assign(this, more);
    }
  }
  const { ecs, mood } = watched();
  const tiles = [new Tile({ height: 1 }), new Tile({ name: "a" }), new Tile({ _seen: 1 }), new Float32Array(2)];
  Object.assign(mood, { ...tiles, shape: Object.assign(new Map(), { x: 1 }) });
  mood.dirty();
  frames(ecs, 2);
  for (const tile of tiles) Object.assign(tile, ArrayBuffer.isView(tile) ? [2] : { x: 2 });
  frames(ecs, 3);
  expect(warnings()).toEqual([]);
});

test("D2 B1 a change that signals in the same frame or in the next one is not reported", () => {
  const { ecs, mood } = watched();
  let change = () => {};
  class Changer extends Scripted {}
  ecs.addSystem(-1, new Changer({ requires: [mood.constructor as typeof Component], update: () => change() }));
  change = () => {
    mood.level += 1;
  };
  const signals: (() => void)[] = [
    () => mood.dirty(),
    () => ecs.storage(mood.constructor as typeof Component).markDirty(1),
    () => ecs.addComponent(1, mood),
  ];
  for (const signal of signals) {
    for (let i = 0; i < 5; ++i) {
      ecs.update();
      signal();
    }
  }
  expect([mood.level, warnings()]).toEqual([16, []]);
});

test("D2 B1 markDirty hides no changes of components that it does not signal", () => {
  const { ecs, mood, Mood } = watched();
  class Place extends defineComponent("Place", { x: "f32" }) {}
  const other = new Mood();
  const e = entity(ecs, other);
  ecs.addComponent(1, Place);
  frames(ecs, 2);
  const marks = [
    () => ecs.storage(Place).markDirty(1),
    () => ecs.storage(Mood).markDirty(e),
    () => ecs.storage(Mood).markDirty([e]),
    () => ecs.storage(Mood).markDirty(ecs.storage(Mood).entities.subarray(1)),
  ];
  let frame = 0;
  const mark = () => {
    other.level += 1;
    marks[frame++ % marks.length]!();
    frames(ecs, 1);
  };
  for (let i = 0; i < 8; ++i) mark();
  expect(warnings()).toEqual([]);
  mood.level = 9;
  for (let i = 0; i < 8; ++i) mark();
  expect(warnings()).toEqual([warning("level")]);
});

test("D2 B1 other fields, and components that no system watches or that were removed, are not reported", () => {
  const { ecs, mood } = watched();
  class Free extends Component {
    level = 1;
  }
  const free = new Free();
  entity(ecs, free);
  class OfFree extends Scripted {}
  ecs.addSystem(0, new OfFree({ requires: [Free] }));
  const change = () => {
    mood._seen += 1;
    mood._list.push(1);
    (mood.parts.leg as { length: number }).length += 1;
    free.level += 1;
    frames(ecs, 1);
  };
  for (let i = 0; i < 4; ++i) change();
  ecs.removeComponent(1, mood.constructor as typeof Component);
  mood.level = 7;
  frames(ecs, 3);
  expect(warnings()).toEqual([]);
});

test("D2 B1 of many components some are compared in each frame, in turn", () => {
  const { ecs, Mood } = watched();
  const many = Array.from({ length: 500 }, () => new Mood());
  for (const mood of many) entity(ecs, mood);
  frames(ecs, 20);
  many[321]!.level = 5;
  frames(ecs, 1);
  expect(warnings()).toEqual([]);
  frames(ecs, 25);
  expect(warnings()).toEqual([warning("level")]);
});

test("M1 B1 a delta of more than one second is reported once for an ECS", () => {
  const ecs = world();
  for (const delta of [1, 0.5, 16.7, 17]) ecs.update(delta);
  expectError("BAD_ARGUMENT", () => ecs.update(Infinity));
  expect(warnings()).toEqual([
    "crateful: update: the delta is in seconds, and 16.7 is more than one. Are these milliseconds?",
  ]);
  world().update(20);
  expect(warnings()).toHaveLength(2);
});

test("B1 S13 a class that is watched for its presence only is not compared, unless another system reads its fields", () => {
  class Burning extends Component {
    seconds = 0;
  }
  const ecs = world();
  const burning = new Burning();
  const seen: number[] = [];
  class Smoke extends defineSystem({ burning: Burning }, { watchPresence: [Burning] }) {
    override update() {
      seen.push(this.dirty.size);
      burning.seconds += 1;
    }
  }
  entity(ecs, burning);
  ecs.addSystem(0, new Smoke());
  frames(ecs, 5);
  expect([seen, warnings()]).toEqual([[1, 0, 0, 0, 0], []]);
  add(ecs, { requires: [Burning], watches: [Burning] });
  frames(ecs, 3);
  expect(warnings()).toHaveLength(1);
});

test("B1 S13 a class in watch and in watchPresence counts as watched", () => {
  class Burning extends Component {
    seconds = 0;
  }
  const ecs = world();
  const burning = new Burning();
  class Smoke extends defineSystem({ burning: Burning }, { watch: [Burning], watchPresence: [Burning] }) {
    override update() {
      burning.seconds += 1;
    }
  }
  entity(ecs, burning);
  ecs.addSystem(0, new Smoke());
  frames(ecs, 5);
  expect(warnings()).toHaveLength(1);
});

test("D2 B1 a change of a component that is not added is not reported when it is added again", () => {
  const { ecs, mood, Mood } = watched();
  ecs.removeComponent(1, Mood);
  mood.level = 7;
  ecs.addComponent(1, mood);
  frames(ecs, 4);
  expect(warnings()).toEqual([]);
});
