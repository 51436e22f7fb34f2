// A history says who changed what, from which value, where in the program, and which systems had to run because of it (D14).
import { describe, expect, test } from "@jest/globals";
import { Component, ECS, NONE, defineComponent, defineObject, defineSystem, type Entity } from "crateful";
import { History } from "crateful/inspector";
import { Changes, Replica, Rewind, restore, snapshot } from "crateful/state";
import "../bindings/with_state.js";
import { expectError } from "../bindings/world.js";

type HistoryEntry = ReturnType<History["why"]>[number];

class Place extends defineComponent("HistoryPlace", {
  x: "f32",
  at: "f32x3",
  name: "string",
  mood: ["idle", "angry"],
}) {}
class Aim extends defineComponent("HistoryAim", { target: "link", awake: "bool" }) {}
class Unseen extends defineComponent("HistoryUnseen", { x: "f32" }) {}
class Bag extends defineObject("HistoryBag", { gold: 0, items: [] as number[] }) {}
class Mesh extends Component {
  visible = true;
  readonly parts = new Map();
}
class Hit {
  constructor(readonly entity: Entity) {}
}

class DrawPlaces extends defineSystem({ place: Place }, { watch: [Place] }) {
  override update(): void {}
}
class DrawBags extends defineSystem({ bag: Bag }, { watch: [Bag] }) {
  override update(): void {}
}
class DrawMeshes extends defineSystem({ mesh: Mesh }, { watch: [Mesh] }) {
  override update(): void {}
}
class Aiming extends defineSystem({ aim: Aim }, { watch: [Aim] }) {
  override update(): void {}
}

/** A world, and a system that does what a test wants. */
function game() {
  const ecs = new ECS();
  const next = { act: (): void => {} };
  ecs.addSystem(
    10,
    new (class Acting extends defineSystem({ place: Place }) {
      override update(): void {
        const { act } = next;
        next.act = () => {};
        act();
      }
    })(),
  );
  for (const Drawing of [DrawPlaces, DrawBags, DrawMeshes, Aiming]) ecs.addSystem(20, new Drawing());
  const e = ecs.addEntity();
  ecs.addComponent(e, Place);
  ecs.update();
  const run = (act: () => void) => {
    next.act = act;
    ecs.update();
  };
  return { ecs, e, run };
}
/** What an entry says, without numbers of frames and places. */
const text = ({ system = "-", kind, component, field, before, after, notified }: HistoryEntry): string =>
  [
    `${system} ${kind} ${component.replace("History", "")}${field === undefined ? "" : `.${field}`}`,
    ...(kind === "signaled" ? [] : [`${JSON.stringify(before)} -> ${JSON.stringify(after)}`]),
    ...(notified.length === 0 ? [] : [`> ${notified.join()}`]),
  ].join(" ");
const texts = (entries: readonly HistoryEntry[]): string[] => entries.map(text);

/** The line above the call, in this file. */
function above(): string {
  const line = /history\.test\.ts:(\d+)/.exec(new Error().stack!.split("\n")[2]!)![1];
  return `history.test.ts:${Number(line) - 1}`;
}

describe("History", () => {
  test("D14 names the system, the values, who became dirty, and the place", () => {
    const { ecs, e, run } = game();
    const history = new History(ecs);
    let place = "";
    run(() => {
      ecs.get(e, Place).x = 5;
      place = above();
    });
    const [entry, ...others] = history.why(e);
    expect(entry).toEqual({
      entity: e,
      frame: 2,
      system: "Acting",
      component: "HistoryPlace",
      kind: "changed",
      field: "x",
      before: 0,
      after: 5,
      notified: ["DrawPlaces"],
      at: place,
    });
    expect(others).toEqual([]);
    expect(history.bySystem("Acting")).toEqual([entry]);
    expect(history.bySystem("")).toEqual([]);
  });

  test("D14 has values of all kinds", () => {
    const { ecs, e, run } = game();
    ecs.addComponent(e, Aim);
    ecs.addComponent(e, new Bag({ gold: 1 }));
    ecs.addComponent(e, new Mesh());
    ecs.update();
    const history = new History(ecs);
    run(() => {
      const { place, aim, bag, mesh } = {
        place: ecs.get(e, Place),
        aim: ecs.get(e, Aim),
        bag: ecs.get(e, Bag),
        mesh: ecs.get(e, Mesh),
      };
      place.x = -0.5;
      place.at[2] = 3;
      place.name = "Anna";
      place.mood = "angry";
      aim.target = e;
      aim.awake = true;
      bag.gold = 2;
      mesh.visible = false;
      mesh.dirty();
    });
    const entries = history.why(e).map(({ field, before, after }) => [field, before, after]);
    expect(new Set(entries)).toEqual(
      new Set([
        ["x", 0, -0.5],
        ["at", [0, 0, 0], [0, 0, 3]],
        ["name", "", "Anna"],
        ["mood", "idle", "angry"],
        ["target", NONE, e],
        ["awake", false, true],
        [undefined, { gold: 1, items: [] }, { gold: 2, items: [] }],
        [undefined, { visible: true, parts: "an object" }, { visible: false, parts: "an object" }],
      ]),
    );
    expect(entries.length).toBe(8);
  });

  test("D14 has additions, removals, parents and signals, and of classes that nobody watches only these", () => {
    const { ecs, e, run } = game();
    const other = ecs.addEntity();
    const history = new History(ecs);
    run(() => {
      ecs.addComponent(other, new Bag({ gold: 3 }));
      ecs.addComponent(other, Unseen, { x: 2 });
      ecs.setParent(other, e);
    });
    run(() => {
      ecs.get(other, Unseen).x = 7;
      ecs.get(other, Bag).dirty();
    });
    run(() => ecs.removeComponent(other, Unseen));
    run(() => ecs.removeEntity(other));
    expect(texts(history.why(other)).sort()).toEqual(
      [
        `Acting moved Parent ${e} -> undefined`,
        'Acting removed Bag {"gold":3,"items":[]} -> undefined',
        "Acting removed Unseen {} -> undefined",
        "Acting signaled Bag > DrawBags",
        `Acting moved Parent undefined -> ${e}`,
        'Acting added Bag undefined -> {"gold":3,"items":[]} > DrawBags',
        "Acting added Unseen undefined -> {}",
      ].sort(),
    );
  });

  test("D14 has no system for what is changed outside of systems, in handlers of delayed events, and by replicas", () => {
    const { ecs, e, run } = game();
    const history = new History(ecs);
    ecs.get(e, Place).x = 1;
    expect(texts(history.why(e))).toEqual(["- changed Place.x 0 -> 1 > DrawPlaces"]);
    ecs.events.subscribe(Hit, (hit) => (ecs.get(hit.entity, Place).x += 1));
    ecs.events.dispatch(new Hit(e), 0.001);
    ecs.update();
    run(() => ecs.events.dispatch(new Hit(e)));
    expect(texts(history.why(e))).toEqual([
      "Acting changed Place.x 2 -> 3 > DrawPlaces",
      "- changed Place.x 1 -> 2 > DrawPlaces",
      "- changed Place.x 0 -> 1 > DrawPlaces",
    ]);
    expect(history.why(e).map(({ frame }) => frame)).toEqual([3, 2, 2]);

    const copy = game();
    const replica = new Replica(copy.ecs);
    const receiver = new Changes(ecs, { without: [Mesh] }).receiver();
    replica.apply(receiver.take());
    copy.ecs.update();
    const local = replica.entity(e);
    const copied = new History(copy.ecs);
    run(() => (ecs.get(e, Place).x = 9));
    replica.apply(receiver.take());
    expect(texts(copied.why(local))).toEqual(["- changed Place.x 3 -> 9 > DrawPlaces"]);
  });

  test("D14 knows the place of each change, also if a system changes a field at several", () => {
    const { ecs, e, run } = game();
    const history = new History(ecs);
    const lines: string[] = [];
    for (const which of [0, 1, 0, 2]) {
      run(() => {
        const place = ecs.get(e, Place);
        if (which === 0) {
          place.x += 1;
          lines[0] = above();
        } else if (which === 1) {
          place.x += 2;
          lines[1] = above();
        } else {
          ecs.removeComponent(e, Place);
          lines[2] = above();
        }
      });
    }
    expect(history.why(e).map(({ at }) => at)).toEqual([lines[2], lines[0], lines[1], lines[0]]);
  });

  test("D14 takes few stacks for a loop over many entities, and names its one place", () => {
    const { ecs } = game();
    for (let k = 0; k < 1000; ++k) ecs.addComponent(ecs.addEntity(), Place);
    let line = "";
    ecs.addSystem(
      5,
      new (class Moving extends defineSystem({ place: Place }) {
        override update(): void {
          for (const { place } of this.rows) {
            place.x += 1;
            line = line || above();
          }
        }
      })(),
    );
    const history = new History(ecs);
    ecs.update();
    ecs.update();
    const entries = history.bySystem("Moving");
    expect(entries.length).toBe(2 * 1001);
    expect(new Set(entries.map(({ at }) => at))).toEqual(new Set([line]));
  });

  test("D14 survives rewinding", () => {
    const { ecs, e, run } = game();
    const history = new History(ecs);
    const rewind = new Rewind(ecs, { without: [Mesh] });
    run(() => (ecs.get(e, Place).x = 1));
    run(() => (ecs.get(e, Place).x = 2));
    rewind.to(2);
    run(() => (ecs.get(e, Place).x = 3));
    expect(texts(history.why(e))).toEqual([
      "Acting changed Place.x 1 -> 3 > DrawPlaces",
      "- changed Place.x 2 -> 1 > DrawPlaces",
      "Acting changed Place.x 1 -> 2 > DrawPlaces",
      "Acting changed Place.x 0 -> 1 > DrawPlaces",
    ]);
  });

  test("D14 keeps at most its bytes", () => {
    const { ecs, e, run } = game();
    const history = new History(ecs, { bytes: 2000 });
    for (let k = 1; k < 200; ++k) run(() => (ecs.get(e, Place).x = k));
    const entries = history.why(e);
    expect(entries.length).toBeGreaterThan(3);
    expect(entries.length).toBeLessThan(60);
    expect(entries[0]!.after).toBe(199);
  });

  test("D14 answers inside an update without what the running system has done", () => {
    const { ecs, e, run } = game();
    const history = new History(ecs);
    let inside: HistoryEntry[] | undefined;
    run(() => {
      ecs.get(e, Place).x = 1;
      inside = history.why(e);
    });
    expect(inside).toEqual([]);
    expect(history.why(e).length).toBe(1);
  });

  test("D14 refuses wrong arguments, and is not used after it was disposed", () => {
    const { ecs, e, run } = game();
    expect(expectError("BAD_ARGUMENT", () => new History({} as ECS)).message).toContain("History: pass an ECS");
    expect(expectError("BAD_ARGUMENT", () => new History(ecs, { bytes: -1 })).message).toContain(
      "bytes must be a number",
    );
    expect(expectError("BAD_ARGUMENT", () => new History(ecs, { size: 1 } as object)).message).toContain("size");
    run(() => expect(expectError("REENTRANT_UPDATE", () => new History(ecs)).message).toContain("History"));
    const history = new History(ecs);
    expect(expectError("BAD_ARGUMENT", () => history.why("1" as never)).message).toContain("why: pass an entity");
    expect(expectError("BAD_ARGUMENT", () => history.bySystem(1 as never)).message).toContain(
      "bySystem: pass the name",
    );
    history.dispose();
    history.dispose();
    expect(expectError("DISPOSED", () => history.why(e)).message).toContain("History");
    run(() => (ecs.get(e, Place).x = 1));
    const last = new History(ecs);
    ecs.dispose();
    expectError("DISPOSED", () => last.why(e));
  });

  test("D14 a class that becomes watched while a system runs has no entries without values", () => {
    const { ecs, e, run } = game();
    ecs.addComponent(e, Unseen, { x: 1 });
    using history = new History(ecs);
    run(() => {
      history.watch(Unseen);
      ecs.get(e, Unseen).x = 2; // not known
    });
    run(() => (ecs.get(e, Unseen).x = 3));
    expect(texts(history.why(e))).toEqual(["Acting changed Unseen.x 2 -> 3"]);
  });
  test("N2 D14 functions that encode cannot change the ECS, also when a history begins to watch", () => {
    const { ecs, e } = game();
    let act = (): void => {};
    class Acting extends Component {
      static readonly typeName = "HistoryActing";
      points = 1;
      static encode({ points }: Acting): number {
        act();
        return points;
      }
      static decode = (): Acting => new Acting();
    }
    ecs.addComponent(e, new Acting());
    using history = new History(ecs);
    const codes: string[] = [];
    act = () => {
      codes.push(expectError("BAD_ARGUMENT", () => ecs.addEntity(Place)).code);
      codes.push(expectError("REENTRANT_UPDATE", () => ecs.update()).code);
    };
    history.watch(Acting);
    const asked = codes.length;
    expect(asked).toBeGreaterThan(0);
    ecs.get(e, Acting).points = 2;
    ecs.get(e, Acting).dirty();
    ecs.update();
    expect(codes.length).toBeGreaterThan(asked);
    act = () => {};
    expect(texts(history.why(e))).toContain("- changed Acting 1 -> 2");
    act = () => history.dispose();
    ecs.get(e, Acting).dirty();
    ecs.update();
    expectError("DISPOSED", () => history.why(e));
  });
  test.each([
    ["restore", (ecs: ECS, state: Uint8Array) => restore(ecs, state)],
    ["a rewind", (_ecs: ECS, _state: Uint8Array, rewind: Rewind) => rewind.to(rewind.newest - 1)],
  ])("D14 after %s, no system has marked an entity", (_name, goBack) => {
    const { ecs, e, run } = game();
    using history = new History(ecs);
    using rewind = new Rewind(ecs);
    ecs.update();
    const state = snapshot(ecs);
    ecs.update();
    const failing = (): void => {
      ecs.removeEntity(e);
      throw new Error("on purpose"); // so the mark waits
    };
    expect(() => run(failing)).toThrow("on purpose");
    goBack(ecs, state, rewind);
    expect(ecs.has(e, Place)).toBe(true);
    ecs.removeEntity(e);
    ecs.update();
    expect(texts(history.why(e)).slice(0, 1)).toEqual([expect.stringContaining("- removed Place")]);
  });
  test("D14 a history records a class that no system watches if it is told to, with the places of changes", () => {
    const { ecs, e, run } = game();
    ecs.addComponent(e, Unseen, { x: 1 });
    const history = new History(ecs);
    const other = new History(ecs);
    run(() => (ecs.get(e, Unseen).x = 2));
    history.watch(Unseen);
    let line = "";
    run(() => {
      ecs.get(e, Unseen).x = 3;
      line = above();
    });
    ecs.get(e, Unseen).x = 4;
    expect(texts(history.why(e))).toEqual(["- changed Unseen.x 3 -> 4", "Acting changed Unseen.x 2 -> 3"]);
    expect(history.why(e)[1]!.at).toBe(line);
    expect(other.why(e)).toEqual([]);
    expect(expectError("BAD_ARGUMENT", () => history.watch({} as never)).message).toContain("is not a component class");
    class Loose extends defineObject("HistoryLoose", { gold: 1 }) {}
    run(() => {
      history.watch(Loose); // the class is used for the first time
      ecs.addComponent(e, Loose);
    });
    ecs.get(e, Loose).gold = 2;
    expect(texts(history.why(e)).slice(0, 2)).toEqual([
      '- changed Loose {"gold":1} -> {"gold":2}',
      'Acting added Loose undefined -> {"gold":1}',
    ]);
    history.dispose();
    expectError("DISPOSED", () => history.watch(Unseen));
  });

  test("D14 several histories of one ECS know the places independently, also when one was disposed twice", () => {
    const { ecs, e, run } = game();
    const first = new History(ecs);
    run(() => {});
    const second = new History(ecs);
    const lines: string[] = [];
    const change = (by: number) =>
      run(() => {
        if (by === 1) {
          ecs.get(e, Place).x += by;
          lines.push(above());
        } else {
          ecs.get(e, Place).x += by;
          lines.push(above());
        }
      });
    for (const by of [1, 2, 1]) change(by);
    lines.reverse();
    expect(first.why(e).map(({ at }) => at)).toEqual(lines);
    expect(second.why(e).map(({ at }) => at)).toEqual(lines);
    first.dispose();
    first.dispose();
    change(2);
    expect(second.why(e)[0]!.at).toBe(lines.at(-1));
  });

  test("D14 knows the places of the calls that add and remove", () => {
    const { ecs, run } = game();
    const history = new History(ecs);
    const others = new ECS().prefab({ place: Place });
    const places = ecs.prefab({ place: Place });
    const lines: string[] = [];
    let one: Entity = NONE;
    run(() => {
      one = places.spawn();
      lines.push(above());
      others.spawn();
    });
    run(() => {
      ecs.removeComponent(one, Place);
      lines.push(above());
    });
    run(() => {
      ecs.addComponent(one, Place);
      lines.push(above());
    });
    run(() => {
      ecs.removeEntity(one);
      lines.push(above());
    });
    expect(history.why(one).map(({ kind, at }) => [kind, at])).toEqual([
      ["removed", lines[3]],
      ["added", lines[2]],
      ["removed", lines[1]],
      ["added", lines[0]],
    ]);
  });

  test("D14 knows the places of writes to vectors, of `Object.assign`, and of calls for many entities", () => {
    const { ecs, e, run } = game();
    const other = ecs.addEntity();
    ecs.addComponent(other, Place);
    ecs.update();
    const places = ecs.storage(Place);
    const ways: readonly [act: () => void, component: string][] = [
      [() => ecs.get(e, Place).at.set(4, 5, 6), "HistoryPlace"],
      [() => (ecs.get(e, Place).at.y = 7), "HistoryPlace"],
      [() => (ecs.get(e, Place).at = [1, 1, 1] as never), "HistoryPlace"],
      [() => Object.assign(ecs.get(e, Place), { x: 1000 }), "HistoryPlace"],
      [() => places.markDirty(e), "HistoryPlace"],
      [() => places.markDirty([e, other]), "HistoryPlace"],
      [() => ecs.addComponents([e, other], Unseen), "HistoryUnseen"],
      [() => ecs.removeComponents([e, other], Unseen), "HistoryUnseen"],
      [() => ecs.removeEntities([other, e]), "HistoryPlace"],
    ];
    for (const [act, component] of ways) {
      const history = new History(ecs);
      let line = "";
      run(() => {
        act();
        line = above();
      });
      const [entry] = history.why(e).filter((each) => each.component === component);
      // The way itself is a function of its own, so the line is that of the list.
      expect(entry!.at).toMatch(/^history\.test\.ts:\d+$/);
      expect(entry!.at).not.toBe(line);
      history.dispose();
    }
    const history = new History(ecs);
    const last = ecs.addEntity();
    ecs.addComponent(last, Place);
    ecs.update();
    ecs.clear();
    const line = above();
    expect(history.why(last).map(({ kind, at }) => [kind, at])).toContainEqual(["removed", line]);
  });

  test("D14 names both places if a component can have been added or created", () => {
    const { ecs, run } = game();
    const spawned = ecs.prefab({ place: Place });
    const entities = [...ecs.addEntities(40)];
    const history = new History(ecs);
    const lines: string[] = [];
    for (const e of entities)
      run(() => {
        ecs.addComponent(e, Unseen);
        lines[0] = above();
        spawned.spawn();
        lines[1] = above();
      });
    const places = entities.map((e) => history.why(e)[0]!.at);
    expect(places[0]).toBe(lines[0]);
    for (const place of places) expect(place.split(" or ")).toContain(lines[0]);
    history.dispose();
  });

  test("D14 describes objects without a codec by their own fields, without calling their code", () => {
    const { ecs, e, run } = game();
    class Odd extends Component {
      list = [1, { a: 2 }];
      readonly self: object = this;
      many = Array.from({ length: 2000 }, (_, k) => k);
      constructor() {
        super();
        Object.defineProperty(this, "throws", {
          enumerable: true,
          get() {
            throw new Error("not now");
          },
        });
      }
    }
    ecs.addSystem(
      30,
      new (class DrawOdd extends defineSystem({ odd: Odd }, { watch: [Odd] }) {
        override update(): void {}
      })(),
    );
    const history = new History(ecs);
    const odd = new Odd();
    run(() => ecs.addComponent(e, odd));
    run(() => {
      odd.list.push(3);
      ecs.storage(Odd).markDirty(e);
    });
    const [changed, added] = history.why(e);
    expect(added).toMatchObject({ kind: "added", after: { list: [1, { a: 2 }] } });
    expect(changed).toMatchObject({ kind: "changed", after: { list: [1, { a: 2 }, 3], many: "an array" } });
    expect(changed!.after).not.toHaveProperty("throws");
  });
});
