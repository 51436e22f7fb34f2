// Entities of the replica's program that become those of the sender (rule N6).
import { expect, test } from "@jest/globals";
import { Component, ECS, NONE, defineComponent, defineObject, defineSystem, type Aspect, type Entity } from "crateful";
import { Changes, Replica, restore, snapshot } from "crateful/state";
import "./with_state.js";
import { expectError } from "./world.js";

class Place extends defineComponent("AdoptPlace", { x: "f32" }) {}
class Aim extends defineComponent("AdoptAim", { at: "entity" }) {}
class Title extends defineObject("AdoptTitle", { text: "" }) {}
class Tint extends defineObject("AdoptTint", { color: 0 }) {
  static assign(tint: Tint, { color }: { color: number }): void {
    tint.color = color;
  }
}
class Route extends Component {
  static readonly typeName = "AdoptRoute";
  static fails = false;
  constructor(public stops = 0) {
    super();
  }
  static encode = ({ stops }: Route): number => stops;
  static decode(stops: number): Route {
    if (Route.fails) throw new Error("no route");
    return new Route(stops);
  }
}
/** Which only the page has. */
class Picture extends defineObject("AdoptPicture", { id: 0 }) {}

class Draw extends defineSystem({ place: Place }) {
  readonly log: string[] = [];
  override onAdd({ entity }: Aspect): void {
    this.log.push(`+${entity}`);
  }
  override onRemove({ entity }: Aspect): void {
    this.log.push(`-${entity}`);
  }
  override update(): void {}
}

function pair() {
  const server = new ECS();
  const gun = server.addEntity([Place, { x: 1 }]);
  const page = new ECS();
  const draw = page.addSystem(0, new Draw());
  const components = [Place, Aim, Title, Tint, Route];
  const receiver = new Changes(server, { components }).receiver();
  const replica = new Replica(page, { components });
  const send = () => replica.apply(receiver.take());
  send();
  draw.log.length = 0;
  return { server, page, gun, replica, receiver, send, log: draw.log };
}

test("N6 an adopted entity becomes that of the sender, and keeps its handle, objects and pictures", () => {
  const { server, page, gun, replica, send, log } = pair();
  const mine = page.addEntity([Place, { x: 2 }], [Picture, { id: 7 }], [Tint, { color: 1 }], [Title, { text: "mine" }]);
  log.length = 0;
  const tint = page.get(mine, Tint);
  const shot = server.addEntity([Place, { x: 3 }], [Tint, { color: 5 }]);
  server.addComponent(gun, Aim, { at: shot });
  replica.adopt(mine, shot);
  expect([replica.entity(shot), replica.remote(mine)]).toEqual([NONE, NONE]);
  send();
  expect([replica.entity(shot), replica.remote(mine)]).toEqual([mine, shot]);
  expect(page.get(mine, Place).x).toBe(3);
  expect(page.get(mine, Picture).id).toBe(7);
  expect(page.get(mine, Tint)).toBe(tint);
  expect(tint.color).toBe(5);
  expect(page.has(mine, Title)).toBe(false);
  expect(page.get(replica.entity(gun), Aim).at).toBe(mine);
  expect(log).toEqual([]);
  server.removeEntity(shot);
  server.update();
  send();
  expect(page.alive(mine)).toBe(false);
  expect(log).toEqual([`-${mine}`]);
});

test("N6 an object component without assign is replaced when the adopted entity arrives", () => {
  const { server, page, replica, send } = pair();
  const mine = page.addEntity([Title, { text: "mine" }]);
  const title = page.get(mine, Title);
  const shot = server.addEntity([Title, { text: "theirs" }]);
  const same = page.addEntity([Title, { text: "same" }]);
  const kept = page.get(same, Title);
  const other = server.addEntity([Title, { text: "same" }]);
  replica.adopt(mine, shot);
  replica.adopt(same, other);
  send();
  expect(page.get(mine, Title)).not.toBe(title);
  expect(page.get(mine, Title).text).toBe("theirs");
  expect(page.get(same, Title)).toBe(kept);
});

test("N6 what throws while the bytes are decoded leaves the entity as it is, until they are applied again", () => {
  const { server, page, replica, receiver } = pair();
  const mine = page.addEntity([Title, { text: "mine" }], [Place, { x: 4 }]);
  const shot = server.addEntity(new Route(5));
  replica.adopt(mine, shot);
  const bytes = receiver.take();
  Route.fails = true;
  expect(() => replica.apply(bytes)).toThrow("no route");
  Route.fails = false;
  expect([replica.entity(shot), page.get(mine, Title).text, page.get(mine, Place).x]).toEqual([NONE, "mine", 4]);
  replica.apply(bytes);
  expect(replica.entity(shot)).toBe(mine);
  expect([Title, Place, Route].map((cls) => page.has(mine, cls))).toEqual([false, false, true]);
});

test("N6 what can't be adopted is a typed error, and nothing changes", () => {
  const { server, page, gun, replica, send } = pair();
  const shot = server.addEntity([Place, { x: 3 }]);
  const mine = page.addEntity();
  const gone = page.addEntity();
  page.removeEntity(gone);
  page.update();
  replica.adopt(mine, shot);
  for (const local of [gone, NONE, -1, 0.5])
    expect(expectError("STALE_ENTITY", () => replica.adopt(local, shot)).message).toMatch(/^adopt: /);
  for (const local of [undefined, "1", {}]) expectError("BAD_ARGUMENT", () => replica.adopt(local as Entity, shot));
  for (const remote of [NONE, -1, 0.5, undefined, "1", server.world, gun])
    expectError("BAD_ARGUMENT", () => replica.adopt(mine, remote as Entity));
  for (const local of [page.world, replica.entity(gun)]) expectError("BAD_ARGUMENT", () => replica.adopt(local, shot));
  send();
  expect(replica.entity(shot)).toBe(mine);
  restore(page, snapshot(page));
  expectError("BAD_ARGUMENT", () => replica.adopt(page.addEntity(), 77));
  replica.dispose();
  expectError("DISPOSED", () => replica.adopt(mine, shot));
});

test("N6 an entity can be adopted in a callback, as when a message says which one it is", () => {
  const { server, page, replica, send } = pair();
  const mine = page.addEntity([Place, { x: 2 }]);
  const shot = server.addEntity([Place, { x: 3 }]);
  class Listen extends defineSystem({ place: Place }) {
    override update(): void {
      replica.adopt(mine, shot);
    }
  }
  page.addSystem(1, new Listen());
  page.update();
  send();
  expect(replica.entity(shot)).toBe(mine);
});
