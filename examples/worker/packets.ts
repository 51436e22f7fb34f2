// What the worker and the page have in common. A packet is a buffer with the boxes that have changed.

/** Boxes in a row, and rows. The distance between two boxes is 1. */
export const [COLUMNS, ROWS] = [200, 112];
/** A packet begins with its state, the number of records, the number of the update, and its milliseconds. */
export const [STATE, COUNT, UPDATE, TIME, HEADER] = [0, 1, 2, 3, 4];
/** A record is a box: its cell, x, y and heat. A negative heat says that the box was removed. */
export const RECORD = 4;
export const PACKET_BYTES = 4 * (HEADER + RECORD * COLUMNS * ROWS);

/** Whether the page may read the packet; else the worker may fill it. In shared memory, both see the same state. */
export const isFull = ({ buffer }: Float32Array) => Atomics.load(new Int32Array(buffer), STATE) === 1;
/** A thread that sees this also sees what was written to the packet before. */
export const setFull = ({ buffer }: Float32Array, full: boolean) => Atomics.store(new Int32Array(buffer), STATE, +full);

/** A message to the worker: buffers to fill, or input. */
export interface Message {
  readonly buffers?: ArrayBufferLike[];
  readonly pointer?: { readonly x: number; readonly y: number; readonly pressed: boolean } | null;
  readonly wave?: boolean;
  readonly slow?: number; // milliseconds that each update takes longer
}
