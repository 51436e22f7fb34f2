import type { Json } from "../../state/codec.js";
// Values as text.

/** Milliseconds. */
export const milliseconds = (time: number | undefined): string =>
  time === undefined ? "" : time.toFixed(time < 10 ? 2 : 1);
/** Seconds since the start. */
export const seconds = (time: number): string => `${time.toFixed(2)} s`;
export const count = (n: number): string => n.toLocaleString("en");
export const counted = (n: number, what: string): string => `${count(n)} ${what}${n === 1 ? "" : "s"}`;
export function bytes(n: number): string {
  const units = ["B", "KiB", "MiB", "GiB"];
  let unit = 0;
  let size = n;
  for (; size >= 1024 && unit < 3; ++unit) size /= 1024;
  return `${unit === 0 ? size : size.toFixed(1)} ${units[unit]}`;
}

/** The number of an entity: its index and, unless it is 0, its generation. */
export function entityNumber(index: number, generation: number): string {
  return generation === 0 ? `${index}` : `${index}.${generation}`;
}
/** The same for a handle: 22 bits of index, 10 bits of generation. */
export const handleNumber = (e: number): string => entityNumber(e & 0x3fffff, e >>> 22);

/** A number as short as it identifies a value of its type. */
export function number(type: string, value: Json): string {
  if (typeof value !== "number") return String(value);
  return type.startsWith("f32") ? String(Number(value.toPrecision(7))) : String(value);
}
/** Any value, in one line. */
export function value(json: Json | undefined): string {
  if (json === undefined) return "";
  if (typeof json === "number") return String(Number(json.toPrecision(7)));
  return typeof json === "string" ? json : JSON.stringify(json);
}
/** The search for what a system tracks. */
export const trackedBy = (system: string): string => `@"${system}"`;
