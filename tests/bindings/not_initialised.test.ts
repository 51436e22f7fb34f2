// A file of its own: here `init` has not been called yet.
import { expect, test } from "@jest/globals";
import { Component, ECS, EcsError, defineComponent, init, nativeComponent } from "crateful";

const codeOf = (call: () => unknown): unknown => {
  try {
    call();
  } catch (error) {
    expect(error).toBeInstanceOf(EcsError);
    return (error as EcsError).code;
  }
  return undefined;
};

test("X1 before init a world is an error; components can be defined and made", async () => {
  class Position extends defineComponent("Position", { x: "f32" }) {}
  class Health extends Component {}
  const position = new Position({ x: 1 });
  position.x += 1;
  position.dirty();
  new Health().dirty();
  expect([codeOf(() => new ECS()), codeOf(() => nativeComponent("Body"))]).toEqual([
    "NOT_INITIALISED",
    "NOT_INITIALISED",
  ]);

  for (const module of [3, null, {}, { World: class {} }]) {
    await expect(init({ module })).rejects.toMatchObject({ name: "EcsError", code: "BAD_ARGUMENT" });
  }
  expect(codeOf(() => new ECS())).toBe("NOT_INITIALISED");
  await init(); // a failure may be repaired
  using ecs = new ECS();
  const e = ecs.addEntity();
  ecs.addComponent(e, position);
  expect(ecs.getComponents(e).get(Position).x).toBe(2);
});
