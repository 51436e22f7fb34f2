// Handles in object components: `static mapEntities` is the same in all calls (rules N1, N9, E13, N6).
import { expect, test } from "@jest/globals";
import { Component, ECS, NONE, defineComponent, defineObject, defineSystem, type Entity } from "crateful";
import { Changes, Replica, merge, restore, snapshot } from "crateful/state";
import "./with_state.js";
import { expectError } from "./world.js";

type Map = (e: Entity) => Entity;
class Place extends defineComponent("MapPlace", { x: "f32" }) {}
/** With plain data. */
class Plain extends defineObject("MapPlain", { to: NONE as Entity }) {
  static mapEntities = ({ to }: { to: Entity }, map: Map) => ({ to: map(to) });
}
/** With JSON. */
class Json extends Component {
  static readonly typeName: string = "MapJson";
  static encode = ({ to }: Json) => ({ to });
  static decode = ({ to }: { to: Entity }) => new Json(to);
  static mapEntities = (data: { to: Entity }, map: Map) => ({ to: map(data.to) });
  constructor(public to: Entity) {
    super();
  }
}
/** With bytes, which are changed in place. */
class Raw extends Component {
  static readonly typeName = "MapRaw";
  static encode = ({ to }: Raw) => new Uint8Array(Uint32Array.of(to).buffer);
  static decode = (data: Uint8Array) => new Raw(new DataView(data.buffer, data.byteOffset).getUint32(0, true));
  static mapEntities(data: Uint8Array, map: Map): void {
    const view = new DataView(data.buffer, data.byteOffset);
    view.setUint32(0, map(view.getUint32(0, true)), true);
  }
  constructor(public to: Entity) {
    super();
  }
}
/** Writes into the component that exists. */
class Assigned extends Json {
  static override readonly typeName = "MapAssigned";
  static override decode = ({ to }: { to: Entity }) => new Assigned(to);
  static assign(component: Assigned, { to }: { to: Entity }): void {
    component.to = to;
  }
}
const kinds = [
  { kind: "defineObject", cls: Plain, make: (to: Entity): Component & { to: Entity } => new Plain({ to }) },
  { kind: "JSON", cls: Json, make: (to: Entity) => new Json(to) },
  { kind: "bytes", cls: Raw, make: (to: Entity) => new Raw(to) },
  { kind: "assign", cls: Assigned, make: (to: Entity) => new Assigned(to) },
];

/** An entity that refers to another one, in a world whose handles are not in their order. */
function source(make: (to: Entity) => Component) {
  const ecs = new ECS();
  const gone = ecs.addEntities(3);
  const target = ecs.addEntity(Place);
  for (const e of gone) ecs.removeEntity(e);
  ecs.removeMarked();
  const e = ecs.addEntity(Place, make(target));
  ecs.setParent(target, e);
  return { ecs, target, e };
}

test.each(kinds)("N1 N9 a compact snapshot and merge map $kind", ({ cls, make }) => {
  const { ecs, target, e } = source(make);
  const compact = new ECS();
  restore(compact, snapshot(ecs, { compact: true }), { components: [Place, cls] });
  for (const { entity } of compact.query({ of: cls }))
    expect((compact.get(entity, cls) as { to: Entity }).to).toBe([...compact.children(entity)][0]);
  expect(compact.query({ of: cls }).count).toBe(1);
  const to = new ECS();
  to.addEntities(5);
  const handles = merge(to, snapshot(ecs), { components: [Place, cls] });
  expect((to.get(handles.get(e)!, cls) as { to: Entity }).to).toBe(handles.get(target));
});

test.each(kinds)("E13 a clone with children maps $kind", ({ cls, make }) => {
  const { ecs, target, e } = source(make);
  const clone = ecs.clone(e, [], { children: true });
  const read = (of: Entity) => (ecs.get(of, cls) as { to: Entity }).to;
  expect(read(clone)).toBe([...ecs.children(clone)][0]);
  expect([read(e), read(ecs.clone(e))]).toEqual([target, target]);
});

test.each(kinds)("N6 a replica maps $kind, also what arrives later, leaves and comes back", ({ cls, make }) => {
  const { ecs, target, e } = source(make);
  const page = new ECS();
  page.addEntities(7);
  const components = [Place, cls];
  const receiver = new Changes(ecs, { components }).receiver({ select: [e] });
  const replica = new Replica(page, { components });
  const send = () => replica.apply(receiver.take());
  const read = () => (page.get(replica.entity(e), cls) as { to: Entity }).to;
  send();
  expect(read()).toBe(NONE);
  receiver.select(target);
  send();
  expect(read()).toBe(replica.entity(target));
  receiver.deselect(target);
  send();
  expect(read()).toBe(NONE);
  receiver.select(target);
  send();
  expect(read()).toBe(replica.entity(target));
  replica.predict(replica.entity(e));
  (page.get(replica.entity(e), cls) as { to: Entity }).to = NONE;
  replica.reset();
  expect(read()).toBe(replica.entity(target));
  receiver.restart();
  send();
  expect(read()).toBe(replica.entity(target));
  ecs.removeEntity(target);
  ecs.removeMarked();
  send();
  expect(read()).toBe(NONE);
});

test("N6 a value that is set again signals once, in the object that exists if the class can assign", () => {
  class Watch extends defineSystem({ plain: Plain, assigned: Assigned }, { watch: [Plain, Assigned] }) {
    readonly dirty_: Entity[] = [];
    override update(): void {
      for (const { entity } of this.dirty) this.dirty_.push(entity);
    }
  }
  const server = new ECS();
  const target = server.addEntity(Place);
  const e = server.addEntity(new Plain({ to: target }), new Assigned(target));
  const page = new ECS();
  page.addEntities(2);
  const components = [Place, Plain, Assigned];
  const receiver = new Changes(server, { components }).receiver({ select: [e] });
  const replica = new Replica(page, { components });
  const send = () => replica.apply(receiver.take());
  const { dirty_: dirty } = page.addSystem(0, new Watch());
  send();
  const copy = replica.entity(e);
  const [plain, assigned] = [page.get(copy, Plain), page.get(copy, Assigned)];
  page.update();
  dirty.length = 0;
  receiver.select(target);
  send();
  page.update();
  expect([page.get(copy, Plain) === plain, page.get(copy, Assigned) === assigned]).toEqual([false, true]);
  expect(dirty).toEqual([copy]);
  receiver.restart();
  send();
  page.update();
  expect(dirty).toEqual([copy]); // what is the same does not signal
});

test("N6 E13 what mapEntities does not map, and a handle that is none", () => {
  class Memo extends defineObject("MapMemo", { about: NONE as Entity }) {}
  const server = new ECS();
  server.addEntities(3);
  const target = server.addEntity(new Memo());
  const e = server.addEntity(new Memo({ about: target }));
  server.setParent(target, e);
  const page = new ECS();
  const components = [Memo, Plain];
  const receiver = new Changes(server, { components }).receiver();
  const replica = new Replica(page, { components });
  replica.apply(receiver.take());
  expect(page.get(replica.entity(e), Memo).about).toBe(target);
  expect(server.get(server.clone(e, [], { children: true }), Memo).about).toBe(target);
  server.addComponent(e, new Plain({ to: "x" as never }));
  const [bytes, count, here] = [receiver.take(), server.count, page.count];
  expectError("BAD_ARGUMENT", () => replica.apply(bytes));
  expect([page.count, page.has(replica.entity(e), Plain)]).toEqual([here, false]);
  expectError("BAD_ARGUMENT", () => server.clone(e, [], { children: true }));
  expect(server.count).toBe(count);
});

test("N1 N9 E13 N6 map can't be used when the call has returned", () => {
  let kept: Map | undefined;
  class Keeps extends defineObject("MapKeeps", { to: NONE as Entity }) {
    static mapEntities(_data: unknown, map: Map): void {
      kept = map;
    }
  }
  const { ecs, e } = source((to) => new Keeps({ to }));
  const refused = (call: string) => {
    expect(expectError("BAD_ARGUMENT", () => kept!(e)).message).toMatch(`${call}: mapEntities: map can't be used`);
    kept = undefined;
  };
  snapshot(ecs, { compact: true });
  refused("snapshot");
  merge(new ECS(), snapshot(ecs), { components: [Place, Keeps] });
  refused("merge");
  ecs.clone(e, [], { children: true });
  refused("clone");
  const page = new ECS();
  const receiver = new Changes(ecs, { components: [Place, Keeps] }).receiver();
  const replica = new Replica(page, { components: [Place, Keeps] });
  replica.apply(receiver.take());
  refused("apply");
  replica.predict(replica.entity(e));
  refused("predict");
  page.get(replica.entity(e), Keeps).to = NONE;
  replica.reset();
  refused("reset");
  replica.dispose();
});
