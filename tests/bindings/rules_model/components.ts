// The component classes of the model, and random values of their fields.
import { Component, NONE, Parent, defineComponent, type ComponentClass, type Row } from "crateful";
import type { Random } from "./replay.js";

class Sparse extends defineComponent(
  "RulesModelSparse",
  { x: "f32", y: "i8", target: "entity", at: "f32x3", text: "string", aim: "link" },
  { policy: "sparse" },
) {}
const STATES = ["idle", "walk", "attack"] as const;
class Linear extends defineComponent(
  "RulesModelLinear",
  {
    v: "f64",
    n: { type: "u16", default: 7 },
    state: STATES,
    size: { type: "u8x2", default: [1, 2] },
    name: { type: "string", default: "crate" },
  },
  { policy: "linear" },
) {}
class Tag extends defineComponent("RulesModelTag", {}, { policy: "sparse" }) {}
class LinearTag extends defineComponent("RulesModelLinearTag", {}, { policy: "linear" }) {}
class Signalling extends Component {
  #v = 0;
  get v(): number {
    return this.#v;
  }
  set v(value: number) {
    if (value === this.#v) return;
    this.#v = value;
    this.dirty();
  }
}
class Silent extends Component {
  z = 1;
}
class Flags extends defineComponent("RulesModelFlags", { on: "bool", bits: "u32" }, { policy: "linear" }) {}

/** Unknown to the model: the world has one, of which many texts are set, so that unused ones are collected (C13). */
export class Filler extends defineComponent("RulesModelFiller", { text: "string" }) {}

export const SPARSE = 0;
export const LINEAR = 1;
export const SIGNALLING = 4;
export const PARENT = 7;
/** `Parent` is the last class: only `setParent` changes it (H3). */
export const CLASSES = 8;
export const OWN_CLASSES = 7;

/** The value of a field; of a vector its elements. */
export type Value = number | boolean | string | readonly number[];
export type Values = Record<string, Value>;

/** A class whose instances the model handles like those of any other. */
type AnyClass = new (values?: object) => Component & Values;

export interface Kind {
  readonly cls: AnyClass;
  readonly object: boolean;
  readonly fields: readonly string[];
  readonly defaults: Values;
}

const kind = (cls: ComponentClass, defaults: Values = {}, object = false): Kind => ({
  cls: cls as unknown as AnyClass,
  object,
  fields: Object.keys(defaults),
  defaults,
});

export const kinds: readonly Kind[] = [
  kind(Sparse, { x: 0, y: 0, target: NONE, at: [0, 0, 0], text: "", aim: NONE }),
  kind(Linear, { v: 0, n: 7, state: "idle", size: [1, 2], name: "crate" }),
  kind(Tag),
  kind(LinearTag),
  kind(Signalling, {}, true),
  kind(Silent, {}, true),
  kind(Flags, { on: false, bits: 0 }),
  kind(Parent, { entity: NONE }),
];
export const isObject = (k: number): boolean => kinds[k]!.object;
export const classOf = (k: number): AnyClass => kinds[k]!.cls;
export const allKinds: readonly number[] = kinds.map((_, k) => k);
/** Those with fields that a program may write. */
export const writableKinds: readonly number[] = allKinds.filter((k) => k !== PARENT && kinds[k]!.fields.length > 0);

/** Names and classes, as queries and systems take them. */
export const shape = (prefix: string, list: readonly number[]): Record<string, AnyClass> =>
  Object.fromEntries(list.map((k) => [prefix + k, classOf(k)]));

export type AnyRow = Row<{}> & Readonly<Record<string, (Component & Values) | undefined>>;

const TEXTS = ["", "a", "b", "a\0", "crate", "Ä", "😀", "\ud800", "\uffff"];
const randomText = (random: Random) => (random.chance(400) ? `text ${random.below(1e6)}` : random.pick(TEXTS));
/** Whether the field is a string: columns contain a number of each text. */
export const isText = (field: string): boolean => field === "text" || field === "name";

const valuesOf: Record<string, (random: Random) => Value> = {
  x: (random) => random.pick([0, 1, 0.1, -2.5, Number.NaN, -0, 1e30]),
  y: (random) => random.below(256) - 128,
  target: (random) => random.pick([NONE, 0, 1, 5]),
  v: (random) => random.pick([0, 0.1, Number.NaN, 3, -0, 1e300]),
  n: (random) => random.below(65536),
  on: (random) => random.below(2) === 1,
  bits: (random) => random.pick([0, 1, 4294967295]),
  at: (random) => [0, 1, 2].map(() => random.pick([0, 1, 0.1, Number.NaN, -0])),
  size: (random) => [random.below(256), random.below(2)],
  state: (random) => random.pick(STATES),
  text: randomText,
  name: randomText,
  aim: (random) => (random.chance(200) ? NONE : random.pick(random.targets)),
};
export const randomValue = (random: Random, field: string): Value => valuesOf[field]!(random);

/** Values of some fields. */
export function randomValues(random: Random, k: number): Values {
  const values: Values = {};
  for (const field of kinds[k]!.fields) if (random.chance(600)) values[field] = randomValue(random, field);
  return values;
}
/** The value that the field stores. */
export const stored = (field: string, value: Value): Value =>
  field === "x"
    ? Math.fround(value as number)
    : field === "at"
      ? Array.from(value as number[], Math.fround)
      : value === "\ud800"
        ? "\ufffd"
        : value;

/** What a component has in a field. */
export const read = (component: object, field: string): Value => {
  const value = (component as Values)[field]!;
  return typeof value === "object" ? [...value] : value;
};
/** Assigns a field, of a vector in one of several ways. */
export function assign(component: object, field: string, value: Value, how: number): void {
  const vector = (component as Values)[field] as unknown as { [i: number]: number; set(...list: unknown[]): void };
  if (typeof value !== "object" || how % 4 === 0) (component as Values)[field] = value;
  else if (how % 4 === 1) vector.set(value);
  else if (how % 4 === 2) vector.set(...value);
  else for (let i = 0; i < value.length; ++i) vector[i] = value[i]!;
}
/** The numbers that a column contains for the value. */
export const numbersOf = (value: Value): readonly number[] =>
  typeof value === "object" ? value : [typeof value === "string" ? STATES.indexOf(value as "idle") : Number(value)];

/** The values of a component that was created with these; the other fields have those of `base`. */
export function complete(k: number, values: Values, base = kinds[k]!.defaults): Values {
  const all = { ...base };
  for (const field in values) all[field] = stored(field, values[field]!);
  return all;
}
/** Whether writing it over the other is no change (D2): NaN equals NaN, and 0 equals -0. */
export const same = (a: unknown, b: unknown): boolean =>
  Array.isArray(a) && Array.isArray(b) ? a.every((value, i) => same(value, b[i])) : a === b || (a !== a && b !== b);
