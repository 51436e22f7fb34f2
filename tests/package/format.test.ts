// docs/format.md: the decoder in Python was written from it alone, by somebody who did not know the package.
import { expect, test } from "@jest/globals";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { Component, ECS, NONE, defineComponent, defineObject, defineSystem } from "crateful";
import { init, snapshot } from "crateful/state";
import { root, run } from "./consumer.js";

await init();

class Unit extends defineComponent("Unit", {
  state: ["idle", "walk"],
  name: "string",
  at: "f32x3",
  target: "link",
  owner: "entity",
  alert: "bool",
  hp: "u8",
  big: "f64",
}) {}
class Bag extends defineObject("Bag", { items: [] as string[], gold: 1 }) {}
class Raw extends Component {
  static readonly typeName = "Raw";
  static encode = () => Uint8Array.of(1, 255);
  static decode = () => new Raw();
}
class Tag extends defineComponent("Tag") {}
class Hit {
  static readonly typeName = "Hit";
  constructor(readonly points: number) {}
  static encode = ({ points }: Hit) => ({ points });
  static decode = ({ points }: { points: number }) => new Hit(points);
}
class Watcher extends defineSystem({ unit: Unit }, { watch: [Unit], name: "Watcher" }) {
  readonly hits = this.inbox(Hit);
  override update() {}
}

/** A world with values of all kinds, and the handles of its entities. */
function scene() {
  const ecs = new ECS();
  const watcher = new Watcher();
  ecs.addSystem(0, watcher);
  const hero = ecs.addEntity(
    [Unit, { name: "Ann", at: [1, 2.5, -3], state: "walk", hp: 200, big: 0.1 }],
    [Bag, { gold: 7, items: ["lamp"] }],
    new Raw(),
  );
  const gone = ecs.addEntity(Tag);
  const pet = ecs.addEntity([Unit, { target: hero, owner: hero, name: "Rex", alert: true }], Tag);
  ecs.setParent(pet, hero);
  ecs.removeEntity(gone);
  ecs.removeMarked();
  ecs.removeEntity(pet);
  ecs.events.dispatch(new Hit(3), 2);
  ecs.events.dispatch(new Hit(4));
  return { ecs, hero, pet };
}

/** What the decoder prints for these bytes. */
function decoded(bytes: Uint8Array): unknown {
  const folder = mkdtempSync(path.join(tmpdir(), "crateful-format-"));
  try {
    const file = path.join(folder, "snapshot");
    writeFileSync(file, bytes);
    return JSON.parse(run("python3", [path.join(root, "tests/format/decode_snapshot.py"), file], root));
  } finally {
    rmSync(folder, { recursive: true });
  }
}

test("N1 a decoder that was written from docs/format.md alone prints the values of a snapshot", () => {
  const { ecs, hero, pet } = scene();
  const found = decoded(snapshot(ecs, { systems: true })) as {
    markedForRemoval: number[];
    classes: { name: string; components: { entity: number; values: unknown }[] }[];
    hierarchy: unknown;
    delayedEvents: unknown;
    systems: unknown[];
  };
  const values = Object.fromEntries(found.classes.map(({ name, components }) => [name, components]));
  expect(values).toEqual({
    Bag: [{ entity: hero, values: { json: { items: ["lamp"], gold: 7 } } }],
    Parent: [{ entity: pet, values: { entity: hero } }],
    Raw: [{ entity: hero, values: { bytes: "01ff" } }],
    Tag: [{ entity: pet, values: {} }],
    Unit: [
      {
        entity: hero,
        values: {
          state: "walk",
          name: "Ann",
          at: [1, 2.5, -3],
          target: null,
          owner: null,
          alert: false,
          hp: 200,
          big: 0.1,
        },
      },
      {
        entity: pet,
        values: { state: "idle", name: "Rex", at: [0, 0, 0], target: hero, owner: hero, alert: true, hp: 0, big: 0 },
      },
    ],
  });
  expect(ecs.get(hero, Unit).owner).toBe(NONE);
  expect(found.markedForRemoval).toEqual([pet]);
  expect(found.hierarchy).toEqual([{ parent: hero, children: [pet] }]);
  expect(found.delayedEvents).toEqual([{ class: "Hit", due: 2, json: { points: 3 } }]);
  expect(found.systems).toEqual([
    {
      name: "Watcher",
      enabled: true,
      sinceLastRun: 0,
      entities: [hero, pet],
      dirty: [hero, pet],
      inboxes: [{ class: "Hit", events: [{ json: { points: 4 } }] }],
    },
  ]);
  ecs.dispose();
});

test("N8 the decoder refuses a damaged snapshot", () => {
  const { ecs } = scene();
  const bytes = snapshot(ecs);
  bytes[100]! ^= 1;
  expect(() => decoded(bytes)).toThrow(/byte 16: wrong checksum/);
  expect(() => decoded(bytes.subarray(0, 100))).toThrow(/byte 100: truncated/);
  ecs.dispose();
});
