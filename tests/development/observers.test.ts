import { expect, test } from "@jest/globals";
import { defineComponent, defineObject, defineSystem, type Aspect } from "crateful";
import { Health, Position, Tag, expectError, world } from "../bindings/world.js";

class Hit {}

/** What `call` of each of these throws is expected to be the error of an observer. */
function refusals(calls: readonly (() => unknown)[]): void {
  for (const call of calls)
    expect(expectError("BAD_SYSTEM", call).message).toMatch(
      /: Draw is an observer, which must not change the world; let another system do it$/,
    );
}

class Aim extends defineComponent("Aim", {
  x: "f32",
  level: "u8",
  text: "string",
  mood: ["calm", "angry"],
  target: "link",
  at: "f32x3",
}) {}
class PackedAim extends defineComponent("PackedAim", { x: "f32", level: "u8" }, { policy: "sparse" }) {}
class Bag extends defineObject("Bag", { gold: 1 }) {}

test("S18 X1 a write that is refused changes nothing", () => {
  const ecs = world();
  const e = ecs.addEntity(Aim, PackedAim, Bag);
  const before = () => [ecs.get(e, Aim).toJSON(), ecs.get(e, PackedAim).toJSON(), ecs.get(e, Bag).toJSON()];
  const expected = before();
  class Watch extends defineSystem({ aim: Aim, packed: PackedAim, bag: Bag }, { watch: [Aim, PackedAim, Bag] }) {
    override update() {
      for (const _ of this.dirty);
    }
  }
  let writes = 0;
  class Draw extends defineSystem({ aim: Aim, packed: PackedAim, bag: Bag }, { observer: true, name: "Draw" }) {
    override update() {
      for (const row of this.rows)
        for (const { aim, packed, bag } of [
          row,
          { aim: ecs.get(e, Aim), packed: ecs.get(e, PackedAim), bag: ecs.get(e, Bag) },
        ]) {
          const calls = [
            () => (aim.x = 5),
            () => (aim.level = 6),
            () => (aim.text = "other"),
            () => (aim.mood = "angry"),
            () => (aim.target = e),
            () => aim.at.set(1, 2, 3),
            () => (aim.at.y = 4),
            () => (packed.x = 7),
            () => (packed.level = 8),
            () => (bag.gold = 9),
          ];
          refusals(calls);
          writes += calls.length;
        }
    }
  }
  const watch = ecs.addSystem(0, new Watch());
  ecs.addSystem(1, new Draw());
  ecs.update();
  ecs.update();
  expect([writes, before(), watch.dirty.size]).toEqual([40, expected, 0]);
});

test("S18 B1 each callback of an observer is one in which the world must not change", () => {
  const ecs = world();
  const called: string[] = [];
  const refuse = (name: string): void => {
    refusals([() => ecs.addEntity(), () => ecs.events.dispatch(new Hit())]);
    called.push(name);
  };
  class Draw extends defineSystem({ position: Position }, { observer: true, name: "Draw" }) {
    override init() {
      refuse("init");
      this.subscribe(Hit, () => refuse("handler"));
    }
    override when() {
      refuse("when");
      return true;
    }
    override update() {
      refuse("update");
    }
    override onEnabled() {
      refuse("onEnabled");
    }
    override onDisabled() {
      refuse("onDisabled");
    }
    override onClear() {
      refuse("onClear");
    }
  }
  const draw = ecs.addSystem(0, new Draw());
  ecs.update();
  ecs.events.dispatch(new Hit());
  ecs.disableSystem(draw);
  ecs.enableSystem(draw);
  ecs.clear();
  expect(called).toEqual(["init", "when", "update", "handler", "onDisabled", "onEnabled", "onClear"]);
});

test("S18 X1 the message of a refusal names the call", () => {
  const ecs = world();
  const e = ecs.addEntity(Position);
  const calls = {
    addComponent: () => ecs.addComponent(e, Tag),
    addComponents: () => ecs.addComponents([e], Tag),
    removeComponent: () => ecs.removeComponent(e, Position),
    removeComponents: () => ecs.removeComponents([e], Position),
    removeEntity: () => ecs.removeEntity(e),
    removeEntities: () => ecs.removeEntities([e]),
    setParent: () => ecs.setParent(e, ecs.world),
    clone: () => ecs.clone(e),
    clear: () => ecs.clear(),
  };
  class Draw extends defineSystem({ position: Position }, { observer: true }) {
    override update() {
      for (const [name, call] of Object.entries(calls))
        expect(expectError("BAD_SYSTEM", call).message).toMatch(`${name}: Draw`);
    }
  }
  ecs.addSystem(0, new Draw());
  ecs.update();
});

test("S18 B1 what changes the world in the callbacks of an observer is an error, and reading is none", () => {
  const ecs = world();
  const e = ecs.addEntity([Position, { x: 1 }], new Health(3));
  const seen: unknown[] = [];
  let refused = 0;
  const change = (): void => {
    const calls = [
      () => ecs.addEntity(),
      () => ecs.addEntity(Position),
      () => ecs.addComponent(e, Tag),
      () => ecs.add(e, Tag, Position),
      () => ecs.addComponents([e], Tag),
      () => ecs.removeComponent(e, Position),
      () => ecs.removeEntity(e),
      () => ecs.setParent(e, ecs.world),
      () => (ecs.get(e, Position).x += 1),
      () => ecs.storage(Position).markDirty(e),
      () => ecs.events.dispatch(new Hit()),
      () => ecs.events.dispatch(new Hit(), 1),
      () => ecs.removeSystem(draw),
      () => ecs.clear(),
    ];
    refusals(calls);
    refused += calls.length;
    seen.push(ecs.tryGet(e, Health)?.current, ecs.query({ position: Position }).count);
    expect(ecs.get(e, Position).x).toBe(1);
  };
  class Draw extends defineSystem({ position: Position, health: Health }, { watch: [Position], observer: true }) {
    public override onAdd(_aspect: Aspect): void {
      change();
    }
    public override onRemove(_aspect: Aspect): void {
      change();
    }
    override update(): void {
      change();
    }
  }
  const draw = new Draw();
  ecs.addSystem(0, draw);
  ecs.update();
  ecs.removeComponent(e, Health);
  expect([refused, seen.length]).toEqual([42, 6]);
  ecs.get(e, Position).x = 9; // outside of it, nothing is refused
  ecs.events.dispatch(new Hit());
  ecs.addComponent(e, Tag);
  expect([ecs.has(e, Tag), ecs.get(e, Position).x]).toEqual([true, 9]);
});
