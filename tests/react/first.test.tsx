// useFirst: the first entity of a query.
import { expect, test } from "@jest/globals";
import { type ECS, NONE, type Entity, type Query } from "crateful";
import { World, useComponent, useCount, useFirst } from "crateful/react";
import { StrictMode, act } from "react";
import { Frozen, Position, Velocity, expectThrow, inWorld, render, world } from "./page.js";

const update = (ecs: ECS) => act(() => void ecs.update());
const names = (ecs: ECS) => ecs.systems.map(({ name }) => name);

/** A component that shows the first entity of a query, and what it has shown since the last call of `take`. */
function first() {
  const seen: Entity[] = [];
  function First({ query }: { query: Query<{ position: typeof Position }> }) {
    const e = useFirst(query);
    seen.push(e);
    return String(e);
  }
  return { First, take: () => seen.splice(0) };
}

test("Q6 is that of query.first(), or NONE, and renders at once when it is another one", () => {
  const ecs = world();
  const query = ecs.query({ position: Position }, { without: [Frozen] });
  const { First, take } = first();
  render(inWorld(ecs, <First query={query} />));
  expect(take()).toEqual([NONE]);
  const [a, b, c] = [...ecs.addEntities(3)] as [Entity, Entity, Entity];
  const expectNext = (change: () => unknown, ...next: Entity[]) => {
    act(() => void change());
    expect(take()).toEqual(next);
    if (next.length > 0) expect(query.first()?.entity ?? NONE).toBe(next[0]);
  };
  expectNext(() => ecs.addComponents([a, b, c], Position), a);
  expectNext(() => ecs.addEntity(Position));
  expectNext(() => ecs.removeComponent(b, Position));
  expectNext(() => ((ecs.get(a, Position).x = 5), ecs.update()));
  expectNext(() => ecs.addComponent(a, Frozen), c);
  expectNext(() => ecs.removeComponent(a, Frozen)); // c stays the first one
  expectNext(() => (ecs.removeEntity(c), ecs.update()), a);
  expectNext(() => ecs.clear(), NONE);
  expectNext(() => {
    const e = ecs.addEntity(Position);
    ecs.removeEntity(e);
    ecs.update(); // it was the first one meanwhile
  }, NONE);
});

test("stays the first one when the order of the query's iterations changes", () => {
  const ecs = world();
  const query = ecs.query({ position: Position, velocity: Velocity });
  const [a, b] = [ecs.addEntity(), ecs.addEntity(Velocity)];
  ecs.addComponent(a, Velocity);
  ecs.addComponents([a, b], Position);
  const { First, take } = first();
  render(inWorld(ecs, <First query={query as never} />));
  const [shown] = take();
  ecs.addComponents(ecs.addEntities(5), Position); // so that another class is the rarest
  ecs.addComponents(ecs.addEntities(9), Velocity);
  act(() => void ecs.addEntity(Position, Velocity));
  update(ecs);
  expect(take()).toEqual([]);
  act(() => void ecs.removeComponent(shown!, Velocity));
  expect(take()).toEqual([shown === a ? b : a]);
});

test("Q10 of a query with orderBy, it is the first one in its order", () => {
  const ecs = world();
  const query = ecs.query({ position: Position }, { orderBy: [Position, "x"] });
  const [a, b, c] = [3, 1, 2].map((x) => ecs.addEntity([Position, { x }])) as [Entity, Entity, Entity];
  const { First, take } = first();
  render(inWorld(ecs, <First query={query} />));
  expect(take()).toEqual([b]);
  const expectNext = (change: () => unknown, ...next: Entity[]) => {
    act(() => void change());
    expect(take()).toEqual(next);
  };
  expectNext(() => ((ecs.get(a, Position).x = 1.5), ecs.update()));
  expectNext(() => ((ecs.get(a, Position).x = 0), ecs.update()), a);
  expectNext(() => ecs.removeComponent(a, Position), b);
  expectNext(() => ecs.addComponent(a, Position, { x: -1 })); // at the end of the next update
  expectNext(() => ecs.update(), a);
  expectNext(() => (ecs.removeEntities([a, b]), ecs.update()), c);
  ecs.paused = true;
  ecs.addComponent(b === c ? a : c, Position, { x: 9 });
  expectNext(() => ecs.update());
  expectNext(() => ecs.clear(), NONE);
});

test("two components of one query show the same, also when one is mounted later", () => {
  const ecs = world();
  const query = ecs.query({ position: Position }, { without: [Frozen] });
  const a = ecs.addEntity(Position, Frozen);
  const b = ecs.addEntity(Position);
  const { First } = first();
  const page = render(inWorld(ecs, <First query={query} />));
  act(() => void ecs.removeComponent(a, Frozen));
  page.render(inWorld(ecs, [<First key={1} query={query} />, " ", <First key={2} query={query} />]));
  expect(page.text.split(" ")).toEqual([String(b), String(b)]);
});

test("shows another query and ECS when these change, and other hooks accept NONE", () => {
  const [one, two] = [world(), world()];
  const queryOf = (ecs: ECS) => ecs.query({ position: Position });
  two.addEntity();
  const e = two.addEntity([Position, { x: 8 }]);
  const X = ({ query }: { query: ReturnType<typeof queryOf> }) => useComponent(useFirst(query), Position)?.x ?? "none";
  const show = (ecs: ECS, query = queryOf(ecs)) => (
    <World ecs={ecs}>
      <X query={query} />
    </World>
  );
  const page = render(show(one));
  expect(page.text).toBe("none");
  act(() => (one.addEntity([Position, { x: 7 }]), void one.update()));
  expect(page.text).toBe("7");
  page.render(show(two));
  expect([page.text, names(one)]).toEqual(["8", []]);
  page.render(show(two, two.query({ position: Position }, { without: [Frozen] })));
  act(() => void two.addComponent(e, Frozen));
  expect(page.text).toBe("none");
});

test("StrictMode renders the same, and leaves nothing behind", () => {
  const ecs = world();
  const query = ecs.query({ position: Position });
  const { First, take } = first();
  const page = render(
    <StrictMode>
      <World ecs={ecs}>
        <First query={query} />
      </World>
    </StrictMode>,
  );
  expect([names(ecs), take()]).toEqual([["useFirst(position)"], [NONE, NONE]]);
  let e = NONE;
  act(() => void (e = ecs.addEntity(Position)));
  expect(take()).toEqual([e, e]);
  page.unmount();
  expect(names(ecs)).toEqual([]);
});

test("removing all of 20,000 that are the first one in turn renders once", () => {
  const ecs = world();
  ecs.addComponents(ecs.addEntities(20_000), Position);
  const { First, take } = first();
  const query = ecs.query({ position: Position });
  const Count = () => useCount(query);
  const page = render(inWorld(ecs, [<First key="first" query={query} />, " of ", <Count key="count" />]));
  take();
  act(() => ecs.clear());
  expect([page.text, take()]).toEqual([`${NONE} of 0`, [NONE]]);
});

test("refuses the queries that useRows refuses", () => {
  const [ecs, other] = [world(), world()];
  const Show = ({ query }: { query: unknown }) => useFirst(query as Query);
  for (const query of [undefined, ecs.query({}), other.query({ position: Position })])
    expectThrow(inWorld(ecs, <Show query={query} />), /^useFirst: pass a query of the ECS of <World>/);
  expectThrow(<Show query={ecs.query({ position: Position })} />, /^useFirst: there is no <World/);
});
