// `init` in pages with a Content-Security-Policy, whose errors each browser words differently.
import { describe, expect, test } from "@jest/globals";
import type { Engine } from "./engine.js";
import type { Server } from "./server.js";

export function definePolicyTests(engine: Engine, server: Server): void {
  /** What `init` throws under a policy. */
  const initUnder = async (policy: string) => {
    await engine.open(`${server.url}/empty.html?policy=${encodeURIComponent(policy)}`);
    return await engine.evaluate(async () => {
      const { ECS, init } = (await import("/dist/browser.js" as string)) as typeof import("crateful");
      try {
        await init();
        return `${new ECS().count} entities`;
      } catch (error) {
        return (error as Error).message;
      }
    });
  };

  describe("a Content-Security-Policy", () => {
    test("B2 with 'wasm-unsafe-eval' is sufficient", async () => {
      expect(await initUnder("script-src 'self' 'wasm-unsafe-eval'")).toBe("0 entities");
    });

    test("B2 without it makes init throw an error that says what to allow", async () => {
      expect(await initUnder("script-src 'self'")).toMatch(
        /^init: http\S+crateful\.wasm can't be used: .*; the Content-Security-Policy must allow 'wasm-unsafe-eval'$/,
      );
    });
  });
}
