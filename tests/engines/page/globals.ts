// What tests import from "@jest/globals", for pages: Vitest's runner, and its implementation of Jest's matchers.
import type { expect as jestExpect } from "@jest/globals";
import { JestAsymmetricMatchers, JestChaiExpect, JestExtend, chai } from "@vitest/expect";

chai.use(JestExtend);
chai.use(JestChaiExpect);
chai.use(JestAsymmetricMatchers);

export const expect = chai.expect as unknown as typeof jestExpect;
export { afterAll, afterEach, beforeAll, beforeEach, describe, test } from "@vitest/runner";
