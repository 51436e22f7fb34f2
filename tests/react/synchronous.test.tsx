// A root that renders at once, in the middle of a removal: that of React 17, which React 18 still has as `render`.
import { expect, test } from "@jest/globals";
import { type ECS, NONE, defineComponent, type Entity } from "crateful";
import { useChildren, useComponent, useCount, useFirst, useHas, useLinked, useRows } from "crateful/react";
import type { ReactNode } from "react";
import * as dom from "react-dom";
import { createRoot } from "react-dom/client";
import { Position, inWorld, world } from "./page.js";

class Aim extends defineComponent("Aim", { at: "link" }) {}

interface Old {
  render?(node: ReactNode, element: Element): void;
  unmountComponentAtNode(element: Element): void;
}

const show = (...values: unknown[]) => values.map((value) => `${JSON.stringify(value)};`).join("");

/** Lets React render, and call effects. */
const turn = () => new Promise((resolve) => setImmediate(resolve));

/** Renders as React 17 does, or as later versions do if there is nothing else. `use` is called when all hooks have subscribed. */
async function mounted(ecs: ECS, node: ReactNode, systems: number, use: (element: Element) => Promise<void>) {
  const { render, unmountComponentAtNode } = dom as unknown as Old;
  const globals = globalThis as { IS_REACT_ACT_ENVIRONMENT?: boolean };
  const { error } = console;
  globals.IS_REACT_ACT_ENVIRONMENT = false; // which would delay what is rendered
  console.error = () => {}; // React 18 says that `render` is outdated
  const element = document.createElement("div");
  const root = render === undefined ? createRoot(element) : undefined;
  if (root === undefined) render!(inWorld(ecs, node), element);
  else root.render(inWorld(ecs, node));
  while (ecs.systems.length < systems) await turn();
  await use(element);
  if (root === undefined) unmountComponentAtNode(element);
  else root.unmount();
  while (ecs.systems.length > 0) await turn();
  globals.IS_REACT_ACT_ENVIRONMENT = true;
  console.error = error;
}

test("A2 what is being removed is not shown", async () => {
  const ecs = world();
  const [parent, a, b] = [...ecs.addEntities(3)] as [Entity, Entity, Entity];
  for (const child of [a, b]) ecs.setParent(child, parent);
  ecs.addComponents([a, b], Position, { x: [2, 3] });
  ecs.addComponents([a, b], Aim, { at: parent });
  const query = ecs.query({ position: Position });
  const Children = () => show(useChildren(parent));
  const Linked = () => show(useLinked(Aim, parent));
  const Rows = () => show(useRows(query));
  const Count = () => show(useCount(query));
  const First = () => show(useFirst(query));
  const Has = () => show(useHas(a, Position));
  const X = () => show(useComponent(a, Position)?.x ?? "none");
  const components = [Children, Linked, Rows, Count, First, Has, X];
  const node = components.map((Show) => <Show key={Show.name} />);
  await mounted(ecs, node, 6, async (element) => {
    const expectText = async (...values: unknown[]) => {
      await turn();
      expect(element.textContent).toBe(show(...values));
    };
    const both = [a, b];
    await expectText(both, both, both, 2, a, true, 2);
    ecs.removeEntity(a);
    ecs.update();
    await expectText([b], [b], [b], 1, b, false, "none");
    ecs.clear();
    await expectText([], [], [], 0, NONE, false, "none");
  });
});
