// Conditions by which entities are searched: `Enemy !Dead Health.hp < 10 @Mover`.
import { NONE, badArgument, entityIndex, type Entity } from "./internals.js";
import { has, isEntity, noClass, readElement, type Classes, type KnownClass } from "./classes.js";
import { labelOf } from "./entities.js";
import type { Systems } from "./systems.js";

type Condition = (e: Entity) => boolean;

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

/** The condition that a text describes; undefined if it is empty. Throws `BAD_ARGUMENT` with the position of a mistake. */
export function parseWhere(text: string, classes: Classes, systems: Systems): Condition | undefined {
  const reader = new Reader(text);
  const conditions: Condition[] = [];
  while (!reader.ended) conditions.push(parseTerm(reader, classes, systems));
  if (conditions.length === 0) return undefined;
  return (e) => conditions.every((condition) => condition(e));
}

function parseTerm(reader: Reader, classes: Classes, systems: Systems): Condition {
  const not = reader.take(/!/) !== undefined;
  const condition = parsePositive(reader, classes, systems);
  return not ? (e) => !condition(e) : condition;
}

function parsePositive(reader: Reader, classes: Classes, systems: Systems): Condition {
  const text = reader
    .take(/"[^"]*"/)
    ?.slice(1, -1)
    .toLowerCase();
  if (text !== undefined) return (e) => labelOf(classes, e)?.toLowerCase().includes(text) ?? false;
  const number = reader.take(/#?\d+(?=\s|$)/)?.replace("#", "");
  if (number !== undefined) return (e) => e === Number(number) || entityIndex(e) === Number(number);
  if (reader.take(/@/) !== undefined) {
    const name = reader.take(/"[^"]*"|[^\s"]+/)?.replaceAll('"', "");
    if (name === undefined) reader.miss("the name of a system");
    const system = systems.find(name!);
    if (system === undefined) reader.fail(`there is no system ${name}`);
    return (e) => systems.tracks(system!, e);
  }
  const name = reader.take(NAME);
  if (name === undefined) reader.miss(`a component, "text", #number or @system`);
  const known = classes.find(name!);
  if (known === undefined)
    reader.fail(
      noClass(
        name!,
        classes.all.map((each) => each.name),
      ),
    );
  const path: string[] = [];
  for (let part = takePart(reader); part !== undefined; part = takePart(reader)) path.push(part);
  const operator = reader.take(OPERATOR);
  if (operator === undefined && path.length === 0) return (e) => has(known, e);
  const value = operator === undefined ? "true" : reader.take(VALUE);
  if (value === undefined) reader.miss("a value");
  if (path.length === 0) reader.fail(`${known!.name} needs a field, as ${known!.name}.${firstField(known!)}`);
  return compare(reader, known!, path, operator ?? "=", value!);
}

const firstField = ({ names }: KnownClass): string => names.keys().next().value ?? "x";

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
  known: KnownClass,
  path: readonly string[],
  operator: string,
  text: string,
): Condition {
  const table = known.table();
  const quoted = text.startsWith('"');
  const given = quoted ? text.slice(1, -1) : text;
  if (known.kind === "object") {
    const matches = matcher(reader, operator, given, quoted);
    return (e) => {
      let value: unknown = table?.find(e);
      if (value === undefined) return false;
      try {
        for (const part of path) value = (value as Record<string, unknown> | null | undefined)?.[part];
      } catch {
        return false; // a getter of the game threw
      }
      return matches(value);
    };
  }
  let k = known.names.get(path[0]);
  if (k === undefined)
    reader.fail(`${known.name} has no field ${path[0]}; it has ${[...known.names.keys()].join(", ") || "none"}`);
  const field = known.fields[k!];
  if (path.length > 1) {
    const element = /^\d+$/.test(path[1]) ? Number(path[1]) : [..."xyzw"].indexOf(path[1]);
    if (path.length > 2 || element < 0 || element >= field.length)
      reader.fail(`${path.slice(0, -1).join(".")} has no element ${path.at(-1)}`);
    k! += element;
  } else if (field.length > 1)
    reader.fail(`${known.name}.${path[0]} is a vector; name an element, as ${path[0]}.x or ${path[0]}[0]`);
  const { kind } = field;
  if (kind.names !== undefined) {
    if (operator !== "~" && !kind.names.includes(given))
      reader.fail(`${path[0]} is ${kind.names.join(", ")}, not ${given}`);
    if (!/^(!=|==?|~)$/.test(operator)) reader.fail(`names have no order, so ${operator} can't compare them`);
  } else if (typeof kind.initial === "boolean" && !/^(true|false)$/.test(given)) {
    reader.fail(`${path[0]} is true or false, not ${given}`);
  } else if (typeof kind.initial === "number" && !isNumberText(given) && !(isEntity(field) && ENTITY.test(given))) {
    reader.fail(`${path[0]} is a number, not ${text}`);
  }
  const matches = isEntity(field)
    ? entityMatcher(operator, given)
    : matcher(reader, operator, given, quoted || kind.names !== undefined);
  return (e) => {
    const slot = table?.slot(e) ?? -1;
    return slot >= 0 && matches(readElement(table!, k!, slot));
  };
}

const isNumberText = (text: string): boolean => text.trim() !== "" && (text === "NaN" || !Number.isNaN(Number(text)));
const ENTITY = /^(none|null|#\d+)$/i;

function entityMatcher(operator: string, text: string): (value: unknown) => boolean {
  const wanted = ENTITY.test(text) && text[0] !== "#" ? NONE : Number(text.replace("#", ""));
  const equal = (e: unknown): boolean =>
    e === wanted || (wanted !== NONE && e !== NONE && entityIndex(e as Entity) === wanted);
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
