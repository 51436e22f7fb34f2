// Random numbers, and how many of them a model uses. CRATEFUL_SEED is the first seed of each model, so that a failure is repeated;
// CRATEFUL_TIMES is a factor for the numbers of operations. `npm run test:all` sets both.
const environment: Partial<Record<string, string>> = typeof process === "undefined" ? {} : process.env; // in a page
const first = Number(environment["CRATEFUL_SEED"] ?? 1);
const factor = Number(environment["CRATEFUL_TIMES"] ?? 1);

/** So many seeds. */
export const seeds = (n: number): number[] => Array.from({ length: n }, (_, i) => first + i);
/** So many operations, unless the environment asks for more or fewer. */
export const times = (n: number): number => Math.ceil(n * factor);

/** Pseudo-random numbers from a seed (mulberry32): `next(n)` is a whole number from 0 to n - 1. */
export function random(seed: number): (n: number) => number {
  let state = seed;
  return (n) => {
    state = (state + 0x6d2b79f5) | 0;
    let t = Math.imul(state ^ (state >>> 15), 1 | state);
    t = (t + Math.imul(t ^ (t >>> 7), 61 | t)) ^ t;
    return ((t ^ (t >>> 14)) >>> 0) % n;
  };
}
