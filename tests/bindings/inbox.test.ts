// Inboxes of systems (rule V3).
import { describe, expect, test } from "@jest/globals";
import { System, defineSystem, type ComponentClass, type Inbox } from "crateful";
import { Position, expectError, world } from "./world.js";

class Smashed {
  constructor(readonly points: number) {}
}
class BadlySmashed extends Smashed {}

class Scores extends defineSystem() {
  readonly smashed: Inbox<Smashed>;
  readonly taken: number[] = [];
  body: (points: number) => void = () => {};
  stops = false;
  constructor(limit?: number) {
    super();
    this.smashed = this.inbox(Smashed, limit === undefined ? {} : { limit });
  }
  public override update(): void {
    for (const { points } of this.smashed) {
      this.taken.push(points);
      this.body(points);
      if (this.stops) break;
    }
  }
}

function room(limit?: number) {
  const ecs = world();
  const scores = new Scores(limit);
  const dispatch = (...all: number[]) => {
    for (const points of all) ecs.events.dispatch(new Smashed(points));
  };
  return { ecs, scores, dispatch };
}

/** What a call writes to the console as warnings. */
function warningsOf(call: () => void): unknown[][] {
  const warnings: unknown[][] = [];
  const { warn } = console;
  console.warn = (...args: unknown[]) => void warnings.push(args);
  try {
    call();
  } finally {
    console.warn = warn;
  }
  return warnings;
}

describe("V3", () => {
  test("iterating takes the events out, which are those since the system was added", () => {
    const { ecs, scores, dispatch } = room();
    dispatch(1);
    ecs.addSystem(0, scores);
    dispatch(2, 3);
    ecs.events.dispatch(new BadlySmashed(4));
    expect(scores.smashed.size).toBe(2);
    ecs.update();
    expect([scores.taken, scores.smashed.size]).toEqual([[2, 3], 0]);
    ecs.update();
    expect(scores.taken.length).toBe(2);
  });

  test("each event is taken when the body for it begins, and the others stay", () => {
    const { ecs, scores, dispatch } = room();
    ecs.addSystem(0, scores);
    dispatch(1, 2, 3);
    scores.stops = true;
    ecs.update();
    expect(scores.smashed.size).toBe(2);
    scores.body = () => {
      throw new Error("stop");
    };
    expect(() => ecs.update()).toThrow("stop");
    expect([scores.smashed.size, scores.taken]).toEqual([1, [1, 2]]);
  });

  test("events that are dispatched during the loop stay for the next one, also after clear()", () => {
    const { ecs, scores, dispatch } = room();
    ecs.addSystem(0, scores);
    scores.body = (points) => dispatch(points + 10);
    dispatch(1, 2);
    ecs.update();
    expect(scores.taken).toEqual([1, 2]);
    ecs.update();
    expect(scores.taken).toEqual([1, 2, 11, 12]);
    scores.body = () => {
      ecs.clear();
      dispatch(99);
    };
    ecs.update();
    expect([scores.taken.at(-1), scores.smashed.size]).toEqual([21, 1]);
  });

  test("events accumulate while the system does not run; beyond the limit, the oldest are dropped with one warning", () => {
    const { ecs, scores, dispatch } = room(3);
    ecs.addSystem(0, scores);
    ecs.disableSystem(scores);
    const warnings = warningsOf(() => dispatch(0, 1, 2, 3, 4));
    ecs.update();
    expect(scores.smashed.size).toBe(3);
    ecs.enableSystem(scores);
    ecs.update();
    expect(scores.taken).toEqual([2, 3, 4]);
    expect(warnings).toEqual([["crateful: an inbox of Smashed has dropped events, because it held 3 of them"]]);
  });

  test("clear() empties it", () => {
    const { ecs, scores, dispatch } = room();
    ecs.addSystem(0, scores);
    dispatch(1);
    ecs.clear();
    expect(scores.smashed.size).toBe(0);
    dispatch(3);
    scores.smashed.clear();
    dispatch(2);
    ecs.update();
    expect(scores.taken).toEqual([2]);
  });

  test("many events are taken in order, while others arrive", () => {
    const { ecs, scores, dispatch } = room();
    ecs.addSystem(0, scores);
    let next = 0;
    for (; next < 5_000; ++next) dispatch(next);
    scores.body = (points) => {
      if (points % 3 === 0) dispatch(next++);
      scores.stops = points === 3_000;
    };
    ecs.update();
    scores.stops = false;
    while (scores.smashed.size > 0) ecs.update();
    expect(scores.taken).toEqual(Array.from({ length: next }, (_, i) => i));
  });

  test("it is that of one system, from when that is added until it is removed", () => {
    const { ecs, scores, dispatch } = room();
    const other = new Scores();
    ecs.addSystem(0, scores);
    ecs.addSystem(0, other);
    dispatch(1);
    ecs.removeSystem(scores);
    expect([scores.smashed.size, other.smashed.size]).toEqual([0, 1]);
    dispatch(2);
    expect([scores.smashed.size, other.smashed.size]).toEqual([0, 2]);
    ecs.addSystem(0, scores);
    dispatch(3);
    expect([scores.smashed.size, other.smashed.size]).toEqual([1, 3]);
    const end = ecs.events.subscribe(Smashed, () => ecs.removeSystem(scores));
    dispatch(4);
    end();
    dispatch(5);
    expect([scores.smashed.size, other.smashed.size]).toEqual([0, 5]);
  });

  test("a class of System has them too; when the system was added, it is too late", () => {
    class Counts extends System {
      public override readonly componentsRequired = new Set<ComponentClass>([Position]);
      readonly first = this.inbox(Smashed);
      public override update(): void {
        this.inbox(Smashed);
      }
    }
    const { ecs, dispatch } = room();
    const counts = ecs.addSystem(0, new Counts());
    dispatch(1);
    expect(expectError("BAD_SYSTEM", () => ecs.update()).message).toBe(
      "inbox: Counts was added already; call inbox in a field initialiser",
    );
    expect(counts.first.size).toBe(1);
    expect(Array.from(counts.first, ({ points }) => points)).toEqual([1]);
  });

  test("whileSkipped: drop discards the events of frames in which the system is skipped, and only those", () => {
    const ecs = world();
    let menu = false;
    const taken = { kept: [] as number[], dropped: [] as number[] };
    class Game extends defineSystem(undefined, { when: () => !menu, interval: 0.5 }) {
      readonly kept = this.inbox(Smashed, { whileSkipped: "keep" });
      readonly dropped = this.inbox(Smashed, { whileSkipped: "drop" });
      override update(): void {
        for (const { points } of this.kept) taken.kept.push(points);
        for (const { points } of this.dropped) taken.dropped.push(points);
      }
    }
    const game = ecs.addSystem(0, new Game());
    let next = 0;
    const frame = (delta = 0.5) => {
      ecs.events.dispatch(new Smashed(++next));
      ecs.update(delta);
      return taken.dropped.splice(0);
    };
    expect(frame()).toEqual([1]);
    menu = true;
    expect([frame(), game.dropped.size, game.kept.size]).toEqual([[], 0, 1]);
    menu = false;
    expect(frame()).toEqual([3]);
    ecs.disableSystem(game);
    frame();
    ecs.enableSystem(game);
    expect(frame()).toEqual([5]);
    ecs.disableSystem(game);
    ecs.events.dispatch(new Smashed(0));
    ecs.enableSystem(game); // no update has skipped it
    expect(frame()).toEqual([0, 6]);
    ecs.paused = true;
    frame();
    ecs.paused = false;
    expect(frame()).toEqual([8]);
    ecs.timeScale = 0;
    frame();
    ecs.timeScale = 1;
    expect(frame()).toEqual([10]);
    expect([frame(0.25), frame(0.25)]).toEqual([[], [11, 12]]); // the interval was not due
    expect([frame(0), frame()]).toEqual([[], [13, 14]]);
    ecs.slowMotion.style = "step";
    ecs.slowMotion.request(2, 1);
    expect([...frame(), ...frame()]).toEqual([15, 16]);
    expect(taken.kept).toEqual([1, 2, 3, 4, 5, 0, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16]);
    const when = () =>
      expectError(
        "BAD_ARGUMENT",
        () =>
          new (class extends Game {
            readonly bad = this.inbox(Smashed, { whileSkipped: "lose" as never });
          })(),
      );
    expect(when().message).toBe('inbox: whileSkipped must be "keep" or "drop", not "lose"');
  });
  test("what is no class, and a limit that is no positive number, are errors", () => {
    class Wrong extends defineSystem() {
      public override update(): void {}
    }
    const wrong = new Wrong();
    expect(expectError("BAD_ARGUMENT", () => wrong.inbox("Smashed" as never)).message).toContain(
      'inbox: the event type must be a class, not "Smashed"',
    );
    for (const limit of [0, -1, Number.NaN, "3"] as number[])
      expectError("BAD_ARGUMENT", () => wrong.inbox(Smashed, { limit }));
  });
});

test("D11 V3 events that wait let a system run that is onlyWhenDirty", () => {
  const ecs = world();
  const log: string[] = [];
  class Rare extends defineSystem({ position: Position }, { onlyWhenDirty: true, watch: [Position] }) {
    readonly smashed = this.inbox(Smashed);
    override when() {
      log.push("asked");
      return true;
    }
    override update() {
      log.push(`${this.dirty.size} dirty`, ...[...this.smashed].map(({ points }) => String(points)));
    }
  }
  ecs.addSystem(0, new Rare());
  ecs.update();
  ecs.events.dispatch(new Smashed(5));
  ecs.update();
  ecs.addEntity(Position);
  ecs.update();
  ecs.update();
  expect(log).toEqual(["asked", "0 dirty", "5", "asked", "1 dirty"]);
});

test("V1 a delay to which deltas add up except for rounding has passed", () => {
  const ecs = world();
  let frame = 0;
  let delivered = 0;
  ecs.events.subscribe(Smashed, () => (delivered = frame));
  ecs.events.dispatch(new Smashed(1), 1);
  for (frame = 1; frame <= 12; frame++) ecs.update(0.1);
  expect(delivered).toBe(10);
});
