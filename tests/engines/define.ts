// All tests of one browser.
import { afterAll, describe } from "@jest/globals";
import { defineBindingTests, runBindingTests } from "./bindings.js";
import { defineDemoTests } from "./demo.js";
import { startEngine, type EngineName } from "./engine.js";
import { definePolicyTests } from "./policy.js";
import { serve } from "./server.js";

export async function defineTests(name: EngineName): Promise<void> {
  const engine = await startEngine(name);
  const server = await serve();
  afterAll(async () => {
    await engine.close();
    await server.close();
  });
  const outcomes = await runBindingTests(engine, server);
  describe(engine.version, () => {
    defineBindingTests(outcomes);
    definePolicyTests(engine, server);
    defineDemoTests(name, engine, server);
  });
}
