// Vector fields (rule C12): what a program gets when it reads one. The elements are fields of their own, one behind the other;
// a vector is an object with their accessors.
import { badArgument, show } from "../module/errors.js";
import { beginTurn, requireTurn } from "../module/heap.js";
import { accessorOf } from "../module/v8.js";
import { checked, requireLength, type FieldInfo, type Point } from "./fields.js";
import { isNumber } from "./field_kinds.js";
import { makeVisible } from "./inspection.js";

/** What `set` writes: its arguments can be in memory that it changes. */
const next: unknown[] = [];

/** @internal */
export class VectorObject implements Iterable<number> {
  // Of its prototype; see `defineElements`.
  declare readonly $fields: readonly FieldInfo[];
  declare readonly $elements: readonly PropertyDescriptor[];

  get length(): number {
    return this.$fields.length;
  }
  set(first: unknown): void {
    // biome-ignore lint/complexity/noArguments: a rest parameter would be a new array
    setAll(this, typeof first === "number" || arguments.length > 1 ? arguments : first);
  }
  [Symbol.iterator](): Iterator<number, undefined> {
    return new Elements(this) as Iterator<number, undefined>;
  }
}
/** An iterator that is its own result, so that a loop needs memory for one object at most. */
class Elements {
  value: number | undefined;
  done = false;
  $next = 0;
  readonly $vector: VectorObject;
  constructor(vector: VectorObject) {
    this.$vector = vector;
  }
  next(): this {
    const i = this.$next++;
    this.done = i >= this.$vector.$elements.length;
    this.value = this.done ? undefined : elementOf(this.$vector, i);
    return this;
  }
}
/** Faster than `vector[i]`, because V8 does not optimise accessors whose names are numbers. */
const elementOf = (vector: VectorObject, i: number): number => vector.$elements[i].get!.call(vector) as number;

function setAll(vector: VectorObject, value: unknown): void {
  const { $fields, $elements } = vector;
  const turn = beginTurn();
  const list = requireLength($fields[0], value);
  const n = list.length;
  for (let i = 0; i < n; ++i) {
    const element = list instanceof VectorObject ? elementOf(list, i) : list[i];
    next[i] = typeof element === "number" ? element : checked($fields[i], element);
  }
  requireTurn("set", turn);
  for (let i = 0; i < n; ++i) $elements[i].set!.call(vector, next[i]);
}
makeVisible(VectorObject.prototype, (vector) => [...(vector as VectorObject)], "Array");

type Setter = (this: VectorObject, value: unknown) => void;
/** `set` with a parameter for each element, because a list of arguments would need memory. */
const setNumbers = (n: number, setX: Setter, setY: Setter, setZ?: Setter, setW?: Setter) =>
  function (this: VectorObject, x: unknown, y?: unknown, z?: unknown, w?: unknown): void {
    // biome-ignore lint/complexity/noArguments: see above
    const { length } = arguments;
    if (length === n && isNumber(x) && isNumber(y) && (!setZ || isNumber(z)) && (!setW || isNumber(w))) {
      beginTurn();
      setX.call(this, x);
      setY.call(this, y);
      setZ?.call(this, z);
      setW?.call(this, w);
    } else setAll(this, isNumber(x) || length > 1 ? Object.assign([x, y, z, w], { length }) : x);
  };

type Getter = (this: VectorObject) => unknown;
/** `copyTo`, which reads all elements first: a setter of the target can be code that changes them. */
const copyNumbers = (getX: Getter, getY: Getter, getZ?: Getter, getW?: Getter) =>
  function (this: VectorObject, target: Point): Point {
    const { x: hasX, y: hasY, z: hasZ, w: hasW } = (target ?? {}) as Partial<Point>;
    if (hasX === undefined || hasY === undefined || (getZ && hasZ === undefined) || (getW && hasW === undefined))
      throw badArgument(
        `copyTo: the target must be an object with x, y${getZ ? ", z" : ""}${getW ? ", w" : ""}, not ${show(target)}`,
      );
    const x = getX.call(this);
    const y = getY.call(this);
    const z = getZ?.call(this);
    const w = getW?.call(this);
    target.x = x;
    target.y = y;
    if (getZ) target.z = z;
    if (getW) target.w = w;
    return target;
  };

/** Defines the elements of the vectors with this prototype, or defines them anew. `this` of the accessors is the vector. @internal */
export function defineElements(
  $fields: readonly FieldInfo[],
  $elements: readonly PropertyDescriptor[],
  prototype: object,
): void {
  Object.assign(prototype, { $fields, $elements });
  const n = $elements.length;
  if (n <= 4) {
    const [x, y, z, w] = $elements.map(({ set }) => set as Setter);
    const [getX, getY, getZ, getW] = $elements.map(({ get }) => get as Getter);
    Object.defineProperties(prototype, {
      set: { configurable: true, value: setNumbers(n, x, y, z, w) },
      copyTo: { configurable: true, value: copyNumbers(getX, getY, getZ, getW) },
    });
  }
  $elements.forEach((element, i) => {
    Object.defineProperty(prototype, i, element);
    if (n <= 4) Object.defineProperty(prototype, "xyzw"[i], element);
  });
}

/** The accessor of a field whose vectors `find` returns. @internal */
export const vectorAccessor = (find: (component: object) => VectorObject): PropertyDescriptor => ({
  enumerable: true,
  configurable: true,
  ...accessorOf({
    get value() {
      return find(this);
    },
    set value(list: unknown) {
      setAll(find(this), list);
    },
  }),
});
