// Rows remember that a set and the storages contain the same entities in the same order. What changes the order of one of them must
// end this (rules Q3, Q4, N2, N7).
import { describe, expect, test } from "@jest/globals";
import { Aspect, Component, defineComponent, defineSystem, type ECS, type Entity } from "crateful";
import { Rewind } from "crateful/state";
import { restore, snapshot } from "./with_state.js";
import { expectError, world } from "./world.js";

class Sparse extends defineComponent("OrderSparse", { x: "i32" }, { policy: "sparse" }) {}
class Linear extends defineComponent("OrderLinear", { x: "i32" }, { policy: "linear" }) {}
class Thing extends Component {
  static readonly typeName = "OrderThing";
  constructor(public x = 0) {
    super();
  }
  static encode = ({ x }: Thing): number => x;
  static decode = (x: number): Thing => new Thing(x);
}
class Frozen extends defineComponent("OrderFrozen") {}

const SIZE = 16; // so that the columns have no room for more
const kinds = [
  { kind: "sparse", cls: Sparse, add: (ecs: ECS, e: Entity) => void ecs.addComponent(e, Sparse) },
  { kind: "linear", cls: Linear, add: (ecs: ECS, e: Entity) => void ecs.addComponent(e, Linear) },
  { kind: "object", cls: Thing, add: (ecs: ECS, e: Entity) => void ecs.addComponent(e, new Thing()) },
] as const;

/** A world with a system that adds `step` to each of its components, and that remembers the order of its entities. */
function moving({ cls, add }: (typeof kinds)[number]) {
  const ecs = world();
  const shape: { p: typeof Sparse; other: typeof Sparse } = { p: cls as never, other: Sparse };
  const control = { step: 0 };
  class Move extends defineSystem(shape, { name: "Move", without: [Frozen] }) {
    override update(): void {
      for (const { p } of this.rows) p.x += control.step;
    }
  }
  const move = ecs.addSystem(2, new Move());
  const all: Entity[] = [];
  const create = (): void => {
    const e = ecs.addEntity();
    all.push(e);
    if ((cls as unknown) !== Sparse) ecs.addComponent(e, Sparse);
    add(ecs, e);
  };
  const values = (): number[] => all.map((e) => (ecs.get(e, cls as typeof Sparse) as { x: number }).x);
  const freezeAndThaw = (e: Entity): void => {
    ecs.addComponent(e, Frozen);
    ecs.removeComponent(e, Frozen);
  };
  return { ecs, move, all, create, control, values, freezeAndThaw };
}

describe.each(kinds)("Q4 rows of a $kind class access the values of their entities", (kind) => {
  test("N2 after a snapshot with another order of the tracked entities was restored", () => {
    const { ecs, all, create, control, values, freezeAndThaw } = moving(kind);
    for (let i = 0; i < SIZE; i++) create();
    const first = snapshot(ecs, { systems: true });
    freezeAndThaw(all[0]!);
    const second = snapshot(ecs, { systems: true });
    restore(ecs, first);
    ecs.update(1);
    restore(ecs, second);
    control.step = 1;
    ecs.update(1);
    expect(values()).toEqual(all.map(() => 1));
  });
  test("N7 after going back to another order of the tracked entities", () => {
    const { ecs, all, create, control, values, freezeAndThaw } = moving(kind);
    for (let i = 0; i < SIZE; i++) create();
    const rewind = new Rewind(ecs, { bytes: 1 << 20 });
    freezeAndThaw(all[0]!);
    ecs.update(1);
    const { frame } = ecs;
    for (const e of all) ecs.addComponent(e, Frozen);
    for (const e of all) ecs.removeComponent(e, Frozen);
    ecs.update(1);
    rewind.to(frame);
    control.step = 1;
    ecs.update(1);
    expect(values()).toEqual(all.map(() => 1));
  });
  test("after a callback, inside of which they were iterated, has changed the tracked entities", () => {
    const { ecs, move, all, create, control, values } = moving(kind);
    let armed = false;
    class First extends defineSystem({ p: Sparse }, { aspect: class extends Aspect {} }) {
      override onAdd(): void {
        if (armed) ecs.addComponent(all[0]!, Frozen);
      }
    }
    class Second extends defineSystem({ p: Sparse }, { without: [Frozen], aspect: class extends Aspect {} }) {
      override onRemove(): void {
        if (armed) for (const _ of move.rows);
      }
    }
    ecs.addSystem(0, new First());
    ecs.addSystem(1, new Second());
    for (let i = 0; i < SIZE - 1; i++) create();
    armed = true;
    create();
    armed = false;
    control.step = 1;
    ecs.update(1);
    expect(values()).toEqual(all.map((_, i) => (i === 0 ? 0 : 1)));
  });
  test.each(["restore", "to"])("N2 N7 %s inside of a loop over them is an error", (call) => {
    const { ecs, move, all, create, freezeAndThaw } = moving(kind);
    for (let i = 0; i < 8; i++) create();
    const rewind = new Rewind(ecs, { bytes: 1 << 20 });
    ecs.update(1);
    freezeAndThaw(all[1]!);
    ecs.update(1);
    const { frame } = ecs;
    const bytes = snapshot(ecs, { systems: true });
    for (const i of [7, 1, 7]) freezeAndThaw(all[i]!);
    ecs.update(1);
    const order = [...move.rows.ids()];
    const exchange = (): void => (call === "to" ? rewind.to(frame) : restore(ecs, bytes));
    const visited: Entity[] = [];
    for (const { entity } of move.rows) {
      visited.push(entity);
      if (visited.length === 3) expect(expectError("BAD_ARGUMENT", exchange).message).toContain("Move");
    }
    expect(visited).toEqual(order);
    exchange();
    expect([...move.rows.ids()]).not.toEqual(order);
  });
});
