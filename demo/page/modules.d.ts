declare module "#crate-room" {
  /** Emscripten's factory. */
  export default function createModule(options: { canvas: HTMLCanvasElement }): Promise<unknown>;
}
