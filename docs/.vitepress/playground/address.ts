// The program in the address of the page: #code= and its text, compressed, or #example= and a name.

/** The bytes behind `stream`. */
const through = (bytes: BlobPart, stream: CompressionStream | DecompressionStream) =>
  new Response(new Blob([bytes]).stream().pipeThrough(stream)).arrayBuffer();

/** The hash of an address that opens the program. markdown.ts writes the same. */
export async function hashOf(program: string): Promise<string> {
  const bytes = new Uint8Array(await through(program, new CompressionStream("deflate-raw")));
  const base64 = btoa(Array.from(bytes, (byte) => String.fromCharCode(byte)).join(""));
  return `#code=${base64.replaceAll("+", "-").replaceAll("/", "_").replaceAll("=", "")}`;
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
