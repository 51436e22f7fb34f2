// The accessors of cursors for fields that take numbers, for the types that games use most. They are written out for each type of array,
// because all functions of one place in the source share what V8 has learnt: a function that calls another one for each type is never
// compiled to one piece of code, and costs several times as much wherever it is not inlined into a loop.
import type { Indexed } from "../core/place.js";
import { type Heap, heap } from "../module/heap.js";
import { accessorOf } from "../module/v8.js";
import type { Column } from "./component.js";
import { differ } from "./field_kinds.js";
import type { FieldType } from "./schema.js";

/** `again` looks the slot up, and `assign` does what is rare. With `mark`, the setter signals. @internal */
export type NumberAccessors = (
  at: Indexed,
  column: Column,
  stride: number,
  again: () => number,
  assign: (value: unknown) => void,
  mark: ((slot: number) => void) | undefined,
) => PropertyDescriptor;

const makeAccessors = (heap: Heap, fround: typeof Math.fround): Partial<Record<FieldType, NumberAccessors>> => ({
  f32: (at, column, stride, again, assign, mark) =>
    accessorOf(
      {
        get value() {
          const slot = at.index;
          return heap.f32[column.base + (slot < 0 ? again() : slot) * stride];
        },
      },
      mark === undefined
        ? {
            set value(value: number) {
              const slot = at.index;
              if (slot < 0 || typeof value !== "number") {
                assign(value);
                return;
              }
              const memory = heap.f32;
              const i = column.base + slot * stride;
              if (memory[i] !== value) memory[i] = value; // -0 is not stored over 0 (rule D2)
            },
          }
        : {
            set value(value: number) {
              const slot = at.index;
              if (slot < 0 || typeof value !== "number") {
                assign(value);
                return;
              }
              const memory = heap.f32;
              const i = column.base + slot * stride;
              const next = fround(value);
              if (!differ(memory[i], next)) return;
              memory[i] = next;
              mark(slot);
            },
          },
    ),
  f64: (at, column, stride, again, assign, mark) =>
    accessorOf(
      {
        get value() {
          const slot = at.index;
          return heap.f64[column.base + (slot < 0 ? again() : slot) * stride];
        },
      },
      mark === undefined
        ? {
            set value(value: number) {
              const slot = at.index;
              if (slot < 0 || typeof value !== "number") {
                assign(value);
                return;
              }
              const memory = heap.f64;
              const i = column.base + slot * stride;
              if (memory[i] !== value) memory[i] = value; // -0 is not stored over 0 (rule D2)
            },
          }
        : {
            set value(value: number) {
              const slot = at.index;
              if (slot < 0 || typeof value !== "number") {
                assign(value);
                return;
              }
              const memory = heap.f64;
              const i = column.base + slot * stride;
              if (!differ(memory[i], value)) return;
              memory[i] = value;
              mark(slot);
            },
          },
    ),
  u8: (at, column, stride, again, assign, mark) =>
    accessorOf(
      {
        get value() {
          const slot = at.index;
          return heap.u8[column.base + (slot < 0 ? again() : slot) * stride];
        },
      },
      mark === undefined
        ? {
            set value(value: number) {
              const slot = at.index;
              if (slot >= 0 && typeof value === "number") heap.u8[column.base + slot * stride] = value;
              else assign(value);
            },
          }
        : {
            set value(value: number) {
              const slot = at.index;
              if (slot < 0 || typeof value !== "number") {
                assign(value);
                return;
              }
              const memory = heap.u8;
              const i = column.base + slot * stride;
              const before = memory[i];
              memory[i] = value;
              if (before !== memory[i]) mark(slot);
            },
          },
    ),
  i32: (at, column, stride, again, assign, mark) =>
    accessorOf(
      {
        get value() {
          const slot = at.index;
          return heap.i32[column.base + (slot < 0 ? again() : slot) * stride];
        },
      },
      mark === undefined
        ? {
            set value(value: number) {
              const slot = at.index;
              if (slot >= 0 && typeof value === "number") heap.i32[column.base + slot * stride] = value;
              else assign(value);
            },
          }
        : {
            set value(value: number) {
              const slot = at.index;
              if (slot < 0 || typeof value !== "number") {
                assign(value);
                return;
              }
              const memory = heap.i32;
              const i = column.base + slot * stride;
              const before = memory[i];
              memory[i] = value;
              if (before !== memory[i]) mark(slot);
            },
          },
    ),
  u32: (at, column, stride, again, assign, mark) =>
    accessorOf(
      {
        get value() {
          const slot = at.index;
          return heap.u32[column.base + (slot < 0 ? again() : slot) * stride];
        },
      },
      mark === undefined
        ? {
            set value(value: number) {
              const slot = at.index;
              if (slot >= 0 && typeof value === "number") heap.u32[column.base + slot * stride] = value;
              else assign(value);
            },
          }
        : {
            set value(value: number) {
              const slot = at.index;
              if (slot < 0 || typeof value !== "number") {
                assign(value);
                return;
              }
              const memory = heap.u32;
              const i = column.base + slot * stride;
              const before = memory[i];
              memory[i] = value;
              if (before !== memory[i]) mark(slot);
            },
          },
    ),
});
/** @internal */
export const numberAccessors = makeAccessors(heap, Math.fround);
