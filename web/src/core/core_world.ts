import { NONE, isHandle, stale, type Entity } from "../module/entity.js";
import { CODES, EcsError, badArgument, show } from "../module/errors.js";
import { beginTurn, heap, owns, requireTurn } from "../module/heap.js";
import { core, rawModule } from "../module/instance.js";
import {
  EntityFlag,
  ErrorNumber,
  Handle,
  Nesting,
  NoMark,
  OperationsControl,
  PoolControl,
  type Times,
  WorldMemory,
} from "../module/layout.js";
import type { RawWorld } from "../module/raw.js";
import { Strings } from "./strings.js";

/** Whether the value has a length and elements. @internal */
export const isList = (value: unknown): value is ArrayLike<unknown> =>
  typeof value === "object" && value !== null && isHandle((value as ArrayLike<unknown>).length);

/** Throws unless the value is a list. @internal */
export function requireList(call: string, list: ArrayLike<Entity>): void {
  if (!isList(list)) throw badArgument(`${call}: the entities must be an array or typed array, not ${show(list)}`);
  try {
    if (list.length === 0 && list instanceof Uint32Array) new Uint8Array(list.buffer);
  } catch {
    throw badArgument(`${call}: memory has grown since the list of entities was read; read it again`);
  }
}

// Memory for the arguments of one call, for all worlds.
const SCRATCH_BYTES = 4096;
/** More than there can be; a larger number would not arrive in the core as it is. */
const MOST_BYTES = 2 ** 31;
let scratchAddress = 0;
let scratchBytes = 0;

/** The error for a code of the core. @internal */
export function errorOf(code: number, message: string): Error {
  const known = CODES[code];
  // A message of the core begins with the name of the call in C++.
  const text = message.replace(/^[a-z_]+(?=:)/, (call) =>
    call.replace(/_./g, (match) => match.charAt(1).toUpperCase()),
  );
  return known ? new EcsError(known, text) : new Error(text);
}

/** An iteration that counts its steps in JavaScript; implemented by Iteration. @internal */
export interface Borrower {
  /** The word at which its IterationPosition begins. */
  readonly $position: number;
  /** Writes its position to the core, which from now on keeps it correct. */
  $giveBack(): void;
}

/**
 * One world in the core: calls and their errors, argument memory, and the entities that are alive.
 * @internal
 */
export abstract class CoreWorld {
  /** The address of the core's object, for calls. Use `live()` unless it is certain that the world is not disposed. */
  readonly self: number;
  /** The word at which the World::Memory begins. */
  readonly memory: number;
  /** The address of the page that a sparse index has where it contains nothing. */
  readonly emptyPage: number;
  /** The address of the control block of a set that is always empty. */
  readonly emptySet: number;
  /** The word at which the control block of the mark queue, and its last mark, begin. */
  readonly marks: number;
  disposed = false;
  /** The iterations that count their steps in JavaScript. */
  readonly borrowers: Borrower[] = [];
  readonly strings = new Strings(this);
  /** How many calls from the core are in progress. */
  depth = 0;
  #limit: number = Nesting.limit;
  /** What callbacks threw, until it is rethrown. The token of an entry is its index + 1. */
  readonly #thrown: unknown[] = [];
  /** The word at which the control block of the entities begins. */
  readonly pool: number;
  readonly #operations: number;
  #raw: RawWorld | undefined;
  #freed = false;

  /** `token` identifies this world in calls from the core. */
  constructor(readonly token: number) {
    const memory = rawModule()._crateful_new_world(token);
    if (memory === 0) throw new EcsError("OUT_OF_MEMORY", "new ECS: there is no memory for it");
    this.memory = memory >> 2;
    this.self = this.word(WorldMemory.world);
    this.emptyPage = this.word(WorldMemory.emptyPage);
    this.emptySet = this.word(WorldMemory.emptySet);
    this.pool = this.word(WorldMemory.pool) >> 2;
    this.#operations = this.word(WorldMemory.operations) >> 2;
    this.marks = this.word(WorldMemory.marks) >> 2;
  }

  // --- calling the core -------------------------------------------------------------------------

  /** The address of the core's object, for calls. Throws `DISPOSED` after `dispose()`. */
  live(): number {
    if (this.disposed) throw new EcsError("DISPOSED", "this ECS was disposed and can't be used any more");
    return this.self;
  }
  /** The core's object, for functions of a user's module. Throws `DISPOSED`, and `BAD_ARGUMENT` in the library module. */
  get raw(): RawWorld {
    const self = this.live();
    const raw = (this.#raw ??= core.World?.at(self) ?? undefined);
    if (raw === undefined)
      throw badArgument("ecs.raw is for C++ functions of your own module: pass the module to init({ module })");
    return raw;
  }
  /** A word of the World::Memory. */
  word(at: WorldMemory): number {
    return heap.u32[this.memory + at];
  }
  /** A byte whose address is in the World::Memory; 0 or 1. Throws `DISPOSED`. */
  byte(at: WorldMemory): number {
    this.live();
    return heap.u8[this.word(at)];
  }
  setByte(at: WorldMemory, value: number): void {
    this.live();
    heap.u8[this.word(at)] = value;
  }
  /** A time in seconds, or the time scale, or the number of the frame. */
  time(which: Times): number {
    return heap.f64[(this.word(WorldMemory.times) >> 3) + which];
  }
  /** As `check`, for a call that returns an entity or, if it fails, NONE. */
  checkEntity(result: number): Entity {
    const e = result >>> 0;
    this.check(e === NONE ? -1 - this.word(WorldMemory.errorCode) : 0);
    return e;
  }
  /** Throws the error of the last call, which returned no code. */
  throwLast(): void {
    this.check(-1 - this.word(WorldMemory.errorCode));
  }

  /** Returns what the core returned, or throws the error that it stands for. It must stay short, so that V8 inlines it. */
  check(result: number): number {
    const error = result < 0 ? this.#error(-1 - result) : undefined;
    if (this.depth === 0 && this.#thrown.length > 0) this.#thrown.length = 0;
    if (this.disposed) this.#free();
    if (result < 0) throw error;
    return result;
  }
  /** What the last call of the core threw: that of its code, and the token of what JavaScript threw or a message. */
  #error(code: number, token = this.word(WorldMemory.errorToken), message = core.errorMessage(this.self)): unknown {
    return code === ErrorNumber.foreignException ? this.#thrown[token - 1] : errorOf(code, message);
  }
  /** Throws what a function of the user's module threw. */
  fail(code: number, token: number, message: string): never {
    const error = this.#error(code, token, message);
    this.check(0);
    throw error;
  }
  /** As `check`, for calls that mark: shorter, because it only handles errors. */
  checkMark(result: number): void {
    if (result < 0) this.check(result);
  }

  /** Runs a callback for the core. Returns 0, or the token of what the callback threw. */
  guard(call: () => void): number {
    if (this.disposed) return 0;
    ++this.depth;
    try {
      call();
      return 0;
    } catch (error) {
      return this.thrown(error);
    } finally {
      --this.depth;
    }
  }

  /** Runs a callback that the core does not call (rules S6, S17). */
  callback<R>(name: string, call: () => R): R {
    if (this.depth >= this.#limit) {
      this.#limit = Nesting.least;
      const text = `runs inside ${Nesting.limit} others; if they cause each other without end, check a condition first`;
      throw new EcsError("TOO_DEEP", `${name}: this callback ${text}`);
    }
    const outer = this.depth++ === 0; // not in another callback
    if (outer) core._crateful_begin_callback(this.self);
    try {
      return call();
    } finally {
      if (--this.depth < Nesting.least) this.#limit = Nesting.limit;
      if (outer) {
        core._crateful_end_callback(this.self);
        this.check(0);
      }
    }
  }

  /** Keeps what a callback threw; returns its token. */
  thrown(error: unknown): number {
    return this.#thrown.push(error);
  }

  /** Frees the memory: immediately or, inside a callback, when the outermost call of the core returns. */
  dispose(): void {
    this.disposed = true;
    beginTurn(); // no call continues to write arguments
    for (const borrower of [...this.borrowers]) borrower.$giveBack(); // so that no loop continues
    this.#free();
  }
  /** Elements of a set are about to move: gives the position at this word back. */
  giveBack(position: number): void {
    this.borrowers.find(({ $position }) => $position === position)?.$giveBack();
  }
  #free(): void {
    if (this.depth > 0 || this.#freed) return;
    this.#freed = true;
    this.detachAll();
    if (this.#raw) this.#raw.delete();
    else core._crateful_delete_world(this.self);
  }
  /** Detaches all JavaScript objects from this world. Its memory is freed next. */
  protected abstract detachAll(): void;
  /** The id of a component class. */
  abstract idOf(cls: unknown): number;

  /** Whether the systems track exactly what they select: no callback is running that may precede that of another system. */
  get settled(): boolean {
    const { u32 } = heap;
    return u32[this.#operations + OperationsControl.depth] === u32[this.#operations + OperationsControl.settled];
  }

  /** Moves queued marks into the dirty sets. */
  drain(): void {
    if (heap.u32[this.marks] !== NoMark.component) this.check(core._crateful_drain(this.self));
  }

  // --- arguments in memory ----------------------------------------------------------------------

  /** The address of `bytes` bytes of scratch memory. Valid until the next call of `scratch`. */
  scratch(call: string, bytes: number): number {
    beginTurn();
    if (bytes <= scratchBytes) return scratchAddress;
    scratchBytes = Math.max(bytes, SCRATCH_BYTES);
    scratchAddress = bytes < MOST_BYTES ? core._crateful_scratch(scratchBytes, 0) : 0;
    if (scratchAddress !== 0) return scratchAddress;
    scratchBytes = 0;
    throw new EcsError("OUT_OF_MEMORY", `${call}: no memory for ${bytes} bytes of arguments`);
  }
  /**
   * The address at which the core can read a list of entities. A list that is a view of the module's memory stays where
   * it is; any other is copied to the scratch memory, behind its first `before` bytes. Throws for an entity that is not
   * alive, except in a Uint32Array, which the core checks itself (see `checkList`).
   */
  listAddress(call: string, list: ArrayLike<Entity>, before = 0): number {
    this.live();
    const n = list.length;
    const numbers = list instanceof Uint32Array;
    if (numbers && owns(list)) {
      const at = list.byteOffset; // read it before memory grows
      this.scratch(call, before);
      return at;
    }
    const address = this.scratch(call, before + 4 * n) + before;
    if (numbers) {
      heap.u32.set(list, address >> 2);
      return address;
    }
    const { turn, u32 } = heap;
    for (let i = 0; i < n; ++i) {
      const e = list[i];
      requireTurn(call, turn);
      if (!this.alive(e)) throw stale(call, e);
      u32[(address >> 2) + i] = e;
    }
    return address;
  }

  /** As `check`, for a call that was given the address of a list. */
  checkList(call: string, list: ArrayLike<Entity>, result: number): number {
    if (result === -1 - ErrorNumber.staleEntity) {
      // If every entity of the list is alive, the error is that of a callback.
      for (let i = 0; i < list.length; ++i) if (!this.alive(list[i])) throw stale(call, list[i]);
    }
    return this.check(result);
  }

  // --- entities ---------------------------------------------------------------------------------

  /** For a look-up with a handle that is not alive (rule E5): an error if it is no number. */
  noEntity(call: string, e: Entity): undefined {
    if (typeof e !== "number") throw stale(call, e);
  }
  alive(e: Entity): boolean {
    if (typeof e !== "number") return false;
    const index = e & Handle.indexMask;
    return (
      index < heap.u32[this.pool + PoolControl.slots] &&
      heap.u32[(heap.u32[this.pool + PoolControl.handles] >> 2) + index] === e
    );
  }
  /** How many entities are alive, without the world (rule E10). */
  get count(): number {
    return heap.u32[this.pool + PoolControl.count] - 1;
  }
  /** A list of all entities, also the world (rule E10), in the order of their indices. */
  entities(): Entity[] {
    const { u32 } = heap;
    const slots = u32[this.pool + PoolControl.slots];
    const handles = u32[this.pool + PoolControl.handles] >> 2;
    const all = new Array<Entity>(slots); // a third of the time that `push` takes
    let count = 0;
    for (let i = 0; i < slots; ++i) {
      const e = u32[handles + i];
      if ((e & Handle.indexMask) === i) all[count++] = e; // otherwise the index is free
    }
    all.length = count;
    return all;
  }
  /** Makes the core call `entityDestroyed` when the living entity `e` is destroyed. */
  notifyOfRemoval(e: Entity): void {
    const { u32 } = heap;
    const word = u32[this.pool + PoolControl.words] * (e & Handle.indexMask);
    u32[(u32[this.pool + PoolControl.signatures] >> 2) + word] |= EntityFlag.notifiesRemoval;
  }
}
