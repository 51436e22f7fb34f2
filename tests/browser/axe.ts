// What axe finds in a page.
import { readFileSync } from "node:fs";
import { createRequire } from "node:module";
import type { Page } from "playwright-core";

const source = readFileSync(createRequire(import.meta.url).resolve("axe-core"), "utf8");

interface Found {
  violations: { id: string; help: string; nodes: { html: string; failureSummary?: string }[] }[];
}

/** In words. `without` are the elements, as selectors, that are not read. */
export async function findings(page: Page, without: readonly string[] = []): Promise<string[]> {
  if (!(await page.evaluate(() => "axe" in globalThis))) await page.evaluate(source); // also where scripts are forbidden
  return page.evaluate(async (exclude) => {
    type Run = (context: object, options: object) => Promise<Found>;
    const { axe } = globalThis as unknown as { axe: { run: Run } };
    const { violations } = await axe.run({ exclude }, { resultTypes: ["violations"] }); // in half of the time
    return violations.flatMap(({ id, help, nodes }) =>
      nodes.map(({ html, failureSummary }) => `${id}: ${help}\n${html}\n${failureSummary}`),
    );
  }, without);
}
