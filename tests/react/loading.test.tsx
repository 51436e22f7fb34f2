// Loading with Suspense: the module is not loaded when this file begins.
import { expect, test } from "@jest/globals";
import { ECS, init } from "crateful";
import * as React from "react";
import { Component, Suspense, act, lazy, type ReactNode } from "react";
import { createRoot } from "react-dom/client";
import { loaded } from "./loaded.js";

class Failure extends Component<{ children: ReactNode }, { error?: Error }> {
  override state: { error?: Error } = {};
  static getDerivedStateFromError(error: Error) {
    return { error };
  }
  override render() {
    return this.state.error === undefined ? this.props.children : this.state.error.message;
  }
}

const inSuspense = (node: ReactNode) => (
  <Failure>
    <Suspense fallback="loading">{node}</Suspense>
  </Failure>
);
/** Renders what loads; returns what is shown at the end. */
async function load(node: ReactNode): Promise<string | null> {
  const element = document.createElement("div");
  const root = createRoot(element);
  await act(async () => root.render(inSuspense(node)));
  await loaded(element);
  const shown = element.textContent;
  act(() => root.unmount());
  return shown;
}
/** What `use` of React 19 does. */
function Use({ ready }: { ready: Promise<unknown> }) {
  React.use(ready);
  return new ECS().count;
}
const use = "use" in React;
console.error = () => {}; // React reports the errors that Failure shows

test("B2 a failure of init is shown, once", async () => {
  let calls = 0;
  const fail = () => {
    calls += 1;
    return init({ wasm: new Uint8Array(8) });
  };
  const Game = lazy(() => fail().then(() => ({ default: () => null })));
  const failure = /^init: options\.wasm can't be used: /;
  expect(await load(<Game />)).toMatch(failure);
  if (use) expect(await load(<Use ready={fail()} />)).toMatch(failure);
  expect(calls).toBe(use ? 2 : 1);
});

test("B2 after a failure, init returns another promise, so a component must not call it while it renders", async () => {
  const wasm = new Uint8Array(8);
  const first = init({ wasm });
  expect(init({ wasm })).toBe(first);
  await first.catch(() => {});
  const second = init({ wasm });
  expect(second).not.toBe(first);
  await second.catch(() => {});
});

test("init returns always the same promise once it succeeds, and what it loads can be rendered", async () => {
  const Game = lazy(() => init().then(() => ({ default: () => new ECS().count })));
  expect(await load(<Game />)).toBe("0");
  expect(init()).toBe(init());
  if (use) expect(await load(<Use ready={init()} />)).toBe("0");
});
