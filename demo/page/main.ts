// The crate room's page. All but this is loaded by it, so that whatever fails is told in words.
import { element } from "./element.js";
import { missing, showProblem } from "./problem.js";

async function main(): Promise<void> {
  const lacking = missing();
  if (lacking !== "") throw new Error(lacking);
  const { start } = await import("./page.js");
  await start();
}

main().catch((problem: unknown) => {
  element("loading", HTMLElement).hidden = true;
  showProblem("The crate room could not start", problem instanceof Error ? problem.message : String(problem));
  console.error(problem);
});
