// The hooks of crateful/react: what renders, how often, and what remains in the ECS afterwards.
import { describe, expect, test } from "@jest/globals";
import { type ECS, NONE, defineComponent, defineSystem, type Entity, type Query } from "crateful";
import { World, useComponent, useCount, useECS, useRows } from "crateful/react";
import { StrictMode, act, memo, startTransition, useEffect, useLayoutEffect, useState } from "react";
import { Frozen, Inventory, Position, Velocity, expectThrow, inWorld, render, world } from "./page.js";

/** How often each component was rendered. */
class Counts {
  list = 0;
  rows = 0;
  /** Returns the counts since the last call. */
  take() {
    const { list, rows } = this;
    Object.assign(this, { list: 0, rows: 0 });
    return { list, rows };
  }
}

/** A list of the entities of a query, and a row with the position of each. */
function makeList() {
  const counts = new Counts();
  const Row = memo(function Row({ entity }: { entity: Entity }) {
    counts.rows += 1;
    const position = useComponent(entity, Position);
    return <li>{position === undefined ? "none" : position.x},</li>;
  });
  function List({ query }: { query: Query<{ position: typeof Position }> }) {
    counts.list += 1;
    return (
      <ul>
        {useRows(query).map((entity) => (
          <Row key={entity} entity={entity} />
        ))}
      </ul>
    );
  }
  return { counts, Row, List };
}

/** An ECS with entities whose x counts from 0, and a list of them. */
function mountList(n: number) {
  const ecs = world();
  const entities = [...ecs.addEntities(n)];
  ecs.addComponents(entities, Position, { x: entities.map((_, i) => i) });
  const query = ecs.query({ position: Position });
  const { counts, Row, List } = makeList();
  const page = render(
    <World ecs={ecs}>
      <List query={query} />
    </World>,
  );
  expect(counts.take()).toEqual({ list: 1, rows: n });
  return { ecs, entities, counts, page, Row, List };
}
const update = (ecs: ECS, delta?: number) => act(() => void ecs.update(delta));
const names = (ecs: ECS) => ecs.systems.map(({ name }) => name);

test("C14 a vector and an enum are copies, which are the same until a value changes", () => {
  class Unit extends defineComponent("Unit", { at: "f32x3", state: ["idle", "walk"] }) {}
  const ecs = world();
  const e = ecs.addEntity([Unit, { at: [1, 2, 3] }]);
  const copies: unknown[] = [];
  function Shown() {
    const unit = useComponent(e, Unit)!;
    copies.push(unit);
    return (
      <b>
        {unit.state} {unit.at.join()}
      </b>
    );
  }
  const page = render(inWorld(ecs, <Shown />));
  expect(page.text).toBe("idle 1,2,3");
  ecs.get(e, Unit).dirty();
  update(ecs);
  expect(copies.length).toBe(1);
  ecs.get(e, Unit).at.y = 20;
  expect(copies).toEqual([{ at: [1, 2, 3], state: "idle" }]);
  update(ecs);
  ecs.get(e, Unit).state = "walk";
  update(ecs);
  expect(page.text).toBe("walk 1,20,3");
  expect(copies.length).toBe(3);
});

describe("among 10,000 rows", () => {
  const n = 10_000;
  test("a change renders one row, and not the list", () => {
    const { ecs, entities, counts, page } = mountList(n);
    update(ecs); // all are new for the systems of the hooks
    expect(counts.take()).toEqual({ list: 0, rows: 0 });
    ecs.get(entities[5000]!, Position).x = -1;
    expect(counts.take()).toEqual({ list: 0, rows: 0 });
    update(ecs);
    expect(counts.take()).toEqual({ list: 0, rows: 1 });
    expect(page.text).toContain("4999,-1,5001,");
    update(ecs);
    expect(counts.take()).toEqual({ list: 0, rows: 0 });
  });

  test("an addition renders the list and the new row, and a removal only the list", () => {
    const { ecs, entities, counts, page } = mountList(n);
    act(() => void ecs.addEntity([Position, { x: 0.5 }]));
    expect(counts.take()).toEqual({ list: 1, rows: 1 });
    expect(page.text).toMatch(/,9999,0\.5,$/);
    act(() => {
      ecs.removeEntity(entities[1]!);
      ecs.update();
    });
    expect(counts.take()).toEqual({ list: 1, rows: 0 });
    expect(page.text).toMatch(/^0,2,3,4,/);
    act(() => void ecs.removeComponent(entities[2]!, Position));
    expect(counts.take()).toEqual({ list: 1, rows: 0 });
    expect(page.text).toMatch(/^0,3,4,/); // the others keep their order
  });

  test("many additions, removals and changes in one update render once", () => {
    const { ecs, entities, counts, page } = mountList(n);
    const swap = defineSystem({ position: Position });
    class Swap extends swap {
      override update() {
        for (let i = 0; i < 3; i++) ecs.get(entities[0]!, Position).x += 1;
        ecs.removeEntities(entities.slice(1, 101));
        ecs.addComponents(ecs.addEntities(100), Position, { x: 7 });
        ecs.removeSystem(this);
      }
    }
    ecs.addSystem(0, new Swap());
    update(ecs);
    expect(counts.take()).toEqual({ list: 1, rows: 101 });
    expect(page.text).toMatch(/^3,101,102,.*,9999,(7,){100}$/);
  });
});

describe("useComponent", () => {
  test("returns the same frozen object until a field has another value", () => {
    const ecs = world();
    const entity = ecs.addEntity([Position, { x: 1, y: 2 }]);
    const seen: unknown[] = [];
    function Show() {
      seen.push(useComponent(entity, Position));
      return null;
    }
    const page = render(inWorld(ecs, <Show />));
    page.render(inWorld(ecs, <Show />));
    expect(seen).toEqual([
      { x: 1, y: 2 },
      { x: 1, y: 2 },
    ]);
    expect(seen[0]).toBe(seen[1]);
    expect(Object.isFrozen(seen[0])).toBe(true);
    const position = ecs.get(entity, Position);
    position.x = 5;
    position.x = 1;
    ecs.addComponent(entity, Position, { x: 1, y: 2 }); // replaced by an equal one
    ecs.storage(Position).markDirty(entity);
    update(ecs);
    expect(seen).toHaveLength(2);
    ecs.get(entity, Position).y = 3;
    update(ecs);
    expect(seen.slice(2)).toEqual([{ x: 1, y: 3 }]);
    expect(seen[0]).toEqual({ x: 1, y: 2 });
  });

  test("shows a component that is added, replaced, removed, and added again", () => {
    const { ecs, entities, counts, page, Row } = mountList(1);
    const [entity] = entities as [Entity];
    page.render(inWorld(ecs, <Row entity={entity} />));
    counts.take();
    const renders = (change: () => unknown, text: string) => {
      act(() => void change());
      expect(page.text).toBe(text);
      expect(counts.take()).toEqual({ list: 0, rows: 1 });
    };
    renders(() => ecs.removeComponent(entity, Position), "none,");
    renders(() => (ecs.addComponent(entity, Position, { x: 4 }), ecs.update()), "4,");
    renders(() => (ecs.addComponent(entity, new Position({ x: 6 })), ecs.update()), "6,");
    renders(() => (ecs.removeEntity(entity), ecs.update()), "none,");
    const again = ecs.addEntity([Position, { x: 9 }]); // the index is used again
    update(ecs);
    expect(again).not.toBe(entity);
    expect(page.text).toBe("none,");
    expect(counts.take().rows).toBe(0);
  });

  test("shows another entity, class and ECS when these change", () => {
    const [one, two] = [world(), world()];
    const [a, b] = [one.addEntity([Position, { x: 1 }], [Velocity, { x: 10 }]), one.addEntity([Position, { x: 2 }])];
    const c = two.addEntity([Position, { x: 3 }]);
    expect(c).toBe(a);
    const Show = ({ entity, cls }: { entity: Entity; cls: typeof Position | typeof Velocity }) =>
      useComponent<{ x: number }>(entity, cls)?.x ?? "none";
    const show = (ecs: ECS, entity: Entity, cls: typeof Position | typeof Velocity) => (
      <World ecs={ecs}>
        <Show entity={entity} cls={cls} />
      </World>
    );
    const page = render(show(one, a, Position));
    for (const [ecs, entity, cls, text] of [
      [one, a, Position, "1"],
      [one, b, Position, "2"],
      [one, b, Velocity, "none"],
      [one, a, Velocity, "10"],
      [two, c, Position, "3"],
      [two, NONE, Position, "none"],
    ] as const) {
      page.render(show(ecs, entity, cls));
      expect(page.text).toBe(text);
    }
    expect(names(one)).toEqual([]);
    page.render(show(two, c, Position));
    one.get(a, Position).x = 100;
    two.get(c, Position).x = 4;
    update(one);
    update(two);
    expect(page.text).toBe("4");
  });

  test("shows what toJSON of an object component returns", () => {
    const ecs = world();
    const inventory = new Inventory();
    const entity = ecs.addEntity(inventory);
    let renders = 0;
    function Show() {
      renders += 1;
      return useComponent(entity, Inventory)?.items.join();
    }
    const page = render(inWorld(ecs, <Show />));
    update(ecs);
    inventory.dirty(); // although nothing has changed
    update(ecs);
    expect(renders).toBe(1);
    inventory.add("key");
    inventory.add("map");
    update(ecs);
    expect(page.text).toBe("key,map");
    expect(renders).toBe(2);
  });

  test("shows tags, and components of the world", () => {
    const ecs = world();
    ecs.addComponent(ecs.world, Position, { x: 3 });
    const Show = () => [useComponent(ecs.world, Position)?.x, useComponent(ecs.world, Frozen) && "frozen"];
    const page = render(inWorld(ecs, <Show />));
    expect(page.text).toBe("3");
    ecs.addComponent(ecs.world, Frozen);
    ecs.get(ecs.world, Position).x += 1;
    update(ecs);
    expect(page.text).toBe("4frozen");
    act(() => ecs.clear()); // keeps the world
    expect(page.text).toBe("4frozen");
  });

  test("runs while the game is paused, and ecs.update(0) shows changes without running other systems", () => {
    const { ecs, entities, page } = mountList(1);
    let runs = 0;
    class Count extends defineSystem() {
      override update() {
        runs += 1;
      }
    }
    ecs.addSystem(0, new Count());
    ecs.get(entities[0]!, Position).x = 5;
    update(ecs, 0);
    expect(page.text).toBe("5,");
    ecs.paused = true;
    ecs.get(entities[0]!, Position).x = 6;
    update(ecs);
    expect(page.text).toBe("6,");
    expect(runs).toBe(0);
  });

  test("visits only the listeners of changed entities if many are mounted, and only what is mounted if many change", () => {
    const { ecs, entities, counts, page, Row } = mountList(100);
    page.render(inWorld(ecs, <Row entity={entities[7]!} />));
    update(ecs);
    counts.take();
    for (const { position } of ecs.query({ position: Position })) position.x += 1;
    update(ecs);
    expect(counts.take()).toEqual({ list: 0, rows: 1 });
    expect(page.text).toBe("8,");
  });
});

describe("useRows", () => {
  test("returns the same frozen array until the query selects others", () => {
    const ecs = world();
    const query = () => ecs.query({ position: Position }, { without: [Frozen], optional: { velocity: Velocity } });
    const [a, b] = [ecs.addEntity(Position), ecs.addEntity(Position)];
    const seen: (readonly Entity[])[] = [];
    const Show = () => (seen.push(useRows(query())), null);
    render(inWorld(ecs, <Show />));
    const expectNext = (change: () => unknown, list?: Entity[]) => {
      seen.length = 1;
      act(() => void change());
      if (list !== undefined) seen.shift();
      expect(seen).toEqual([list ?? seen[0]]);
      expect(Object.isFrozen(seen[0])).toBe(true);
    };
    expect(seen).toEqual([[a, b]]);
    expectNext(() => (ecs.addComponent(a, Velocity), ecs.get(b, Position).x++, ecs.update()));
    expectNext(() => ecs.addEntity(Velocity));
    expectNext(() => ecs.addComponent(a, Frozen), [b]);
    expectNext(() => ecs.removeComponent(a, Frozen), [b, a]); // in the order in which they were selected
    expectNext(() => ecs.removeComponents([a, b], Position), []);
  });

  test("is empty after clear(), and shows what onClear creates", () => {
    const { ecs, counts, page } = mountList(5);
    act(() => ecs.clear());
    expect(page.text).toBe("");
    expect(counts.take().list).toBe(1);
    class Level extends defineSystem() {
      override update() {}
      override onClear() {
        ecs.addComponents(ecs.addEntities(2), Position, { x: [8, 9] });
      }
    }
    ecs.addSystem(0, new Level());
    act(() => ecs.clear());
    expect(page.text).toBe("8,9,");
    expect(counts.take()).toEqual({ list: 1, rows: 2 });
  });

  test("Q10 is in the order of a query with orderBy, and renders again when that has changed", () => {
    const ecs = world();
    const entities = [...ecs.addEntities(4)];
    ecs.addComponents(entities, Position, { x: [30, 20, 99, 50] });
    const query = ecs.query({ position: Position }, { orderBy: [Position, "x", "descending"] });
    const { counts, List } = makeList();
    const page = render(
      <World ecs={ecs}>
        <List query={query} />
      </World>,
    );
    expect([page.text, counts.take()]).toEqual(["99,50,30,20,", { list: 1, rows: 4 }]);
    const set = (k: number, x: number) => {
      ecs.get(entities[k]!, Position).x = x;
      update(ecs);
    };
    set(0, 31);
    expect([page.text, counts.take()]).toEqual(["99,50,31,20,", { list: 0, rows: 1 }]);
    set(0, 60);
    expect([page.text, counts.take()]).toEqual(["99,60,50,20,", { list: 1, rows: 1 }]);
    ecs.paused = true;
    set(1, 100);
    expect([page.text, counts.take()]).toEqual(["100,99,60,50,", { list: 1, rows: 1 }]);
    act(() => void ecs.addEntity([Position, { x: 70 }]));
    expect([page.text, counts.take()]).toEqual(["100,99,70,60,50,", { list: 1, rows: 1 }]);
    act(() => ecs.removeComponent(entities[2]!, Position));
    expect([page.text, counts.take().list]).toEqual(["100,70,60,50,", 1]);
    update(ecs);
    expect(counts.take()).toEqual({ list: 0, rows: 0 });
  });
  test("useCount renders the number of entities when it may have changed, beside useRows", () => {
    const ecs = world();
    const query = ecs.query({ position: Position });
    const seen: number[] = [];
    const Count = () => (seen.push(useCount(query)), null);
    const Rows = () => (seen.push(-useRows(query).length), null);
    render(inWorld(ecs, [<Count key="count" />, <Rows key="rows" />]));
    let e: Entity = NONE;
    act(() => void (e = ecs.addEntity(Position)));
    expect(seen).toEqual([0, -0, 1, -1]);
    seen.length = 0;
    for (const x of [1, 2]) act(() => ((ecs.get(e, Position).x = x), void ecs.update()));
    expect(seen).toEqual([]);
    act(() => ecs.clear());
    act(() => void ecs.addEntity(Position));
    expect(seen).toEqual([0, -0, 1, -1]);
  });

  test("and useCount show another query and ECS when these change", () => {
    const [one, two] = [world(), world()];
    const [a, b] = [one.addEntity(Position), one.addEntity(Position, Frozen)];
    const c = two.addEntity(Position);
    const Show = ({ query }: { query: Query }) => `${useRows(query).join()} ${useCount(query)}`;
    const page = render(null);
    for (const [ecs, query, text] of [
      [one, one.query({ position: Position }), `${a},${b} 2`],
      [one, one.query({ position: Position }, { without: [Frozen] }), `${a} 1`],
      [two, two.query({ position: Position }), `${c} 1`],
      [one, one.query({ frozen: Frozen }), `${b} 1`],
    ] as const) {
      page.render(
        <World ecs={ecs}>
          <Show query={query as never} />
        </World>,
      );
      expect(page.text).toBe(text);
    }
    act(() => void two.addEntity(Position));
    act(() => void one.addComponent(a, Frozen));
    expect([page.text, names(two)]).toEqual([`${b},${a} 2`, []]);
  });

  test("refuses queries that it can't follow", () => {
    const [ecs, other] = [world(), world()];
    class Move extends defineSystem({ position: Position }) {
      override update() {}
    }
    const { rows } = ecs.addSystem(0, new Move());
    const Show = ({ query }: { query: Query }) => useRows(query).length;
    const message = /^useRows: pass a query of the ECS of <World>/;
    for (const nothing of [[2], { position: Position }, undefined])
      expectThrow(inWorld(ecs, <Show query={nothing as never} />), message);
    for (const query of [ecs.query({}), ecs.query({}, { any: [Position] }), other.query({ position: Position }), rows])
      expectThrow(inWorld(ecs, <Show query={query} />), message);
    expectThrow(
      <Show query={ecs.query({ position: Position })} />,
      /^useRows: there is no <World ecs={ecs}> with an ECS/,
    );
  });
});

describe("subscriptions", () => {
  test("add two systems however many rows there are, and none remain after the last row", () => {
    const { ecs, entities, page, Row } = mountList(20);
    expect(names(ecs)).toEqual(["useComponent(Position)", "useRows(position)"]);
    expect(ecs.systems.every(({ priority }) => priority === Number.MAX_VALUE)).toBe(true);
    page.render(
      inWorld(
        ecs,
        entities.slice(0, 2).map((e) => <Row key={e} entity={e} />),
      ),
    );
    expect(names(ecs)).toEqual(["useComponent(Position)"]);
    page.render(inWorld(ecs, <Row entity={entities[1]!} />));
    ecs.get(entities[1]!, Position).x = 50;
    update(ecs);
    expect(page.text).toBe("50,");
    page.unmount();
    expect(names(ecs)).toEqual([]);
  });

  test("StrictMode renders the same, and leaves nothing behind", () => {
    const { ecs, entities, counts, page, List } = mountList(3);
    const strict = (query: Query<{ position: typeof Position }>) => (
      <StrictMode>
        <World ecs={ecs}>
          <List query={query} />
        </World>
      </StrictMode>
    );
    page.render(strict(ecs.query({ position: Position })));
    expect(counts.take()).toEqual({ list: 2, rows: 6 }); // React renders each twice
    update(ecs);
    expect(counts.take()).toEqual({ list: 0, rows: 0 });
    ecs.get(entities[1]!, Position).x = 5;
    update(ecs);
    expect(counts.take()).toEqual({ list: 0, rows: 2 });
    expect(page.text).toBe("0,5,2,");
    page.unmount();
    expect(names(ecs)).toEqual([]);
  });

  test("miss no change between rendering and subscribing", () => {
    const { ecs, entities, counts, page, List, Row } = mountList(2);
    function Change() {
      useLayoutEffect(() => {
        ecs.get(entities[0]!, Position).x = 3;
        ecs.update(); // before the effects of the hooks
        ecs.addEntity([Position, { x: 4 }]);
      }, []);
      return null;
    }
    page.render(null);
    page.render(
      <World ecs={ecs}>
        <Change />
        <List query={ecs.query({ position: Position })} />
      </World>,
    );
    expect(page.text).toBe("3,1,4,");
    page.render(inWorld(ecs, <Row entity={entities[0]!} />));
    expect(page.text).toBe("3,");
    expect(counts.list).toBeGreaterThan(0);
  });

  test("miss no change of an effect of a child, which runs before those of its parent", () => {
    const ecs = world();
    const query = ecs.query({ position: Position });
    function Spawn() {
      useEffect(() => void ecs.addEntity([Position, { x: 1 }]), []);
      return null;
    }
    const Parent = () => [useRows(query).length, <Spawn key="spawn" />];
    expect(render(inWorld(ecs, <Parent />)).text).toBe("1");
  });

  test("two components of one entity show the same, also when one is mounted in a transition", () => {
    const ecs = world();
    const entity = ecs.addEntity([Position, { x: 1 }]);
    const Show = () => `${useComponent(entity, Position)?.x} `;
    let more = (_n: number) => {};
    function Several() {
      const [n, setN] = useState(1);
      more = setN;
      return [1, 2, 3].filter((i) => i <= n).map((i) => <Show key={i} />);
    }
    const page = render(inWorld(ecs, <Several />));
    act(() => {
      startTransition(() => more(3));
      ecs.get(entity, Position).x = 2;
      ecs.update();
    });
    expect(page.text).toBe("2 2 2 ");
  });

  test("two ECS do not affect each other", () => {
    const [one, two] = [mountList(2), mountList(2)];
    one.ecs.get(one.entities[0]!, Position).x = 9;
    update(two.ecs);
    update(one.ecs);
    expect([one.page.text, two.page.text]).toEqual(["9,1,", "0,1,"]);
    expect([one.counts.take().rows, two.counts.take().rows]).toEqual([1, 0]);
    one.page.unmount();
    expect([names(one.ecs).length, names(two.ecs).length]).toEqual([0, 2]);
  });

  test("components can be unmounted after their ECS was disposed; rendering them is an error", () => {
    const { ecs, page, entities, Row } = mountList(2);
    ecs.dispose();
    page.unmount();
    expectThrow(inWorld(ecs, <Row entity={entities[0]!} />), /disposed/);
  });

  test("a component that throws while it renders leaves nothing behind", () => {
    const ecs = world();
    const entity = ecs.addEntity(Position);
    const Fail = () => {
      useComponent(entity, Position);
      throw new Error("failed");
    };
    expectThrow(inWorld(ecs, <Fail />), /failed/);
    expect(names(ecs)).toEqual([]);
  });
});

test("useECS returns the ECS of the nearest World", () => {
  const [one, two] = [world(), world()];
  const found: ECS[] = [];
  const Find = () => (found.push(useECS()), null);
  render(
    <World ecs={one}>
      <Find />
      <World ecs={two}>
        <Find />
      </World>
    </World>,
  );
  expect(found).toEqual([one, two]);
  expectThrow(<Find />, /^useECS: there is no <World ecs={ecs}> with an ECS above this component$/);
});

test("useComponent with a selector renders only when what it returns has changed", () => {
  const ecs = world();
  const e = ecs.addEntity([Position, { x: 0.25, y: 1 }]);
  let renders = 0;
  function Seconds({ up }: { up: boolean }) {
    renders += 1;
    // The function is another one at each rendering.
    const seconds = useComponent(e, Position, ({ x }) => [up ? Math.ceil(x) : Math.floor(x)]);
    return <p>{seconds?.join() ?? "none"}</p>;
  }
  const shown = (up: boolean) => (
    <World ecs={ecs}>
      <Seconds up={up} />
    </World>
  );
  const page = render(shown(true));
  update(ecs);
  expect([page.text, renders]).toEqual(["1", 1]);
  for (const x of [0.5, 0.75]) {
    ecs.get(e, Position).x = x;
    update(ecs);
  }
  ecs.get(e, Position).y = 5;
  update(ecs);
  expect([page.text, renders]).toEqual(["1", 1]);
  ecs.get(e, Position).x = 1.5;
  update(ecs);
  expect([page.text, renders]).toEqual(["2", 2]);
  act(() => void ecs.removeComponent(e, Position));
  expect([page.text, renders]).toEqual(["none", 3]);
});

test("useComponent names itself in its errors", () => {
  const ecs = world();
  const e = ecs.addEntity(Position);
  function Show({ select }: { select: unknown }) {
    return <p>{String(useComponent(e, Position, select as never))}</p>;
  }
  expectThrow(<Show select={undefined} />, /^useComponent: there is no <World ecs={ecs}> with an ECS/);
  expectThrow(inWorld(ecs, <Show select="x" />), /^useComponent: the third argument must be a function of the fields$/);
  const Of = ({ of, cls }: { of: unknown; cls: unknown }) => String(useComponent(of as Entity, cls as typeof Position));
  expectThrow(inWorld(ecs, <Of of={undefined} cls={Position} />), /^useComponent: /); // rule E5
  expectThrow(inWorld(ecs, <Of of={e} cls={undefined} />), /not a component class/);
});
