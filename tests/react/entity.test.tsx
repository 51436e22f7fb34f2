// useEntity: when the entity of a component exists.
import { expect, test } from "@jest/globals";
import { type ECS, NONE, type Entity } from "crateful";
import { World, useChildren, useComponent, useEntity, useRows } from "crateful/react";
import * as React from "react";
import { StrictMode, Suspense, act, useEffect, type ReactNode } from "react";
import { renderToString } from "react-dom/server";
import { Inventory, Position, expectThrow, inWorld, render, world } from "./page.js";

/** That of React 19; React 18 can only unmount what is hidden. */
const Activity: typeof React.Activity =
  React.Activity ?? (({ mode, children }) => (mode === "visible" ? children : undefined));

const update = (ecs: ECS) => act(() => void ecs.update());
const xs = (ecs: ECS) => Array.from(ecs.query({ position: Position }), ({ position }) => position.x);

/** A component with an entity, and the handles that were rendered. */
function owner() {
  const handles: Entity[] = [];
  function Owner({ x, children }: { x: number; children?: (e: Entity) => ReactNode }) {
    const e = useEntity((ecs) => ecs.addEntity([Position, { x }]));
    handles.push(e);
    return children?.(e) ?? null;
  }
  return { Owner, handles };
}

test("E3 the entity exists from mounting until the update after unmounting, with one handle", () => {
  const ecs = world();
  const { Owner, handles } = owner();
  const page = render(inWorld(ecs, <Owner x={1} />));
  expect(xs(ecs)).toEqual([1]);
  expect(handles).toEqual([NONE, ecs.query({ position: Position }).first()!.entity]);
  page.render(inWorld(ecs, <Owner x={2} />));
  update(ecs);
  expect(xs(ecs)).toEqual([1]); // the function is called once
  expect(new Set(handles.slice(1)).size).toBe(1);
  page.unmount();
  expect(ecs.alive(handles.at(-1)!)).toBe(true);
  expect(ecs.removeEntity(handles.at(-1)!)).toBe(false); // it is marked
  update(ecs);
  expect([ecs.count, ecs.systems]).toEqual([0, []]);
});

test("StrictMode creates a second entity, removes the first one, and leaves none", () => {
  const ecs = world();
  const { Owner, handles } = owner();
  const page = render(
    <StrictMode>
      <World ecs={ecs}>
        <Owner x={3} />
      </World>
    </StrictMode>,
  );
  update(ecs);
  expect([xs(ecs), ecs.count]).toEqual([[3], 1]);
  expect(ecs.alive(handles.at(-1)!)).toBe(true);
  expect(new Set(handles.filter((e) => e !== NONE)).size).toBe(1);
  page.unmount();
  update(ecs);
  expect(ecs.count).toBe(0);
});

test("a new instance can be part of the entity in StrictMode (rule C5)", () => {
  const ecs = world();
  const Owner = () =>
    useComponent(
      useEntity((ecs) => ecs.addEntity(new Inventory())),
      Inventory,
    )?.items.length;
  const page = render(<StrictMode>{inWorld(ecs, <Owner />)}</StrictMode>);
  update(ecs);
  expect([page.text, ecs.count]).toEqual(["0", 1]);
});

test("a rendering that is never mounted leaves no entity", async () => {
  const ecs = world();
  const { Owner, handles } = owner();
  let resolve = () => {};
  let waiting: Promise<void> | undefined = new Promise<void>((done) => (resolve = done));
  function Wait() {
    if (waiting !== undefined) throw waiting;
    return "done";
  }
  const page = render(
    inWorld(
      ecs,
      <Suspense fallback="waits">
        <Owner x={1} />
        <Wait />
      </Suspense>,
    ),
  );
  expect([page.text, ecs.count]).toEqual(["waits", 0]);
  waiting = undefined;
  await act(async () => resolve());
  expect([page.text, ecs.count]).toEqual(["done", 1]);
  page.unmount();
  update(ecs);
  const Fail = () => {
    throw new Error("failed");
  };
  expectThrow(inWorld(ecs, [<Owner key="owner" x={1} />, <Fail key="fail" />]), /^failed$/);
  expect(ecs.count).toBe(0);
  expect(handles.length).toBeGreaterThan(0);
});

test("an entity that somebody else has removed stays removed, and its handle is not alive", () => {
  const ecs = world();
  const { Owner, handles } = owner();
  const shown = (e: Entity) => <Shown e={e} />;
  const Shown = ({ e }: { e: Entity }) => useComponent(e, Position)?.x ?? "none";
  const page = render(inWorld(ecs, <Owner x={1}>{shown}</Owner>));
  expect(page.text).toBe("1");
  const e = handles.at(-1)!;
  act(() => (ecs.removeEntity(e), void ecs.update()));
  expect(page.text).toBe("none");
  page.render(inWorld(ecs, <Owner x={2}>{shown}</Owner>));
  expect([handles.at(-1), ecs.count]).toEqual([e, 0]);
  const other = ecs.addEntity(); // the index is used again
  page.unmount();
  update(ecs);
  expect(ecs.alive(other)).toBe(true);
});

test("removal by somebody else, clear() and unmounting in one update are no error", () => {
  const ecs = world();
  const { Owner, handles } = owner();
  const page = render(inWorld(ecs, [<Owner key="a" x={1} />, <Owner key="b" x={2} />]));
  ecs.removeEntity(handles.at(-1)!);
  page.render(inWorld(ecs, [<Owner key="a" x={1} />]));
  update(ecs);
  expect(xs(ecs)).toEqual([1]);
  act(() => ecs.clear());
  page.unmount();
  update(ecs);
  expect(ecs.count).toBe(0);
});

test("another key or ECS makes another entity, and the first one is removed", () => {
  const [one, two] = [world(), world()];
  const { Owner } = owner();
  const page = render(inWorld(one, <Owner key="a" x={1} />));
  page.render(inWorld(one, <Owner key="b" x={2} />));
  update(one);
  expect(xs(one)).toEqual([2]);
  const show = (ecs: ECS, x: number) => (
    <World ecs={ecs}>
      <Owner x={x} />
    </World>
  );
  page.render(show(one, 3));
  page.render(show(two, 4)); // the function of this rendering
  update(one);
  update(two);
  expect([xs(one), xs(two)]).toEqual([[], [4]]);
});

test("a hidden component has no entity, and another one when it is shown again", () => {
  const ecs = world();
  const { Owner, handles } = owner();
  const show = (mode: "hidden" | "visible", x: number) =>
    inWorld(
      ecs,
      <Activity mode={mode}>
        <Owner x={x} />
      </Activity>,
    );
  const page = render(show("visible", 1));
  const old = handles.at(-1);
  page.render(show("hidden", 1));
  update(ecs);
  expect(ecs.count).toBe(0);
  handles.length = 0;
  page.render(show("visible", 2));
  expect(xs(ecs)).toEqual([2]);
  expect(handles).not.toContain(old);
});

test("H2 entities of components inside of each other form a hierarchy, and are removed together", () => {
  const ecs = world();
  function Turret({ ship }: { ship: Entity }) {
    const turret = useEntity((ecs) => ecs.addEntity([Position, { x: 2 }]));
    useEffect(() => {
      if (turret !== NONE) ecs.setParent(turret, ship);
    }, [turret, ship]);
    return null;
  }
  function Ship({ armed }: { armed: boolean }) {
    const ship = useEntity((ecs) => ecs.addEntity([Position, { x: 1 }]));
    const turrets = useChildren(ship).length;
    return [turrets, ship !== NONE && armed && <Turret key="turret" ship={ship} />];
  }
  const page = render(<StrictMode>{inWorld(ecs, <Ship armed />)}</StrictMode>);
  update(ecs);
  expect([page.text, xs(ecs)]).toEqual(["1", [1, 2]]);
  page.render(<StrictMode>{inWorld(ecs, <Ship armed={false} />)}</StrictMode>);
  update(ecs);
  expect([page.text, xs(ecs)]).toEqual(["0", [1]]);
  page.render(<StrictMode>{inWorld(ecs, <Ship armed />)}</StrictMode>);
  update(ecs);
  expect(page.text).toBe("1");
  page.unmount();
  update(ecs);
  expect(ecs.count).toBe(0);
});

test("other hooks show the entity at once, and a prefab can create it", () => {
  const ecs = world();
  const query = ecs.query({ position: Position });
  const crates = ecs.prefab({ position: [Position, { x: 7 }] });
  const Owner = () =>
    useComponent(
      useEntity(() => crates.spawn()),
      Position,
    )?.x ?? "none";
  const Count = () => useRows(query).length;
  expect(render(inWorld(ecs, [<Owner key="owner" />, " of ", <Count key="count" />])).text).toBe("7 of 1");
});

test("a server creates no entity", () => {
  const ecs = world();
  const Owner = () => {
    const e = useEntity((ecs) => ecs.addEntity());
    return e === NONE ? "none" : e;
  };
  expect([renderToString(inWorld(ecs, <Owner />)), ecs.count]).toEqual(["none", 0]);
});

test("errors name the hook, and leave no entity", () => {
  const ecs = world();
  const Owner = ({ create }: { create: unknown }) => useEntity(create as () => Entity);
  const wrong = (create: unknown, expected: RegExp) => expectThrow(inWorld(ecs, <Owner create={create} />), expected);
  wrong(5, /^useEntity: pass a function that creates an entity and returns it$/);
  wrong(() => {}, /^useEntity: the function must return an entity that it has created, not undefined$/);
  wrong(() => NONE, /not 4294967295$/);
  wrong(() => ecs.world, /not 0$/);
  wrong(() => {
    throw new Error("mine");
  }, /^mine$/);
  expectThrow(<Owner create={() => 1} />, /^useEntity: there is no <World ecs={ecs}> with an ECS/);
  expect(ecs.count).toBe(0);
});

test("M3 a component with an entity can be unmounted after its ECS was disposed; rendering it is an error", () => {
  const ecs = world();
  const { Owner } = owner();
  const [other, page] = [render(inWorld(ecs, <Owner x={1} />)), render(inWorld(ecs, <Owner x={1} />))];
  ecs.dispose();
  other.unmount();
  expectThrow(inWorld(ecs, <Owner x={2} />), /disposed/, page.render);
});
