// Runs a file of tests in a page, or in a worker of it.
import { startTests, type Suite, type Test, type VitestRunner, type VitestRunnerConfig } from "@vitest/runner";

/** A test that was run; `error` is why it failed. */
export interface Outcome {
  title: string;
  error?: string;
}

const config: VitestRunnerConfig = {
  root: "/",
  name: undefined,
  setupFiles: [],
  passWithNoTests: false,
  testNamePattern: undefined,
  allowOnly: false,
  sequence: { seed: 0, hooks: "stack", setupFiles: "list" },
  chaiConfig: undefined,
  maxConcurrency: 1,
  testTimeout: 0, // none
  hookTimeout: 0,
  retry: 0,
  includeTaskLocation: false,
  tags: [],
  tagsFilter: undefined,
  strictTags: false,
};

/** The tests of a suite, with the titles of all suites that they are in. */
const testsIn = (suite: Suite, prefix = ""): { title: string; test: Test }[] =>
  suite.tasks.flatMap((task) => {
    const title = prefix + task.name;
    return task.type === "suite" ? testsIn(task, `${title} `) : [{ title, test: task }];
  });

/** Runs the tests of a file. Each of `excluded` is the beginning of the title of a test that is not run. */
async function runHere(file: string, excluded: string[]): Promise<Outcome[]> {
  const isExcluded = (title: string) => excluded.some((beginning) => title.startsWith(beginning));
  const runner: VitestRunner = {
    config,
    importFile: (path) => import(path),
    onCollected(files) {
      for (const { title, test } of files.flatMap((one) => testsIn(one))) if (isExcluded(title)) test.mode = "skip";
    },
  };
  const [collected] = await startTests([file], runner);
  const failed = (errors: { message: string; stack?: string }[] = []) =>
    errors.map(({ message, stack }) => `${message}\n${stack}`).join("\n") || undefined;
  const tests = testsIn(collected!);
  const outcomes: Outcome[] = tests
    .filter(({ title }) => !isExcluded(title))
    .map(({ title, test: { result } }) => ({
      title,
      ...(result?.state !== "pass" && { error: failed(result?.errors) ?? `did not run: ${result?.state}` }),
    }));
  const outside = failed(collected!.result?.errors); // thrown outside of tests
  if (outside !== undefined) outcomes.push({ title: "the file", error: outside });
  const unused = excluded.filter((beginning) => !tests.some(({ title }) => title.startsWith(beginning)));
  for (const title of unused) outcomes.push({ title, error: "it is in needs_node.ts, but does not exist" });
  return outcomes;
}

const inWorker = !("document" in globalThis);

/** The same in a worker, which has no document. */
function runInWorker(file: string, excluded: string[]): Promise<Outcome[]> {
  return new Promise((resolve, reject) => {
    const worker = new Worker(import.meta.url, { type: "module" });
    worker.onmessage = ({ data }) => resolve(data);
    worker.onerror = ({ message }) => reject(new Error(message));
    worker.postMessage([file, excluded]);
  });
}

if (inWorker) globalThis.onmessage = async ({ data }) => postMessage(await runHere(...(data as [string, string[]])));

declare global {
  interface Window {
    runTests: typeof runHere;
    runTestsInWorker: typeof runInWorker;
  }
}
Object.assign(globalThis, { runTests: runHere, runTestsInWorker: runInWorker });
