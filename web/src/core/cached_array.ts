import { type AnyColumn, heap } from "../module/heap.js";

/** A typed array on WebAssembly memory. It is created again only if its memory moved. @internal */
export class CachedArray<A extends AnyColumn> {
  #array: A | undefined;
  #address = -1;
  #generation = 0;
  constructor(readonly make: new (buffer: ArrayBuffer, address: number, length: number) => A) {}
  at(address: number, length: number): A {
    const old = this.#array;
    if (old !== undefined && this.#generation === heap.generation && this.#address === address && old.length === length)
      return old;
    this.#generation = heap.generation;
    this.#address = address;
    return (this.#array = new this.make(heap.u8.buffer, address, length));
  }
}
