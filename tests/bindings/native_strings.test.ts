// Strings of C++ structs (tests/bindings/native/components.hpp).
import { expect, test } from "@jest/globals";
import { ECS, NONE, init, nativeComponent, type Entity, type RawWorld } from "crateful";

interface Fixture {
  setTitle(world: RawWorld, e: Entity, text: string): void;
  titleOf(world: RawWorld, e: Entity): string;
  intern(world: RawWorld, n: number): void;
}
const { default: create } = (await import(
  new URL("../../build/wasm/tests/native_fixture.mjs", import.meta.url).href
)) as { default: () => Promise<Fixture> };
const native = await create();
class Title extends nativeComponent("Title", { rank: "u8", text: "string", note: "string" }) {}
await init({ module: native });

test("C13 C14 a string of a native component is one of a stored component", () => {
  const ecs = new ECS();
  const e = ecs.addEntity(new Title({ text: "a\0ä" }));
  expect(ecs.get(e, Title).toJSON()).toEqual({ rank: 0, text: "a\0ä", note: "" });
  expect(native.titleOf(ecs.raw, e)).toBe("a\0ä");
  native.setTitle(ecs.raw, e, "from C++ 😀");
  expect(ecs.get(e, Title).toJSON()).toEqual({ rank: 1, text: "from C++ 😀", note: "from C++ 😀!" });
  for (const row of ecs.query({ title: Title })) {
    expect(row.title.note).toBe("from C++ 😀!");
    row.title.text = "row";
  }
  expect(native.titleOf(ecs.raw, e)).toBe("row");
  expect(Title.schema.text).toEqual({ type: "string", default: "" });
  const [b] = ecs.prefab([Title]).spawn(2, [{ text: ["b", "c"] }]);
  expect(native.titleOf(ecs.raw, b!)).toBe("b");
  ecs.dispose();
});

test("Q11 an index finds a text that only C++ has used", () => {
  const ecs = new ECS();
  const e = ecs.addEntity(Title);
  const byText = ecs.index(Title, "text");
  native.setTitle(ecs.raw, e, "from C++");
  expect([byText.first("from C++"), byText.first("")]).toEqual([e, NONE]);
  ecs.dispose();
});

test("C13 texts that C++ frees are other ones in TypeScript too", () => {
  const ecs = new ECS();
  const [a, b] = ecs.addEntities(2);
  native.setTitle(ecs.raw, a!, "kept");
  for (let i = 0; i < 30; ++i) {
    native.setTitle(ecs.raw, b!, `title ${i}`);
    expect(ecs.get(b!, Title).text).toBe(`title ${i}`);
    native.intern(ecs.raw, 5000);
    ecs.get(b!, Title).note = `note ${i}`;
    expect(ecs.get(b!, Title).toJSON()).toEqual({ rank: 1, text: `title ${i}`, note: `note ${i}` });
  }
  expect(ecs.get(a!, Title).text).toBe("kept");
  expect(Math.max(...ecs.storage(Title).columns.text)).toBeLessThan(12_000);
  // What reading the arguments frees in C++ is noticed.
  const values = {
    text: "first",
    get note() {
      native.intern(ecs.raw, 30_000);
      return "second";
    },
  };
  expect(() => ecs.addComponent(a!, Title, values)).toThrow(/reading its arguments called the ECS/);
  expect(ecs.get(a!, Title).text).toBe("kept");
  ecs.dispose();
});
