// Lists of entities, and one entity.
import { present } from "./json.js";
import { NONE, badArgument, entityIndex, show, type ECS, type Entity } from "./internals.js";
import { Handle } from "../module/layout.js";
import { has, readComponent, readElement, type Classes, type KnownClass } from "./classes.js";
import type { EntitiesAnswer, EntityAnswer, EntityDetails, ValueAnswer } from "./protocol.js";
import type { Systems } from "./systems.js";

const LABELS = ["name", "label", "title"];
const MOST_ROWS = 1000;

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

  /** Those that fulfil a condition, in the order of their indices. */
  list(fits: ((e: Entity) => boolean) | undefined, from: number, count: number): EntitiesAnswer {
    const found: Entity[] = [];
    let total = 0;
    this.ecs.$world.drain();
    for (const e of this.ecs.$world.entities()) {
      if (fits !== undefined && !fits(e)) continue;
      if (total >= from && found.length < count) found.push(e);
      ++total;
    }
    return { total, from, entities: found.map((e) => this.row(e)) };
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

/** The page that a request asks for. Throws `BAD_ARGUMENT`. */
export function pageOf({ from = 0, count = 100 }: { from?: unknown; count?: unknown }): [from: number, count: number] {
  for (const [name, value] of Object.entries({ from, count }))
    if (!Number.isInteger(value) || (value as number) < 0)
      throw badArgument(`${name} must be a whole number that is not negative, not ${show(value)}`);
  return [from as number, Math.min(count as number, MOST_ROWS)];
}
