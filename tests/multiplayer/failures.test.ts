// What fails for one client of crateful/colyseus, or in one callback, does not fail for the others and afterwards.
import { afterEach, beforeAll, beforeEach, expect, jest, test } from "@jest/globals";
import { defineSystem, type Entity } from "crateful";
import { init } from "crateful/state";
import { Host, type Connection, type Page } from "./fakes.js";
import { Label, Place } from "./rooms.js";

let host: Host;
let crate: Entity;
let pages: [Page, Page, Page];
beforeAll(() => init());
beforeEach(() => {
  jest.spyOn(console, "warn").mockImplementation(() => {});
  host = new Host();
  crate = host.ecs.addEntity([Place, { x: 1 }]);
  pages = [host.connect("a"), host.connect("b"), host.connect("c")];
});
afterEach(() => void jest.restoreAllMocks());

const connection = (page: Page) => page.connection as Connection;
const shows = ({ ecs, replica }: Page) => ecs.tryGet(replica.entity(crate), Place)?.x;
function joinAll(): void {
  for (const page of pages) host.world.join(connection(page));
}
function setPlace(x: number): void {
  host.ecs.get(crate, Place).x = x;
}

test("a client to which a message cannot be sent reconnects, and the others get theirs", () => {
  joinAll();
  host.update();
  connection(pages[1]).fails = true;
  setPlace(2);
  expect(host.update()).toBeGreaterThan(0);
  expect(pages.map((page) => connection(page).left)).toEqual([undefined, 4010, undefined]);
  expect(jest.mocked(console.warn).mock.calls.flat().join()).toMatch(
    "client b must reconnect: Error: the socket is broken",
  );
  connection(pages[1]).fails = false;
  setPlace(3);
  host.update(); // nothing for a connection with a gap
  for (const page of pages) page.receive();
  expect(pages.map(shows)).toEqual([3, 1, 3]);

  host.drop(pages[1]);
  host.reconnect(pages[1]);
  host.receive(connection(pages[1]));
  host.update();
  pages[1].receive();
  expect(shows(pages[1])).toBe(3);
});

test("what `take` throws for a client is thrown when the others have got theirs", () => {
  const large = host.ecs.addEntity([Label, { text: "x".repeat(5000) }]);
  for (const [i, select] of [[crate], [large], [crate]].entries())
    host.world.join(connection(pages[i] as Page), { select });
  expect(() => host.world.send({ maxBytes: 1000 })).toThrow("more than the limit of 1000");
  for (const page of pages) page.receive();
  expect(pages.map(shows)).toEqual([1, undefined, 1]);
});

test("a failing `join` changes nothing", () => {
  joinAll();
  host.update();
  const receiver = host.world.receiver(connection(pages[0]));
  expect(() => host.world.join(connection(pages[0]), { select: [12345] })).toThrow("is not alive");
  expect(host.world.receiver(connection(pages[0]))).toBe(receiver);
});

test("clients can leave when the ECS was disposed", () => {
  joinAll();
  host.update();
  host.ecs.dispose();
  for (const page of pages) host.world.leave(connection(page));
  expect(host.update.bind(host)).toThrow("disposed");
  expect(host.world.send()).toBe(0);
});

/** Throws in the next `onAdd`. */
class Fragile extends defineSystem({ place: Place }) {
  throws = false;
  override onAdd(): void {
    if (!this.throws) return;
    this.throws = false;
    throw new Error("onAdd has failed");
  }
}

test("what a callback throws while predictions are reset loses no message", () => {
  joinAll();
  host.update();
  const [page] = pages;
  page.receive();
  const system = page.ecs.addSystem(0, new Fragile());
  page.replica.predict(page.replica.entity(crate));
  page.ecs.removeComponent(page.replica.entity(crate), Place);
  page.ecs.update();
  system.throws = true;
  setPlace(2);
  host.update();
  expect(() => page.receive()).toThrow("onAdd has failed");
  expect(shows(page)).toBe(2);
  expect(page.applied).toBe(2);
  setPlace(3);
  host.update();
  page.receive();
  expect(shows(page)).toBe(3);
});

test("messages during which callbacks throw are acknowledged", () => {
  joinAll();
  const [page] = pages;
  const system = page.ecs.addSystem(0, new Fragile());
  for (let k = 1; k <= 16; ++k) {
    host.ecs.addEntity([Place, { x: k }]);
    host.update();
    system.throws = true;
    expect(() => page.receive()).toThrow("onAdd has failed");
  }
  expect(page.applied).toBe(16);
  expect(connection(page).up.map(({ bytes }) => [...bytes])).toEqual([[16, 0, 0, 0]]);
});

test("damaged bytes are no message: they reach the caller, and are not acknowledged", () => {
  joinAll();
  host.update();
  const [page] = pages;
  const [message] = connection(page).down;
  connection(page).down.unshift({ type: "crateful", bytes: new Uint8Array(9) });
  expect(() => page.receive(1)).toThrow("apply: ");
  expect(page.applied).toBe(0);
  expect(connection(page).down[0]).toBe(message);
  page.receive();
  expect(shows(page)).toBe(1);
});
