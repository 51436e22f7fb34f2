// The public types of dist/index.d.ts, compared with the report in docs/api. `npm run api` updates the report;
// its difference in a commit shows how the public API changes.
import process from "node:process";
import { compileTypes } from "../build.mjs";
import { fromRoot, isMain, main, run, Stop } from "../process.mjs";
import { ensureNodeModules } from "../toolchain.mjs";

/** One test: the report is up to date. With `update` the report is written instead. */
export async function checkApi({ update = false } = {}) {
  const { Extractor, ExtractorConfig } = await import("@microsoft/api-extractor");
  const config = ExtractorConfig.loadFileAndPrepare(fromRoot("api-extractor.json"));
  const { succeeded, apiReportChanged } = Extractor.invoke(config, {
    localBuild: update,
    printApiReportDiff: true,
  });
  if (apiReportChanged)
    console.log(update ? "API: the report was updated" : "API: run `npm run api` to update the report");
  return succeeded ? { passed: 1, failed: 0 } : { passed: 0, failed: 1 };
}

if (isMain(import.meta.url)) {
  await main(async () => {
    ensureNodeModules();
    run(process.execPath, compileTypes);
    if ((await checkApi({ update: true })).failed > 0) throw new Stop("the public types could not be analysed");
  });
}
