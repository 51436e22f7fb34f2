// What is read now and then, as the core tells it: tables of names and numbers. See
// bindings/src/reports.cpp for what a row holds.
import * as heap from "./heap.js";
import { rawModule } from "./module.js";
import type { ProfileGroup, Span } from "./profiler.js";
import type { RawWorld } from "./raw.js";
import type { MemoryReport } from "./storage.js";
import type { SystemInfo } from "./system.js";

function table<T>(
  rows: number,
  namesPerRow: number,
  numbersPerRow: number,
  make: (names: string[], numbers: Float64Array) => T,
): T[] {
  const raw = rawModule();
  const names = raw.reportNames().split("\0");
  const from = raw.reportNumbers() >> 3;
  return Array.from({ length: rows }, (_, i) =>
    make(
      names.slice(i * namesPerRow, (i + 1) * namesPerRow),
      heap.f64.subarray(from + i * numbersPerRow, from + (i + 1) * numbersPerRow),
    ),
  );
}

/** What the module says of a C++ component. @internal */
export interface NativeClass {
  id: number;
  linear: boolean;
  bytes: number;
  fields: { name: string; type: number }[];
}

/** @internal */
export function describeClass(name: string): NativeClass | undefined {
  const rows = table(rawModule().describeClass(name), 1, 3, ([row], [a, b, c]) => ({ row, a, b, c }));
  const [first, ...fields] = rows;
  if (first === undefined) return undefined;
  return {
    id: first.a,
    linear: first.b === 1,
    bytes: first.c,
    fields: fields.map(({ row, a }) => ({ name: row, type: a })),
  };
}

/** @internal */
export function systems(raw: RawWorld): SystemInfo[] {
  return table(raw.systems(), 1, 5, ([name], [priority, enabled, debug, tracked, dirty]) => ({
    name,
    priority,
    enabled: enabled === 1,
    debug: debug === 1,
    tracked,
    dirty,
  }));
}

/** @internal */
export function memoryReport(raw: RawWorld): MemoryReport[] {
  return table(raw.memoryReport(), 2, 5, ([name, advice], [linear, count, utilisation, bytes, otherBytes]) => ({
    name,
    policy: linear === 1 ? "linear" : "sparse",
    count,
    utilisation,
    bytes,
    otherBytes,
    advice,
  }));
}

/** @internal */
export function profile(raw: RawWorld): ProfileGroup[] {
  const groups: ProfileGroup[] = [];
  for (const { group, ...clock } of table(raw.profile(), 2, 2, ([g, name], [average, last]) => ({
    group: g,
    name,
    average,
    last,
  }))) {
    if (groups.at(-1)?.name !== group) groups.push({ name: group, clocks: [] });
    groups.at(-1)!.clocks.push(clock);
  }
  return groups;
}

/** @internal */
export function spans(raw: RawWorld): Span[] {
  return table(raw.spans(), 2, 2, ([group, name], [start, duration]) => ({ group, name, start, duration }));
}
