// Rendering on a server, and hydrating the page.
import { expect, test } from "@jest/globals";
import { useComponent, useRows } from "crateful/react";
import { act } from "react";
import { hydrateRoot, type Root } from "react-dom/client";
import { renderToString } from "react-dom/server";
import { Position, inWorld, world } from "./page.js";

test("the server renders what its ECS contains, and a page with the same contents can be hydrated", () => {
  const ecs = world();
  const entity = ecs.addEntity([Position, { x: 4 }]);
  const query = ecs.query({ position: Position });
  const Show = () => (
    <p>
      {useRows(query).length}: {useComponent(entity, Position)?.x}
    </p>
  );
  const element = document.createElement("div");
  element.innerHTML = renderToString(inWorld(ecs, <Show />));
  expect(element.textContent).toBe("1: 4");
  expect(ecs.systems).toEqual([]);
  const paragraph = element.firstChild;
  let root!: Root;
  act(() => {
    root = hydrateRoot(element, inWorld(ecs, <Show />));
  });
  expect(element.firstChild).toBe(paragraph);
  ecs.get(entity, Position).x = 5;
  act(() => void ecs.update());
  expect(element.textContent).toBe("1: 5");
  act(() => root.unmount());
});
