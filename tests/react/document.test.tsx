// The program of docs/react.md: it is compiled with all strict flags, and what it shows is what the document says.
import { afterAll, expect, test } from "@jest/globals";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import path from "node:path";
import { pathToFileURL } from "node:url";
import type * as Crateful from "crateful";
import { StrictMode, act } from "react";
import { createRoot } from "react-dom/client";
import { compileTypeScript, root } from "../package/consumer.js";
import { STRICT, sectionsOf } from "../package/snippets.js";
import { loaded } from "./loaded.js";

const folder = mkdtempSync(path.join(root, "build", "react-")); // in the repository, whose name is "crateful"
afterAll(() => rmSync(folder, { recursive: true }));

interface Game {
  ecs: Crateful.ECS;
  Crate: new () => Crateful.Component & { x: number };
  Score: new () => Crateful.Component & { points: number };
  Inventory: new () => Crateful.Component & { add(item: string): void };
}

test("the program compiles, and shows what changes", async () => {
  const blocks = sectionsOf("docs/react.md").flatMap((section) => section.blocks);
  const names = blocks.map(({ text }) => /^\/\/ (\S+)\n/.exec(text)![1]!);
  expect(names).toEqual(["game.ts", "App.tsx", "main.tsx", "Loop.tsx", "Extra.tsx"]);
  blocks.forEach(({ text }, i) => writeFileSync(path.join(folder, names[i]!), text));
  const compilerOptions = {
    ...STRICT,
    target: "ES2022",
    module: "NodeNext",
    lib: ["ES2023", "DOM"],
    types: [],
    jsx: "react-jsx",
    skipLibCheck: true,
  };
  writeFileSync(path.join(folder, "tsconfig.json"), JSON.stringify({ compilerOptions, include: ["*"] }));
  compileTypeScript(folder);

  document.body.innerHTML = '<div id="root"></div>';
  const shown = () => document.body.textContent;
  const load = (name: string): Promise<unknown> => import(pathToFileURL(path.join(folder, name)).href);
  await act(async () => void (await load("main.js")));
  await loaded(document.body);
  const { ecs, Crate, Score, Inventory } = (await load("game.js")) as Game;
  const change = (call: () => unknown) => act(() => void call());
  expect(shown()).toBe("crate at 1crate at 50 points, ");
  change(() => ecs.update(1));
  expect(shown()).toBe("crate at 2crate at 50 points, ");
  change(() => {
    ecs.get(ecs.world, Score).points += 7;
    ecs.get(ecs.world, Inventory).add("key");
  });
  expect(shown()).toBe("crate at 2crate at 50 points, ");
  change(() => ecs.update(0));
  expect(shown()).toBe("crate at 2crate at 57 points, key");
  change(() => ecs.clear());
  expect(shown()).toBe("7 points, key");
  change(() => ecs.addEntity(Crate));
  expect(shown()).toBe("crate at 07 points, key");

  Object.defineProperty(document, "hidden", { value: false });
  const frames: FrameRequestCallback[] = [];
  Object.assign(globalThis, {
    requestAnimationFrame: (frame: FrameRequestCallback) => frames.push(frame),
    cancelAnimationFrame: (frame: number) => void frames.splice(frame - 1, 1),
  });
  const { Loop } = (await load("Loop.js")) as { Loop: () => null };
  const { World } = await import("crateful/react");
  const element = document.createElement("div");
  const root = createRoot(element);
  change(() =>
    root.render(
      <StrictMode>
        <World ecs={ecs as never}>
          <Loop />
        </World>
      </StrictMode>,
    ),
  );
  expect(frames).toHaveLength(1);
  change(() => (ecs.get(ecs.world, Score).points += 1));
  change(() => frames.pop()!(0)); // from the first frame on, time counts
  change(() => frames.pop()!(16));
  expect(shown()).toBe("crate at 08 points, key");

  const { Extra } = (await load("Extra.js")) as { Extra: (props: { x: number; load: number }) => null };
  const showExtra = (load: number) =>
    change(() =>
      root.render(
        <StrictMode>
          <World ecs={ecs as never}>
            <Extra x={3} load={load} />
          </World>
        </StrictMode>,
      ),
    );
  const count = ecs.count;
  for (const load of [2, 1]) {
    showExtra(load);
    change(() => ecs.update(0)); // StrictMode has created one more of each
    expect(frames).toHaveLength(0);
    expect(element.textContent).toBe(`extra at 3 ${"loaded ".repeat(load)}`);
    expect(ecs.count).toBe(count + 1 + load);
  }
  change(() => root.unmount());
  change(() => ecs.update(0));
  expect(ecs.count).toBe(count);
});
