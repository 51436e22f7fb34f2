// The program in the address of the page: #example= and the name of an example, and #code= and its text, compressed, unless it is the one of
// the example.

/** The bytes behind `stream`. */
const through = (bytes: BlobPart, stream: CompressionStream | DecompressionStream) =>
  new Response(new Blob([bytes]).stream().pipeThrough(stream)).arrayBuffer();

/** The hash of an address that opens the program, which may be a change of an example. markdown.ts writes the same, without an example. */
export async function hashOf(program: string, example = ""): Promise<string> {
  const bytes = new Uint8Array(await through(program, new CompressionStream("deflate-raw")));
  const base64 = btoa(Array.from(bytes, (byte) => String.fromCharCode(byte)).join(""));
  const code = base64.replaceAll("+", "-").replaceAll("/", "_").replaceAll("=", "");
  return `#${example === "" ? "" : `example=${example}&`}code=${code}`;
}

/** The program of a hash; undefined if it has none, or one that can't be read. */
export async function programOf(hash: string): Promise<string | undefined> {
  const code = new URLSearchParams(hash.slice(1)).get("code");
  if (code === null) return undefined;
  try {
    const characters = atob(code.replaceAll("-", "+").replaceAll("_", "/"));
    const bytes = Uint8Array.from(characters, (character) => character.charCodeAt(0));
    return new TextDecoder().decode(await through(bytes, new DecompressionStream("deflate-raw")));
  } catch {
    return undefined;
  }
}

/** The name of the example of a hash. */
export const exampleOf = (hash: string): string | null => new URLSearchParams(hash.slice(1)).get("example");
