// Lists of entities, and one entity.
import { present, toJson } from "./json.js";
import { NONE, badArgument, entityIndex, isHandle, show, type ECS, type Entity } from "./internals.js";
import { Handle } from "../module/layout.js";
import { fieldReader, has, readComponent, readElement, type Classes, type KnownClass } from "./classes.js";
import type { ColumnAnswer, EntitiesAnswer, EntityAnswer, EntityDetails, ValueAnswer } from "./protocol.js";
import type { KnownSystem, Systems } from "./systems.js";

const LABELS = ["name", "label", "title"];

/** The value of the first string field that is called `name`, `label` or `title`. */
export function labelOf(classes: Classes, e: Entity): string | undefined {
  for (const known of classes.all) {
    const table = labelled(known) ? known.table() : undefined;
    if (table === undefined) continue;
    if (known.kind === "object") {
      const label = labelOfObject(table.find(e));
      if (label !== undefined) return label;
    } else {
      const slot = table.slot(e);
      if (slot >= 0) return (readElement(table, labelField(known)!, slot) as string) || undefined;
    }
  }
  return undefined;
}
const labelled = (known: KnownClass): boolean => known.kind === "object" || labelField(known) !== undefined;
const labelField = ({ names, fields }: KnownClass): number | undefined =>
  LABELS.map((name) => names.get(name)).find((k) => k !== undefined && fields[k].kind.name === "string");
function labelOfObject(object: object | undefined): string | undefined {
  for (const name of object === undefined ? [] : LABELS) {
    try {
      const value = (object as Record<string, unknown>)[name];
      if (typeof value === "string" && value !== "") return value;
    } catch {
      // a getter of the game threw
    }
  }
  return undefined;
}

/** What a path leads to inside of an object. */
function valueAt(object: unknown, path: readonly string[]): unknown {
  try {
    return path.reduce((value, part) => (value as Record<string, unknown> | null | undefined)?.[part], object);
  } catch {
    return undefined; // a getter of the game threw
  }
}

/** Answers questions about the entities of one world. */
export class Entities {
  constructor(
    readonly ecs: ECS,
    readonly classes: Classes,
    readonly systems: Systems,
  ) {}

  /** An entity for a list. */
  row(e: Entity, depth?: number): EntityAnswer {
    const { classes } = this;
    const label = labelOf(classes, e);
    return present({
      entity: e,
      index: entityIndex(e),
      generation: e >>> Handle.indexBits,
      label,
      components: classes.all.filter((known) => has(known, e)).map(({ name }) => name),
      children: this.#childCount(e),
      depth,
    });
  }
  #childCount(e: Entity): number {
    let count = 0;
    for (const _ of this.ecs.children(e)) ++count;
    return count;
  }

  /** The living entities of a list, by default all in the order of their indices. */
  list(from: number, count: number, of?: readonly unknown[]): EntitiesAnswer {
    const all = of?.filter((e): e is Entity => isHandle(e) && this.ecs.alive(e)) ?? this.ecs.$world.entities();
    return { total: all.length, from, entities: all.slice(from, from + count).map((e) => this.row(e)) };
  }
  /** What a condition compares. */
  column(
    known: KnownClass | undefined,
    path: readonly unknown[] | undefined,
    system?: KnownSystem,
    labels?: boolean,
  ): ColumnAnswer {
    this.ecs.$world.drain();
    const all = this.ecs.$world.entities();
    if (system !== undefined) return { entities: all.filter((e) => this.systems.tracks(system, e)) };
    if (known === undefined && labels)
      return { entities: all, values: all.map((e) => labelOf(this.classes, e) ?? null) };
    const table = known?.table();
    if (known === undefined || table === undefined) return { entities: known === undefined ? all : [] };
    const entities = table.count === all.length ? all : all.filter((e) => table.slot(e) >= 0);
    if (path === undefined) return { entities };
    if (known.kind === "object")
      return { entities, values: entities.map((e) => toJson(valueAt(table.find(e), path as string[]))) };
    const read = fieldReader(known, table, path);
    return { entities, values: entities.map((e) => read(table.slot(e))) };
  }
  /** All entities without a parent and, behind each of `expanded`, its children. */
  tree(expanded: ReadonlySet<Entity>, from: number, count: number): EntitiesAnswer {
    const { $world: world } = this.ecs;
    const { hierarchy } = world;
    const rows: [Entity, number][] = [];
    let total = 0;
    for (const root of world.entities()) {
      if (hierarchy.parent(root) !== NONE) continue;
      // A list, because a hierarchy can be deep.
      const waiting: [Entity, number][] = [[root, 0]];
      for (let next = waiting.pop(); next !== undefined; next = waiting.pop()) {
        if (total++ >= from && rows.length < count) rows.push(next);
        const [e, depth] = next;
        if (expanded.has(e)) for (const child of [...hierarchy.children(e)].reverse()) waiting.push([child, depth + 1]);
      }
    }
    return { total, from, entities: rows.map(([e, depth]) => this.row(e, depth)) };
  }
  /** The children of a living entity. */
  children(e: Entity, from: number, count: number): EntitiesAnswer {
    const all = [...this.ecs.children(e)];
    return { total: all.length, from, entities: all.slice(from, from + count).map((child) => this.row(child)) };
  }

  /** The living entity with this index. Throws `BAD_ARGUMENT`. */
  at(index: unknown): Entity {
    const found =
      typeof index === "number" ? this.ecs.$world.entities().find((e) => entityIndex(e) === index) : undefined;
    if (found === undefined) throw badArgument(`entity: no entity has the index ${show(index)}`);
    return found;
  }
  /** A living entity with all of its values. */
  details(e: Entity): EntityDetails {
    const { ecs, classes } = this;
    const parent = ecs.parent(e);
    const details = classes.all.flatMap((known) => {
      if (!has(known, e)) return [];
      const { name, kind } = known;
      return [{ name, kind, fields: readComponent(known, known.table()!, e).map((field) => this.#labelled(field)) }];
    });
    const label = parent === NONE ? undefined : labelOf(classes, parent);
    return {
      ...this.row(e),
      ...(parent !== NONE && {
        parent: present({ entity: parent, index: entityIndex(parent), label }),
      }),
      details,
      tracking: this.systems.tracking(e),
    };
  }
  /** Says which entity a field refers to. */
  #labelled(field: ValueAnswer): ValueAnswer {
    const { type, value } = field;
    if ((type !== "entity" && type !== "link") || typeof value !== "number" || !this.ecs.alive(value)) return field;
    const label = labelOf(this.classes, value);
    return label === undefined ? field : { ...field, label };
  }
}
