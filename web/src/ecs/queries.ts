// Finding a query by what it selects: equal queries are the same object.
import type { ComponentTable } from "../component/component_table.js";
import type { World } from "../world/world.js";
import { Query } from "./query.js";
import { isObject, queryClasses, type AnyFilters, type Filters, type Shape } from "./query_classes.js";

/** In the order of the steps: two shapes, then two lists. */
const FILTERS = ["optional", "parent", "without", "any", "orderBy"] as const;
const FIRST_LIST = 2;

/**
 * The steps from the root to the node of a query are the name and the class of each component, then the number of each filter
 * that is not empty, and its names and classes.
 */
class Node {
  query: Query | undefined = undefined;
  readonly #next = new Map<unknown, Node>();

  step(key: unknown, make: boolean): Node | undefined {
    let next = this.#next.get(key);
    if (next === undefined && make) this.#next.set(key, (next = new Node()));
    return next;
  }
}

/** The node of these arguments; unless `make`, undefined if there is none, as for all that are invalid. O(classes). */
function find(root: Node, shape: unknown, filters: unknown, make: boolean): Node | undefined {
  let node = walk(root, shape, make);
  if (filters === undefined) return node;
  if (!isObject(filters)) return undefined;
  for (const name in filters) if (!FILTERS.includes(name as "any")) return undefined;
  for (let i = 0; i < FILTERS.length; ++i) {
    const value = (filters as Filters)[FILTERS[i]];
    if (value !== undefined) node = walk(node, value, make, i);
  }
  return node;
}
/** Makes the steps for a shape or, of a filter with this number, for its shape or list. */
function walk(from: Node | undefined, value: unknown, make: boolean, filter?: number): Node | undefined {
  const isList = filter! >= FIRST_LIST;
  if (isList ? !Array.isArray(value) : !isObject(value)) return undefined;
  const keys = isList ? (value as unknown[]) : Object.keys(value as object);
  let node = filter === undefined || keys.length === 0 ? from : from?.step(filter, make);
  for (const key of keys) {
    node = node?.step(key, make);
    if (!isList) node = node?.step((value as Shape)[key as string], make);
    else if (typeof key !== "function" && FILTERS[filter!] !== "orderBy") return undefined;
  }
  return node;
}

const classesOf = (tables: readonly ComponentTable[]) => tables.map(({ info }) => info.cls);

/** The queries of one world. @internal */
export class Queries {
  readonly #world: World;
  readonly #root = new Node();
  constructor(world: World) {
    this.#world = world;
  }
  get(shape: Shape, filters?: AnyFilters): Query {
    return find(this.#root, shape, filters, false)?.query ?? this.#make(shape, filters);
  }
  #make(shape: Shape, filters?: AnyFilters): Query {
    const classes = queryClasses(this.#world, shape, filters);
    // The steps of what was checked: reading the arguments again can run code of the program.
    const { names, tables, required, parents } = classes;
    const all = classesOf([...tables, ...parents]).map((cls, k) => [names[k], cls] as const);
    const [optional, parent] = [all.slice(required, tables.length), all.slice(tables.length)].map(Object.fromEntries);
    const [without, any] = [classes.without, classes.any].map(classesOf);
    const node = find(
      this.#root,
      Object.fromEntries(all.slice(0, required)),
      { optional, parent, without, any, orderBy: filters?.orderBy } as Filters,
      true,
    )!;
    return (node.query ??= new Query(classes));
  }
}
