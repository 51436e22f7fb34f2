// The strings of one world (rule C13): their texts by number, as the core has them.
import { isHandle } from "../module/entity.js";
import { badArgument, EcsError, show } from "../module/errors.js";
import { beginTurn, heap } from "../module/heap.js";
import { core } from "../module/instance.js";

// Memory for a text, for all worlds.
const ROOM_BYTES = 1024;
let roomAddress = 0;
let roomBytes = 0;

interface Platform {
  TextEncoder?: typeof TextEncoder;
  TextDecoder: typeof TextDecoder;
  process?: { getBuiltinModule(name: "util"): Platform };
}
let encoder: TextEncoder | undefined;
let decoder: TextDecoder | undefined;
/** Not when this file is loaded, because Jest's jsdom environment has no encoder; that of its Node is found. */
function startCoding(): void {
  const platform = globalThis as Platform;
  const coding = platform.TextEncoder ? platform : platform.process!.getBuiltinModule("util");
  encoder = new coding.TextEncoder!();
  decoder = new coding.TextDecoder("utf-8", { ignoreBOM: true });
}
/** What follows each text in memory: a byte that UTF-8 does not contain. @internal */
export const END = 255;
/** The text at an address. @internal */
export function decode(address: number, bytes: number): string {
  if (decoder === undefined) startCoding();
  return decoder!.decode(heap.u8.subarray(address, address + bytes));
}
/** The bytes of a text. @internal */
export function encode(text: string): Uint8Array {
  if (encoder === undefined) startCoding();
  return encoder!.encode(text);
}

/** The same text as V8 compares it fastest: equal ones are one object. */
const internalized = (text: string): string => Object.keys({ [text]: 0 })[0];

/** The world, as its strings use it; implemented by CoreWorld. */
interface Owner {
  live(): number;
  check(result: number): number;
}

/** A cache of the strings that JavaScript has used. @internal */
export class Strings {
  /** By number. */
  readonly texts: (string | undefined)[] = [""];
  readonly #numbers = new Map<unknown, number>([["", 0]]);
  readonly #world: Owner;

  constructor(world: Owner) {
    this.#world = world;
  }
  /** The text of a number. Throws `BAD_ARGUMENT` if no string has it. */
  read(number: number): string {
    const isNumber = isHandle(number); // of 32 bits, as an entity; "1" would be found, too
    return (isNumber ? this.texts[number] : undefined) ?? this.#fetch(number, isNumber);
  }
  #fetch(number: number, isNumber: boolean): string {
    const text = isNumber ? core._crateful_text(this.#world.live(), number) >> 2 : 0;
    if (text === 0) throw badArgument(`text: this ECS has no string with the number ${show(number)}`);
    return this.#keep(number, decode(heap.u32[text], heap.u32[text + 1]));
  }
  /**
   * The number of a text, which the core gets if it has not got it yet. `sets`: it is stored next, and no memory for arguments
   * contains another one, so that the core can free what is unused.
   */
  number(text: unknown, sets: boolean): number {
    return this.#numbers.get(text) ?? this.#add(text as string, sets);
  }
  /** The number of a text, or undefined if no string has it, also not one of C++. */
  find(text: string): number | undefined {
    const known = this.#numbers.get(text);
    if (known !== undefined) return known;
    const written = this.#write(text);
    return core._crateful_find_string(this.#world.live(), roomAddress, written) || undefined;
  }
  /** Writes the text to `roomAddress`, and returns how many bytes it has. */
  #write(text: string): number {
    if (3 * text.length > roomBytes) {
      roomBytes = Math.max(3 * text.length, ROOM_BYTES);
      roomAddress = core._crateful_scratch(roomBytes, 1);
      if (roomAddress === 0) {
        roomBytes = 0;
        throw new EcsError("OUT_OF_MEMORY", `no memory for a text of ${text.length} characters`);
      }
    }
    if (encoder === undefined) startCoding();
    return encoder!.encodeInto(text, heap.u8.subarray(roomAddress, roomAddress + roomBytes)).written;
  }
  #add(text: string, sets: boolean): number {
    const { turn } = heap;
    const written = this.#write(text);
    const world = this.#world;
    const number = world.check(core._crateful_string(world.live(), roomAddress, written, Number(sets)));
    // The text as the core has it: without surrogates that are no pairs.
    const stored = /[\ud800-\udfff]/.test(text) ? decode(roomAddress, written) : text;
    this.#numbers.set(this.#keep(number, stored), number);
    if (!sets) heap.turn = turn; // if memory has grown, the values that were written before are still there
    return number;
  }
  #keep(number: number, text: string): string {
    const { texts } = this;
    while (texts.length <= number) texts.push(undefined);
    return (texts[number] = internalized(text));
  }
  /** Nothing uses the string any more. */
  free(number: number): void {
    this.#numbers.delete(this.texts[number]);
    this.texts[number] = undefined;
    beginTurn(); // no call continues to write arguments, which may contain the number
  }
}
