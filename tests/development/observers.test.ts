import { expect, test } from "@jest/globals";
import { defineSystem, type Aspect } from "crateful";
import { Health, Position, Tag, expectError, world } from "../bindings/world.js";

class Hit {}

/** What `call` of each of these throws is expected to be the error of an observer. */
function refusals(calls: readonly (() => unknown)[]): void {
  for (const call of calls)
    expect(expectError("BAD_SYSTEM", call).message).toMatch(
      /: Draw is an observer, which must not change the world; let another system do it$/,
    );
}

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
