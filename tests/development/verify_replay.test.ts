// Where a replay differs from what was played first (I2).
import { describe, expect, test } from "@jest/globals";
import { Component, defineComponent, defineObject, defineSystem, type ECS, type Entity } from "crateful";
import { verifyReplay } from "crateful/inspector";
import { snapshot } from "crateful/state";
import { sameBytes } from "../bindings/state_bytes.js";
import "../bindings/with_state.js";
import { expectError, world } from "../bindings/world.js";

class Place extends defineComponent("VerifiedPlace", { x: "f32" }) {}
class Aim extends defineComponent("VerifiedAim", { target: "link" }) {}
class Bag extends defineObject("VerifiedBag", { gold: 0 }) {}
class Mesh extends Component {
  turns = 0;
}
class Late {
  static readonly typeName = "VerifiedLate";
  static encode = (): null => null;
  static decode = (): Late => new Late();
}

class Move extends defineSystem({ place: Place }) {
  override update(delta: number): void {
    for (const { place } of this.rows) place.x += delta;
  }
}
/** Does what a test wants, for the last entity with a place. */
class Act extends defineSystem({ place: Place }) {
  frames = 0;
  constructor(
    override readonly name: string,
    readonly act: (this: { ecs: ECS }, e: Entity, frames: number) => void,
  ) {
    super();
  }
  override update(): void {
    this.act(this.rows.ids().at(-1)!, this.frames++);
  }
}

/** A world with an entity at 1, which moves by 1 in each of 4 frames. */
function game(...systems: { name: string }[]) {
  const ecs = world();
  ecs.addSystem(0, new Move());
  for (const system of systems) ecs.addSystem(1, system as Act);
  const e = ecs.addEntity([Place, { x: 1 }]);
  const verify = (options = {}) => verifyReplay(ecs, { frames: 4, step: () => void ecs.update(1), ...options });
  return { ecs, e, verify };
}
const nothing = {
  system: undefined,
  entity: undefined,
  component: undefined,
  field: undefined,
  first: undefined,
  second: undefined,
  at: "",
};

/** The line above the call, in this file. */
function above(): string {
  const line = /verify_replay\.test\.ts:(\d+)/.exec(new Error().stack!.split("\n")[2]!)![1];
  return `verify_replay.test.ts:${Number(line) - 1}`;
}

describe("I2 verifyReplay", () => {
  test("finds nothing in a game that is exact, of which the frames are made once", () => {
    const drawn: number[] = [];
    class Draw extends defineSystem(undefined, { observer: true }) {
      override update(): void {
        drawn.push(this.ecs.frame);
      }
    }
    const { ecs, e, verify } = game(new Draw());
    const other = game();
    ecs.update(1);
    other.ecs.update(1);
    const steps: [number, boolean][] = [];
    const inputs = [0, 1, 2, 3, 4];
    const step = (ecs: ECS, frame: number): void => {
      ecs.get(e, Place).x += inputs[frame]!;
      ecs.update(1);
    };
    const found = verify({
      step(frame: number) {
        steps.push([frame, ecs.replaying]);
        step(ecs, frame);
      },
    });
    expect(found).toBeUndefined();
    expect(steps).toEqual([false, true].flatMap((replaying) => [1, 2, 3, 4].map((frame) => [frame, replaying])));
    expect(drawn).toEqual([0, 1, 2, 3, 4]);
    for (let frame = 1; frame <= 4; ++frame) step(other.ecs, frame);
    expect(sameBytes(snapshot(ecs), snapshot(other.ecs))).toBe(true);
  });

  test("names the system with a queue in a member, the entity, the field, the values and the place", () => {
    let place = "";
    class Shoot extends defineSystem({ place: Place }, { name: "Shoot" }) {
      readonly queue: number[] = [];
      override update(): void {
        for (const row of this.rows) {
          if (this.queue.length > 2) row.place.x += this.queue.shift()!;
          place ||= above();
          this.queue.push(8);
        }
      }
    }
    class Rarely extends defineSystem(undefined, { interval: 9 }) {
      override update(): void {}
    }
    const { ecs, e, verify } = game(new Shoot(), new Rarely());
    ecs.addSystem(
      2,
      new Act("Copy", function (at) {
        this.ecs.get(at, Place).x *= 2; // differs, too
      }),
    );
    let played: Uint8Array = new Uint8Array();
    const step = (): void => {
      ecs.update(1);
      if (!ecs.replaying) played = snapshot(ecs, { systems: true });
    };
    expect(verify({ step })).toEqual({
      frame: 0,
      system: "Shoot",
      entity: e,
      component: "VerifiedPlace",
      field: "x",
      first: 2,
      second: 10,
      at: place,
    });
    expect([ecs.get(e, Place).x, ecs.frame, ecs.replaying]).toEqual([62, 4, false]);
    expect(sameBytes(snapshot(ecs, { systems: true }), played)).toBe(true);
  });

  test("names a system that must be exact, and accepts it then", () => {
    const counts = (exact: boolean) => {
      class Count extends defineSystem({ bag: Bag, place: Place }, { watch: [Place], name: "Count", exact }) {
        override update(): void {
          for (const { bag } of this.dirty) bag.gold += 1;
        }
      }
      const ecs = world();
      ecs.addSystem(1, new Count());
      const e = ecs.addEntity(Place, Bag);
      ecs.update();
      const step = (frame: number): void => {
        if (frame === 3) ecs.get(e, Place).x = 5;
        ecs.update();
      };
      return [e, verifyReplay(ecs, { frames: 4, step }), ecs.get(e, Bag).gold];
    };
    expect(counts(true)).toEqual([1, undefined, 2]);
    expect(counts(false)).toMatchObject([
      1,
      {
        frame: 1,
        system: "Count",
        component: "VerifiedBag",
        field: undefined,
        first: { gold: 1 },
        second: { gold: 2 },
      },
      2,
    ]);
  });

  test.each<[string, (this: { ecs: ECS }, e: Entity) => void, object]>([
    [
      "that was added",
      function () {
        this.ecs.addEntity([Place, { x: 7 }]);
      },
      { entity: 2, component: "VerifiedPlace", field: undefined, first: undefined, second: { x: 7 } },
    ],
    [
      "that was removed",
      function (e) {
        this.ecs.removeComponent(e, Place);
      },
      { entity: 1, component: "VerifiedPlace", field: undefined, first: { x: 2 }, second: undefined },
    ],
    [
      "of which the entity was removed, with a link to it",
      function (e) {
        this.ecs.addComponent(this.ecs.world, Aim, { target: e });
        this.ecs.removeEntity(e);
      },
      { entity: 0, component: "VerifiedAim", field: undefined, first: undefined, second: { target: 1 } },
    ],
    [
      "of another parent",
      function (e) {
        this.ecs.setParent(e, this.ecs.world);
      },
      { entity: 1, component: "Parent", field: undefined, first: undefined, second: 0 },
    ],
  ])("names a component %s only in the replay", (_name, act, expected) => {
    const { ecs, verify } = game(
      new Act("Acts", function (e, frames) {
        if (frames === 4) act.call(this, e);
      }),
      new Act("Later", function (_e, frames) {
        if (frames === 4) this.ecs.addComponent(this.ecs.world, Bag, { gold: 1 });
      }),
    );
    ecs.storage(Aim);
    ecs.storage(Bag);
    const found = verify();
    expect(found).toMatchObject({ frame: 0, system: "Acts", ...expected });
    expect([ecs.count, ecs.frame]).toEqual([1, 4]);
  });

  test.each<[string, (bag: Bag, place: Place, frames: number) => void, object]>([
    [
      "NaN and Infinity",
      (_bag, place, frames) => (place.x = frames < 4 ? Number.POSITIVE_INFINITY : Number.NaN),
      { field: "x", first: Number.POSITIVE_INFINITY, second: Number.NaN },
    ],
    ["-0 and 0", (_bag, place, frames) => (place.x = frames < 4 ? -0 : 0), { field: "x", first: -0, second: 0 }],
    [
      "a change and only a signal",
      (bag, _place, frames) => (frames < 4 ? (bag.gold = 1) : bag.dirty()),
      { field: undefined, first: { gold: 1 }, second: { gold: 0 } },
    ],
  ])("tells %s apart", (_name, act, expected) => {
    const { ecs, e, verify } = game(
      new Act("Acts", function (at, frames) {
        act(this.ecs.get(at, Bag), this.ecs.get(at, Place), frames);
      }),
    );
    ecs.addComponent(e, Bag);
    expect(verify()).toMatchObject({ frame: 0, system: "Acts", entity: e, ...expected });
  });

  test("names the system that has marked an entity for removal, and not what follows from it", () => {
    let place = "";
    const { ecs, e, verify } = game(
      new Act("Marks", function (at, frames) {
        if (frames === 5) this.ecs.removeEntity(at);
        place = above();
      }),
    );
    ecs.addComponent(ecs.world, Aim, { target: e });
    expect(verify()).toMatchObject({
      frame: 1,
      system: "Marks",
      entity: e,
      first: { x: 3 },
      second: undefined,
      at: place,
    });
  });

  test("names no system for what step does outside of systems, and the entity and field", () => {
    const { ecs, e, verify } = game(
      new Act("Reads", function (at) {
        this.ecs.get(at, Place).x *= 2;
      }),
    );
    let calls = 0;
    const step = (): void => {
      if (++calls === 6) ecs.get(e, Place).x = 100;
      ecs.update(1);
    };
    expect(verify({ step })).toMatchObject({
      frame: 1,
      system: undefined,
      entity: e,
      field: "x",
      first: 4,
      second: 100,
    });
  });

  test("names no system for what was written without a signal, and the entity and field", () => {
    const { ecs, e, verify } = game(
      new Act("Writes", function (at, frames) {
        const places = this.ecs.storage(Place);
        if (frames === 6) places.columns.x[places.slots([at])[0]!] = 50;
      }),
    );
    const step = (): void => {
      ecs.get(e, Place).x += 1; // another place in the program
      ecs.update(1);
    };
    const found = { entity: e, component: "VerifiedPlace", field: "x", first: 7, second: 50 };
    expect(verify({ step })).toEqual({ ...nothing, frame: 2, ...found });
  });

  test("names what it can of a class that was first used in this frame", () => {
    class New extends defineComponent("VerifiedNew", { x: "f32" }) {}
    const { e, verify } = game(
      new Act("Adds", function (at, frames) {
        if (frames % 4 === 2) this.ecs.addComponent(at, New, { x: 3 });
      }),
      new Act("Changes", function (at, frames) {
        const found = this.ecs.tryGet(at, New);
        if (found !== undefined) found.x += frames;
      }),
    );
    expect(verify()).toEqual({
      ...nothing,
      frame: 2,
      entity: e,
      component: "VerifiedNew",
      field: "x",
      first: 5,
      second: 9,
    });
  });

  test("names only the frame if no component differs", () => {
    const { ecs, verify } = game(
      new Act("Dispatches", function (_at, frames) {
        if (frames === 7) this.ecs.events.dispatch(new Late(), 9);
      }),
    );
    ecs.events.subscribe(Late, () => {});
    expect(verify()).toEqual({ ...nothing, frame: 3 });
    const other = game();
    let calls = 0;
    const step = (): void => void other.ecs.update(1, ++calls === 5 ? 0 : 1);
    expect(other.verify({ step })).toMatchObject({ frame: 0, system: "Move", field: "x", first: 2, second: 1 });
  });

  test("leaves classes out", () => {
    const { ecs, e, verify } = game(
      new Act("Turns", function (at, frames) {
        this.ecs.get(at, Mesh).turns = frames;
        if (frames === 5) this.ecs.addComponent(this.ecs.world, new Mesh());
      }),
    );
    ecs.addComponent(e, new Mesh());
    expectError("BAD_ARGUMENT", verify); // it cannot be saved
    expect(verify({ without: [Mesh] })).toBeUndefined();
    expect(ecs.has(ecs.world, Mesh)).toBe(true);
    ecs.addSystem(
      2,
      new Act("Places", function (at, frames) {
        if (frames === 5) this.ecs.get(at, Place).x = 0;
      }),
    );
    const turns = ecs.getSystem("Turns") as Act;
    turns.frames = 0;
    ecs.removeComponent(ecs.world, Mesh);
    expect(verify({ without: [Mesh] })).toMatchObject({ frame: 5, system: "Places", component: "VerifiedPlace" });
  });

  test("refuses impossible options, and a step without an update or with two", () => {
    const { ecs, verify } = game();
    const step = (): void => void ecs.update(1);
    const refused = (options: object): string => expectError("BAD_ARGUMENT", () => verify(options)).message;
    for (const frames of [0, -1, 1.5, Number.NaN, "3", undefined])
      expect(refused({ frames })).toMatch(/^verifyReplay: frames must be a whole number of at least 1, not /);
    expect(refused({ step: 3 })).toBe("verifyReplay: step must be a function, not 3");
    expect(refused({ frame: 3 })).toBe("verifyReplay: there is no option frame");
    expect(refused({ without: [3] })).toMatch(/^verifyReplay: without: 3 is no component class/);
    expect(expectError("BAD_ARGUMENT", () => verifyReplay({} as ECS, { frames: 1, step })).message).toMatch(
      /^verifyReplay: pass an ECS/,
    );
    expect(ecs.frame).toBe(0);
    expect(refused({ step: () => {} })).toBe("verifyReplay: step must call ecs.update once, not 0 times as in frame 0");
    expect(refused({ step: () => (step(), step()) })).toBe(
      "verifyReplay: step must call ecs.update once, not 2 times as in frame 0",
    );
    const fails = (): void => {
      step();
      if (ecs.replaying) throw new Error("stop");
    };
    expect(() => verify({ step: fails })).toThrow("stop");
    expect([ecs.replaying, ecs.frame]).toEqual([false, 3]);
    expect(verify()).toBeUndefined();
    expect(refused({ step: async () => step() })).toContain("step returned a promise");
    ecs.addSystem(5, new Act("Verifies", () => void verify()));
    expectError("REENTRANT_UPDATE", step);
    expect(() => verify({ step: () => ecs.dispose() })).toThrow(expect.objectContaining({ code: "DISPOSED" }));
  });
});
