// What every change must not break in a browser: the README's example, the inspector, and the crate room. The parts of the night test
// pages thoroughly.
import { expect, test } from "@jest/globals";
import { frames, playersPlace, useRooms } from "../browser/room.js";
import { expectSystems } from "../examples/copy_example.js";
import { joined, section } from "../package/snippets.js";
import { ending } from "../pages/page.js";
import { makeViteProject } from "../pages/vite.js";

const rooms = useRooms();

/** Prints which build of the package the page has (rule B1). */
const which = `
const [late] = [...ecs.query({ position: Position })];
try {
  late!.position.x += 1;
  console.log("production");
} catch {
  console.log("development");
}
`;

test("B1 the README's example prints what the README shows, built, and served for development with the inspector", async () => {
  const first = section("README.md", "A first example");
  const program = joined(first, "ts");
  const printed = joined(first, "text").trimEnd().split("\n");
  const project = await makeViteProject();
  try {
    project.consumer.write("src/main.ts", ending(program, which));
    const built = await project.build();
    const { page, lines } = await project.open(built.url);
    expect(lines).toEqual([...printed, "production"]);
    await page.close();
    await built.close();

    const attach = `(await import("crateful/inspector")).attachInspector(ecs);`;
    const inspected = program.replace("init().then(() =>", "init().then(async () =>");
    project.consumer.write("src/main.ts", ending(inspected, which + attach));
    const developed = await project.serveForDevelopment();
    const opened = await project.open(developed.url);
    expect(opened.lines).toEqual([...printed, "development"]);
    await expectSystems(opened.page, ["Move", "Draw"]);
    await opened.page.close();
    await developed.close();
  } finally {
    await project.dispose();
  }
});

test("the crate room starts and is played, and its inspector shows its systems", async () => {
  const page = await rooms.open("?crates=600&seed=3&guards=1&muted");
  const start = await playersPlace(page);
  await page.keyboard.down("d");
  await frames(page, 30);
  await page.keyboard.up("d");
  expect((await playersPlace(page)).x).toBeGreaterThan(start.x + 20);
  expect(await page.evaluate(() => window.play.picture().colours)).toBeGreaterThan(100);
  await page.getByRole("tab", { name: "Systems" }).click();
  await page.getByRole("searchbox", { name: "Find a system" }).fill("SpatialHash");
  await page.getByRole("checkbox", { name: "SpatialHash is on", exact: true }).waitFor();
});
