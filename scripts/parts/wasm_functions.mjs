// Where each function of a WebAssembly binary with a name section begins and ends.

const Section = { custom: 0, imports: 2, code: 10 };
const ImportKind = { function: 0, table: 1, memory: 2, global: 3, tag: 4 };

/** Reads the numbers and names of a binary one after the other. */
class Reader {
  constructor(bytes, at = 0) {
    this.bytes = bytes;
    this.at = at;
  }
  byte() {
    return this.bytes[this.at++];
  }
  /** An unsigned number in LEB128. */
  number() {
    let value = 0;
    for (let shift = 0; ; shift += 7) {
      const byte = this.byte();
      value |= (byte & 127) << shift;
      if (byte < 128) return value >>> 0;
    }
  }
  skip(n) {
    this.at += n;
    return this.at - n;
  }
  name() {
    const length = this.number();
    const from = this.skip(length);
    return this.bytes.subarray(from, from + length).toString();
  }
  limits() {
    const flags = this.number();
    this.number();
    if (flags & 1) this.number();
  }
}

/** How many of the imports are functions. */
function importedFunctions(reader) {
  let functions = 0;
  for (let n = reader.number(); n > 0; --n) {
    reader.name();
    reader.name();
    const kind = reader.byte();
    if (kind === ImportKind.function) ++functions;
    if (kind === ImportKind.table || kind === ImportKind.tag) reader.byte();
    if (kind === ImportKind.table || kind === ImportKind.memory) reader.limits();
    else if (kind === ImportKind.global) reader.skip(2);
    else reader.number();
  }
  return functions;
}

/** The names of functions by index, from the subsection 1 of the name section. */
function functionNames(reader, end) {
  const names = new Map();
  while (reader.at < end) {
    const id = reader.byte();
    const length = reader.number();
    const next = reader.at + length;
    for (let n = id === 1 ? reader.number() : 0; n > 0; --n) names.set(reader.number(), reader.name());
    reader.at = next;
  }
  return names;
}

/** `whole`: the binary without custom sections; `functions`: the name of each function, and its bytes in `whole`. */
export function functionsOf(binary) {
  const header = 8;
  const reader = new Reader(binary, header);
  const kept = [binary.subarray(0, header)];
  let length = header;
  let imported = 0;
  let names = new Map();
  const bodies = [];
  while (reader.at < binary.length) {
    const begin = reader.at;
    const id = reader.byte();
    const size = reader.number();
    const end = reader.at + size;
    if (id === Section.imports) imported = importedFunctions(reader);
    else if (id === Section.code) {
      for (let n = reader.number(); n > 0; --n) {
        const from = reader.at;
        reader.skip(reader.number());
        bodies.push({ from: length + from - begin, to: length + reader.at - begin });
      }
    } else if (id === Section.custom && reader.name() === "name") names = functionNames(reader, end);
    if (id !== Section.custom) {
      kept.push(binary.subarray(begin, end));
      length += end - begin;
    }
    reader.at = end;
  }
  const functions = bodies.map((body, i) => ({ ...body, name: names.get(imported + i) ?? `function ${imported + i}` }));
  return { whole: Buffer.concat(kept), functions };
}
