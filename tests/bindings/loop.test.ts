// Rule M4. Node has no animation frames, so the tests define what the loop uses of a page.
import { afterEach, beforeEach, expect, test } from "@jest/globals";
import { type ECS, startLoop } from "crateful";
import { add, expectError, positions, thrownBy, world } from "./world.js";

type LoopOptions = NonNullable<Parameters<typeof startLoop>[1]>;

/** A page whose animation frames come when the test says so. */
class Page {
  hidden = false;
  readonly listeners = new Set<() => void>();
  readonly #waiting = new Map<number, (now: number) => void>();
  #requests = 0;
  #now = 5000;

  requestAnimationFrame = (call: (now: number) => void): number => {
    this.#waiting.set(++this.#requests, call);
    return this.#requests;
  };
  cancelAnimationFrame = (request: number): void => {
    this.#waiting.delete(request);
  };
  addEventListener = (type: string, call: () => void): void => {
    expect(type).toBe("visibilitychange");
    this.listeners.add(call);
  };
  removeEventListener = (_: string, call: () => void): void => {
    this.listeners.delete(call);
  };
  /** How many calls wait for the next frame. */
  get waiting(): number {
    return this.#waiting.size;
  }
  /** The time advances, and the next animation frame comes, unless the page is hidden. */
  frame(milliseconds = 0): void {
    this.#now += milliseconds;
    const calls = this.hidden ? [] : [...this.#waiting.values()];
    if (!this.hidden) this.#waiting.clear();
    for (const call of calls) call(this.#now);
  }
  show(visible: boolean): void {
    this.hidden = !visible;
    for (const call of this.listeners) call();
  }
}

let page: Page;
const names = ["requestAnimationFrame", "cancelAnimationFrame", "document"] as const;
const define = (values: Partial<Record<(typeof names)[number], unknown>>) => Object.assign(globalThis, values);
beforeEach(() => {
  page = new Page();
  define({ ...page, document: page });
});
afterEach(() => {
  for (const name of names) Reflect.deleteProperty(globalThis, name);
});

/** An ECS in a loop whose first frame has come; `calls` lists the deltas of updates and the arguments of `frame`. */
function looping(options: LoopOptions = {}) {
  const ecs = world();
  positions(ecs, 1);
  const calls: (number | [delta: number, alpha: number])[] = [];
  add(ecs, { update: (delta) => void calls.push(delta) });
  const loop = startLoop(ecs, { frame: (...args) => void calls.push(args), ...options });
  page.frame();
  return { ecs, loop, calls };
}

test("M4 each animation frame updates once, then calls frame with the same delta and alpha 1", () => {
  const { calls, loop } = looping();
  expect([calls, loop.running]).toEqual([[], true]);
  page.frame(16);
  page.frame(32);
  expect(calls).toEqual([0.016, [0.016, 1], 0.032, [0.032, 1]]);
  const { calls: updates } = looping({ frame: undefined } as unknown as LoopOptions); // nothing is drawn
  page.frame(16);
  expect(updates).toEqual([0.016]);
});

test("M4 deltas are never negative and at most maxDelta", () => {
  const { calls, ecs } = looping();
  page.frame(-5);
  expect([calls, ecs.wallTime]).toEqual([[[0, 1]], 0]); // with delta 0, only debug systems run
  page.frame(100);
  page.frame(60_000);
  expect(calls.slice(1)).toEqual([0.1, [0.1, 1], 0.1, [0.1, 1]]);
  const { calls: longer } = looping({ maxDelta: 2 });
  page.frame(60_000);
  expect(longer).toEqual([2, [2, 1]]);
});

test("M4 with fixedStep, all updates have this delta, and alpha is the remainder", () => {
  const { calls } = looping({ fixedStep: 1 / 16 });
  for (let i = 0; i < 3; ++i) page.frame(1000 * (3 / 64));
  expect(calls).toEqual([[3 / 64, 0.75], 1 / 16, [3 / 64, 0.5], 1 / 16, [3 / 64, 0.25]]);
  calls.length = 0;
  page.frame(1000 * (5 / 64));
  expect(calls).toEqual([1 / 16, [5 / 64, 0.5]]);
});

test("M5 with fixedStep, timeScale changes the number of updates, not their delta", () => {
  const { ecs, calls } = looping({ fixedStep: 1 / 16 });
  ecs.timeScale = 2;
  page.frame(1000 / 16);
  expect(calls).toEqual([1 / 16, 1 / 16, [1 / 16, 0]]);
  ecs.timeScale = 0.5;
  for (let i = 0; i < 2; ++i) page.frame(1000 / 16);
  expect(calls.slice(3)).toEqual([[1 / 16, 0.5], 1 / 16, [1 / 16, 0]]);
  const debug = add(ecs, { debug: true });
  ecs.timeScale = 0;
  page.frame(1000 / 16);
  expect([calls.slice(6), debug.runs.length]).toEqual([[[1 / 16, 0]], 1]);
});

test("M4 with fixedStep, maxDelta limits the updates of one frame", () => {
  const { calls } = looping({ fixedStep: 1 / 64, maxDelta: 1 / 16 });
  page.frame(10_000);
  expect(calls).toEqual([1 / 64, 1 / 64, 1 / 64, 1 / 64, [1 / 16, 0]]);
});

test("M4 a loop that was stopped calls nothing, and can be started again without the time between", () => {
  const { calls, loop } = looping({ fixedStep: 1 / 64 });
  page.frame(1000 * (1 / 128));
  loop.stop();
  loop.stop();
  expect([loop.running, page.waiting, page.listeners.size]).toEqual([false, 0, 0]);
  calls.length = 0;
  page.frame(50);
  page.show(false);
  page.show(true);
  expect([calls, page.waiting]).toEqual([[], 0]);
  loop.start();
  loop.start();
  expect([loop.running, page.waiting, page.listeners.size]).toEqual([true, 1, 1]);
  page.frame(50);
  page.frame(1000 * (1 / 64));
  expect(calls).toEqual([1 / 64, [1 / 64, 0]]);
});

test("M4 stop and start work inside update and inside frame", () => {
  const { calls, loop, ecs } = looping({ fixedStep: 1 / 64 });
  const stop = add(ecs, { update: () => loop.stop() }, 1);
  page.frame(1000 * (3 / 64));
  expect([calls, page.waiting]).toEqual([[1 / 64], 0]); // neither the other updates nor frame
  ecs.removeSystem(stop);
  const restarted = looping({
    frame: () => {
      restarted.loop.stop();
      restarted.loop.start();
    },
  });
  page.frame(16);
  expect([restarted.calls, page.waiting]).toEqual([[0.016], 1]);
});

test("M4 while the page is hidden nothing is called, and no time passes", () => {
  const { calls } = looping();
  page.frame(16);
  page.show(false);
  expect(page.waiting).toBe(0);
  page.frame(60_000);
  page.show(true);
  page.frame(50);
  expect(calls).toEqual([0.016, [0.016, 1]]);
  page.frame(8);
  expect(calls.slice(2)).toEqual([0.008, [0.008, 1]]);
  page.show(false);
  const { calls: started } = looping();
  expect(page.waiting).toBe(0); // started while hidden
  page.show(true);
  page.frame();
  page.frame(16);
  expect(started).toEqual([0.016, [0.016, 1]]);
});

test("M4 an exception in update or frame is uncaught and stops the loop, which can be started again", () => {
  let fails = false;
  const fail = () => {
    if (fails) throw new Error("failed");
  };
  const inFrame = looping({ frame: fail });
  const inUpdate = looping();
  add(inUpdate.ecs, { update: fail }, 1);
  for (const { loop, calls } of [inFrame, inUpdate]) {
    for (const other of [inFrame, inUpdate]) other.loop.stop();
    loop.start();
    page.frame();
    calls.length = 0;
    fails = true;
    expect(thrownBy(() => page.frame(16))).toMatchObject({ message: "failed" });
    expect([loop.running, page.waiting, page.listeners.size]).toEqual([false, 0, 0]);
    expect(calls).toEqual([0.016]);
    fails = false;
    loop.start();
    page.frame();
    page.frame(8);
    expect(calls[1]).toBe(0.008);
  }
});

test("M4 disposing of the ECS stops the loop, also inside of update and frame", () => {
  const outside = looping();
  const inFrame = looping({ frame: (delta) => delta > 0 && inFrame.ecs.dispose() });
  const inUpdate = looping({ fixedStep: 1 / 64 });
  add(inUpdate.ecs, { update: () => inUpdate.ecs.dispose() }, 1);
  outside.calls.length = 0;
  outside.ecs.dispose();
  page.frame(50);
  expect([outside, inFrame, inUpdate].map(({ loop }) => loop.running)).toEqual([false, false, false]);
  expect([outside, inFrame, inUpdate].map(({ calls }) => calls)).toEqual([[], [0.05], [1 / 64]]);
  expect([page.waiting, page.listeners.size]).toEqual([0, 0]);
});

test("M4 a worker without a document has a loop too", () => {
  Reflect.deleteProperty(globalThis, "document");
  const { calls, loop } = looping();
  page.frame(16);
  loop.stop();
  expect([calls, page.waiting]).toEqual([[0.016, [0.016, 1]], 0]);
});

test("M4 invalid arguments are errors that name the value, and nothing is started", () => {
  const ecs = world();
  const cases: [ECS, unknown, string][] = [
    [undefined as never, {}, "startLoop: pass an ECS, not undefined"],
    [{ update() {} } as never, {}, "startLoop: pass an ECS, not an object"],
    [ecs, { frame: 3 }, "startLoop: frame must be a function, not 3"],
    ...[0, -1, NaN, Infinity, "1", null].flatMap((bad): [ECS, unknown, string][] => {
      const shown = typeof bad === "string" ? `"${bad}"` : bad;
      const text = `must be a finite, positive number of seconds, not ${shown}`;
      return [
        [ecs, { maxDelta: bad }, `startLoop: the maxDelta ${text}`],
        [ecs, { fixedStep: bad }, `startLoop: the fixedStep ${text}`],
      ];
    }),
  ];
  for (const [of, options, message] of cases) {
    const error = expectError("BAD_ARGUMENT", () => startLoop(of, options as LoopOptions));
    expect(error.message).toBe(message);
  }
  expect(page.waiting).toBe(0);
});

test("M4 without animation frames, startLoop is an error that says what to do", () => {
  const refuses = () => {
    expect(expectError("BAD_ARGUMENT", () => startLoop(world())).message).toBe(
      "startLoop: there is no requestAnimationFrame here; call ecs.update(delta) yourself",
    );
  };
  const nested = () => {
    throw new DOMException("requestAnimationFrame not supported in this Worker.", "NotSupportedError");
  };
  define({ requestAnimationFrame: nested, cancelAnimationFrame: nested }); // a worker that a worker has created
  refuses();
  expect(page.listeners.size).toBe(0);
  Reflect.deleteProperty(globalThis, "requestAnimationFrame");
  refuses();
});

test("M4 the error for a negative delta names the value and startLoop", () => {
  const ecs = world();
  for (const bad of [-0.004, NaN, Infinity, "1"])
    expect(expectError("BAD_ARGUMENT", () => ecs.update(bad as number)).message).toBe(
      `update: the delta must be a finite, non-negative number of seconds, not ${typeof bad === "string" ? `"${bad}"` : bad}; ` +
        "startLoop passes valid ones",
    );
  expect(ecs.wallTime).toBe(0);
});
