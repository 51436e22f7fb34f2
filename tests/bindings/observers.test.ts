// Rule S18: systems that only show the world.
import { describe, expect, test } from "@jest/globals";
import { System, defineComponent, defineSystem, type Aspect, type Entity, type Inbox } from "crateful";
import { Rewind } from "crateful/state";
import { restore, snapshot } from "./with_state.js";
import { sameBytes } from "./state_bytes.js";
import { expectError, world } from "./world.js";

class Place extends defineComponent("ObservedPlace", { x: "f32" }) {}
class Hit {
  static readonly typeName = "ObservedHit";
  constructor(readonly points: number) {}
  static encode = ({ points }: Hit): number => points;
  static decode = (points: number): Hit => new Hit(points);
}

class Mover extends defineSystem({ place: Place }, { watch: [Place] }) {
  override update(): void {
    for (const { place } of this.rows) place.x += 1;
  }
}
class Draw extends defineSystem({ place: Place }, { watch: [Place], observer: true }) {
  readonly hits: Inbox<Hit> = this.inbox(Hit);
  drawn: Entity[] = [];
  calls: string[] = [];
  public override onAdd({ entity }: Aspect): void {
    this.calls.push(`+${entity}`);
  }
  public override onRemove({ entity }: Aspect): void {
    this.calls.push(`-${entity}`);
  }
  override update(): void {
    this.drawn = Array.from(this.dirty, ({ entity }) => entity);
  }
}
class Own extends System {
  componentsRequired = new Set([Place]);
  override dirtyComponents = new Set([Place]);
  override observer = true;
  override update(): void {}
}

function room(observers: System[]) {
  const ecs = world();
  ecs.addSystem(0, new Mover());
  for (const system of observers) ecs.addSystem(1, system);
  ecs.addEntity([Place, { x: 2 }]);
  ecs.update();
  return ecs;
}

describe("S18 an observer", () => {
  test("is in no snapshot, and its name can exist several times", () => {
    const ecs = room([new Draw(), new Draw(), new Own()]);
    const without = room([]);
    ecs.events.dispatch(new Hit(1));
    const saved = snapshot(ecs, { systems: true });
    expect(sameBytes(saved, snapshot(without, { systems: true }))).toBe(true);
    restore(without, saved);
    restore(ecs, snapshot(without, { systems: true }));
  });

  test("is passed over by restore, if a system of the snapshot has its name", () => {
    const before = world();
    class Shown extends defineSystem({ place: Place }, { name: "Draw" }) {
      override update(): void {}
    }
    before.addSystem(0, new Shown());
    before.addEntity(Place);
    const ecs = world();
    ecs.addSystem(0, new Draw());
    restore(ecs, snapshot(before, { systems: true }));
    expect(ecs.storage(Place).count).toBe(1);
  });

  test("finds what differs after a state was restored, and keeps its inbox", () => {
    const draw = new Draw();
    const ecs = world();
    ecs.addSystem(0, draw);
    const [same, moved] = [ecs.addEntity([Place, { x: 1 }]), ecs.addEntity([Place, { x: 2 }])];
    const saved = snapshot(ecs, { systems: true });
    ecs.get(moved, Place).x = 3;
    const removed = ecs.addEntity([Place, { x: 4 }]);
    ecs.update();
    expect(draw.drawn).toEqual([same, moved, removed]);
    ecs.events.dispatch(new Hit(5));
    draw.calls.length = 0;
    restore(ecs, saved, { events: [Hit] });
    expect([draw.calls, draw.hits.size]).toEqual([[`-${removed}`], 1]);
    ecs.update();
    expect(draw.drawn).toEqual([moved]);
  });

  test("comes and goes while a recording continues", () => {
    const ecs = room([]);
    const rewind = new Rewind(ecs);
    const e = [...ecs.query({ place: Place }).ids()][0]!;
    const frame = ecs.frame;
    ecs.update();
    const [draw, other] = [ecs.addSystem(2, new Draw()), ecs.addSystem(2, new Draw())];
    ecs.update();
    ecs.events.dispatch(new Hit(1));
    ecs.update();
    expect([rewind.oldest, rewind.newest]).toEqual([frame, frame + 3]);
    rewind.to(frame + 1);
    expect([ecs.get(e, Place).x, draw.hits.size]).toEqual([4, 1]);
    ecs.removeSystem(other);
    rewind.to(frame + 3);
    expect([ecs.get(e, Place).x, rewind.oldest]).toEqual([6, frame]);
    ecs.addSystem(3, new Own());
    ecs.update();
    expect([rewind.oldest, rewind.newest, draw.drawn]).toEqual([frame, frame + 4, [e]]);
  });

  test("can't be exact", () => {
    class Both extends defineSystem({ place: Place }, { observer: true, exact: true }) {
      override update(): void {}
    }
    expect(expectError("BAD_SYSTEM", () => world().addSystem(0, new Both())).message).toBe(
      "addSystem: system Both is an observer, which no snapshot contains, so it cannot be exact",
    );
  });
});

describe("S20 in a replay", () => {
  test("updates skip observers, which track, and find later what has changed", () => {
    const draw = new Draw();
    const ecs = room([draw]);
    const mover = ecs.getSystem(Mover);
    const [e] = ecs.query({ place: Place }).ids();
    const rewind = new Rewind(ecs);
    const frame = ecs.frame;
    for (let i = 0; i < 3; ++i) ecs.update();
    draw.drawn = [];
    draw.calls.length = 0;
    let late: Entity = 0;
    ecs.replay(() => {
      for (rewind.to(frame + 1); ecs.frame < frame + 3; ) ecs.update();
      late = ecs.addEntity(Place);
      ecs.update();
    });
    expect([ecs.get(e!, Place).x, draw.drawn, draw.calls]).toEqual([7, [], [`+${late}`]]);
    ecs.run(draw); // does not ask (rule S19)
    expect(draw.drawn).toEqual([e, late]);
    ecs.replay(() => ecs.run([mover, draw]));
    ecs.update();
    expect(draw.drawn).toEqual([e, late]);
  });

  test("replaying is true in all that is called, and then what it was", () => {
    const ecs = world();
    const seen: boolean[] = [];
    ecs.events.subscribe(Hit, () => void seen.push(ecs.replaying));
    const hit = (): void => ecs.events.dispatch(new Hit(1));
    const fails = (): void =>
      ecs.replay(() => {
        hit();
        throw new Error("stop");
      });
    hit();
    ecs.replay(() => {
      hit();
      ecs.replay(hit);
      expect(fails).toThrow("stop");
      hit();
    });
    expect(fails).toThrow("stop");
    hit();
    expect(seen).toEqual([false, true, true, true, true, true, false]);
    seen.length = 0;
    class Replays extends defineSystem() {
      override update(): void {
        this.ecs.replay(hit); // inside of an update, too
      }
    }
    ecs.addSystem(0, new Replays());
    const draw = ecs.addSystem(1, new Draw());
    const e = ecs.addEntity(Place);
    ecs.update();
    hit();
    expect([seen, draw.drawn, ecs.replaying]).toEqual([[true, false], [e], false]);
  });

  test("V3 the inboxes of observers that drop are emptied, and no interval passes", () => {
    class Sounds extends defineSystem(undefined, { interval: 0.5, observer: true }) {
      readonly dropped = this.inbox(Hit, { whileSkipped: "drop" });
      readonly kept = this.inbox(Hit);
      runs = 0;
      override update(): void {
        ++this.runs;
      }
    }
    const ecs = world();
    const sounds = ecs.addSystem(0, new Sounds());
    const frame = (): void => {
      ecs.events.dispatch(new Hit(1));
      ecs.update(0.25);
    };
    frame();
    expect(sounds.dropped.size).toBe(1); // the interval is not due
    ecs.replay(() => {
      for (let i = 0; i < 3; ++i) frame();
    });
    expect([sounds.dropped.size, sounds.kept.size, sounds.runs]).toEqual([0, 4, 0]);
    frame();
    expect([sounds.dropped.size, sounds.runs]).toEqual([1, 1]);
  });

  test("the ECS can be disposed of, and what is no function is an error", () => {
    const ecs = world();
    for (const bad of [undefined, null, 3, {}] as never[])
      expect(expectError("BAD_ARGUMENT", () => ecs.replay(bad)).message).toMatch(/^replay: f must be a function, not /);
    expect(ecs.replaying).toBe(false);
    const other = world();
    ecs.replay(() => {
      ecs.dispose();
      expect([other.replaying, world().replaying]).toEqual([false, false]);
    });
    expectError("DISPOSED", () => ecs.replaying);
    expectError("DISPOSED", () => ecs.replay(() => {}));
  });
});
