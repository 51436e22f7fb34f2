// Texts of a megabyte in string fields (rule C13, and C14 for what accepts them).
import { expect, test } from "@jest/globals";
import { defineComponent, type ECS } from "crateful";
import { add, world } from "./world.js";

class Note extends defineComponent("LongNote", { text: "string", other: "string" }) {}
class Packed extends defineComponent("LongPacked", { text: "string" }, { policy: "sparse" }) {}

const LENGTH = 2 ** 20;
/** A text of a megabyte. */
const long = (end: string) => "x".repeat(LENGTH - end.length) + end;
const memory = (ecs: ECS) => ecs.storage(Note).columns.text.buffer.byteLength;

test("C13 a text of a megabyte is written, read and compared as any other", () => {
  const ecs = world();
  const e = ecs.addEntity(new Note({ text: long("a") }), [Packed, { text: long("b") }]);
  const note = ecs.get(e, Note);
  expect(note.text === long("a")).toBe(true);
  note.other = long("b");
  for (const row of ecs.query({ note: Note, packed: Packed })) {
    expect(row.note.text === row.packed.text).toBe(false);
    expect(row.note.other === row.packed.text).toBe(true);
    row.packed.text = long("é😀"); // the same number of characters, and more bytes
    expect(row.packed.text === long("é😀")).toBe(true);
  }
  const { text, other } = ecs.storage(Note).columns;
  const slot = ecs.storage(Note).slot(e);
  expect(text[slot]).not.toBe(other[slot]);
  expect(ecs.text(other[slot]!) === long("b")).toBe(true);
  expect(note.toJSON()).toEqual({ text: long("a"), other: long("b") });
  ecs.addComponents([e], Note, { text: [long("c")], other: long("d") });
  expect(ecs.get(e, Note).text === long("c")).toBe(true);
});

test("C13 D2 Q10 an equal text of a megabyte is no signal, and texts are sorted by all of their bytes", () => {
  const ecs = world();
  const system = add(ecs, { requires: [Note], watches: [Note] });
  const list = ["c", "a", "b"].map((end) => ecs.addEntity([Note, { text: long(end) }]));
  ecs.update();
  ecs.get(list[0]!, Note).text = long("c");
  ecs.get(list[1]!, Note).text = long("d");
  ecs.update();
  expect(system.lastRun).toEqual([list[1]]);
  const sorted = ecs.query({ note: Note }, { orderBy: [Note, "text"] });
  expect(Array.from(sorted, ({ entity }) => entity)).toEqual([list[2], list[0], list[1]]);
});

test("C13 C14 E9 A2 prefabs, overrides, and what onRemove and events read, can be texts of a megabyte", () => {
  const ecs = world();
  class Written {
    constructor(readonly text: string) {}
  }
  const lengths: [string, number][] = [];
  add(ecs, {
    requires: [Note],
    onRemove: (aspect) => {
      for (let i = 0; i < 60; ++i) ecs.get(0, Note).text = long(`${i}`);
      lengths.push([aspect.get(Note).text.slice(-1), aspect.get(Note).text.length]);
      ecs.events.dispatch(new Written(aspect.get(Note).text));
    },
  });
  ecs.addComponent(0, Note);
  ecs.events.subscribe(Written, ({ text }) => lengths.push([text.slice(-1), text.length]));
  const prefab = ecs.prefab({ note: [Note, { text: long("p"), other: long("q") }] });
  const one = prefab.spawn({ note: { text: long("o") } });
  const [two] = prefab.spawn(1, { note: { other: [long("r")] } });
  for (let i = 0; i < 60; ++i) ecs.get(0, Note).text = long(`${i}`);
  const ends = (e: number) => [ecs.get(e, Note).text.slice(-1), ecs.get(e, Note).other.slice(-1)];
  expect([ends(one), ends(two!), ends(prefab.spawn())]).toEqual([
    ["o", "q"],
    ["p", "r"],
    ["p", "q"],
  ]);
  ecs.removeEntity(one);
  ecs.update();
  expect(lengths).toEqual([
    ["o", LENGTH],
    ["o", LENGTH],
  ]);
});

test("C13 memory stays flat over texts of a megabyte that replace each other, with and without updates", () => {
  const ecs = world();
  const e = ecs.addEntity([Note, { text: long("first") }]);
  ecs.prefab([Note]).spawn(10_000, [{ text: Array.from({ length: 10_000 }, (_, i) => `${i}`) }]);
  const before = memory(ecs);
  for (let i = 0; i < 90; ++i) {
    ecs.get(e, Note).text = long(`${i}`);
    if (i > 60) ecs.update();
  }
  expect(memory(ecs) - before).toBeLessThan(48 * LENGTH);
  expect(ecs.get(e, Note).text.slice(-4)).toBe("xx89");
});
