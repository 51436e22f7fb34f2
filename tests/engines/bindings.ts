// The tests of tests/bindings in a page, each as a test of Jest.
import { readdirSync } from "node:fs";
import { describe, expect, test } from "@jest/globals";
import type { Engine } from "./engine.js";
import { inWorker, needNode } from "./needs_node.js";
import type { Outcome } from "./page/run.js";
import type { Server } from "./server.js";

const files = readdirSync(new URL("../bindings", import.meta.url)).filter((name) => name.endsWith(".test.ts"));

/** Runs the tests of a file in a new page. */
async function run(engine: Engine, server: Server, file: string): Promise<Outcome[]> {
  await engine.open(`${server.url}/empty.html?answers=${encodeURIComponent(server.answers)}`);
  return await engine.evaluate(
    async (address, excluded, worker) => {
      await import("/tests/engines/page/run.js" as string);
      return await (worker ? window.runTestsInWorker : window.runTests)(address, excluded);
    },
    `/tests/bindings/${file.replace(/\.ts$/, ".js")}`,
    needNode.filter((excluded) => excluded.file === file).flatMap(({ titles }) => titles),
    inWorker.includes(file),
  );
}

type Outcomes = [file: string, outcomes: Outcome[]][];

/** Runs all of them. Jest has to know what to define before it runs anything, so they cannot run in a test. */
export async function runBindingTests(engine: Engine, server: Server): Promise<Outcomes> {
  const all: Outcomes = [];
  for (const file of files) {
    const outcomes = await run(engine, server, file).catch((error) => [{ title: "the page", error: String(error) }]);
    all.push([file, outcomes]);
  }
  return all;
}

/** Defines a test for each. */
export function defineBindingTests(all: Outcomes): void {
  describe.each(all)("%s", (_, outcomes) => {
    for (const { title, error } of outcomes)
      test(title, () => {
        if (error !== undefined) throw new Error(error);
      });
  });
  test("each file of tests/bindings has tests", () => {
    expect(all.filter(([, outcomes]) => outcomes.length === 0)).toEqual([]);
    expect(all.length).toBeGreaterThan(0);
  });
}
