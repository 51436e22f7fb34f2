// Rule D2 for components that were written to before a system watched their class. Each test has a class of its own.
import { expect, test } from "@jest/globals";
import { defineComponent, ECS, type Entity } from "crateful";
import { Tag, add, entity, world } from "./world.js";

type Written = { x: number };
const policies = ["sparse", "linear"] as const;

/** Watches the class and returns what the system has seen in each update. */
function watch(ecs: ECS, cls: abstract new () => unknown) {
  const seen: Entity[][] = [];
  const system = add(ecs, {
    requires: [Tag],
    watches: [cls as typeof Tag],
    update: (_delta, _entities, dirty) => void seen.push(Array.from(dirty)),
  });
  ecs.update();
  return { seen, system };
}

test.each(policies)("D2 setters of rows signal from then on: %s", (policy) => {
  class Late extends defineComponent("Late", { x: "f32", y: "i32" }, { policy }) {}
  const ecs = world();
  const all = [0, 1, 2].map((x) => entity(ecs, new Late({ x }), new Tag()));
  const query = ecs.query({ late: Late });
  const kept: Written = query.at(all[2]!)!.late;
  for (const { late } of query) late.x = 5;
  kept.x = 5;
  const { seen, system } = watch(ecs, Late);
  kept.x = 5; // unchanged
  for (const { entity: e, late } of query) if (e === all[1]) late.y = 6;
  ecs.update();
  kept.x = 7;
  ecs.storage(Late).at(all[0]!)!.y = 7;
  ecs.update();
  ecs.removeSystem(system);
  kept.x = 8;
  expect(seen).toEqual([all, [all[1]], [all[2], all[0]]]);
  expect(ecs.get(all[2]!, Late).x).toBe(8);
  expect(watch(ecs, Late).seen).toEqual([all]);
});

test.each(policies)("D2 setters of component objects signal from then on: %s", (policy) => {
  class Late extends defineComponent("Late", { x: "f32", y: "i32" }, { policy }) {}
  const ecs = world();
  const all = [0, 1, 2].map((x) => entity(ecs, new Late({ x }), new Tag()));
  const kept = ecs.get(all[2]!, Late);
  kept.x = 5;
  const plain = new Late({ y: 1 });
  plain.y = 2;
  const { seen, system } = watch(ecs, Late);
  kept.x = 5; // unchanged
  ecs.get(all[1]!, Late).y = 6;
  plain.y = 3;
  ecs.update();
  kept.x = 7;
  ecs.update();
  ecs.removeSystem(system);
  kept.x = 8;
  expect(seen).toEqual([all, [all[1]], [all[2]]]);
  expect([ecs.get(all[2]!, Late).x, plain.y]).toEqual([8, 3]);
});

test("D2 setters signal in the world that watches, and in no other", () => {
  class Late extends defineComponent("Late", { x: "f32" }) {}
  const first = world();
  const ofFirst = entity(first, new Late(), new Tag());
  first.get(ofFirst, Late).x = 1;
  const second = world();
  const ofSecond = entity(second, new Late(), new Tag());
  const { seen } = watch(second, Late);
  first.get(ofFirst, Late).x = 2;
  second.get(ofSecond, Late).x = 2;
  second.update();
  first.query({ late: Late }).at(ofFirst)!.late.x = 3;
  second.query({ late: Late }).at(ofSecond)!.late.x = 3;
  second.update();
  first.get(ofFirst, Late).x = 4;
  second.update();
  expect(seen).toEqual([[ofSecond], [ofSecond], [ofSecond], []]);
  expect([first.get(ofFirst, Late).x, second.get(ofSecond, Late).x]).toEqual([4, 3]);
});

test("D2 setters signal in a world that is created after another one whose class was watched", () => {
  class Late extends defineComponent("Late", { x: "f32" }) {}
  for (let i = 0; i < 3; i++) {
    const ecs = new ECS();
    const e = entity(ecs, new Late(), new Tag());
    ecs.get(e, Late).x = 1;
    const { seen } = watch(ecs, Late);
    ecs.get(e, Late).x = 2;
    ecs.update();
    ecs.update();
    expect(seen).toEqual([[e], [e], []]);
    ecs.dispose();
  }
});

test("D2 C12 elements of vectors of rows signal from then on", () => {
  class LateBody extends defineComponent("LateBody", { at: "f32x2" }) {}
  const ecs = world();
  const e = entity(ecs, new LateBody(), new Tag());
  const kept = ecs.query({ body: LateBody }).at(e)!.body.at;
  kept.x = 5;
  const { seen } = watch(ecs, LateBody);
  kept.x = 6;
  ecs.update();
  kept.set(6, 7);
  ecs.update();
  ecs.update();
  expect(seen).toEqual([[e], [e], [e], []]);
});
