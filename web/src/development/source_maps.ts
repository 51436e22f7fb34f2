// Places in the program as its author wrote it, where a server or a bundler has translated the code and left source maps.

/** A place in the code that runs. */
export interface CodePlace {
  readonly url: string;
  readonly line: number;
  readonly column: number;
}

/** From this column of a line on, the code is that of this line of a source. */
interface Segment {
  readonly column: number;
  readonly source: string;
  readonly line: number;
}
/** The segments of each line of a module. */
type Lines = readonly (readonly Segment[])[];

/** By URL of the module; undefined if it has no source map, and until it was loaded. */
const maps = new Map<string, Lines | undefined>();

/**
 * The place in the source of the first of these calls that is not in the package, "src/game.ts:42". It is that in the code that runs if this
 * has no source map, and until that was loaded.
 */
export function sourcePlace(calls: readonly CodePlace[]): string {
  const places = calls.map(inSource);
  const { source, line } = places.find((place) => !place.source.includes(PACKAGE)) ?? places[0];
  return `${shortPath(source)}:${line}`;
}
const PACKAGE = "/node_modules/crateful/";
function inSource({ url, line, column }: CodePlace): Pick<Segment, "source" | "line"> {
  const segments = maps.get(url)?.[line - 1] ?? [];
  let at = segments.length - 1;
  while (at >= 0 && segments[at].column >= column) --at;
  return segments[at] ?? { source: url, line };
}
/** Relative to the address of the page's server, or else the name of the file. */
function shortPath(url: string): string {
  const server = `${globalThis.location?.origin}/`;
  const [path] = url.split("?");
  const short = path.startsWith(server) ? path.slice(server.length) : path.split("/").at(-1)!;
  try {
    return decodeURI(short);
  } catch {
    return short; // it contains a "%" that encodes nothing
  }
}

/** Loads the source map of a module if it comes from a server, once. Elsewhere, stacks name places in the source already. */
export function loadSourceMap(url: string): void {
  if (maps.has(url) || !/^https?:/.test(url)) return;
  maps.set(url, undefined);
  void load(url).then(
    (lines) => maps.set(url, lines),
    () => {}, // the place in the code that runs is better than none
  );
}
async function load(url: string): Promise<Lines | undefined> {
  const code = await (await fetch(url)).text();
  const comment = [...code.matchAll(/^\/\/[#@] sourceMappingURL=(\S+)\s*$/gm)].at(-1);
  if (comment === undefined) return undefined;
  const [, address] = comment;
  const inline = /^data:[^,]*;base64,(.*)$/.exec(address);
  if (inline !== null) {
    const bytes = Uint8Array.from(atob(inline[1]), (character) => character.charCodeAt(0));
    return linesOf(JSON.parse(new TextDecoder().decode(bytes)) as SourceMap, url);
  }
  const from = new URL(address, url).href;
  return linesOf((await (await fetch(from)).json()) as SourceMap, from);
}

/** ECMA-426. */
interface SourceMap {
  readonly sources: readonly (string | null)[];
  readonly sourceRoot?: string;
  readonly mappings: string;
}
function linesOf({ sources, sourceRoot = "", mappings }: SourceMap, from: string): Lines {
  const root = sourceRoot === "" || sourceRoot.endsWith("/") ? sourceRoot : `${sourceRoot}/`;
  const urls = sources.map((source) => new URL(root + (source ?? ""), from).href);
  let source = 0;
  let line = 1;
  return mappings.split(";").map((text) => {
    const segments: Segment[] = [];
    let column = 0;
    for (const segment of text.split(",")) {
      const [columns = 0, sourceSteps, lineSteps] = numbers(segment);
      column += columns;
      if (sourceSteps === undefined) continue; // code without a source
      source += sourceSteps;
      line += lineSteps;
      segments.push({ column, source: urls[source], line });
    }
    return segments;
  });
}

const DIGITS = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
/** The numbers of a segment: in digits of five bits, the lowest first, and a sixth bit if another digit follows; the lowest bit is the sign. */
function numbers(text: string): number[] {
  const found: number[] = [];
  let value = 0;
  let shift = 0;
  for (const character of text) {
    const digit = DIGITS.indexOf(character);
    value |= (digit & 31) << shift;
    shift += 5;
    if (digit >= 32) continue;
    found.push(value & 1 ? -(value >> 1) : value >> 1);
    value = shift = 0;
  }
  return found;
}
