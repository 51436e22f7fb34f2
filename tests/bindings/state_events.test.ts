// Events and the state of systems in snapshots (rules N1 to N3).
import { expect, test } from "@jest/globals";
import { System, defineSystem } from "crateful";
import { Rewind, restore, snapshot } from "./with_state.js";
import { Position, Velocity, world } from "./world.js";

class Hit {
  static readonly typeName = "Hit";
  constructor(readonly points: number) {}
  static encode = ({ points }: Hit) => points;
  static decode = (points: number) => new Hit(points);
}
class Bytes {
  static readonly typeName = "Bytes";
  constructor(readonly data: Uint8Array) {}
  static encode = ({ data }: Bytes) => data;
  static decode = (data: Uint8Array) => new Bytes(data);
}
class Local {
  constructor(readonly text = "local") {}
}

/** A world with a handler and inboxes outside of and in systems. */
function game(seen: string[] = []) {
  const ecs = world();
  class Scores extends defineSystem({ position: Position }, { watch: [Position], name: "Scores", exact: true }) {
    readonly hits = this.inbox(Hit);
    readonly more = this.inbox(Hit);
    readonly bytes = this.inbox(Bytes);
    reads = true;
    override update() {
      if (!this.reads) return;
      for (const { points } of this.hits) seen.push(`hit ${points}`);
      for (const { data } of this.bytes) seen.push(`bytes ${[...data].join()}`);
      for (const { entity } of this.dirty) seen.push(`dirty ${entity}`);
    }
  }
  class Slow extends defineSystem({ velocity: Velocity }, { interval: 1, name: "Slow" }) {
    override update(delta: number) {
      seen.push(`slow ${delta}`);
    }
  }
  const scores = new Scores();
  const slow = new Slow();
  ecs.addSystem(0, scores);
  ecs.addSystem(1, slow);
  ecs.events.subscribe(Hit, ({ points }) => seen.push(`handler ${points}`));
  return { ecs, scores, slow, seen, box: ecs.events.inbox(Hit) };
}

test("N1 events with a delay are delivered at their time, and inboxes outside of systems have what was in them", () => {
  const { ecs, box } = game();
  ecs.events.dispatch(new Hit(1));
  ecs.events.dispatch(new Hit(3), 2);
  ecs.events.dispatch(new Hit(2), 1);
  ecs.update(0.5);
  const saved = snapshot(ecs);

  for (const same of [true, false]) {
    const other = same ? { ecs, box, seen: undefined } : game();
    other.ecs.events.dispatch(new Hit(9), 0.1);
    other.ecs.events.dispatch(new Hit(8));
    restore(other.ecs, saved);
    expect(other.box).toEqual([new Hit(1)]);
    const due: number[] = [];
    const end = other.ecs.events.subscribe(Hit, ({ points }) => due.push(points));
    other.ecs.update(0.5);
    expect(due).toEqual([2]);
    other.ecs.update(1);
    expect(due).toEqual([2, 3]);
    end();
  }
});

test("N1 a snapshot without the state of systems leaves their inboxes as they are", () => {
  const { ecs, scores } = game();
  scores.reads = false;
  const saved = snapshot(ecs);
  ecs.events.dispatch(new Hit(1));
  restore(ecs, saved);
  expect(scores.hits.size).toBe(1);
});

test("N1 N3 V3 of an inbox that was read in part, a snapshot contains what was left", () => {
  const { ecs, scores } = game();
  scores.reads = false;
  for (const points of [1, 2, 3]) ecs.events.dispatch(new Hit(points));
  for (const _taken of scores.hits) break;
  const saved = snapshot(ecs, { systems: true });
  for (const to of [{ ecs, scores }, game()]) {
    restore(to.ecs, saved, { events: [Hit] });
    expect(Array.from(to.scores.hits, ({ points }) => points)).toEqual([2, 3]);
    expect(to.scores.more.size).toBe(3);
  }
});

test("N1 N3 with systems, replays are exact: inboxes, dirty sets, order, intervals, and what is enabled", () => {
  const { ecs, scores, slow, seen } = game();
  const [a, b, c] = [ecs.addEntity(Position), ecs.addEntity(Position), ecs.addEntity(Position, Velocity)];
  ecs.update(0.25);
  ecs.removeEntity(a);
  ecs.update(0.5);
  scores.reads = false;
  ecs.get(c, Position).x = 1;
  ecs.get(b, Position).x = 2;
  ecs.events.dispatch(new Hit(4));
  [...scores.more];
  ecs.events.dispatch(new Bytes(Uint8Array.of(1, 2, 3)));
  ecs.events.dispatch(new Hit(5));
  ecs.disableSystem("Slow");
  const saved = snapshot(ecs, { systems: true });
  const play = (each: ReturnType<typeof game>) => {
    each.seen.length = 0;
    each.scores.reads = true;
    each.ecs.update(0.1);
    each.ecs.enableSystem("Slow");
    each.ecs.update(0.4);
    return [...each.seen];
  };
  const played = play({ ecs, scores, slow, seen, box: [] });
  expect(played).toEqual(["hit 4", "hit 5", "bytes 1,2,3", `dirty ${c}`, `dirty ${b}`, "slow 1.15"]);
  const after = snapshot(ecs);

  for (const same of [true, false]) {
    const other = same ? { ecs, scores, slow, seen, box: [] as Hit[] } : game();
    other.ecs.events.dispatch(new Hit(7));
    restore(other.ecs, saved);
    expect(other.slow.disabled).toBe(true);
    expect(other.scores.more.size).toBe(1);
    expect(Array.from(other.scores.rows, ({ entity }) => entity)).toEqual([c, b]);
    expect(play(other)).toEqual(played);
    expect(snapshot(other.ecs)).toEqual(after);
  }
});

test.each([true, false])("N2 what restoring has changed is dirty, unless the system is exact (%s)", (exact) => {
  const ecs = world();
  let dirty: number[] = [];
  class Watcher extends defineSystem({ position: Position }, { watch: [Position], exact }) {
    override update() {
      dirty = Array.from(this.dirty, ({ entity }) => entity);
    }
  }
  ecs.addSystem(0, new Watcher());
  const [a, b] = [ecs.addEntity(Position), ecs.addEntity(Position)];
  ecs.update();
  ecs.get(a, Position).x = 1;
  const saved = snapshot(ecs, { systems: true });
  ecs.update();
  ecs.get(b, Position).x = 1;
  restore(ecs, saved);
  ecs.update();
  expect(dirty).toEqual(exact ? [a] : [a, b]);
});

test("N1 a class of events without its functions is an error that names it, unless without lists it; restoring keeps its events", () => {
  const { ecs } = game();
  ecs.events.dispatch(new Local(), 1);
  expect(() => snapshot(ecs)).toThrow(
    expect.objectContaining({ code: "BAD_ARGUMENT", message: expect.stringContaining("Local needs static typeName") }),
  );
  const box = ecs.events.inbox(Local);
  ecs.events.dispatch(new Local());
  const saved = snapshot(ecs, { without: [Local] });
  ecs.events.dispatch(new Hit(1), 1);
  restore(ecs, saved);
  expect(box).toHaveLength(1);
  ecs.update(1);
  expect(box).toHaveLength(2);
});

test("N1 what wait in a system without the option systems needs no functions", () => {
  const ecs = world();
  class Reader extends System {
    componentsRequired = new Set([Position]);
    readonly local = this.inbox(Local);
    override update() {}
  }
  const reader = new Reader();
  ecs.addSystem(0, reader);
  ecs.events.dispatch(new Local());
  expect(() => snapshot(ecs)).not.toThrow();
  expect(() => snapshot(ecs, { systems: true })).toThrow(/Local needs static typeName/);
  expect(reader.local.size).toBe(1);
});

test("N4 a class of events that the program does not know is an error, unless it is listed, renamed or ignored", () => {
  const { ecs } = game();
  ecs.events.dispatch(new Hit(6), 1);
  const saved = snapshot(ecs);
  const target = world();
  target.addEntity();
  const count = () => target.count;
  expect(() => restore(target, saved)).toThrow(/no class of events with the typeName Hit/);
  expect(count()).toBe(1);
  restore(target, saved, { ignore: ["Hit"] });
  expect(count()).toBe(0);
  class Blow {
    static readonly typeName = "Blow";
    constructor(readonly points: number) {}
    static encode = ({ points }: Blow) => points;
    static decode = (points: number) => new Blow(points);
  }
  restore(target, saved, { rename: { Hit: "Blow" }, events: [Blow] });
  const blows = target.events.inbox(Blow);
  target.update(1);
  expect(blows).toEqual([new Blow(6)]);
  restore(target, saved, { events: [Hit] });
  const hits = target.events.inbox(Hit);
  target.update(1);
  expect(hits).toEqual([new Hit(6)]);
});

test("N4 a system or an inbox that does not exist is an error, and nothing has changed", () => {
  const { ecs, scores } = game();
  scores.reads = false;
  ecs.events.dispatch(new Hit(6));
  const saved = snapshot(ecs, { systems: true });
  const target = world();
  const e = target.addEntity(Position);
  expect(() => restore(target, saved, { events: [Hit] })).toThrow(/no system with the name Scores/);
  class Scores extends defineSystem({ position: Position }, { name: "Scores" }) {
    override update() {}
  }
  target.addSystem(0, new Scores());
  expect(() => restore(target, saved, { events: [Hit], ignore: ["Slow"] })).toThrow(/Scores has no inbox of Hit/);
  expect(target.alive(e)).toBe(true);
  restore(target, saved, { ignore: ["Slow", "Hit"] });
  expect(target.alive(e)).toBe(false);
});

test('N4 with "unknown", events, systems and inboxes that do not exist are left out', () => {
  const { ecs, scores } = game();
  scores.reads = false;
  ecs.events.dispatch(new Hit(6));
  ecs.events.dispatch(new Hit(7), 1);
  const saved = snapshot(ecs, { systems: true });
  for (const events of [[], [Hit]]) {
    for (const hasScores of [false, true]) {
      const target = world();
      class Scores extends defineSystem({ position: Position }, { name: "Scores" }) {
        override update() {}
      }
      if (hasScores) target.addSystem(0, new Scores());
      target.addEntity(Position);
      restore(target, saved, { events, ignore: "unknown" });
      expect(target.count).toBe(ecs.count);
      const hits = target.events.inbox(Hit);
      target.update(1);
      expect(hits).toEqual(events.length === 0 ? [] : [new Hit(6), new Hit(7)]);
    }
  }
});

test("N8 what decode of an event throws is thrown, and nothing has changed", () => {
  const { ecs, box } = game();
  ecs.events.dispatch(new Hit(6), 1);
  ecs.events.dispatch(new Hit(5));
  const saved = snapshot(ecs);
  const e = ecs.addEntity();
  const { decode } = Hit;
  try {
    Hit.decode = () => {
      throw new Error("no");
    };
    expect(() => restore(ecs, saved)).toThrow("no");
    Hit.decode = () => ({}) as Hit;
    expect(() => restore(ecs, saved)).toThrow(/Hit.decode must return a Hit/);
  } finally {
    Hit.decode = decode;
  }
  expect(ecs.alive(e)).toBe(true);
  expect(box).toEqual([new Hit(5)]);
});

test("V3 N1 N7 inboxes of one class in a system keep what each contains, also if the first one is empty", () => {
  const ecs = world();
  class Reader extends System {
    override readonly componentsRequired = new Set([Position]);
    readonly first = this.inbox(Hit);
    readonly second = this.inbox(Hit);
    readonly third = this.inbox(Hit);
    override update() {}
  }
  const reader = ecs.addSystem(0, new Reader());
  const rewind = new Rewind(ecs);
  const sizes = () => [reader.first.size, reader.second.size, reader.third.size];
  for (const points of [1, 2]) ecs.events.dispatch(new Hit(points));
  reader.first.clear();
  reader.third.clear();
  ecs.update();
  const [frame, saved] = [rewind.newest, snapshot(ecs, { systems: true })];
  expect(sizes()).toEqual([0, 2, 0]);
  reader.second.clear();
  ecs.events.dispatch(new Hit(3));
  ecs.update();
  rewind.to(frame);
  expect(sizes()).toEqual([0, 2, 0]);
  reader.second.clear();
  restore(ecs, saved);
  expect([sizes(), Array.from(reader.second, ({ points }) => points)]).toEqual([
    [0, 2, 0],
    [1, 2],
  ]);
});

test("N2 N7 the class of an event that was only dispatched, and delivered, is known", () => {
  const ecs = world();
  ecs.update(0.1);
  const rewind = new Rewind(ecs);
  ecs.events.dispatch(new Hit(1), 0.3);
  const saved = snapshot(ecs);
  for (let k = 0; k < 5; ++k) ecs.update(0.1);
  rewind.to(2);
  restore(ecs, saved);
  const seen: number[] = [];
  ecs.events.subscribe(Hit, ({ points }) => seen.push(points));
  ecs.update(1);
  expect(seen).toEqual([1]);
});
