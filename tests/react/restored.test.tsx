// What the hooks show after restore and Rewind, which exchange the state of the ECS.
import { expect, test } from "@jest/globals";
import { defineComponent, type Entity } from "crateful";
import { useChildren, useComponent, useCount, useFirst, useHas, useLinked, useRows } from "crateful/react";
import { Rewind, init, restore, snapshot } from "crateful/state";
import { act } from "react";

await init(); // before that of page.js
const { Frozen, Position, inWorld, render, world } = await import("./page.js");

const show = (...values: unknown[]) => values.map((value) => `${JSON.stringify(value)};`).join("");

class Aim extends defineComponent("Aim", { at: "link" }) {}

test("N2 N7 the hooks show what was restored, at the latest after the next update", () => {
  const ecs = world();
  const list = [...ecs.addEntities(3)];
  const [parent, a, b] = list as [Entity, Entity, Entity];
  for (const child of [a, b]) ecs.setParent(child, parent);
  ecs.addComponents(list, Position, { x: [1, 2, 3] });
  ecs.addComponents([a, b], Aim, { at: parent });
  ecs.addComponent(b, Frozen);
  const frozen = ecs.query({ frozen: Frozen });
  const Children = () => show(useChildren(parent));
  const Linked = () => show(useLinked(Aim, parent));
  const Has = () => show(useHas(b, Frozen));
  const First = () => show(useFirst(frozen));
  const Count = () => show(useCount(frozen));
  const Rows = () => show(useRows(frozen));
  const X = () => show(useComponent(a, Position)?.x);
  const components = [Children, Linked, Has, First, Count, Rows, X];
  const page = render(
    inWorld(
      ecs,
      components.map((Show) => <Show key={Show.name} />),
    ),
  );
  const before = page.text;
  expect(before).toBe(show([a, b], [a, b], true, b, 1, [b], 2));
  const bytes = snapshot(ecs);
  const rewind = new Rewind(ecs, { bytes: 100_000 });
  const change = () =>
    act(() => {
      ecs.setParent(b, parent, a);
      ecs.setParent(ecs.addEntity([Aim, { at: parent }]), parent);
      ecs.removeComponent(b, Frozen);
      ecs.addComponent(a, Frozen);
      ecs.get(a, Position).x = 9;
      ecs.get(a, Aim).at = b;
      ecs.update();
    });
  change();
  const after = page.text;
  expect(after).toBe(show([b, a, 4], [b, 4], false, a, 1, [a], 9));
  act(() => {
    restore(ecs, bytes);
    ecs.update();
  });
  expect(page.text).toBe(before);
  act(() => void ecs.update());
  const { newest } = rewind;
  change();
  expect(page.text).toBe(after);
  act(() => {
    rewind.show(newest);
    ecs.update();
  });
  expect(page.text).toBe(before);
  rewind.dispose();
});
