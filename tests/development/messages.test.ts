import { expect, jest, test } from "@jest/globals";
import { ECS } from "crateful";
import { Position, positions, world } from "../bindings/world.js";

const warn = jest.spyOn(console, "warn");
const warnings = () => warn.mock.calls.splice(0).map(([message]) => message as string);

test("B1 a message with an array of a storage is reported once, and copies are not", () => {
  warn.mockImplementation(() => undefined);
  const ecs = world();
  positions(ecs, 3);
  const { port1, port2 } = new MessageChannel();
  const { x } = ecs.storage(Position).columns;
  port1.postMessage(x.slice());
  port1.postMessage({ x: x.slice(), n: 3 });
  port1.postMessage(null);
  port1.postMessage("text");
  expect([...structuredClone(x.slice())].slice(1)).toEqual([0, 1, 2]);
  expect(warnings()).toEqual([]);
  port1.postMessage({ x });
  structuredClone(x);
  expect(warnings()).toEqual([
    "crateful: postMessage: the message contains an array of a storage, with which all of the module's memory is copied. " +
      "Pass a copy: columns.x.slice()",
  ]);
  port1.close();
  port2.close();
});

test("M3 B1 the twentieth ECS that was not disposed of is reported once", () => {
  warn.mockImplementation(() => undefined);
  for (let i = 0; i < 40; ++i) new ECS().dispose();
  for (let i = 0; i < 19; ++i) world();
  expect(warnings()).toEqual([]);
  for (let i = 0; i < 3; ++i) world();
  expect(warnings()).toEqual([
    "crateful: new ECS: there are 20 of them. Each exists until dispose() is called, also if the program does not refer to it any more",
  ]);
});
