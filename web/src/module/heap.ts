// WebAssembly memory as typed arrays. The arrays are replaced when the memory grows (rule X2). They are live bindings:
// import them, never copy them. Addresses are in bytes; `u32[address >> 2]` is a word.
import type { RawModule } from "./raw.js";

export let u8: Uint8Array<ArrayBuffer>;
export let i8: Int8Array<ArrayBuffer>;
export let u16: Uint16Array<ArrayBuffer>;
export let i16: Int16Array<ArrayBuffer>;
export let u32: Uint32Array<ArrayBuffer>;
export let i32: Int32Array<ArrayBuffer>;
export let f32: Float32Array<ArrayBuffer>;
export let f64: Float64Array<ArrayBuffer>;
/** Incremented when the views are replaced. Comparing it costs far less than comparing buffers. */
export let generation = 0;

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

function refresh(bytes: Uint8Array<ArrayBuffer>): void {
  const buffer = bytes.buffer;
  ++generation;
  u8 = bytes;
  i8 = new Int8Array(buffer);
  u16 = new Uint16Array(buffer);
  i16 = new Int16Array(buffer);
  u32 = new Uint32Array(buffer);
  i32 = new Int32Array(buffer);
  f32 = new Float32Array(buffer);
  f64 = new Float64Array(buffer);
}

/** Whether the array is a view of the module's memory. */
export function owns(view: ArrayBufferView): boolean {
  return view.buffer === u8.buffer;
}

/** The list itself or, if it is a view of the module's memory, a copy: growth would detach the view (rule X2). */
export function keep<L extends ArrayLike<unknown>>(list: L): L {
  const view = list as unknown as Uint32Array;
  return ArrayBuffer.isView(view) && view.buffer === u8.buffer ? (view.slice() as unknown as L) : list;
}

/**
 * Keeps the views up to date with the module's memory. After each growth, Emscripten's glue assigns a new
 * `Module.HEAPU8`, whether C++ or JavaScript caused the growth. A setter there replaces all views before any code can
 * use a detached one.
 */
export function follow(module: RawModule): void {
  refresh(module.HEAPU8);
  Object.defineProperty(module, "HEAPU8", { configurable: true, get: () => u8, set: refresh });
}
