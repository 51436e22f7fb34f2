// useChildren and useLinked: which list they return, and what renders.
import { describe, expect, test } from "@jest/globals";
import { ECS, NONE, defineComponent, defineSystem, type Entity } from "crateful";
import { World, useChildren, useLinked } from "crateful/react";
import { StrictMode, act, useEffect } from "react";
import { Inventory, Position, expectThrow, inWorld, render, world } from "./page.js";

class Aim extends defineComponent("Aim", { at: "link", power: "f32" }) {}
class Cable extends defineComponent("Cable", { from: "link", to: "link" }) {}
class Rope extends defineComponent("Rope", { from: "link" }) {}

const update = (ecs: ECS) => act(() => void ecs.update());
const names = (ecs: ECS) => ecs.systems.map(({ name }) => name);

/** A component that shows what a hook returns, and what it has returned since the last call of `take`. */
function shows<P extends object>(use: (props: P) => readonly Entity[]) {
  const seen: (readonly Entity[])[] = [];
  const Show = (props: P) => {
    const list = use(props);
    seen.push(list);
    return list.join();
  };
  return { Show, take: () => seen.splice(0) };
}
const children = () => shows(({ of }: { of: Entity }) => useChildren(of));
const aiming = () => shows(({ at }: { at: Entity }) => useLinked(Aim, at));

/** An entity with n children, which a component shows. */
function mountChildren(n: number, ecs = world()) {
  const parent = ecs.addEntity();
  const list = [...ecs.addEntities(n)];
  for (const child of list) ecs.setParent(child, parent);
  const { Show, take } = children();
  const page = render(inWorld(ecs, <Show of={parent} />));
  expect(take()).toEqual([list]);
  update(ecs);
  expect(take()).toEqual([]);
  return { ecs, parent, list, Show, take, page };
}
/** An entity at which n others aim, which a component shows. */
function mountLinked(n: number, ecs = world()) {
  const target = ecs.addEntity();
  const list = [...ecs.addEntities(n)];
  ecs.addComponents(list, Aim, { at: target });
  const { Show, take } = aiming();
  const page = render(inWorld(ecs, <Show at={target} />));
  expect(take()).toEqual([list]);
  update(ecs);
  expect(take()).toEqual([]);
  return { ecs, target, list, Show, take, page };
}

/** Counts the calls with which a list is read. */
class Counting extends ECS {
  reads = 0;
  override children(e: Entity) {
    this.reads += 1;
    return super.children(e);
  }
}
Counting.prototype.linked = function (this: Counting, ...args: Parameters<ECS["linked"]>) {
  this.reads += 1;
  return ECS.prototype.linked.apply(this, args);
} as ECS["linked"];
/** Expects that a list is read once for many removals, and not in updates that do not concern it. */
function expectFewReads({ ecs, list, page }: { ecs: ECS; list: Entity[]; page: { unmount(): void } }) {
  const counting = ecs as Counting;
  counting.reads = 0;
  for (const e of list) ecs.addComponent(e, Position);
  update(ecs);
  expect(counting.reads).toBe(0);
  act(() => {
    ecs.removeEntities(list);
    ecs.update();
  });
  expect(counting.reads).toBeLessThan(10); // React reads it several times for each rendering
  page.unmount();
  ecs.dispose();
}

describe("useChildren", () => {
  test("H1 returns the children in their order, and renders when an update has changed the list", () => {
    const { ecs, parent, list, take } = mountChildren(3);
    const [a, b, c] = list as [Entity, Entity, Entity];
    const expectNext = (change: () => unknown, ...next: Entity[][]) => {
      act(() => void change());
      expect(take()).toEqual([]);
      update(ecs);
      expect(take()).toEqual(next);
    };
    const d = ecs.addEntity();
    expectNext(() => ecs.setParent(c, parent, a), [c, a, b]); // which is no signal
    expectNext(() => ecs.setParent(b, parent)); // where it is
    expectNext(() => (ecs.setParent(d, parent), ecs.setParent(d, NONE)));
    expectNext(() => ecs.setParent(d, parent), [c, a, b, d]);
    expectNext(() => ecs.setParent(a, d), [c, b, d]); // another parent
    expectNext(() => ecs.setParent(ecs.addEntity(), ecs.addEntity()));
    expectNext(() => ecs.addComponent(a, Position));
    ecs.paused = true;
    expectNext(() => ecs.setParent(a, parent, b), [c, a, b, d]);
  });

  test("H3 renders at once when a child is removed or loses its parent", () => {
    const { ecs, list, take } = mountChildren(3);
    const [a, b, c] = list as [Entity, Entity, Entity];
    act(() => ecs.setParent(b, NONE));
    expect(take()).toEqual([[a, c]]);
    act(() => {
      ecs.removeEntity(c);
      ecs.removeMarked();
    });
    expect(take()).toEqual([[a]]);
    update(ecs);
    act(() => ecs.clear());
    expect(take()).toEqual([[]]);
  });

  test("the array is frozen, and the same one until the list changes", () => {
    const { ecs, parent, list, page, Show, take } = mountChildren(2);
    page.render(inWorld(ecs, <Show of={parent} />));
    const [first] = take();
    expect(Object.isFrozen(first)).toBe(true);
    page.render(inWorld(ecs, <Show of={parent} />));
    act(() => {
      const other = ecs.addEntity();
      ecs.setParent(other, parent);
      ecs.removeEntity(other);
      ecs.update(); // in which the list changes, and is then as before
    });
    page.render(inWorld(ecs, <Show of={parent} />));
    for (const again of take()) expect(again).toBe(first);
    expect(page.text).toBe(list.join());
  });

  test("H2 many that are removed in one update render once, and so does their parent", () => {
    const { ecs, parent, list, page, take } = mountChildren(300);
    act(() => {
      ecs.removeEntities(list.slice(1, 200));
      ecs.setParent(list[0]!, parent);
      ecs.update();
    });
    expect(take()).toEqual([[...list.slice(200), list[0]]]);
    act(() => {
      ecs.removeEntities([list[250]!, parent]);
      ecs.update();
    });
    expect(take()).toEqual([[]]);
    expect([page.text, ecs.count]).toEqual(["", 0]);
  });

  test("H2 a child that a callback of its parent's removal moves away is not shown after the next update", () => {
    const { ecs, parent, list, take } = mountChildren(1);
    ecs.addComponent(parent, Position);
    class Move extends defineSystem({ position: Position }) {
      override onRemove() {
        ecs.setParent(list[0]!, ecs.world);
      }
    }
    ecs.addSystem(0, new Move());
    act(() => {
      ecs.removeEntities([parent]);
      ecs.update();
    });
    update(ecs);
    expect(take().at(-1)).toEqual([]);
  });

  test("the list is read once for many removals, and not in an update without changes of a hierarchy", () => {
    expectFewReads(mountChildren(200, new Counting()));
  });

  test("shows another entity and ECS when these change, and nothing of a removed entity or NONE", () => {
    const { ecs, parent, list, page, Show } = mountChildren(2);
    const other = ecs.addEntity();
    ecs.setParent(list[0]!, other);
    const second = world();
    const there = [...second.addEntities(9)].at(-1)!;
    second.setParent(there, parent);
    const show = (from: ECS, of: Entity) => (
      <World ecs={from}>
        <Show of={of} />
      </World>
    );
    for (const [of, from, text] of [
      [parent, ecs, String(list[1])],
      [other, ecs, String(list[0])],
      [NONE, ecs, ""],
      [list[1]!, ecs, ""],
      [parent, ecs, String(list[1])],
      [parent, second, String(there)],
      [ecs.world, ecs, ""],
    ] as const) {
      page.render(show(from, of));
      expect(page.text).toBe(text);
    }
    expect(names(second)).toEqual([]);
    act(() => (ecs.setParent(other, ecs.world), void ecs.update()));
    expect(page.text).toBe(String(other));
    act(() => (ecs.removeEntity(parent), void ecs.update()));
    page.render(show(ecs, parent));
    expect(page.text).toBe("");
    const again = ecs.addEntity(); // the index is used again
    ecs.setParent(other, again);
    update(ecs);
    expect(page.text).toBe("");
  });

  test("only the components whose list has changed render, in StrictMode too, and leave nothing behind", () => {
    const ecs = world();
    const [one, two] = [...ecs.addEntities(2)] as [Entity, Entity];
    const [left, right] = [children(), children()];
    const page = render(
      <StrictMode>
        <World ecs={ecs}>
          <left.Show of={one} />
          <right.Show of={two} />
        </World>
      </StrictMode>,
    );
    expect([left.take().length, right.take().length]).toEqual([2, 2]); // React renders each twice
    expect(names(ecs)).toEqual(["useChildren"]);
    const child = ecs.addEntity();
    ecs.setParent(child, two);
    update(ecs);
    expect([left.take(), right.take()]).toEqual([[], [[child], [child]]]);
    ecs.setParent(child, one);
    update(ecs);
    expect([left.take()[0], right.take()[0]]).toEqual([[child], []]);
    page.unmount();
    expect(names(ecs)).toEqual([]);
  });

  test("misses no change of an effect, which runs before those of the hooks", () => {
    const ecs = world();
    const [parent, child] = [...ecs.addEntities(2)] as [Entity, Entity];
    function Attach() {
      useEffect(() => ecs.setParent(child, parent), []);
      return null;
    }
    const { Show } = children();
    const page = render(inWorld(ecs, [<Attach key="attach" />, <Show key="show" of={parent} />]));
    expect(page.text).toBe(String(child));
  });
});

describe("useLinked", () => {
  test("C15 returns what refers to an entity, in the order of the indices, and renders when an update has changed that", () => {
    const { ecs, target, list, take } = mountLinked(3);
    const [a, b, c] = list as [Entity, Entity, Entity];
    const expectNext = (change: () => unknown, ...next: Entity[][]) => {
      act(() => void change());
      expect(take()).toEqual([]);
      update(ecs);
      expect(take()).toEqual(next);
    };
    expectNext(() => (ecs.get(b, Aim).at = NONE), [a, c]);
    expectNext(() => (ecs.get(b, Aim).at = target), [a, b, c]);
    expectNext(() => (ecs.get(b, Aim).power = 7));
    expectNext(() => (ecs.get(b, Aim).at = a), [a, c]); // another target
    expectNext(() => ecs.addComponent(target, Aim, { at: target }), [target, a, c]);
    expectNext(() => ecs.addEntity([Aim, { at: a }]));
    ecs.paused = true;
    expectNext(() => ecs.addComponent(b, Aim, { at: target }), [target, a, b, c]); // replaced
  });

  test("C15 renders at once when what refers to the entity is removed or loses the component", () => {
    const { ecs, list, take } = mountLinked(200);
    act(() => void ecs.removeComponent(list[0]!, Aim));
    expect(take()).toEqual([list.slice(1)]);
    act(() => {
      ecs.removeEntities(list.slice(1, 199));
      ecs.update();
    });
    expect(take()).toEqual([[list[199]]]);
    act(() => ecs.clear());
    expect(take()).toEqual([[]]);
  });

  test("C15 an entity that was removed, alone or with what refers to it, has no list after the next update", () => {
    for (const all of [false, true]) {
      const { ecs, target, list, take, page } = mountLinked(2);
      act(() => {
        ecs.removeEntities(all ? [target, ...list] : [target]);
        ecs.update();
      });
      update(ecs);
      expect(take().at(-1)).toEqual([]);
      page.unmount();
    }
  });

  test("the list is read once for many removals, and not in an update without changes of the class", () => {
    expectFewReads(mountLinked(200, new Counting()));
  });

  test("shows another field, entity, class and ECS when these change", () => {
    const [ecs, other] = [world(), world()];
    const [a, b] = [...ecs.addEntities(2)] as [Entity, Entity];
    const cable = ecs.addEntity([Cable, { from: a, to: b }]);
    const rope = ecs.addEntity([Rope, { from: b }]);
    const there = [...other.addEntities(9)].at(-1)!;
    other.addComponent(there, Cable, { from: a });
    const { Show } = shows(({ cls, of, field }: { cls: unknown; of: Entity; field: string }) =>
      useLinked(cls as typeof Cable, of, field as "from"),
    );
    const page = render(null);
    for (const [from, cls, of, field, text] of [
      [ecs, Cable, a, "from", String(cable)],
      [ecs, Cable, a, "to", ""],
      [ecs, Cable, b, "to", String(cable)],
      [ecs, Cable, b, "from", ""],
      [ecs, Rope, b, "from", String(rope)],
      [ecs, Rope, NONE, "from", ""],
      [ecs, Cable, a, "from", String(cable)],
      [other, Cable, a, "from", String(there)],
    ] as const) {
      page.render(
        <World ecs={from}>
          <Show cls={cls} of={of} field={field} />
        </World>,
      );
      expect(page.text).toBe(text);
      expect(names(from)).toEqual([`useLinked(${cls.name})`]);
    }
    expect(names(ecs)).toEqual([]);
    act(() => void other.removeComponent(there, Cable));
    expect(page.text).toBe("");
  });

  test("only the components whose list has changed render, in StrictMode too, and leave nothing behind", () => {
    const ecs = world();
    const [one, two] = [...ecs.addEntities(2)] as [Entity, Entity];
    const [left, right] = [aiming(), aiming()];
    const page = render(
      <StrictMode>
        <World ecs={ecs}>
          <left.Show at={one} />
          <right.Show at={two} />
        </World>
      </StrictMode>,
    );
    expect([left.take().length, right.take().length]).toEqual([2, 2]);
    expect(names(ecs)).toEqual(["useLinked(Aim)"]);
    const e = ecs.addEntity([Aim, { at: two }]);
    update(ecs);
    expect([left.take(), right.take()]).toEqual([[], [[e], [e]]]);
    ecs.get(e, Aim).at = one;
    update(ecs);
    expect([left.take()[0], right.take()[0]]).toEqual([[e], []]);
    page.unmount();
    expect(names(ecs)).toEqual([]);
  });

  test("refuses what ecs.linked refuses", () => {
    const ecs = world();
    const Show = ({ cls, field }: { cls: unknown; field?: string }) =>
      useLinked(cls as never, 0, field as never).length;
    expectThrow(inWorld(ecs, <Show cls={Cable} />), /^linked: Cable has several link fields; name one: from, to$/);
    expectThrow(inWorld(ecs, <Show cls={Cable} field="form" />), /^linked: Cable has no field "form"$/);
    expectThrow(inWorld(ecs, <Show cls={Position} />), /^linked: /);
    expectThrow(inWorld(ecs, <Show cls={Inventory} />), /^linked: /);
    expectThrow(inWorld(ecs, <Show cls={undefined} />), /component class/);
    expect(names(ecs)).toEqual([]);
  });
});

test("E5 the lists of what is no number are an error, and so are lists without a World", () => {
  const ecs = world();
  const Children = ({ of }: { of: unknown }) => useChildren(of as Entity).length;
  const Linked = ({ of }: { of: unknown }) => useLinked(Aim, of as Entity).length;
  expectThrow(inWorld(ecs, <Children of={undefined} />), /^useChildren: /);
  expectThrow(inWorld(ecs, <Linked of="1" />), /^useLinked: /);
  expectThrow(<Children of={1} />, /^useChildren: there is no <World ecs={ecs}> with an ECS/);
  expectThrow(<Linked of={1} />, /^useLinked: there is no <World ecs={ecs}> with an ECS/);
});

test("M3 components with lists can be unmounted after their ECS was disposed; rendering them is an error", () => {
  const ecs = world();
  const [tree, links] = [mountChildren(1, ecs), mountLinked(1, ecs)];
  ecs.dispose();
  tree.page.unmount();
  links.page.unmount();
  expectThrow(inWorld(ecs, <tree.Show of={1} />), /disposed/);
  expectThrow(inWorld(ecs, <links.Show at={1} />), /disposed/);
});
