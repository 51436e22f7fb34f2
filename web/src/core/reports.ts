// Reports of the core: tables of names and numbers. bindings/src/reports.cpp defines what a row contains.
import { heap } from "../module/heap.js";
import { core, rawModule } from "../module/instance.js";
import { PolicyNumber } from "../module/layout.js";
import { END, decode } from "./strings.js";

/** Reads a report: `make` takes the names and the numbers of each row, in their order. */
function table<T>(rows: number, make: (name: () => string, numbers: (n: number) => Float64Array) => T): T[] {
  let text = core._crateful_report_names();
  let at = core._crateful_report_numbers() >> 3;
  const name = () => {
    const end = heap.u8.indexOf(END, text);
    const read = decode(text, end - text);
    text = end + 1;
    return read;
  };
  const numbers = (n: number) => heap.f64.subarray(at, (at += n));
  return Array.from({ length: rows }, () => make(name, numbers));
}

/** How the module describes a C++ component class. @internal */
export interface NativeClass {
  id: number;
  linear: boolean;
  /** Bytes of one component. */
  bytes: number;
  fields: NativeField[];
}
/** A field of it. @internal */
export interface NativeField {
  name: string;
  type: number;
  /** Of a vector, how many elements it has; otherwise 1. */
  length: number;
  /** Of an enum, the names of its values. */
  names: string[];
  /** The address of its default value, with those of the other elements behind it, a row each; valid until the next report. */
  initial: number;
}

/** How many numbers describe a class, and each of its fields. @internal */
export const CLASS_NUMBERS = 3;
/** The C++ component class with that name, or undefined. @internal */
export function describeClass(name: string): NativeClass | undefined {
  const rows = table(rawModule().describeClass(name), (row, numbers) => {
    const { 0: a, 1: b, 2: c, byteOffset } = numbers(CLASS_NUMBERS);
    return { row: row(), a, b, c, initial: byteOffset + 8 };
  });
  const [first, ...others] = rows;
  if (first === undefined) return undefined;
  const fields: NativeField[] = [];
  for (const { row, a, c, initial } of others) {
    const last = fields.at(-1)!;
    if (a < 0) last.names.push(row);
    else if (c) ++last.length;
    else fields.push({ name: row, type: a, length: 1, names: [], initial });
  }
  return {
    id: first.a,
    linear: first.b === PolicyNumber.linear,
    bytes: first.c,
    fields,
  };
}

/** The systems of a world in the order in which they run, with their addresses and the order of their addition. @internal */
export function systems(world: number) {
  return table(core._crateful_systems(world), (name, numbers) => {
    const [address, priority, enabled, debug, interval, tracked, dirty, sequence, before, after] = numbers(10);
    return {
      name: name(),
      priority,
      enabled: enabled === 1,
      debug: debug === 1,
      interval,
      before: Array.from({ length: before }, name),
      after: Array.from({ length: after }, name),
      tracked,
      dirty,
      address,
      sequence,
    };
  });
}

/** @internal */
export function memoryReport(world: number) {
  return table(core._crateful_memory_report(world), (name, numbers) => {
    const [linear, count, utilisation, bytes, otherBytes] = numbers(5);
    return {
      name: name(),
      policy: linear === 1 ? ("linear" as const) : ("sparse" as const),
      count,
      utilisation,
      bytes,
      otherBytes,
      advice: name(),
    };
  });
}

/** @internal */
export function profile(world: number) {
  const groups: { name: string; clocks: { name: string; average: number; last: number }[] }[] = [];
  table(core._crateful_profile(world), (name, numbers) => {
    const group = name();
    const [average, last] = numbers(2);
    const clock = { name: name(), average, last };
    const known = groups.find((each) => each.name === group);
    if (known !== undefined) known.clocks.push(clock);
    else groups.push({ name: group, clocks: [clock] });
  });
  for (const { clocks } of groups) clocks.sort((a, b) => b.average - a.average);
  return groups;
}

/** @internal */
export function spans(world: number) {
  return table(core._crateful_spans(world), (name, numbers) => {
    const [start, duration] = numbers(2);
    return { group: name(), name: name(), start, duration };
  });
}
