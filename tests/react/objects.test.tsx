// What useComponent shows of object components: deep copies, which are frozen.
import { expect, test } from "@jest/globals";
import { Component, defineObject, type ECS } from "crateful";
import { useComponent } from "crateful/react";
import { act } from "react";
import { inWorld, render, world } from "./page.js";

const update = (ecs: ECS) => act(() => void ecs.update());

test("C16 shows a change inside of a field after dirty()", () => {
  class Log extends defineObject("Log", {
    lines: [] as string[],
    counts: {} as Record<string, number[]>,
    seen: new Set<string>(),
    uses: new Map<string, { n: number }>(),
    since: new Date(0),
  }) {}
  const ecs = world();
  const entity = ecs.addEntity(Log);
  const log = ecs.get(entity, Log);
  const shown: Readonly<ReturnType<Log["toJSON"]>>[] = [];
  const Show = () => (shown.push(useComponent(entity, Log)!), null);
  render(inWorld(ecs, <Show />));
  update(ecs);
  const changes: (() => unknown)[] = [
    () => log.lines.push("a"),
    () => (log.counts.a = [1]),
    () => log.counts.a!.push(2),
    () => log.seen.add("a"),
    () => log.uses.set("a", { n: 1 }),
    () => (log.uses.get("a")!.n = 2),
    () => log.since.setTime(5),
  ];
  for (const [i, change] of changes.entries()) {
    log.dirty(); // although nothing has changed
    update(ecs);
    expect(shown).toHaveLength(i + 1);
    change();
    log.dirty();
    update(ecs);
    expect(shown).toHaveLength(i + 2);
  }
  expect(shown[0]).toEqual(new Log().toJSON());
  expect(shown.at(-1)).toEqual(log.toJSON());
});

test("C16 its result is frozen with arrays and plain objects inside, and the component is not", () => {
  class Plan extends Component {
    steps = [{ name: "walk" }];
    toJSON() {
      return { steps: this.steps };
    }
  }
  class Deep extends defineObject("Deep", { steps: [{ name: "walk" }], child: () => new Plan() }) {}
  const ecs = world();
  const [plan, deep] = [new Plan(), new Deep()];
  const entity = ecs.addEntity(plan, deep);
  const shown: { steps: { name: string }[] }[] = [];
  const Show = () => (shown.push(useComponent(entity, Plan)!, useComponent(entity, Deep)!), null);
  render(inWorld(ecs, <Show />));
  expect(shown).toHaveLength(2);
  for (const fields of shown) {
    expect(() => fields.steps.push({ name: "run" })).toThrow(TypeError);
    expect(() => (fields.steps[0]!.name = "run")).toThrow(TypeError);
    expect(() => (fields.steps = [])).toThrow(TypeError);
  }
  for (const component of [plan, deep]) {
    component.steps[0]!.name = "run";
    component.steps.push({ name: "stop" });
    component.dirty();
  }
  deep.child.steps = [];
  update(ecs);
  expect(shown.slice(2).map(({ steps }) => steps)).toEqual([deep.steps, deep.steps]);
  expect(shown[0]!.steps).toEqual([{ name: "walk" }]);
});

test("C16 shows a field that contains itself", () => {
  interface Place {
    name: string;
    exits: Place[];
  }
  const start: Place = { name: "hall", exits: [] };
  start.exits.push(start);
  class Maze extends defineObject("Maze", { start }) {}
  const ecs = world();
  const entity = ecs.addEntity(Maze);
  let renders = 0;
  const Show = () => (renders++, useComponent(entity, Maze)!.start.exits[0]!.name);
  const page = render(inWorld(ecs, <Show />));
  update(ecs);
  ecs.get(entity, Maze).dirty();
  update(ecs);
  expect(renders).toBe(1);
  ecs.get(entity, Maze).start.name = "cave";
  ecs.get(entity, Maze).dirty();
  update(ecs);
  expect(page.text).toBe("cave");
});
