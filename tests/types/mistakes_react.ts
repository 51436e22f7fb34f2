// Each of these must not compile, and all others must.
import { Component, ECS, defineComponent, type Entity } from "crateful";
import { World, useComponent, useECS, useRows } from "crateful/react";
import { createElement } from "react";
import { expectType, type Equal } from "./equal.js";

class Position extends defineComponent("Position", { x: "f32", frozen: "bool" }) {
  get double() {
    return 2 * this.x;
  }
}
class Name extends Component {
  text = "";
}
class Inventory extends Component {
  readonly #items = ["key"];
  toJSON() {
    return { items: [...this.#items] };
  }
}
const ecs = new ECS();
const entity = ecs.addEntity();
createElement(World, { ecs }, "text");
expectType<Equal<ReturnType<typeof useECS>, ECS>>();

// @ts-expect-error no ECS
createElement(World, {});
// @ts-expect-error no ECS
createElement(World, { ecs: {} });

const position = useComponent(entity, Position);
expectType<Equal<typeof position, Readonly<{ x: number; frozen: boolean }> | undefined>>();
const inventory = useComponent(entity, Inventory);
expectType<Equal<typeof inventory, Readonly<{ items: string[] }> | undefined>>();
// @ts-expect-error may be undefined
position.x;
// @ts-expect-error no such field
position?.y;
// @ts-expect-error a copy of the fields has no other members
position?.double;
// @ts-expect-error read-only
position!.x = 1;
// @ts-expect-error no toJSON
useComponent(entity, Name);
// @ts-expect-error not a component class
useComponent(entity, Date);
// @ts-expect-error an instance
useComponent(entity, new Position());
// @ts-expect-error not an entity
useComponent("1", Position);
// @ts-expect-error the class is missing
useComponent(entity);

const rows = useRows(ecs.query({ position: Position }, { without: [Name], optional: { inventory: Inventory } }));
expectType<Equal<typeof rows, readonly Entity[]>>();
// @ts-expect-error read-only
rows.push(entity);
// @ts-expect-error not a query
useRows({ position: Position });
// @ts-expect-error not a query
useRows(Position);
