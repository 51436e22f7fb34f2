// The page's entry. It loads all other modules dynamically, so that any failure is shown as text.
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
