// String fields in TypeScript (rule C13, and C14 for what accepts them); those of C++ structs are in native_strings.test.ts.
import { expect, test } from "@jest/globals";
import { defineComponent, type ECS, type Entity } from "crateful";
import { add, entity, expectError, growMemory, thrownBy, values, world } from "./world.js";

class Name extends defineComponent("StringName", {
  text: "string",
  n: "u32",
  kind: { type: "string", default: "crate" },
}) {}
class PackedName extends defineComponent("StringPacked", { text: "string" }, { policy: "sparse" }) {}
class Filler extends defineComponent("StringFiller", { text: "string" }) {}

/** Sets so many different texts that those that nothing uses are freed. */
function collect(ecs: ECS, texts = 12_000): void {
  const filler = ecs.tryGet(0, Filler) ?? ecs.addComponent(0, new Filler());
  for (let i = 0; i < texts; ++i) filler.text = `filler ${i}`;
}
const texts = (ecs: ECS, entities: Iterable<Entity>) => Array.from(entities, (e) => ecs.get(e, Name).text);

test("C13 C7 the default is the empty text, or the one that is declared", () => {
  const ecs = world();
  expect(new Name().toJSON()).toEqual({ text: "", n: 0, kind: "crate" });
  expect(Name.schema).toEqual({
    text: { type: "string", default: "" },
    n: { type: "u32", default: 0 },
    kind: { type: "string", default: "crate" },
  });
  const [single, bulk, spawned] = [ecs.addEntity(Name), ecs.addEntity(), ecs.prefab([Name]).spawn(1)[0]!];
  ecs.addComponents([bulk], Name);
  for (const e of [single, bulk, spawned]) expect(ecs.get(e, Name).toJSON()).toEqual({ text: "", n: 0, kind: "crate" });
  expectError("BAD_ARGUMENT", () => defineComponent("Bad", { text: { type: "string", default: 5 as never } }));
});

test.each([Name, PackedName as unknown as typeof Name])("C13 a field holds the text that it was given [%p]", (cls) => {
  const ecs = world();
  const plain = new cls({ text: "a" });
  plain.text = "b";
  const e = entity(ecs, plain);
  expect(plain.text).toBe("b");
  plain.text = "c";
  expect(ecs.get(e, cls).text).toBe("c");
  for (const row of ecs.query({ name: cls })) {
    row.name.text = "d";
    expect(row.name.text).toBe("d");
  }
  expect(plain.text).toBe("d");
  ecs.removeComponent(e, cls);
  expectError("MISSING_COMPONENT", () => plain.text);
});

test("C13 a text may contain any characters; surrogates that are no pairs become U+FFFD", () => {
  const ecs = world();
  const all = ["", "\0", "a\0b", "a\0", "\ufeffmark", "ä€😀", "12", "__proto__", "x".repeat(100_000)];
  const list = all.map((text) => ecs.addEntity(new Name({ text })));
  expect(texts(ecs, list)).toEqual(all);
  const e = ecs.addEntity(new Name({ text: "a\ud800b\udc00" }));
  expect(ecs.get(e, Name).text).toBe("a\ufffdb\ufffd");
  expect(ecs.storage(Name).columns.text.at(-1)).not.toBe(0);
  ecs.get(e, Name).text = "a\ufffdb\ufffd";
  expect(ecs.get(e, Name).text).toBe("a\ufffdb\ufffd");
});

test("C13 a component that is not added yet has the text that will be stored", () => {
  class Titled extends defineComponent("Titled", { text: { type: "string", default: "\udc00" } }) {}
  const ecs = world();
  for (const text of ["\ud800", "a\udc00\ud800b", "😀\ud83d", "😀"]) {
    const stored = new TextDecoder().decode(new TextEncoder().encode(text));
    const plain = new Titled({ text });
    expect(plain.text).toBe(stored);
    plain.text = "";
    plain.text = text;
    expect(plain.text).toBe(stored);
    ecs.addComponent(ecs.addEntity(), plain);
    expect(plain.text).toBe(stored);
  }
  expect(new Titled().text).toBe("\ufffd");
  expect(Titled.schema.text.default).toBe("\ufffd");
  expect(ecs.get(ecs.addEntity(Titled), Titled).text).toBe("\ufffd");
});

test("C13 another value than a text is an error that names the field and the value, and changes nothing", () => {
  const ecs = world();
  const e = ecs.addEntity(new Name({ text: "a" }));
  const name = ecs.get(e, Name);
  for (const wrong of [5, null, ["a"], new String("a"), Symbol("a")]) {
    expect(String(thrownBy(() => (name.text = wrong as never)))).toMatch(/text \(string\) takes a string, not /);
    for (const row of ecs.query({ name: Name })) expectError("BAD_ARGUMENT", () => (row.name.text = wrong as never));
    expectError("BAD_ARGUMENT", () => new Name({ text: wrong as never }));
    expectError("BAD_ARGUMENT", () => ecs.addComponent(e, Name, { text: wrong as never }));
    expectError("BAD_ARGUMENT", () => ecs.prefab([[Name, { text: wrong as never }]]));
  }
  expectError("BAD_ARGUMENT", () => ecs.addComponents([e], Name, { text: [5 as never] }));
  expectError("BAD_ARGUMENT", () => ecs.addComponents([e], Name, { text: ["a", "b"] }));
  expect(name.text).toBe("a");
});

test("C13 two worlds have tables of their own", () => {
  const [one, two] = [world(), world()];
  for (const text of ["x", "y", "z"]) two.addEntity(new Name({ text }));
  const [a, b] = [one.addEntity(new Name({ text: "a" })), two.addEntity(new Name({ text: "b" }))];
  expect([one.get(a, Name).text, two.get(b, Name).text]).toEqual(["a", "b"]);
  one.get(a, Name).text = "z";
  expect([one.get(a, Name).text, two.get(b, Name).text]).toEqual(["z", "b"]);
  expect(one.get(a, Name).kind).toBe("crate");
  one.dispose();
  expect(two.get(b, Name).text).toBe("b");
});

test("C13 columns contain the numbers, of which text() returns the text", () => {
  const ecs = world();
  const list = ecs.prefab([Name]).spawn(3, [{ text: ["a", "b", "a"] }]);
  const { text } = ecs.storage(Name).columns;
  const [first, second, third] = ecs.storage(Name).slots(list) as unknown as [number, number, number];
  expect(text).toBeInstanceOf(Uint32Array);
  expect(values(ecs, Name, "text").map((n) => ecs.text(n))).toEqual(["a", "b", "a"]);
  expect([first, second, third].map((slot) => ecs.text(text[slot]!))).toEqual(["a", "b", "a"]);
  expect(text[first]).toBe(text[third]);
  expect(ecs.text(0)).toBe("");
  for (const n of [4_000_000_000, -1, 0.5, Number.NaN]) expectError("BAD_ARGUMENT", () => ecs.text(n));
  for (const wrong of ["a", "1", "length", [1], true, null, undefined, 1n, { valueOf: () => 1 }, Symbol("1")])
    expectError("BAD_ARGUMENT", () => ecs.text(wrong as never));
  const broken = ecs.query({ name: Name }).ids()[1]!;
  text[second] = 999_999;
  expectError("BAD_ARGUMENT", () => ecs.get(broken, Name).text);
});

test("C14 bulk forms accept one text, a list of texts, and a column", () => {
  const ecs = world();
  const list = ecs.addEntities(3);
  ecs.addComponents(list, Name, { text: "one" });
  expect(texts(ecs, list)).toEqual(["one", "one", "one"]);
  ecs.addComponents(list, Name, { text: ["a", "b", "a"], n: [1, 2, 3] });
  expect(texts(ecs, list)).toEqual(["a", "b", "a"]);
  const others = ecs
    .prefab({ name: [Name, { text: "p" }] })
    .spawn(3, { name: { text: ecs.storage(Name).columns.text.subarray(ecs.storage(Name).slot(list[0]!)) } });
  expect(texts(ecs, others)).toEqual(["a", "b", "a"]);
  expectError("BAD_ARGUMENT", () => ecs.addComponents(list, Name, { text: Uint32Array.of(1, 2, 77_777) }));
  expect(texts(ecs, list)).toEqual(["a", "b", "a"]);
});

test("C14 prefabs and overrides keep their texts, however many others were freed", () => {
  const ecs = world();
  const prefab = ecs.prefab({ name: [Name, { text: "prefab" }], packed: PackedName });
  const addsDefaults = () => ecs.addEntity(Name, [PackedName, { text: "packed" }]);
  addsDefaults();
  collect(ecs);
  for (const e of [prefab.spawn(), prefab.spawn(1)[0]!])
    expect(ecs.get(e, Name).toJSON()).toEqual({ text: "prefab", n: 0, kind: "crate" });
  const e = prefab.spawn({ name: { kind: "override" }, packed: { text: "l" } });
  expect([ecs.get(e, Name).toJSON(), ecs.get(e, PackedName).text]).toEqual([
    { text: "prefab", n: 0, kind: "override" },
    "l",
  ]);
  expect(ecs.get(addsDefaults(), Name).kind).toBe("crate");
});

test("C13 D2 a different text signals once, an equal one does not", () => {
  const ecs = world();
  const system = add(ecs, { requires: [Name], watches: [Name] });
  const e = ecs.addEntity(new Name({ text: "a" }));
  const dirtyAfter = (change: () => void) => {
    change();
    ecs.update();
    return system.lastRun!.length;
  };
  dirtyAfter(() => {});
  const name = ecs.get(e, Name);
  expect(dirtyAfter(() => (name.text = ["a", ""].join("")))).toBe(0);
  expect(dirtyAfter(() => (name.text = "b"))).toBe(1);
  const inRow = (text: string) => () => {
    for (const row of ecs.query({ name: Name })) row.name.text = text;
  };
  expect(dirtyAfter(inRow("b"))).toBe(0);
  expect(dirtyAfter(inRow("c"))).toBe(1);
  expect(dirtyAfter(() => ecs.addComponents([e], Name, { text: "c" }))).toBe(1); // a replacement
});

test("C13 memory stays flat over many texts, with and without updates", () => {
  const ecs = world();
  const list = ecs.addEntities(1000);
  ecs.addComponents(list, Name);
  const numbers = () => Math.max(...ecs.storage(Name).columns.text);
  let made = 0;
  const write = (n: number) => {
    for (let i = 0; i < n; ++i) ecs.get(list[i % 1000]!, Name).text = `text ${++made}`;
  };
  write(30_000);
  expect(numbers()).toBeLessThan(6000);
  for (let i = 0; i < 30; ++i) {
    write(1000);
    ecs.update();
  }
  for (let i = 0; i < 30_000; ++i) ecs.addComponent(list[i % 1000]!, new Name({ text: `text ${++made}` }));
  for (let i = 0; i < 30; ++i)
    ecs.addComponents(list, Name, { text: Array.from({ length: 1000 }, () => `text ${++made}`) });
  for (const e of list.slice(0, 20)) expect(ecs.get(e, Name).text).toMatch(/^text \d+$/);
  expect(texts(ecs, list)).toEqual(Array.from({ length: 1000 }, (_, i) => `text ${made - 999 + i}`));
  expect(numbers()).toBeLessThan(6000);
});

test("C13 what is written in an update is freed when it ends, and nothing while it runs", () => {
  const ecs = world();
  const list = ecs.addEntities(10);
  ecs.addComponents(list, Name, { text: "before" });
  let seen: string[] = [];
  const system = add(ecs, {
    requires: [Name],
    onRemove: (aspect) => {
      collect(ecs);
      seen.push(aspect.get(Name).text);
    },
    update: () => collect(ecs, 20_000),
  });
  ecs.get(list[3]!, Name).text = "removed";
  ecs.removeComponent(list[3]!, Name);
  expect(seen).toEqual(["removed"]);
  ecs.update();
  ecs.removeSystem(system);
  collect(ecs);
  ecs.addComponent(list[3]!, new Name({ text: "new" }));
  expect(ecs.storage(Name).columns.text.at(-1)).toBeLessThan(40_000);
  expect(texts(ecs, list)).toEqual([...Array<string>(3).fill("before"), "new", ...Array<string>(6).fill("before")]);
  seen = [];
});

test("C13 A2 X2 components that are kept, parked or in grown memory read their texts", () => {
  const ecs = world();
  class Unwatched extends defineComponent("StringUnwatched", { text: "string" }) {} // its setters do not compare
  const kept = ecs.addComponent(ecs.addEntity(), new Unwatched({ text: "kept" }));
  growMemory(ecs);
  collect(ecs);
  expect(kept.text).toBe("kept");
  kept.text = "y".repeat(20_000_000); // memory grows while it is written
  expect(kept.text.length).toBe(20_000_000);
  const long = Array.from({ length: 3 }, (_, i) => String(i).repeat(4_000_000));
  const list = ecs.addEntities(3);
  ecs.addComponents(list, Name, { n: [1, 2, 3], text: long });
  expect(list.map((e) => ecs.get(e, Name).text.length)).toEqual(Uint32Array.from([4_000_000, 4_000_000, 4_000_000]));
  const e = ecs.prefab([Name, PackedName]).spawn([{ text: "z".repeat(9_000_000), n: 7 }, { text: "l" }]);
  expect([ecs.get(e, Name).n, ecs.get(e, PackedName).text]).toEqual([7, "l"]);
});

test("C13 X3 reading values that frees texts is an error, and otherwise they are those that were read", () => {
  const ecs = world();
  const e = ecs.addEntity(Name);
  let churn = 0;
  const values = (text: string) => ({
    text,
    get kind() {
      collect(ecs, churn);
      return "kind";
    },
  });
  for (churn of [0, 1, 500, 1100, 3000, 20_000]) {
    const text = `read first ${churn}`;
    let threw = false;
    try {
      ecs.addComponent(e, Name, values(text));
    } catch (error) {
      threw = true;
      expect((error as Error).message).toMatch(/reading its arguments called the ECS/);
    }
    if (!threw) expect(ecs.get(e, Name).toJSON()).toEqual({ text, n: 0, kind: "kind" });
    const list = {
      length: 2,
      0: `first ${churn}`,
      get 1() {
        collect(ecs, churn);
        return "second";
      },
    } as ArrayLike<string>;
    const two = ecs.addEntities(2);
    try {
      ecs.addComponents(two, Name, { text: list });
      expect(texts(ecs, two)).toEqual([`first ${churn}`, "second"]);
    } catch (error) {
      expect((error as Error).message).toMatch(/reading its arguments called the ECS/);
    }
  }
});

test("Q10 C13 strings are sorted by the bytes of UTF-8, also when numbers were used again", () => {
  const ecs = world();
  const given = ["b", "a", "", "a\0", "\uffff", "😀", "ab", "Z", "b"];
  const prefab = ecs.prefab([Name]);
  prefab.spawn(given.length, [{ text: given, n: given.map((_, i) => i) }]);
  const up = ecs.query({ name: Name }, { orderBy: [Name, "text"] });
  const down = ecs.query({ name: Name }, { orderBy: [Name, "text", "descending"] });
  const order = (query: typeof up) => Array.from(query, ({ name }) => name.n);
  expect(order(up)).toEqual([2, 7, 1, 3, 6, 0, 8, 4, 5]);
  expect(order(down)).toEqual([5, 4, 0, 8, 6, 3, 1, 7, 2]);
  for (let round = 0; round < 5; ++round) {
    let i = 0;
    for (const row of ecs.query({ name: Name })) row.name.text = `${(++i * 7 + round) % 10}`;
    collect(ecs);
    const all = Array.from(up, ({ name }) => name.text);
    expect(all).toEqual([...all].sort());
    expect(Array.from(down, ({ name }) => name.text)).toEqual([...all].reverse());
  }
});
