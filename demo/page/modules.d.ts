declare module "#crate-room" {
  /** Emscripten's factory. */
  export default function createModule(options: {
    canvas: HTMLCanvasElement;
    /** Makes the instance in Emscripten's place. */
    instantiateWasm: (imports: WebAssembly.Imports, done: (instance: WebAssembly.Instance) => void) => object;
  }): Promise<unknown>;
}
