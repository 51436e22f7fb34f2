// Each of these must not compile, and all others must.
import { Component, ECS, defineComponent, type Entity } from "crateful";
import {
  World,
  useChildren,
  useComponent,
  useECS,
  useEntity,
  useFirst,
  useHas,
  useLinked,
  useRows,
} from "crateful/react";
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
class Aim extends defineComponent("Aim", { at: "link" }) {}
class Cable extends defineComponent("Cable", { from: "link", to: "link" }) {}
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

const first = useFirst(ecs.query({ position: Position }));
expectType<Equal<typeof first, Entity>>();
// @ts-expect-error not a query
useFirst(Position);

useHas(entity, Position, Name);
// @ts-expect-error the class is missing
useHas(entity);
// @ts-expect-error not a component class
useHas(entity, Position, Date);

const children = useChildren(entity);
expectType<Equal<typeof children, readonly Entity[]>>();
// @ts-expect-error not an entity
useChildren("1");

useLinked(Aim, entity);
useLinked(Cable, entity, "to");
// @ts-expect-error several link fields
useLinked(Cable, entity);
// @ts-expect-error no such link field
useLinked(Cable, entity, "length");
// @ts-expect-error no link field
useLinked(Position, entity);
// @ts-expect-error no stored class
useLinked(Name, entity);

useEntity((world) => world.addEntity(Position));
useEntity(() => ecs.prefab({ position: Position }).spawn());
// @ts-expect-error returns nothing
useEntity((world) => world.removeMarked());
// @ts-expect-error not a function
useEntity(Position);
