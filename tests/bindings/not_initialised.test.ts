// A separate file, because `init` must not have been called before.
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

test("X1 before init, creating an ECS is an error; components can be defined and created", async () => {
  class Position extends defineComponent("Position", { x: "f32" }) {}
  class Health extends Component {}
  const position = new Position({ x: 1 });
  position.x += 1;
  position.dirty();
  new Health().dirty();
  const Body = nativeComponent("Body");
  expect([() => new ECS(), () => new Body()].map(codeOf)).toEqual(["NOT_INITIALISED", "NOT_INITIALISED"]);

  for (const module of [3, null, {}, { World: class {} }]) {
    await expect(init({ module })).rejects.toMatchObject({ name: "EcsError", code: "BAD_ARGUMENT" });
  }
  const located: string[] = [];
  const locateFile = (path: string, prefix: string) => {
    located.push(path, prefix);
    return `${prefix}missing.wasm`;
  };
  await expect(init({ locateFile })).rejects.toThrow("missing.wasm");
  expect(located).toEqual(["crateful.wasm", expect.stringMatching(/^$|\/dist\/$/)]); // "" in Node, which needs no file
  expect(codeOf(() => new ECS())).toBe("NOT_INITIALISED");
  await init(); // init can be called again after a failure
  using ecs = new ECS();
  const e = ecs.addEntity();
  ecs.addComponent(e, position);
  expect(ecs.getComponents(e).get(Position).x).toBe(2);
});
