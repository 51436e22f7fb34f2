// Object components in changes and replicas (rules N5, N6, N8).
import { describe, expect, test } from "@jest/globals";
import {
  Component,
  ECS,
  NONE,
  System,
  defineComponent,
  defineSystem,
  defineObject,
  type Aspect,
  type Entity,
} from "crateful";
import { Changes, Replica } from "crateful/state";
import "./with_state.js";
import { expectError } from "./world.js";

class Place extends defineComponent("Place", { x: "f32" }) {}
class Note extends defineObject("Note", { text: "", list: [] as number[] }) {}
/** With bytes. */
class Terrain extends Component {
  static typeName = "Terrain";
  constructor(public heights: Uint8Array = new Uint8Array(4)) {
    super();
  }
  static encode = ({ heights }: Terrain): Uint8Array => heights;
  static decode = (data: Uint8Array): Terrain => new Terrain(data);
}
/** With JSON, and functions of the test. */
class Route extends Component {
  static typeName = "Route";
  static encoding: (route: Route) => void = () => {};
  static decoding: (stops: number[]) => void = () => {};
  constructor(public stops: number[]) {
    super();
  }
  static encode(route: Route): { stops: number[] } {
    Route.encoding(route);
    return { stops: route.stops };
  }
  static decode({ stops }: { stops: number[] }): Route {
    Route.decoding(stops);
    return new Route(stops);
  }
}

class Watch extends System {
  readonly componentsRequired = new Set([Route]);
  override readonly dirtyComponents = new Set([Route]);
  log: string[] = [];
  at: () => void = () => {};
  override onAdd(aspect: Aspect): void {
    this.log.push(`+${aspect.get(Route).stops}`);
    this.at();
  }
  override onRemove(aspect: Aspect): void {
    this.log.push(`-${aspect.get(Route).stops}`);
  }
  override update(_delta: number, _entities: unknown, dirty: { ids: Iterable<Entity> }): void {
    const all = [...dirty.ids];
    if (all.length > 0) this.log.push(`dirty ${all}`);
  }
  take(): string[] {
    return this.log.splice(0);
  }
}

function pair(make: (from: ECS) => void = () => {}) {
  Route.encoding = Route.decoding = () => {};
  const from = new ECS();
  const to = new ECS();
  to.addEntities(3);
  make(from);
  const changes = new Changes(from, { components: [Place, Note, Terrain, Route] });
  const receiver = changes.receiver();
  const replica = new Replica(to);
  const send = () => {
    const bytes = receiver.take();
    replica.apply(bytes);
    return bytes.length;
  };
  return { from, to, changes, receiver, replica, send, copy: (e: Entity) => replica.entity(e) };
}

describe("object components", () => {
  test("N5 N6 are sent as plain data, as bytes and as JSON", () => {
    const { from, to, send, copy } = pair();
    const e = from.addEntity(
      [Note, { text: "ä", list: [1, 2] }],
      new Terrain(new Uint8Array([0, 255, 7])),
      new Route([5, -0]),
    );
    send();
    expect(to.get(copy(e), Note).toJSON()).toEqual({ text: "ä", list: [1, 2] });
    expect([...to.get(copy(e), Terrain).heights]).toEqual([0, 255, 7]);
    expect(to.get(copy(e), Route).stops).toEqual([5, -0]);
    expect(to.has(copy(e), Place)).toBe(false);
  });

  test("N5 are sent when they signal and are encoded in another way than before", () => {
    const { from, to, send, copy } = pair();
    const e = from.addEntity([Note, { text: "a" }], new Route([1]));
    send();
    const [note, route] = [to.get(copy(e), Note), to.get(copy(e), Route)];
    from.get(e, Route).stops.push(2);
    expect(send()).toBe(0);
    from.get(e, Note).dirty();
    expect(send()).toBe(0);
    from.get(e, Route).dirty();
    expect(send()).toBeGreaterThan(0);
    expect(to.get(copy(e), Route).stops).toEqual([1, 2]);
    expect(to.get(copy(e), Route)).not.toBe(route);
    expect(to.get(copy(e), Note)).toBe(note);
    from.addComponent(e, new Route([1, 2]));
    expect(send()).toBe(0);
    from.removeComponent(e, Route);
    send();
    expect(to.has(copy(e), Route)).toBe(false);
    from.removeComponent(e, Note);
    const there = copy(e);
    send();
    expect(to.alive(there)).toBe(false);
  });

  test("N5 are encoded once for all receivers", () => {
    const { from, to, changes, send } = pair();
    const e = from.addEntity(new Route([1]));
    let encoded = 0;
    Route.encoding = () => void ++encoded;
    send();
    const late = changes.receiver();
    const near = changes.receiver({ select: [e] });
    for (const receiver of [late, near]) {
      const replica = new Replica(to);
      replica.apply(receiver.take());
      expect(to.get(replica.entity(e), Route).stops).toEqual([1]);
    }
    expect(encoded).toBe(1);
  });

  test("N6 notify the systems: what is added, replaced and removed", () => {
    const { from, to, send, copy } = pair();
    const watch = new Watch();
    to.addSystem(0, watch);
    const e = from.addEntity(new Route([1]));
    const other = from.addEntity(new Route([9]));
    send();
    expect(watch.take()).toEqual(["+1", "+9"]);
    to.update();
    watch.take();
    from.get(e, Route).stops = [2];
    from.get(e, Route).dirty();
    send();
    to.update();
    expect(watch.take()).toEqual([`dirty ${copy(e)}`]);
    from.removeComponent(other, Route);
    from.removeEntity(e);
    from.update();
    send();
    expect(watch.take().sort()).toEqual(["-2", "-9"]);
  });

  test("N6 that are encoded as those of the sender are not replaced", () => {
    const { from, to, changes, send, copy } = pair();
    const e = from.addEntity(new Route([1]), [Place, {}]);
    send();
    const own = new Route([7]);
    to.addComponent(copy(e), own);
    from.get(e, Route).stops = [7];
    from.get(e, Route).dirty();
    send();
    expect(to.get(copy(e), Route)).toBe(own);
    to.removeComponent(copy(e), Route);
    from.get(e, Route).stops = [8];
    from.get(e, Route).dirty();
    send();
    expect(to.has(copy(e), Route)).toBe(false); // the program has removed it
    from.removeComponent(e, Route);
    send();
    from.addComponent(e, new Route([9]));
    send();
    expect(to.get(copy(e), Route).stops).toEqual([9]);
    changes.dispose();
  });

  test("N6 entities in their values are those of the sender", () => {
    const { from, to, replica, send, copy } = pair();
    const target = from.addEntity([Place, {}]);
    const e = from.addEntity(new Route([target]));
    send();
    const [stop] = to.get(copy(e), Route).stops;
    expect(stop).toBe(target);
    expect(replica.entity(stop!)).toBe(copy(target));
  });

  test("N5 of the world, and of a class that was never used here, arrive", () => {
    class Rare extends defineObject("Rare", { n: 1 }) {}
    const from = new ECS();
    from.addComponent(from.world, Rare, { n: 4 });
    const receiver = new Changes(from).receiver();
    const to = new ECS();
    const replica = new Replica(to, { components: [Rare] });
    replica.apply(receiver.take());
    expect(to.get(to.world, Rare).n).toBe(4);
    from.get(from.world, Rare).n = 5;
    replica.apply(receiver.take());
    expect(to.get(to.world, Rare).n).toBe(5);
  });

  test("N5 a class that cannot be encoded is an error that names it, unless `without` does", () => {
    class Mesh extends Component {}
    const ecs = new ECS();
    const e = ecs.addEntity(new Mesh(), [Place, {}]);
    expect(expectError("BAD_ARGUMENT", () => new Changes(ecs)).message).toContain(Mesh.name);
    expectError("BAD_ARGUMENT", () => new Changes(ecs, { components: [Mesh] }));
    const receiver = new Changes(ecs, { without: [Mesh] }).receiver();
    const to = new ECS();
    const replica = new Replica(to);
    replica.apply(receiver.take());
    expect(to.has(replica.entity(e), Mesh)).toBe(false);
    expect(to.has(replica.entity(e), Place)).toBe(true);
  });

  test("N5 also if only a system or a query names it, because its components would not be sent later", () => {
    class Mesh extends Component {}
    const named = [new ECS(), new ECS()];
    named[0]!.addSystem(
      0,
      new (class extends defineSystem({ mesh: Mesh, place: Place }, { watch: [Mesh] }) {
        override update() {}
      })(),
    );
    named[1]!.query({ place: Place }, { optional: { mesh: Mesh } });
    for (const ecs of named) {
      expect(expectError("BAD_ARGUMENT", () => new Changes(ecs)).message).toContain(Mesh.name);
      new Changes(ecs, { without: [Mesh] });
    }
  });
});

describe("functions of the program", () => {
  test("N5 what encode throws reaches the caller, and nothing is lost", () => {
    const { from, to, receiver, replica, copy } = pair();
    const e = from.addEntity(new Route([1]), [Place, { x: 1 }]);
    const error = new Error("not now");
    Route.encoding = () => {
      throw error;
    };
    for (let i = 0; i < 2; ++i) expect(() => receiver.take()).toThrow(error);
    from.get(e, Place).x = 2;
    Route.encoding = () => {};
    replica.apply(receiver.take());
    expect(to.get(copy(e), Route).stops).toEqual([1]);
    expect(to.get(copy(e), Place).x).toBe(2);
    from.get(e, Route).stops = [NaN];
    from.get(e, Route).dirty();
    expectError("BAD_ARGUMENT", () => receiver.take());
    from.get(e, Route).stops = [3];
    replica.apply(receiver.take());
    expect(to.get(copy(e), Route).stops).toEqual([3]);
  });

  test("N5 what signals while values are encoded is part of the next call", () => {
    const { from, to, send, copy } = pair();
    const all = [1, 2].map((x) => from.addEntity(new Route([x]), [Place, { x }]));
    send();
    for (const e of all) from.get(e, Route).dirty();
    from.get(all[1]!, Route).stops = [20];
    Route.encoding = () => {
      from.get(all[0]!, Route).stops = [10];
      from.get(all[0]!, Route).dirty();
      for (let i = 0; i < 200; ++i) from.get(all[i % 2]!, Place).x = i;
    };
    send();
    Route.encoding = () => {};
    send();
    expect(all.map((e) => to.get(copy(e), Route).stops)).toEqual([[10], [20]]);
    expect(all.map((e) => to.get(copy(e), Place).x)).toEqual([198, 199]);
  });

  test("N6 N8 what decode throws reaches the caller, and nothing has changed", () => {
    const { from, to, receiver, replica, copy } = pair();
    const e = from.addEntity(new Route([1]), [Place, { x: 1 }]);
    const bytes = receiver.take();
    const error = new Error("not now");
    Route.decoding = () => {
      throw error;
    };
    for (let i = 0; i < 2; ++i) expect(() => replica.apply(bytes)).toThrow(error);
    expect(to.count).toBe(3);
    expect(copy(e)).toBe(NONE);
    const decode = Route.decode;
    for (const made of [null, {}, new Place(), to.addEntity]) {
      Route.decode = () => made as never;
      expectError("BAD_ARGUMENT", () => replica.apply(bytes));
    }
    Route.decode = decode;
    Route.decoding = () => {};
    to.addEntity();
    replica.apply(bytes);
    expect(to.get(copy(e), Route).stops).toEqual([1]);
    from.get(e, Place).x = 5;
    from.get(e, Route).stops = [2];
    from.get(e, Route).dirty();
    const next = receiver.take();
    Route.decoding = () => {
      throw error;
    };
    expect(() => replica.apply(next)).toThrow(error);
    expect(to.get(copy(e), Place).x).toBe(1);
    Route.decoding = () => {};
    replica.apply(next);
    expect(to.get(copy(e), Route).stops).toEqual([2]);
  });

  test("N5 N6 the world cannot be changed while values are encoded and decoded", () => {
    const { from, to, receiver, replica, copy } = pair();
    const e = from.addEntity(new Route([1]), [Place, {}]);
    const codes: unknown[] = [];
    const attempt = (...calls: (() => unknown)[]) => {
      for (const call of calls) {
        try {
          call();
          codes.push(undefined);
        } catch (error) {
          codes.push((error as { code: unknown }).code);
        }
      }
    };
    const changing = (ecs: ECS, at: Entity) => [
      () => ecs.addEntity(),
      () => ecs.removeEntity(at),
      () => ecs.removeComponent(at, Place),
      () => ecs.addComponent(at, Place),
      () => ecs.clear(),
    ];
    const refused = Array.from({ length: 5 }, () => "BAD_ARGUMENT"); // as in restore
    Route.encoding = () =>
      attempt(
        ...changing(from, e),
        () => from.update(),
        () => receiver.take(),
        () => new Changes(from, { components: [Place] }).receiver().take(),
      );
    const bytes = receiver.take();
    expect(codes).toEqual([...refused, "REENTRANT_UPDATE", "REENTRANT_UPDATE", "REENTRANT_UPDATE"]);
    Route.encoding = () => {};
    codes.length = 0;
    const own = to.addEntity([Place, {}]);
    Route.decoding = () =>
      attempt(
        ...changing(to, own),
        () => to.update(),
        () => replica.apply(bytes),
        () => replica.reset(),
      );
    replica.apply(bytes);
    expect(codes).toEqual([...refused, "REENTRANT_UPDATE", "REENTRANT_UPDATE", "REENTRANT_UPDATE"]);
    Route.decoding = () => {};
    codes.length = 0;
    Route.encoding = () =>
      attempt(
        () => to.addEntity(),
        () => replica.predict(copy(e)),
        () => replica.apply(bytes),
      );
    replica.predict(copy(e));
    expect(codes).toEqual(["BAD_ARGUMENT", "BAD_ARGUMENT", "REENTRANT_UPDATE"]);
    Route.encoding = () => {};
    to.addEntity();
    from.addEntity();
    // Other worlds can be changed.
    Route.encoding = () => void to.addEntity();
    from.get(e, Route).stops = [5];
    from.get(e, Route).dirty();
    replica.apply(receiver.take());
    expect(to.get(copy(e), Route).stops).toEqual([5]);
  });

  test("N5 N6 M3 they may dispose the ECS, the receiver and the replica", () => {
    for (const what of ["ecs", "object"] as const) {
      const { from, to, changes, receiver, replica } = pair();
      const e = from.addEntity(new Route([1]), new Terrain(), [Place, { x: 1 }]);
      const bytes = changes.receiver().take();
      const late = changes.receiver();
      from.get(e, Route).dirty();
      Route.encoding = () => (what === "ecs" ? from.dispose() : receiver.dispose());
      expectError("DISPOSED", () => receiver.take());
      expectError("DISPOSED", () => receiver.take());
      Route.encoding = () => {};
      if (what === "ecs") expectError("DISPOSED", () => late.take());
      else expect(late.take().length).toBeGreaterThan(0);
      Route.decoding = () => (what === "ecs" ? to.dispose() : replica.dispose());
      expectError("DISPOSED", () => replica.apply(bytes));
      expectError("DISPOSED", () => replica.apply(bytes));
      if (what === "object") expect(to.count).toBe(3);
    }
    for (const what of ["ecs", "object"] as const) {
      const { from, to, receiver, replica, copy } = pair();
      const all = [1, 2].map((x) => from.addEntity(new Route([x])));
      const watch = new Watch();
      to.addSystem(0, watch);
      watch.at = () => (what === "ecs" ? to.dispose() : replica.dispose());
      replica.apply(receiver.take());
      expect(watch.take()).toHaveLength(what === "ecs" ? 1 : 2);
      expectError("DISPOSED", () => copy(all[0]!));
    }
    for (const call of ["predict", "reset"] as const) {
      const { from, to, receiver, replica, copy } = pair();
      const e = from.addEntity(new Route([1]));
      replica.apply(receiver.take());
      const there = copy(e);
      if (call === "predict") {
        Route.encoding = () => to.dispose();
        replica.predict(there);
      } else {
        replica.predict(there);
        to.addComponent(there, new Route([4]));
        Route.decoding = () => replica.dispose();
        expectError("DISPOSED", () => replica.reset());
        expect(to.get(there, Route).stops).toEqual([4]);
      }
      expectError("DISPOSED", () => replica.frame);
      Route.encoding = Route.decoding = () => {};
    }
  });

  test("N6 onRemove finds the object components as before, onAdd as afterwards, also of other entities", () => {
    const { from, to, send, copy } = pair();
    const all = [1, 2].map((x) => from.addEntity([Place, { x }], new Route([x]), [Note, { text: `n${x}` }]));
    const log: unknown[] = [];
    const see = (what: string) => {
      const here = all.map(copy).filter((e) => e !== NONE);
      log.push([what, ...here.map((e) => [to.tryGet(e, Route)?.stops, to.tryGet(e, Note)?.text])]);
    };
    to.addSystem(
      0,
      new (class extends defineSystem({ place: Place }) {
        override onAdd() {
          see("+");
        }
        override onRemove() {
          see("-");
        }
      })(),
    );
    send();
    const first = ["+", [[1], "n1"], [[2], "n2"]];
    expect(log.splice(0)).toEqual([first, first]);
    from.removeComponent(all[0]!, Place);
    from.removeComponent(all[0]!, Note);
    Object.assign(from.get(all[1]!, Route), { stops: [7] }).dirty();
    send();
    expect(log.splice(0)).toEqual([["-", [[1], "n1"], [[2], "n2"]]]);
    from.addComponent(all[0]!, Place);
    from.addComponent(all[1]!, new Note({ text: "new" }));
    send();
    expect(log.splice(0)).toEqual([["+", [[1], undefined], [[7], "new"]]]);
  });

  test("N6 onAdd of systems may remove entities, and what it throws is rethrown at the end", () => {
    const { from, to, receiver, replica, copy } = pair();
    const all = [1, 2, 3].map((x) => from.addEntity(new Route([x]), [Place, { x }]));
    const watch = new Watch();
    to.addSystem(0, watch);
    watch.at = () => {
      if (watch.log.length === 1) {
        to.removeEntity(copy(all[1]!));
        to.removeComponent(copy(all[2]!), Route);
        throw new Error("a callback");
      }
    };
    expect(() => replica.apply(receiver.take())).toThrow("a callback");
    expect(all.map((e) => to.tryGet(copy(e), Route)?.stops)).toEqual([[1], [2], undefined]);
    to.update();
    expect(copy(all[1]!)).toBe(NONE);
    from.get(all[1]!, Route).stops = [5];
    from.get(all[1]!, Route).dirty();
    replica.apply(receiver.take());
    expect(copy(all[1]!)).toBe(NONE);
  });

  test("N5 N6 memory may grow while they run", () => {
    const others = new ECS();
    const { from, to, receiver, replica, copy } = pair();
    const all = Array.from({ length: 20 }, (_, i) => from.addEntity(new Route([i]), new Terrain(new Uint8Array([i]))));
    Route.encoding = () => void others.addEntities(20_000);
    Route.decoding = () => void others.addEntities(20_000);
    replica.apply(receiver.take());
    all.forEach((e, i) => {
      expect(to.get(copy(e), Route).stops).toEqual([i]);
      expect([...to.get(copy(e), Terrain).heights]).toEqual([i]);
    });
    others.dispose();
  });
});

describe("prediction", () => {
  test("N6 reset replaces object components that differ from the last received ones", () => {
    const { from, to, receiver, replica, send, copy } = pair();
    const e = from.addEntity(new Route([1]), [Note, { text: "a" }]);
    send();
    const there = copy(e);
    replica.predict(there);
    const note = to.get(there, Note);
    to.get(there, Route).stops = [100];
    replica.reset();
    expect(to.get(there, Route).stops).toEqual([1]);
    expect(to.get(there, Note)).toBe(note);
    const route = to.get(there, Route);
    replica.reset();
    expect(to.get(there, Route)).toBe(route);
    from.get(e, Route).stops = [2];
    from.get(e, Route).dirty();
    send();
    to.removeComponent(there, Route);
    replica.reset();
    expect(to.get(there, Route).stops).toEqual([2]);
    to.get(there, Route).stops = [7];
    Route.decoding = () => {
      throw new Error("not now");
    };
    expect(() => replica.reset()).toThrow("not now");
    Route.decoding = () => {};
    expect(to.get(there, Route).stops).toEqual([7]);
    from.removeComponent(e, Route);
    replica.apply(receiver.take());
    replica.reset();
    expect(to.has(there, Route)).toBe(false);
    replica.stopPredicting(there);
    to.get(there, Note).text = "z";
    replica.reset();
    expect(to.get(there, Note).text).toBe("z");
  });

  test("N6 object components of the world stay predicted while it is not sent, and one that is added again", () => {
    for (const what of ["deselected", "without components", "one component"]) {
      const { from, to, changes } = pair();
      const receiver = changes.receiver({ select: [from.world] });
      const replica = new Replica(to);
      const send = () => replica.apply(receiver.take());
      const { world } = to;
      const addAll = () => {
        from.addComponent(from.world, new Route([1]));
        from.addComponent(from.world, Note, { text: "received" });
      };
      const values = () => [Route, Note].map((cls) => JSON.stringify(to.tryGet(world, cls as typeof Note)));
      addAll();
      if (what === "one component") from.addComponent(from.world, Place, {});
      send();
      const received = values();
      replica.predict(world);
      if (what === "deselected") receiver.deselect(from.world);
      else for (const cls of [Route, Note]) from.removeComponent(from.world, cls as typeof Note);
      send();
      replica.reset();
      expect(values()).toEqual([undefined, undefined]);
      if (what === "deselected") receiver.select(from.world);
      else addAll();
      send();
      to.get(world, Route).stops = [7];
      to.removeComponent(world, Note);
      replica.reset();
      expect(values()).toEqual(received);
    }
  });

  test("N6 what encode throws in predict changes nothing", () => {
    const { from, to, send, replica, copy } = pair();
    const e = from.addEntity(new Route([1]), [Place, { x: 1 }]);
    send();
    Route.encoding = () => {
      throw new Error("not now");
    };
    expect(() => replica.predict(copy(e))).toThrow("not now");
    to.get(copy(e), Place).x = 5;
    replica.reset();
    expect(to.get(copy(e), Place).x).toBe(5);
    Route.encoding = () => {};
  });

  test("N6 reset may be called when decode ends the prediction", () => {
    const { from, to, send, replica, copy } = pair();
    const all = [1, 2].map((x) => from.addEntity(new Route([x]), [Place, { x }]));
    send();
    for (const e of all) {
      replica.predict(copy(e));
      to.addComponent(copy(e), new Route([9]));
      to.get(copy(e), Place).x = 9;
    }
    Route.decoding = () => {
      for (const e of all) replica.stopPredicting(copy(e));
    };
    replica.reset();
    Route.decoding = () => {};
    expect(all.map((e) => to.get(copy(e), Place).x)).toEqual([9, 9]);
  });
});
