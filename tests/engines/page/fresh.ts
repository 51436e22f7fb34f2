// Replaces tests/bindings/fresh.ts in pages.

let copies = 0;
/** A package whose `init` was not called yet: the server has any number of copies of dist/. */
export const fresh = (): Promise<typeof import("crateful")> => import(`/copies/${++copies}/dist/browser.js`);

export const readBinary = async (file: URL): Promise<Uint8Array<ArrayBuffer>> =>
  new Uint8Array(await (await fetch(file)).arrayBuffer());

/** Its address is in that of the page. */
export const serveAnswers = async (): Promise<string> => new URLSearchParams(location.search).get("answers")!;
