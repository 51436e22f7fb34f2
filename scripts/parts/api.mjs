// The public types of the entries, compared with the reports in docs/api. `npm run api` updates the
// reports; their difference in a commit shows how the public API changes.
import path from "node:path";
import { writeTypes } from "../build.mjs";
import { fromRoot, isMain, main, Stop } from "../process.mjs";
import { ensureNodeModules } from "../toolchain.mjs";

/** The files in dist/ and their reports; that of crateful/state has what it adds to crateful. */
const entries = {
  index: "crateful",
  "state/index": "crateful-state",
  colyseus: "crateful-colyseus",
  inspector: "crateful-inspector",
  react: "crateful-react",
  three: "crateful-three",
};

/** One test for each entry, all of which are compiled once: the report is up to date. With `update` the reports are written instead. */
export async function checkApi({ update = false } = {}) {
  const { CompilerState, Extractor, ExtractorConfig } = await import("@microsoft/api-extractor");
  const files = Object.keys(entries).map((entry) => fromRoot(`dist/${entry}.d.ts`));
  const configs = Object.values(entries).map((report, i) => {
    const configObjectFullPath = fromRoot("api-extractor.json");
    const configObject = ExtractorConfig.loadFile(configObjectFullPath);
    configObject.mainEntryPointFilePath = configObject.compiler.overrideTsconfig.files[0] = files[i];
    configObject.apiReport.reportFileName = `${report}.api.md`;
    return ExtractorConfig.prepare({
      configObject,
      configObjectFullPath,
      packageJsonFullPath: fromRoot("package.json"),
    });
  });
  const compilerState = CompilerState.create(configs[0], { additionalEntryPoints: files });
  const totals = { passed: 0, failed: 0 };
  for (const config of configs) {
    const options = { compilerState, localBuild: update, printApiReportDiff: true };
    const { succeeded, apiReportChanged } = Extractor.invoke(config, options);
    const report = path.basename(config.reportFilePath);
    if (apiReportChanged)
      console.log(`API: ${update ? `${report} was updated` : "run `npm run api` to update the reports"}`);
    totals[succeeded ? "passed" : "failed"] += 1;
  }
  return totals;
}

if (isMain(import.meta.url)) {
  await main(async () => {
    await ensureNodeModules();
    writeTypes();
    if ((await checkApi({ update: true })).failed > 0) throw new Stop("the public types could not be analysed");
  });
}
