// Calls the ECS and compares what was thrown, and which callbacks were called.
import { EcsError, type ErrorCode } from "crateful";
import { Thrown, type Call } from "./replay.js";
import { THREW, type ModelSystem, type World } from "./state.js";

/** No misuse in callbacks leads to these. */
const severe: readonly ErrorCode[] = ["DISPOSED", "NOT_INITIALISED", "INIT_FAILED", "OUT_OF_MEMORY"];

/**
 * Calls the ECS. Without `code`, the call must return, or throw what a callback threw first (S7); then `model` changes the
 * model. In chaos, errors are possible in every call, and the model is not used.
 */
export function act<T>(
  w: World,
  words: readonly unknown[],
  call: () => T,
  model?: (result: T | undefined) => void,
  code?: ErrorCode,
): void {
  const { replay } = w;
  replay.note(...words);
  const current: Call = { thrown: [] };
  let result: T | undefined;
  let error: unknown;
  replay.calls.push(current);
  try {
    result = call();
  } catch (thrown) {
    error = thrown;
  }
  replay.calls.pop();
  if (replay.failure !== undefined) throw replay.failure;
  if (w.chaos) compareInChaos(w, words, error, current);
  else if (code !== undefined) expectCode(w, words, code, error, result);
  else {
    if (error !== current.thrown[0]) failThrown(w, words, error, current);
    model?.(result);
    for (const s of w.systems) compareCalls(w, s);
  }
}
function failThrown(w: World, words: readonly unknown[], error: unknown, { thrown }: Call): never {
  w.fail(`S7 ${words[0]} threw ${stack(error)}, expected ${thrown[0]?.message}`);
}

function expectCode(w: World, words: readonly unknown[], code: ErrorCode, error: unknown, result: unknown): void {
  if (!(error instanceof EcsError) || error.code !== code)
    w.fail(`X1 ${words[0]}: expected ${code}, got ${error === undefined ? result : stack(error)}`);
  w.replay.count("errors");
}

function compareInChaos(w: World, words: readonly unknown[], error: unknown, call: Call): void {
  if (error instanceof EcsError) {
    if (severe.includes(error.code)) w.fail(`X1 ${words[0]} threw ${stack(error)}`);
    return;
  }
  if (error !== call.thrown[0]) failThrown(w, words, error, call);
  if (error instanceof Thrown && w.replay.depth > 0) throw error;
}

const stack = (error: unknown): unknown => (error instanceof Error ? error.stack : error);

/** Compares the calls of onAdd and onRemove with the expected ones: in the same order, unless it is open (A2, A3). */
export function compareCalls(w: World, s: ModelSystem): void {
  const { expected, occurred } = s;
  if (expected.length > 0 || occurred.length > 0) {
    if (s.callsOpen) compareAnyOrder(w, s);
    else {
      expected.forEach((note, i) => {
        if (occurred[i] === THREW && isAdded(note)) s.unmade.add(entityOf(note));
        else if (occurred[i] !== note) failCalls(w, s);
      });
      if (occurred.length !== expected.length) failCalls(w, s);
    }
    expected.length = occurred.length = 0;
  }
  s.callsOpen = false;
}
function compareAnyOrder(w: World, s: ModelSystem): void {
  const calls = new Set(s.occurred);
  let threw = s.occurred.filter((note) => note === THREW).length;
  for (const note of s.expected) {
    if (calls.delete(note)) continue;
    if (!isAdded(note) || threw-- === 0) failCalls(w, s);
    s.unmade.add(entityOf(note));
  }
  if (s.occurred.length !== s.expected.length) failCalls(w, s);
}
const isAdded = (note: number): boolean => note % 2 === 1;
const entityOf = (note: number): number => Math.floor(note / 2);

function failCalls(w: World, s: ModelSystem): never {
  const list = (notes: readonly number[]) =>
    notes.map((note) => (note === THREW ? "threw" : `${isAdded(note) ? "+" : "-"}${entityOf(note)}`));
  w.fail(`A3 callbacks of ${s.name} were ${list(s.occurred)}, expected ${list(s.expected)}`);
}
