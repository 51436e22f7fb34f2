// What happens when JavaScript's stack is exhausted inside a call. The module of the package recovers from it; others refuse to be
// updated (docs/design.md), so no other module runs this test.
import { expect, test } from "@jest/globals";
import { Position, add, expectUsable, world } from "./world.js";

test("S7 a call during which JavaScript's stack is exhausted leaves an ECS that can be used", () => {
  const ecs = world();
  const prefab = ecs.prefab([Position]);
  add(ecs, { onAdd() {}, onRemove() {} });
  const calls: (() => unknown)[] = [
    () => ecs.addEntity(Position),
    () => ecs.removeComponent(ecs.addEntity(Position), Position),
    () => ecs.setParent(ecs.addEntity(Position), ecs.addEntity()),
    () => prefab.spawn(2),
    () => ecs.update(),
    () => ecs.clear(),
  ];
  for (const call of calls) {
    let failures = 0;
    let succeeded = false;
    // Calls it from the deepest frame that there is room for, then with the room of one frame more, and so on.
    const deepest = () => {
      try {
        deepest();
      } catch {}
      if (succeeded) return;
      try {
        call();
        succeeded = true;
      } catch (error) {
        ++failures;
        expect(error).toBeInstanceOf(Error);
      }
    };
    deepest();
    expect([failures > 0, succeeded]).toEqual([true, true]);
    ecs.update();
  }
  ecs.removeSystem("Scripted");
  expectUsable(ecs);
});
