// Worlds that are disposed after their test, and what React renders into the document of environment.mjs.
import { afterEach, expect } from "@jest/globals";
import { Component, ECS, defineComponent, init } from "crateful";
import { World } from "crateful/react";
import { act, createElement, type ReactNode } from "react";
import { createRoot } from "react-dom/client";

await init();

export class Position extends defineComponent("Position", { x: "f32", y: "f32" }) {}
export class Velocity extends defineComponent("Velocity", { x: "f32" }) {}
export class Frozen extends defineComponent("Frozen") {}

/** An object component whose fields are private. */
export class Inventory extends Component {
  readonly #items: string[] = [];
  add(item: string): void {
    this.#items.push(item);
    this.dirty();
  }
  toJSON() {
    return { items: [...this.#items] };
  }
}

/** What React has reported: mistakes in the use of its functions, and uncaught errors. */
const problems: unknown[] = [];
console.error = (...problem: unknown[]) => problems.push(problem);

const ended: (() => unknown)[] = [];
afterEach(() => {
  for (const end of ended.splice(0).reverse()) end();
  expect(problems.splice(0)).toEqual([]);
});

/** A new ECS. */
export function world(): ECS {
  const ecs = new ECS();
  ended.push(() => ecs.dispose());
  return ecs;
}

export const inWorld = (ecs: ECS, node: ReactNode) => createElement(World, { ecs }, node);

export interface Rendered {
  /** What the document shows. */
  readonly text: string;
  render(node: ReactNode): void;
  unmount(): void;
}

/** Renders into a new element of the document. */
export function render(node: ReactNode): Rendered {
  const element = document.createElement("div");
  const root = createRoot(element);
  let mounted = true;
  const rendered: Rendered = {
    get text() {
      return element.textContent!;
    },
    render: (other) => act(() => root.render(other)),
    unmount() {
      if (mounted) act(() => root.unmount());
      mounted = false;
    },
  };
  ended.push(() => rendered.unmount());
  rendered.render(node);
  return rendered;
}

/** Expects that rendering throws an error, which React also reports. */
export function expectThrow(node: ReactNode, message: RegExp, by: (node: ReactNode) => unknown = render): void {
  expect(() => by(node)).toThrow(message);
  problems.length = 0;
}
