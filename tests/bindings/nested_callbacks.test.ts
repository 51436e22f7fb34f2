// Rule S17: callbacks that cause their own calls without end.
import { describe, expect, test } from "@jest/globals";
import { System, type Aspect, type ECS } from "crateful";
import { Position, type Scripted, Tag, add, expectError, expectUsable, world } from "./world.js";

class Hit {}

class Adds extends System {
  readonly componentsRequired = new Set([Position]);
  override update(): void {}
  override onAdd(): void {
    this.ecs.addSystem(0, new Adds());
  }
}
class Toggles extends System {
  readonly componentsRequired = new Set([Position]);
  override update(): void {}
  override onEnabled(): void {
    this.ecs.disableSystem(this);
  }
  override onDisabled(): void {
    this.ecs.enableSystem(this);
  }
}

/** Each prepares callbacks that cause their own calls without end, and returns the call that begins this. */
const loops: { by: string; callback: RegExp; start(ecs: ECS): () => unknown }[] = [
  {
    by: "addEntity",
    callback: /^onAdd: .* Scripted /,
    start(ecs) {
      add(ecs, { onAdd: () => void ecs.addEntity(Position) });
      return () => ecs.addEntity(Position);
    },
  },
  {
    by: "addEntity with an object",
    callback: /^onAdd/,
    start(ecs) {
      add(ecs, { onAdd: () => void ecs.addEntity(new Position(), Tag) });
      return () => ecs.addEntity(new Position());
    },
  },
  {
    by: "addComponent and removeComponent",
    callback: /^on(Add|Remove)/,
    start(ecs) {
      const e = ecs.addEntity();
      add(ecs, {
        onAdd: () => void ecs.removeComponent(e, Position),
        onRemove: () => void ecs.addComponent(e, new Position()),
      });
      return () => ecs.addComponent(e, Position);
    },
  },
  {
    by: "addComponents and removeComponents",
    callback: /^on(Add|Remove)/,
    start(ecs) {
      const e = ecs.addEntity();
      add(ecs, {
        onAdd: () => void ecs.removeComponents([e], Position),
        onRemove: () => ecs.addComponents([e], Position),
      });
      return () => ecs.addComponents([e], Position);
    },
  },
  {
    by: "spawn of several, each of which would spawn as many",
    callback: /^onAdd/,
    start(ecs) {
      const prefab = ecs.prefab([Position]);
      add(ecs, { onAdd: () => void prefab.spawn(3) });
      return () => prefab.spawn(3);
    },
  },
  {
    by: "setParent",
    callback: /^onAdd/,
    start(ecs) {
      add(ecs, { onAdd: ({ entity }) => ecs.setParent(ecs.addEntity(Position), entity) });
      return () => ecs.addEntity(Position);
    },
  },
  {
    by: "addSystem",
    callback: /^onAdd: .* _?Adds /, // bundlers rename classes
    start(ecs) {
      ecs.addEntity(Position);
      return () => ecs.addSystem(0, new Adds());
    },
  },
  {
    by: "enableSystem and disableSystem",
    callback: /^on(En|Dis)abled: .* Toggles /,
    start(ecs) {
      ecs.addSystem(0, new Toggles());
      return () => ecs.disableSystem(Toggles);
    },
  },
  {
    by: "dispatch, by several handlers",
    callback: /^dispatch of Hit/,
    start(ecs) {
      for (let i = 0; i < 3; ++i) ecs.events.subscribe(Hit, () => ecs.events.dispatch(new Hit()));
      return () => ecs.events.dispatch(new Hit());
    },
  },
  {
    by: "dispatch and addEntity",
    callback: /^(dispatch|onAdd)/,
    start(ecs) {
      ecs.events.subscribe(Hit, () => void ecs.addEntity(Position));
      add(ecs, { onAdd: () => ecs.events.dispatch(new Hit()) });
      return () => ecs.addEntity(Position);
    },
  },
  {
    by: "makeAspect",
    callback: /^makeAspect/,
    start(ecs) {
      const system: Scripted = add(ecs, { makeAspect: (): Aspect => system.entities.get(e)! });
      const e = ecs.addEntity();
      ecs.update();
      return () => ecs.addComponent(e, Position);
    },
  },
];

describe.each(loops)("S17 callbacks that cause each other without end by $by are an error", ({ callback, start }) => {
  test.each(["outside of an update", "in an update"])("%s", (where) => {
    const ecs = world();
    const begin = start(ecs);
    if (where === "in an update") add(ecs, { requires: [Tag], update: begin });
    const call = where === "in an update" ? () => ecs.update() : begin;
    expect(expectError("TOO_DEEP", call).message).toMatch(callback);
    for (const { system } of ecs.systems) ecs.removeSystem(system!);
    expectUsable(ecs);
  });
});

test("S17 the call that is refused changes nothing", () => {
  const ecs = world();
  const e = ecs.addEntity();
  let refused: unknown;
  const system = add(ecs, {
    onAdd() {
      try {
        ecs.addEntity(Position);
      } catch (error) {
        refused ??= error;
        const first = [...ecs.storage(Position)][0]!;
        expect(ecs.has(first, Position)).toBe(true);
        expectError("TOO_DEEP", () => ecs.addComponent(e, Position));
        expectError("TOO_DEEP", () => ecs.addComponents([e], Position));
        expectError("TOO_DEEP", () => ecs.setParent(e, first));
        expectError("TOO_DEEP", () => ecs.disableSystem(system));
        expectError("TOO_DEEP", () => ecs.removeComponent(first, Position));
        expectError("TOO_DEEP", () => ecs.removeSystem(system));
      }
    },
  });
  ecs.addEntity(Position);
  expect(refused).toMatchObject({ code: "TOO_DEEP" });
  expect([ecs.count, ecs.storage(Position).count, ecs.has(e, Position), ecs.parent(e)]).toEqual([
    101,
    100,
    false,
    2 ** 32 - 1,
  ]);
  expect([system.disabled, system.ecs]).toEqual([false, ecs]);
  ecs.addEntity(Tag);
  expect(ecs.count).toBe(102);
  ecs.removeSystem(system);
  expect(ecs.systems).toEqual([]);
});

test("S17 callbacks may be nested as deep as the limit", () => {
  const ecs = world();
  add(ecs, { onAdd: () => void (ecs.count < 100 && ecs.addEntity(Position)) });
  ecs.addEntity(Position);
  expect(ecs.count).toBe(100);
});
