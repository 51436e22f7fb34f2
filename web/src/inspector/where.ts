// Conditions by which entities are searched: `Enemy !Dead Health.hp < 10 @Mover`. The world sends columns, and they are compared here.
import type { Json } from "../state/codec.js";
import { badArgument, entityIndex, type Entity } from "./internals.js";
import { nearestName } from "./classes.js";
import { numberFromJson } from "./json.js";
import type { ClassAnswer, ColumnAnswer, ColumnRequest, FieldAnswer, SystemAnswer } from "./protocol.js";

/** A condition. */
export interface Condition {
  /** Whether `!` is in front of it: it is true if the rest is false. */
  readonly negated: boolean;
  /** The entities for which it can be true, with the values that it compares; undefined: all, without values. */
  readonly column?: ColumnRequest;
  fits(value: Json, e: Entity): boolean;
}

/** Returns a function that tests a condition, for entities in the order of their indices. `column` is the answer to its question. */
export function tester({ negated, fits }: Condition, column: ColumnAnswer | undefined): (e: Entity) => boolean {
  if (column === undefined) return (e) => fits(null, e) !== negated;
  const { entities, values } = column;
  let k = 0;
  return (e) => {
    const index = entityIndex(e);
    while (k < entities.length && entityIndex(entities[k]) < index) ++k;
    return (entities[k] === e && fits(values?.[k] ?? null, e)) !== negated;
  };
}

/** Reads a text from left to right. */
class Reader {
  at = 0;
  constructor(readonly text: string) {}
  /** The next token, if it fits; spaces in front of it are skipped. */
  take(token: RegExp): string | undefined {
    const found = new RegExp(`\\s*(?:${token.source})`, "y");
    found.lastIndex = this.at;
    const match = found.exec(this.text);
    if (match === null) return undefined;
    this.at = found.lastIndex;
    return match[0].trimStart();
  }
  get ended(): boolean {
    return /^\s*$/.test(this.text.slice(this.at));
  }
  fail(why: string): never {
    throw badArgument(`where: ${why}`);
  }
  /** Throws because something is missing where it is. */
  miss(what: string): never {
    const before = this.text.slice(0, this.at).trim();
    const next = this.text.slice(this.at).trim();
    this.fail(`${what} is missing${before && ` behind ${before}`}${next && `, where ${next} is`}`);
  }
}

const NAME = /[^\s.<>=!~@#"()[\]]+/;
const OPERATOR = /<=|>=|!=|==?|<|>|~/;
const VALUE = /"[^"]*"|[^\s"]+/;

/** The conditions in a text, all of which must be true. Throws `BAD_ARGUMENT` with the position of a mistake. */
export function parseWhere(
  text: string,
  classes: readonly ClassAnswer[],
  systems: readonly SystemAnswer[],
): readonly Condition[] {
  const reader = new Reader(text);
  const conditions: Condition[] = [];
  while (!reader.ended) {
    const negated = reader.take(/!/) !== undefined;
    conditions.push({ negated, ...parsePositive(reader, classes, systems) });
  }
  return conditions;
}

function parsePositive(
  reader: Reader,
  classes: readonly ClassAnswer[],
  systems: readonly SystemAnswer[],
): Omit<Condition, "negated"> {
  const label = reader
    .take(/"[^"]*"/)
    ?.slice(1, -1)
    .toLowerCase();
  if (label !== undefined)
    return {
      column: { ask: "column", labels: true },
      fits: (value) => value !== null && String(value).toLowerCase().includes(label),
    };
  const number = reader.take(/#?\d+(?=\s|$)/)?.replace("#", "");
  if (number !== undefined) return { fits: (_, e) => e === Number(number) || entityIndex(e) === Number(number) };
  if (reader.take(/@/) !== undefined) {
    const name = reader.take(/"[^"]*"|[^\s"]+/)?.replaceAll('"', "");
    if (name === undefined) reader.miss("the name of a system");
    if (!systems.some((system) => system.name === name)) reader.fail(`there is no system ${name}`);
    return { column: { ask: "column", system: name! }, fits: () => true };
  }
  const name = reader.take(NAME);
  if (name === undefined) reader.miss(`a component, "text", #number or @system`);
  const cls = classes.find((each) => each.name === name);
  if (cls === undefined)
    reader.fail(
      nearestName(
        name!,
        classes.map((each) => each.name),
      ),
    );
  const path: string[] = [];
  for (let part = takePart(reader); part !== undefined; part = takePart(reader)) path.push(part);
  const operator = reader.take(OPERATOR);
  if (operator === undefined && path.length === 0)
    return { column: { ask: "column", component: name! }, fits: () => true };
  const value = operator === undefined ? "true" : reader.take(VALUE);
  if (value === undefined) reader.miss("a value");
  if (path.length === 0) reader.fail(`${name} needs a field, as ${name}.${cls!.fields[0]?.name ?? "x"}`);
  return compare(reader, cls!, path, operator ?? "=", value!);
}

/** `.x` or `[1]`. */
function takePart(reader: Reader): string | undefined {
  if (/\s/.test(reader.text[reader.at] ?? " ")) return undefined;
  const index = reader.take(/\[\d+\]/);
  if (index !== undefined) return index.slice(1, -1);
  if (reader.take(/\./) === undefined) return undefined;
  return reader.take(NAME) ?? reader.miss("the name of a field");
}

/** Compares the value at a path with a value. */
function compare(
  reader: Reader,
  cls: ClassAnswer,
  path: readonly string[],
  operator: string,
  text: string,
): Omit<Condition, "negated"> {
  const quoted = text.startsWith('"');
  const given = quoted ? text.slice(1, -1) : text;
  const column = (at: readonly (string | number)[]): ColumnRequest => ({
    ask: "column",
    component: cls.name,
    path: at,
  });
  if (cls.kind === "object") return { column: column(path), fits: matcher(reader, operator, given, quoted) };
  const field = cls.fields.find(({ name }) => name === path[0]);
  if (field === undefined)
    reader.fail(
      `${cls.name} has no field ${path[0]}; it has ${cls.fields.map(({ name }) => name).join(", ") || "none"}`,
    );
  const [type, length] = typeOf(field!);
  if (path.length === 1 && length > 1)
    reader.fail(`${cls.name}.${path[0]} is a vector; name an element, as ${path[0]}.x or ${path[0]}[0]`);
  const element = path.length === 1 ? 0 : /^\d+$/.test(path[1]) ? Number(path[1]) : [..."xyzw"].indexOf(path[1]);
  if (path.length > 2 || element < 0 || element >= length)
    reader.fail(`${path.slice(0, -1).join(".")} has no element ${path.at(-1)}`);
  const isEntity = type === "entity" || type === "link";
  const { names } = field!;
  if (names !== undefined) {
    if (operator !== "~" && !names.includes(given)) reader.fail(`${path[0]} is ${names.join(", ")}, not ${given}`);
    if (!/^(!=|==?|~)$/.test(operator)) reader.fail(`names have no order, so ${operator} can't compare them`);
  } else if (type === "bool") {
    if (!/^(true|false)$/.test(given)) reader.fail(`${path[0]} is true or false, not ${given}`);
  } else if (type !== "string" && !isNumberText(given) && !(isEntity && ENTITY.test(given))) {
    reader.fail(`${path[0]} is a number, not ${text}`);
  }
  const isNumber = names === undefined && !["bool", "string"].includes(type);
  const matches = isEntity
    ? entityMatcher(operator, given)
    : matcher(reader, operator, given, quoted || names !== undefined);
  return { column: column([path[0], element]), fits: (value) => matches(isNumber ? numberFromJson(value) : value) };
}

/** The type of an element of a field, and how many it has. */
function typeOf({ type }: FieldAnswer): [type: string, length: number] {
  const [, element, length] = /^(\w+?)(?:x(\d+))?$/.exec(type)!;
  return [element, Number(length ?? 1)];
}
const isNumberText = (text: string): boolean => text.trim() !== "" && (text === "NaN" || !Number.isNaN(Number(text)));
const ENTITY = /^(none|null|#\d+)$/i;

function entityMatcher(operator: string, text: string): (value: unknown) => boolean {
  const wanted = ENTITY.test(text) && text[0] !== "#" ? null : Number(text.replace("#", ""));
  const equal = (e: unknown): boolean =>
    e === wanted || (wanted !== null && typeof e === "number" && entityIndex(e) === wanted);
  return operator === "!=" ? (value) => !equal(value) : equal;
}

/** Compares values of any type with a text. */
function matcher(reader: Reader, operator: string, text: string, quoted: boolean): (value: unknown) => boolean {
  const number = quoted || !isNumberText(text) ? undefined : Number(text);
  if (operator === "~") {
    const part = text.toLowerCase();
    return (value) => String(value).toLowerCase().includes(part);
  }
  const equal = (value: unknown): boolean =>
    typeof value === "number" ? Object.is(value, number) || value === number : String(value) === text;
  if (operator === "=" || operator === "==") return equal;
  if (operator === "!=") return (value) => !equal(value);
  if (number === undefined && !quoted)
    reader.fail(`${operator} compares numbers, and "texts" in quotation marks, not ${text}`);
  const order = (value: unknown): number =>
    number === undefined
      ? String(value) < text
        ? -1
        : Number(String(value) > text)
      : typeof value === "number"
        ? value - number
        : NaN;
  return (value) => {
    const n = order(value);
    return n === 0 ? operator.endsWith("=") : operator[0] === "<" ? n < 0 : n > 0;
  };
}
