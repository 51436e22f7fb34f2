// Where the example saves its rooms: names come from clients.
import { mkdtempSync, readdirSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import process from "node:process";
import { afterAll, expect, test } from "@jest/globals";

const outside = mkdtempSync(path.join(tmpdir(), "crateful-saves-"));
process.env["SAVES"] = path.join(outside, "saves");
const { store } = await import("../../examples/multiplayer/store.js");
afterAll(() => rmSync(outside, { recursive: true }));

test.each(["main", "..", ".", "a/../../b", "a.new", "a", ".new", "\u5ead".repeat(28)])(
  "the room %s is saved inside of the folder",
  async (name) => {
    expect(await store.load(name)).toBeUndefined();
    const bytes = new TextEncoder().encode(name);
    await store.save(name, bytes);
    expect(Array.from((await store.load(name)) ?? [])).toEqual([...bytes]);
    expect(readdirSync(outside)).toEqual(["saves"]);
  },
);

test("a room that cannot be read is not taken for a new one", async () => {
  await expect(store.load("x".repeat(1000))).rejects.toThrow("ENAMETOOLONG");
});
