// Copies of entities (rule E13).
import type { Component } from "../component/component.js";
import type { ComponentTable } from "../component/component_table.js";
import { deepCopy } from "../component/deep_copy.js";
import { requireUnused } from "../component/stored_component.js";
import { withMap, type Entity } from "../module/entity.js";
import { badArgument, requireNone, requireObject, show } from "../module/errors.js";
import { heap } from "../module/heap.js";
import { core } from "../module/instance.js";
import { giveBack } from "../world/core_prefab.js";
import type { World } from "../world/world.js";
import { prefabOf, prepare, takesValues } from "./prefab.js";

/** A component whose value is a JavaScript object, of the entity number `at`. */
interface ObjectComponent {
  readonly table: ComponentTable;
  readonly original: Component;
  readonly at: number;
}

/** @internal */
export function clone(
  world: World,
  e: Entity,
  parts: readonly unknown[],
  options: { readonly children?: boolean },
): Entity {
  requireObject("clone: the options", options);
  const { children = false, ...others } = options;
  requireNone("clone", others);
  if (!Array.isArray(parts)) throw badArgument(`clone: pass the overrides as a list of parts, not ${show(parts)}`);
  if (typeof children !== "boolean") throw badArgument(`clone: children must be true or false, not ${show(children)}`);
  const given = parts.length > 0 ? prefabOf("clone", world, parts) : undefined;
  const list = findCloned(world, e, children);
  const n = list.length / 2;
  const from = list.subarray(0, n);
  const found = objectsOf(world, from, given?.tables);
  const clones = new Map(children ? Array.from(from, (each, i) => [each, list[n + i]]) : []);
  const copies = withMap(
    "clone",
    (each) => clones.get(each) ?? each,
    (map) => found.map((object) => copyOf(object, children ? map : undefined)),
  );
  const objects = given && prepare("clone", given, parts);
  world.live(); // copying and reading values calls functions of the program
  const again = findCloned(world, e, children);
  const isSame = ({ original }: ObjectComponent, k: number) => original === found[k]?.original;
  const now = objectsOf(world, again.subarray(0, again.length / 2), given?.tables);
  const created = new Set<Component>();
  for (const object of [...copies, ...(objects ?? [])]) {
    if (object === undefined) continue;
    requireUnused("clone", object, object.constructor.name);
    if (created.has(object))
      throw badArgument(`clone: ${object.constructor.name}.decode must return a new component in each call`);
    created.add(object);
  }
  if (again.join() !== list.join() || now.length !== found.length || !now.every(isSame))
    throw badArgument("clone: a function that it called, such as encode, has changed the entities; it must not");
  if (objects) given!.writeRow("clone", objects);

  const at = world.scratch("clone", 8 * n) >> 2;
  heap.u32.set(from, at);
  world.check(core._crateful_add_entities(world.self, (at + n) << 2, n));
  const made = list.subarray(n);
  const attached = found.map((object, k): [ComponentTable, Component, Entity, number] => [
    object.table,
    copies[k],
    made[object.at],
    0,
  ]);
  objects?.forEach((object, k) => {
    if (object) attached.push([given!.tables[k], object, made[0], given!.rowOf(k)]);
  });
  try {
    for (const [table, component, to] of attached) table.attach(component, to);
  } catch {
    // There is no memory for a view. For the same reason, the next call fails, and destroys the entities.
  }
  const result = core._crateful_clone(world.self, given?.address ?? 0, at << 2, n, Number(children));
  if (result < 0) for (const each of attached) giveBack(...each);
  world.check(result);
  return made[0];
}

/** The entity and, with `children`, its descendants, parents first; then the handles that their clones get. */
function findCloned(world: World, e: Entity, children: boolean): Uint32Array {
  const list = core._crateful_find_cloned(world.self, e, Number(children)) >> 2;
  if (list === 0) world.throwLast();
  const first = heap.u32[list] >> 2;
  return heap.u32.slice(first, first + 2 * heap.u32[list + 1]);
}

/** The object components of these entities, without those of the first one that are given. */
function objectsOf(world: World, entities: Uint32Array, given: readonly ComponentTable[] = []): ObjectComponent[] {
  const all: ObjectComponent[] = [];
  entities.forEach((e, at) => {
    for (const table of world.tables) {
      if (table?.info.kind !== "object" || (at === 0 && given.includes(table))) continue;
      const original = table.find(e);
      if (original) all.push({ table, original, at });
    }
  });
  return all;
}

/** A copy of a component of `defineObject` (rule C16), or of another class that can be encoded. `map` replaces handles in it. */
function copyOf({ table: { info }, original }: ObjectComponent, map?: (e: Entity) => Entity): Component {
  const cls = info.cls as unknown as {
    new (values: object): Component;
    readonly $fields?: readonly string[];
    encode?(value: Component): unknown;
    decode?(data: unknown): Component;
    mapEntities?(data: unknown, map: (e: Entity) => Entity): unknown;
  };
  const mapped = (data: unknown): unknown => (map && cls.mapEntities?.(data, map)) ?? data;
  const fieldsOf = (copied: Component): object =>
    Object.fromEntries(cls.$fields!.map((field) => [field, copied[field as keyof Component]]));
  let copy: Component;
  if (takesValues(info)) copy = new cls(original);
  else if (cls.encode && cls.decode) copy = cls.decode(mapped(deepCopy(cls.encode(original))));
  else
    throw badArgument(
      `clone: ${info.name} needs static encode and static decode; add them, use defineObject, or pass a component of it in the overrides`,
    );
  if (map && cls.mapEntities && takesValues(info)) copy = new cls(mapped(fieldsOf(copy)) as object);
  if ((copy as Component | undefined)?.constructor !== info.cls)
    throw badArgument(`clone: ${info.name}.decode must return a component of its class, not ${show(copy)}`);
  requireUnused("clone", copy, info.name);
  return copy;
}
