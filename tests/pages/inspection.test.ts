// Rule C8 in other tools: Vitest, debuggers of Node, and the console of Chromium.
import path from "node:path";
import process from "node:process";
import { symlinkSync } from "node:fs";
import { afterAll, beforeAll, expect, test } from "@jest/globals";
import { connectToChromium } from "../browser/chromium.js";
import { serveFolder } from "../browser/serve.js";
import { makeConsumer, root, run, tool, type Consumer } from "../package/consumer.js";

let consumer: Consumer;
beforeAll(() => {
  consumer = makeConsumer();
  for (const name of ["vitest", "vite", "jsdom"])
    symlinkSync(path.join(root, "node_modules", name), path.join(consumer.folder, "node_modules", name));
});
afterAll(() => consumer?.dispose());

const components = (entry: string) => `
import { Component, ECS, defineComponent, init } from "${entry}";
await init();
class Position extends defineComponent("Position", { x: "f32", y: "f32" }) {}
class Inventory extends Component { items = ["key"]; }
const ecs = new ECS();
const make = (x) => ecs.addComponent(ecs.addEntity(), new Position({ x }));
`;

const vitestTests = `
import { expect, test } from "vitest";
${components("crateful")}
const makers = [(x) => new Position({ x }), make, (x) => ecs.get(ecs.addEntity([Position, { x }]), Position)];
const rejects = (call) => expect(call).toThrow(/expected/);

for (const of of makers) {
  test("fields are compared in both directions", () => {
    expect(of(1)).toEqual({ x: 1, y: 0 });
    expect({ x: 1, y: 0 }).toEqual(of(1));
    expect(of(1)).toEqual(of(1));
    expect([of(1)]).toMatchObject([{ x: 1 }]);
    expect({ x: 1, y: 0, z: 0 }).toMatchObject(of(1));
    expect(of(1)).toStrictEqual(new Position({ x: 1 }));
    expect(of(1)).to.deep.equal(of(1));
    rejects(() => expect(of(1)).toEqual({ x: 2, y: 0 }));
    rejects(() => expect({ x: 2, y: 0 }).toEqual(of(1)));
    rejects(() => expect(of(1)).toEqual(of(2)));
    rejects(() => expect(of(1)).toEqual({ x: 1 }));
    rejects(() => expect(of(1)).toEqual({}));
    rejects(() => expect(of(1)).toMatchObject({ x: 2 }));
    rejects(() => expect({ x: 2, y: 0 }).toMatchObject(of(1)));
    rejects(() => expect(of(1)).toStrictEqual({ x: 1, y: 0 }));
    rejects(() => expect(of(1)).to.deep.equal(of(2)));
  });
}
test("rows and object components are compared", () => {
  const inventory = new Inventory();
  const e = ecs.addEntity([Position, { x: 3 }], inventory);
  expect(inventory).toStrictEqual(new Inventory());
  expect(structuredClone(inventory)).toEqual({ items: ["key"] });
  const row = ecs.query({ position: Position, inventory: Inventory }).first();
  expect(row).toEqual({ entity: e, position: { x: 3, y: 0 }, inventory: { items: ["key"] } });
  rejects(() => expect(row).toEqual({ entity: e, position: { x: 4, y: 0 }, inventory: { items: ["key"] } }));
  expect(JSON.stringify(row.position)).toBe('{"x":3,"y":0}');
});
test("a failure shows the fields", () => {
  expect(() => expect(make(1)).toEqual({ x: 2, y: 0 })).toThrow(/"x": 1|x: 1/);
});
`;

test.each(["node", "jsdom"])("C8 Vitest compares components by their fields in the environment %s", (environment) => {
  consumer.write("component.test.js", vitestTests);
  const args = ["run", "--environment", environment, "--reporter=json", "--outputFile=report.json"];
  tool("vitest/vitest.mjs", args, consumer.folder);
  const report = `console.log(JSON.parse(require("node:fs").readFileSync("report.json", "utf8")).numPassedTests)`;
  expect(run(process.execPath, ["--input-type=commonjs", "-e", report], consumer.folder)).toBe("5\n");
});

/** What a debugger shows beside the name of an object. The values of accessors, it shows when the user clicks on them. */
interface Preview {
  description: string;
  overflow: boolean;
  properties: { name: string; type: string; value?: string }[];
}
const shown = ({ description, overflow, properties }: Preview) =>
  `${description} {${properties.map(({ name, value = "(...)" }) => `${name}: ${value}`).join(", ")}}${overflow ? "…" : ""}`;

/** A program that prints components, and what debuggers show of them. */
const printing = `
const live = make(3);
console.log(new Position({ x: 1, y: 2 }));
console.log("live", live);
live.x = 4;
console.log(live.toJSON());
console.log(new Inventory());
for (const row of ecs.query({ position: Position })) console.log(row);
for (const row of ecs.query({ position: Position })) console.log(row.position);
const column = ecs.storage(Position).columns.x[1];
console.log({ column });
ecs.removeComponent(1, Position);
console.log(live);
try {
  live.x;
} catch ({ code }) {
  console.log({ code });
}
`;
const previews = [
  "Position {x: (...), y: (...)}",
  "Position {x: (...), y: (...)}",
  "Object {x: 4, y: 0}",
  "Inventory {items: Array(1)}",
  "Object {entity: (...), position: (...)}",
  "Position {x: (...), y: (...)}",
  "Object {column: 4}",
  "Position {x: (...), y: (...)}",
  "Object {code: MISSING_COMPONENT}",
];

test("C8 the console of Chromium shows the fields of a component and nothing internal", async () => {
  consumer.write("page.js", `${components("crateful/inline")}${printing}console.log("end");`);
  consumer.write("page/index.html", '<!doctype html><script type="module" src="page.js"></script>');
  const options = ["page.js", "--bundle", "--format=esm", "--keep-names", "--outfile=page/page.js"];
  run(path.join(root, "node_modules/.bin/esbuild"), options, consumer.folder);
  const served = await serveFolder(path.join(consumer.folder, "page"));
  const browser = await connectToChromium();
  try {
    const page = await browser.newPage();
    const session = await page.context().newCDPSession(page);
    await session.send("Runtime.enable");
    const printed: string[] = [];
    const ended = new Promise<void>((resolve) => {
      session.on("Runtime.consoleAPICalled", ({ args }) => {
        const last = args.at(-1)!;
        if (last.value === "end") resolve();
        else printed.push(shown(last.preview as Preview));
      });
    });
    await page.goto(served.url);
    await ended;
    expect(printed).toEqual(previews);
  } finally {
    await browser.close();
    await served.close();
  }
});

test("C8 Node prints the fields of a component, and its debuggers show them first", () => {
  const program = `
import inspector from "node:inspector";
${components("crateful")}
const previews = [];
const session = new inspector.Session();
session.connect();
session.on("Runtime.consoleAPICalled", ({ params }) => previews.push(params.args.at(-1).preview));
session.post("Runtime.enable");
${printing}
session.disconnect();
console.log(JSON.stringify(previews));
`;
  consumer.write("printing.mjs", program);
  const lines = run(process.execPath, ["printing.mjs"], consumer.folder).trimEnd().split("\n");
  const fields = (JSON.parse(lines.pop()!) as Preview[]).map((preview) => {
    const internal = preview.properties.findIndex(({ name }) => name.startsWith("$"));
    return internal < 0 ? preview : { ...preview, overflow: false, properties: preview.properties.slice(0, internal) };
  });
  expect(fields.map(shown)).toEqual(previews);
  expect(lines).toEqual([
    "Position { x: 1, y: 2 }",
    "live Position { x: 3, y: 0 }",
    "{ x: 4, y: 0 }",
    "Inventory { items: [ 'key' ] }",
    "{ entity: 1, position: Position { x: 4, y: 0 } }",
    "Position { x: 4, y: 0 }",
    "{ column: 4 }",
    "[Position: entity 1 (index 1, generation 0) no longer has this component]",
    "{ code: 'MISSING_COMPONENT' }",
  ]);
});
