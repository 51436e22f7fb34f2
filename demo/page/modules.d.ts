declare module "#crate-room" {
  /** The module factory that Emscripten generates. */
  export default function createModule(options: {
    canvas: HTMLCanvasElement;
    /** Instantiates the module instead of Emscripten. */
    instantiateWasm: (imports: WebAssembly.Imports, done: (instance: WebAssembly.Instance) => void) => object;
  }): Promise<unknown>;
}
