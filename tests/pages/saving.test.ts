// The program of docs/saving.md for pages, in Chromium; the other ones run in tests/package/programs.test.ts.
import { expect, test } from "@jest/globals";
import { joined, section, starting } from "../package/snippets.js";
import { end } from "./page.js";
import { makeViteProject } from "./vite.js";

test("the program of docs/saving.md for pages prints what the page shows", async () => {
  const inPage = section("docs/saving.md", "In a page");
  const project = await makeViteProject();
  project.consumer.write("src/main.ts", starting("saving", "crateful/state"));
  // The page has ended when main() has.
  project.consumer.write(
    "src/saving.ts",
    joined(inPage, "ts").replace("void main();", `void main().then(() => {${end}});`),
  );
  const served = await project.build();
  try {
    const { page, lines } = await project.open(served.url);
    const expected = joined(inPage, "text").trim().split("\n");
    await page.close();
    expect(lines).toEqual(expected);
  } finally {
    await served.close();
    await project.dispose();
  }
});
