// WebAssembly memory as typed arrays, replaced whenever the memory grows (rule X2). These are live
// bindings: import them, never copy them. Addresses are bytes; `u32[address >> 2]` is a word.
import type { RawModule } from "./raw.js";

export let u8: Uint8Array<ArrayBuffer>;
export let i8: Int8Array<ArrayBuffer>;
export let u16: Uint16Array<ArrayBuffer>;
export let i16: Int16Array<ArrayBuffer>;
export let u32: Uint32Array<ArrayBuffer>;
export let i32: Int32Array<ArrayBuffer>;
export let f32: Float32Array<ArrayBuffer>;
export let f64: Float64Array<ArrayBuffer>;
/** Goes up each time the views are replaced; to compare it costs far less than to compare buffers. */
export let generation = 0;

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

/** Whether the array views the module's memory. */
export function owns(view: ArrayBufferView): boolean {
  return view.buffer === u8.buffer;
}

/** The list itself or, of one that views memory, a copy: growth would detach it (rule X2). */
export function keep<L extends ArrayLike<unknown>>(list: L): L {
  const view = list as unknown as Uint32Array;
  return ArrayBuffer.isView(view) && view.buffer === u8.buffer ? (view.slice() as unknown as L) : list;
}

/**
 * Follows the module's memory. Emscripten's glue assigns `Module.HEAPU8` anew each time the memory has
 * grown, whoever made it grow, so a setter there hears of it before anybody can use a dead view.
 */
export function follow(module: RawModule): void {
  refresh(module.HEAPU8);
  Object.defineProperty(module, "HEAPU8", { configurable: true, get: () => u8, set: refresh });
}
