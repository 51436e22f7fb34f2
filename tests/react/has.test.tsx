// useHas: which components an entity has.
import { expect, test } from "@jest/globals";
import { Component, type ComponentClass, type ECS, NONE, type Entity } from "crateful";
import { World, useHas } from "crateful/react";
import { StrictMode, act } from "react";
import { Frozen, Inventory, Position, Velocity, expectThrow, inWorld, render, world } from "./page.js";

const update = (ecs: ECS) => act(() => void ecs.update());
const names = (ecs: ECS) => ecs.systems.map(({ name }) => name);
type Classes = [ComponentClass, ...ComponentClass[]];

/** A component that shows whether an entity has components of classes, and what it has shown since the last call of `take`. */
function has() {
  const seen: boolean[] = [];
  function Has({ e, classes }: { e: Entity; classes: Classes }) {
    const found = useHas(e, ...classes);
    seen.push(found);
    return String(found);
  }
  return { Has, take: () => seen.splice(0) };
}
const one: Classes = [Frozen];

test("C6 renders at once when the entity gets or loses one of the classes, and not when values change", () => {
  const ecs = world();
  const e = ecs.addEntity(Position);
  const { Has, take } = has();
  render(inWorld(ecs, <Has e={e} classes={[Position, Frozen, Inventory]} />));
  expect(take()).toEqual([false]);
  const expectNext = (change: () => unknown, ...next: boolean[]) => {
    act(() => void change());
    expect(take()).toEqual(next);
  };
  expectNext(() => ecs.addComponent(e, new Inventory()));
  expectNext(() => ecs.addComponent(e, Frozen), true);
  expectNext(() => ecs.addComponent(e, new Inventory())); // replaced
  expectNext(() => ((ecs.get(e, Position).x = 2), ecs.update()));
  expectNext(() => ecs.addEntity(Position, Frozen, new Inventory()));
  expectNext(() => ecs.removeComponent(e, Position), false);
  expectNext(() => ecs.removeComponent(e, Frozen));
  expectNext(() => ecs.add(e, Frozen, Position), true);
  expectNext(() => (ecs.removeComponent(e, Frozen), ecs.addComponent(e, Frozen)), true);
  expectNext(() => ecs.removeEntity(e)); // at the end of the update
  expectNext(() => ecs.update(), false);
});

test("E5 what is not alive has none, also when its index is used again", () => {
  const ecs = world();
  const e = ecs.addEntity(Frozen);
  const { Has, take } = has();
  const page = render(inWorld(ecs, <Has e={e} classes={one} />));
  act(() => {
    ecs.removeEntity(e);
    ecs.update();
    ecs.addEntity(Frozen);
  });
  expect(take()).toEqual([true, false]);
  act(() => void ecs.addEntity(Frozen));
  expect(take()).toEqual([]);
  page.render(inWorld(ecs, <Has e={NONE} classes={one} />));
  act(() => ecs.clear());
  expect(take()).toEqual([false]);
});

test("E10 shows components of the world, and entities that are added and removed in the same update", () => {
  const ecs = world();
  const { Has, take } = has();
  render(inWorld(ecs, <Has e={ecs.world} classes={one} />));
  act(() => ecs.addComponent(ecs.world, Frozen));
  act(() => ecs.clear()); // keeps the world
  expect(take()).toEqual([false, true]);
  act(() => {
    ecs.removeComponent(ecs.world, Frozen);
    const e = ecs.addEntity(Frozen);
    ecs.removeEntity(e);
    ecs.update();
  });
  expect(take()).toEqual([false]);
});

test("shows another entity, other classes, more classes and another ECS when these change", () => {
  const [ecs, other] = [world(), world()];
  const [a, b] = [ecs.addEntity(Frozen), ecs.addEntity(Position, Velocity)];
  const { Has } = has();
  const show = (from: ECS, e: Entity, ...classes: Classes) => (
    <World ecs={from}>
      <Has e={e} classes={classes} />
    </World>
  );
  const page = render(show(ecs, a, Frozen));
  expect(page.text).toBe("true");
  for (const [from, e, classes, text] of [
    [ecs, b, [Frozen], "false"],
    [ecs, b, [Position], "true"],
    [ecs, b, [Position, Velocity], "true"],
    [ecs, b, [Position, Velocity, Frozen], "false"],
    [other, a, [Frozen], "false"],
  ] as [ECS, Entity, Classes, string][]) {
    page.render(show(from, e, ...classes));
    expect(page.text).toBe(text);
    expect(names(from)).toEqual([`useHas(${classes.map(({ name }) => name).join()})`]);
  }
  expect(names(ecs)).toEqual([]);
  act(() => void ecs.removeComponent(a, Frozen));
  act(() => expect(other.addEntity(Frozen)).toBe(a));
  expect(page.text).toBe("true");
});

test("StrictMode renders the same, and leaves nothing behind", () => {
  const ecs = world();
  const [a, b] = [...ecs.addEntities(2)] as [Entity, Entity];
  const [left, right] = [has(), has()];
  const page = render(
    <StrictMode>
      <World ecs={ecs}>
        <left.Has e={a} classes={one} />
        <right.Has e={b} classes={one} />
      </World>
    </StrictMode>,
  );
  expect(names(ecs)).toEqual(["useHas(Frozen)"]);
  expect([left.take(), right.take()]).toEqual([
    [false, false],
    [false, false],
  ]);
  act(() => void ecs.addComponent(b, Frozen));
  update(ecs);
  expect([left.take(), right.take()]).toEqual([[], [true, true]]);
  page.unmount();
  expect(names(ecs)).toEqual([]);
});

test("B1 fields of an object component may change without a signal", () => {
  class Noisy extends Component {
    level = 0;
  }
  const ecs = world();
  const e = ecs.addEntity(new Noisy());
  const { Has } = has();
  const warnings: unknown[] = [];
  const { warn } = console;
  console.warn = (...warning: unknown[]) => warnings.push(warning);
  render(inWorld(ecs, <Has e={e} classes={[Noisy]} />));
  for (let i = 0; i < 5; ++i) {
    ecs.get(e, Noisy).level += 1;
    update(ecs);
  }
  console.warn = warn;
  expect(warnings).toEqual([]);
});

test("errors name the hook", () => {
  const ecs = world();
  const Has = ({ e, classes }: { e: unknown; classes: unknown[] }) =>
    String(useHas(e as Entity, ...(classes as Classes)));
  expectThrow(inWorld(ecs, <Has e={1} classes={[]} />), /^useHas: pass at least one component class$/);
  expectThrow(inWorld(ecs, <Has e={1} classes={[{}]} />), /component class/);
  expectThrow(inWorld(ecs, <Has e={undefined} classes={one} />), /^useHas: /);
  expectThrow(<Has e={1} classes={one} />, /^useHas: there is no <World ecs={ecs}> with an ECS/);
  ecs.dispose();
  expectThrow(inWorld(ecs, <Has e={1} classes={one} />), /disposed/);
});
