import { beforeEach, expect, jest, test } from "@jest/globals";
import { System, defineComponent, defineSystem } from "crateful";
import { Position, Scripted, Velocity, expectError, positions, world } from "../bindings/world.js";

const warn = jest.spyOn(console, "warn");
beforeEach(() => {
  warn.mockReset();
});
const warnings = () => warn.mock.calls.map(([message]) => message as string);

/** A system with these members beside the required ones. */
function withMembers(members: object): System {
  class Mover extends System {
    componentsRequired = new Set([Position]);
    override update() {}
  }
  return Object.assign(new Mover(), members);
}
const method = () => {};

test.each([
  ["dirtyComponent", new Set([Position]), "dirtyComponents"],
  ["DirtyComponents", [Position], "dirtyComponents"],
  ["dirtyCompnoents", new Set([Position]), "dirtyComponents"],
  ["onadd", method, "onAdd"],
  ["onAdded", method, "onAdd"],
  ["onRemoved", method, "onRemove"],
  ["onremove", method, "onRemove"],
  ["onEnable", method, "onEnabled"],
  ["Init", method, "init"],
  ["makeAspects", method, "makeAspect"],
  ["onlyWhenDirt", true, "onlyWhenDirty"],
])("B1 a member %s of a system is reported once as a misspelling", (name, value, right) => {
  const ecs = world();
  const system = withMembers({ [name]: value });
  ecs.addSystem(0, system);
  ecs.removeSystem(system);
  ecs.addSystem(0, system);
  expect(warnings()).toEqual([`crateful: addSystem: Mover.${name} has no effect; did you mean ${right}?`]);
});

test("B1 misspelt methods of a class are reported, and what they replace is then an error if it is required", () => {
  class Required extends Scripted {
    componentRequired = new Set([Position]);
    override componentsRequired = undefined as never;
    onClears() {}
  }
  const error = expectError("BAD_SYSTEM", () => world().addSystem(0, new Required({})));
  expect(error.message).toBe(
    "addSystem: Required: componentsRequired must be a Set of classes, new Set([Position]), not undefined",
  );
  expect(warnings()).toEqual([
    "crateful: addSystem: Required.componentRequired has no effect; did you mean componentsRequired?",
    "crateful: addSystem: Required.onClears has no effect; did you mean onClear?",
  ]);
  class Upper extends (System as unknown as new () => Scripted) {
    override componentsRequired = new Set([Position]);
    Update() {}
  }
  expect(expectError("BAD_SYSTEM", () => world().addSystem(0, new Upper())).message).toBe(
    "addSystem: Upper: update must be a method, not undefined",
  );
  expect(warnings().at(-1)).toBe("crateful: addSystem: Upper.Update has no effect; did you mean update?");
});

test("B1 a system's own members are not reported", () => {
  const ecs = world();
  class Own extends defineSystem({ position: Position }, { watch: [Position] }) {
    readonly moving = this.query({ position: Position });
    names = ["a"];
    updates = 0; // a number is no misspelt method
    onlyWhenDry = "text";
    unit = () => {};
    _onAdd = 1;
    override onAdd() {}
    onAdds() {} // the class has an onAdd
    onHit() {}
    updateAll() {}
    override update() {}
  }
  ecs.addSystem(0, new Own());
  ecs.addSystem(0, withMembers({ dirtyComponents: new Set([Position]), dirtyComponent: new Set([Position]) }));
  expect(warnings()).toEqual([]);
});

test("B1 two systems of one class in an ECS are reported once, unless they have names of their own", () => {
  class Mover extends defineSystem({ position: Position }) {
    override update() {}
  }
  class Named extends defineSystem({ position: Position }) {
    constructor(override readonly name: string) {
      super();
    }
    override update() {}
  }
  const ecs = world();
  ecs.addSystem(0, new Named("one"));
  ecs.addSystem(0, new Named("two"));
  const first = ecs.addSystem(0, new Mover());
  world().addSystem(0, new Mover());
  ecs.removeSystem(first);
  ecs.addSystem(0, new Mover());
  expect(warnings()).toEqual([]);
  for (let i = 0; i < 3; ++i) ecs.addSystem(0, new Mover());
  expect(warnings()).toEqual([
    "crateful: addSystem: this ECS has two systems of class Mover, and both run. If a scene or an effect was started again, remove the " +
      "first one where it ends: ecs.removeSystem(system). Otherwise, give them different names",
  ]);
  ecs.addSystem(0, new Named("two"));
  expect(warnings().length).toBe(2);
});

test("D3 B1 reading dirty of a system that watches nothing is reported once", () => {
  const ecs = world();
  class Draw extends defineSystem({ position: Position }) {
    override update() {
      expect([this.dirty.size, [...this.dirty]]).toEqual([0, []]);
    }
  }
  ecs.addSystem(0, new Draw());
  expect(warnings()).toEqual([]);
  ecs.update();
  ecs.update();
  expect(warnings()).toEqual(["crateful: Draw watches nothing, so dirty is always empty; add watch: [Position]"]);
});

test("D3 B1 the advice to watch names a class with fields rather than a tag", () => {
  class Tag extends defineComponent("UnwatchedTag") {}
  const ecs = world();
  class Draw extends defineSystem({ tag: Tag, position: Position }) {
    override update() {
      void this.dirty;
    }
  }
  class Count extends defineSystem({ tag: Tag }) {
    override update() {
      void this.dirty;
    }
  }
  for (const system of [new Draw(), new Count()]) ecs.addSystem(0, system);
  ecs.update();
  expect(warnings()).toEqual([
    "crateful: Draw watches nothing, so dirty is always empty; add watch: [Position]",
    "crateful: Count watches nothing, so dirty is always empty; add watch: [Tag]",
  ]);
});

test("D11 B1 onlyWhenDirty of a system that watches nothing is reported once", () => {
  const ecs = world();
  class Draw extends defineSystem({ velocity: Velocity, position: Position }, { onlyWhenDirty: true }) {
    override update() {}
  }
  class Mover extends System {
    componentsRequired = new Set([Position]);
    override onlyWhenDirty = true;
    override update() {}
  }
  class Tick extends defineSystem(undefined, { onlyWhenDirty: true }) {
    override update() {}
  }
  for (const system of [new Draw(), new Mover(), new Tick()]) ecs.addSystem(0, system);
  world().addSystem(0, new Draw());
  const never = (name: string) =>
    `crateful: addSystem: ${name} watches nothing, so with onlyWhenDirty it is never updated; `;
  expect(warnings()).toEqual([
    `${never("Draw")}add watch: [Velocity]`,
    `${never("Mover")}add dirtyComponents = new Set([Position])`,
    `${never("Tick")}remove onlyWhenDirty`,
  ]);
});

test("D3 D13 B1 a system that watches a class, itself or from ancestors, or that does not read dirty is not reported", () => {
  const ecs = world();
  for (const options of [{ watch: [Velocity] }, { watchAncestors: [Position] }]) {
    class Watcher extends defineSystem({ position: Position }, { ...options, onlyWhenDirty: true }) {
      override update() {
        void this.dirty.size;
      }
    }
    ecs.addSystem(0, new Watcher());
  }
  class Plain extends defineSystem({ position: Position }) {
    override update() {
      void this.rows.count;
    }
  }
  ecs.addSystem(0, new Plain());
  positions(ecs, 1);
  ecs.update();
  expect(warnings()).toEqual([]);
});

test("B1 an update that returns a promise is an error", async () => {
  const ecs = world();
  positions(ecs, 1);
  let runs = 0;
  class Loader extends defineSystem({ position: Position }) {
    override async update() {
      runs += 1;
      await Promise.resolve();
    }
  }
  const system = ecs.addSystem(0, new Loader());
  expect(Object.keys(system)).not.toContain("update");
  expect(expectError("BAD_SYSTEM", () => ecs.update()).message).toBe(
    "Loader: update returned a promise. What follows an await runs after the frame: start asynchronous work elsewhere, and use " +
      "its result in a later update",
  );
  ecs.removeSystem(system);
  ecs.addSystem(0, system);
  expectError("BAD_SYSTEM", () => ecs.update());
  expect(runs).toBe(2);
});

test("S15 S20 B1 a condition and a replay that are asynchronous are errors", () => {
  const ecs = world();
  class Ready extends defineSystem(undefined, { when: (async () => false) as never }) {
    override update() {}
  }
  ecs.addSystem(0, new Ready());
  expect(expectError("BAD_SYSTEM", () => ecs.update()).message).toContain("Ready: when returned a promise");
  const promise = expectError("BAD_ARGUMENT", () => ecs.replay(async () => {}));
  expect(promise.message).toContain("replay: f returned a promise");
  const generator = expectError("BAD_ARGUMENT", () => ecs.replay(function* () {}));
  expect([generator.message.slice(0, 30), ecs.replaying]).toEqual(["replay: f returned a generator", false]);
  let frame = 0;
  ecs.replay(() => (frame = 1));
  expect(frame).toBe(1);
});

test("B1 exchanged letters in the name of a callback are reported, also of systems with rows and other callbacks", () => {
  class Walk extends defineSystem({ position: Position }) {
    override onAdd() {}
    udpate() {}
    wehn() {
      return false;
    }
  }
  world().addSystem(0, new Walk());
  expect(warnings()).toEqual([
    "crateful: addSystem: Walk.udpate has no effect; did you mean update?",
    "crateful: addSystem: Walk.wehn has no effect; did you mean when?",
  ]);
});
