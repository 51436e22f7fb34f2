// Which random operations are applied, so that a failure can be repeated, and which exceptions callbacks threw.
import { random } from "../world.js";

/**
 * `exact`: operations in loops and in `update`; calls, their order and the state are compared with the model.
 * `chaos`: all callbacks apply operations and throw; what the rules define then too is checked.
 */
export type Mode = "exact" | "chaos";

/** What a callback of the test throws, to check which exception arrives (S7). */
export class Thrown extends Error {}

/** The first difference, with what is needed to repeat it. */
export class Mismatch extends Error {}

/** A call of the ECS in progress. `thrown` is what its callbacks threw. */
export interface Call {
  readonly thrown: Thrown[];
}

/** Random numbers from a seed. */
export class Random {
  /** A whole number from 0 to n - 1. */
  readonly below: (n: number) => number;
  /** Handles for links: those of the world of the last operation. */
  targets: readonly number[] = [0];

  constructor(seed: number) {
    this.below = random(seed);
  }
  chance(permille: number): boolean {
    return this.below(1000) < permille;
  }
  pick<T>(list: readonly T[]): T {
    return list[this.below(list.length)]!;
  }
  /** Up to `n` elements, which it removes from the list. */
  take<T>(list: T[], n: number): T[] {
    const taken: T[] = [];
    while (taken.length < n && list.length > 0) taken.push(...list.splice(this.below(list.length), 1));
    return taken;
  }
}

const RECENT = 40;

/** The state of one run with one seed; the worlds of the run share it. */
export class Replay {
  readonly random: Random;
  readonly chaos: boolean;
  /** How likely a callback throws. */
  readonly throwing: number;
  readonly calls: Call[] = [];
  readonly counts: Record<string, number> = {};
  operation = 0;
  /** How deep loops and callbacks are nested. */
  depth = 0;
  /** Set at the first difference: an exception of a callback can be replaced by an earlier one. */
  failure: Mismatch | undefined;
  /** The model is compared: callbacks apply and throw nothing. */
  comparing = false;
  /** In a few runs, the memory grows once, which is slow. */
  grown: boolean;
  #recent: unknown[][] = [];
  #thrown = 0;

  constructor(
    readonly seed: number,
    readonly mode: Mode,
  ) {
    this.random = new Random(seed * 7919);
    this.chaos = mode === "chaos";
    this.throwing = seed % 3 === 0 ? 30 : 0;
    this.grown = seed % 8 !== 0;
  }

  count(kind: string): void {
    this.counts[kind] = (this.counts[kind] ?? 0) + 1;
  }
  /** Remembers an operation for the message of a failure. */
  note(...words: unknown[]): void {
    words.push(this.depth);
    this.#recent[this.operation++ % RECENT] = words;
  }
  fail(message: string): never {
    if (this.failure === undefined) this.failure = new Mismatch(this.describe(message));
    throw this.failure;
  }
  describe(message: string): string {
    const first = this.operation - RECENT;
    const lines = Array.from({ length: RECENT }, (_, i) => first + i)
      .filter((i) => i >= 0)
      .map((i) => {
        const words = [...this.#recent[i % RECENT]!];
        const depth = words.pop() as number;
        return `${"  ".repeat(depth + 1)}${words.map(show).join(" ")}`;
      });
    const { seed, mode, operation } = this;
    return [`seed ${seed}, mode ${mode}, operation ${operation}: ${message}`, "the last operations:", ...lines].join(
      "\n",
    );
  }
  /** Throws, if chance decides so. */
  maybeThrow(): void {
    if (this.throwing === 0 || !this.random.chance(this.throwing)) return;
    const thrown = new Thrown(`thrown ${++this.#thrown}`);
    this.note("throw", thrown.message);
    this.count("throws");
    throw thrown;
  }
  /** Runs the body of a callback. What it throws is the callback's exception. */
  callback(body: () => void): void {
    this.depth++;
    try {
      body();
    } catch (error) {
      if (error instanceof Thrown) this.calls.at(-1)?.thrown.push(error);
      throw error;
    } finally {
      this.depth--;
    }
  }
}

const show = (word: unknown): string =>
  word !== null && typeof word === "object"
    ? JSON.stringify(ArrayBuffer.isView(word) ? Array.from(word as Uint32Array) : word)
    : String(word);
