// WebAssembly memory as typed arrays. The arrays are replaced when the memory grows (rule X2).
import { badArgument } from "./errors.js";
import type { RawModule } from "./raw.js";

/** A view of the module's memory, of any element type. */
export type AnyColumn =
  | Float32Array
  | Float64Array
  | Int8Array
  | Uint8Array
  | Int16Array
  | Uint16Array
  | Int32Array
  | Uint32Array;

/** All of the memory as arrays. Never keep an array. Addresses are in bytes; `u32[address >> 2]` is a word. @internal */
export class Heap {
  u8 = new Uint8Array(0);
  i8 = new Int8Array(0);
  u16 = new Uint16Array(0);
  i16 = new Int16Array(0);
  u32 = new Uint32Array(0);
  i32 = new Int32Array(0);
  f32 = new Float32Array(0);
  f64 = new Float64Array(0);
  /** Incremented when the views are replaced. Comparing it costs far less than comparing buffers. */
  generation = 0;
  /** Incremented when memory that a call writes its arguments to may have moved, or be written by another call. */
  turn = 0;
}
/** A constant object whose fields keep their types, so that V8 reads an array without checking what it is. @internal */
export const heap = new Heap();

function refresh(bytes: Uint8Array<ArrayBuffer>): void {
  const buffer = bytes.buffer;
  ++heap.generation;
  ++heap.turn;
  heap.u8 = bytes;
  heap.i8 = new Int8Array(buffer);
  heap.u16 = new Uint16Array(buffer);
  heap.i16 = new Int16Array(buffer);
  heap.u32 = new Uint32Array(buffer);
  heap.i32 = new Int32Array(buffer);
  heap.f32 = new Float32Array(buffer);
  heap.f64 = new Float64Array(buffer);
}

/**
 * A call begins to write its arguments. Reading them can run code of the program, a getter, that calls the ECS: pass the result
 * to `requireTurn` after reading each.
 * @internal
 */
export const beginTurn = (): number => ++heap.turn;

/** Throws if another call has used the memory for arguments meanwhile, before anything is written to it. @internal */
export function requireTurn(call: string, turn: number): void {
  if (heap.turn !== turn) lostTurn(call);
}
function lostTurn(call: string): never {
  throw badArgument(`${call}: reading its arguments called the ECS; read them first and pass plain values`);
}

/** Whether the array is a view of the module's memory. @internal */
export function owns(view: ArrayBufferView): boolean {
  return view.buffer === heap.u8.buffer;
}

/** The list itself or, if it is a view of the module's memory, a copy: growth would detach the view (rule X2). @internal */
export function keep<L extends ArrayLike<unknown>>(list: L): L {
  const view = list as unknown as Uint32Array;
  return ArrayBuffer.isView(view) && owns(view) ? (view.slice() as unknown as L) : list;
}

/**
 * Keeps the views up to date with the module's memory. After each growth, Emscripten's glue assigns a new
 * `Module.HEAPU8`, whether C++ or JavaScript caused the growth. A setter there replaces all views before any code can
 * use a detached one.
 * @internal
 */
export function follow(module: RawModule): void {
  refresh(module.HEAPU8);
  Object.defineProperty(module, "HEAPU8", { configurable: true, get: () => heap.u8, set: refresh });
}
