/** Emscripten's glue, put beside this file by the build. */
declare const factory: (options: object) => Promise<unknown>;
export default factory;
