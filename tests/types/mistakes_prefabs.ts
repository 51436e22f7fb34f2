// Each of these must not compile.
import { Component, ECS, defineComponent, defineObject } from "crateful";

class Position extends defineComponent("Position", { x: "f32", y: "f32" }) {}
class Enemy extends defineComponent("Enemy", { hp: { type: "f32", default: 3 }, awake: { type: "bool" } }) {}
class Health extends Component {
  constructor(readonly n: number) {
    super();
  }
}
const ecs = new ECS();
const p = ecs.prefab([Position, [Enemy, { hp: 1 }]]);
const q = ecs.prefab({ position: Position, health: [Health, () => new Health(1)] });

// @ts-expect-error a string for a number
ecs.addEntity([Enemy, { hp: "1" }]);
// @ts-expect-error a field that the class does not have
ecs.addEntity([Enemy, { hp: 1, z: 1 }]);
// @ts-expect-error a field that the class does not have
ecs.addEntity([Position, { z: 1 }]);
// @ts-expect-error an object class takes a function
ecs.addEntity([Health, { n: 1 }]);
// @ts-expect-error a class whose constructor needs an argument
ecs.addEntity(Health);
// @ts-expect-error a class whose constructor needs an argument
ecs.addEntity(Position, Health);
// @ts-expect-error a class whose constructor needs an argument
ecs.prefab({ health: Health });
// @ts-expect-error a class whose constructor needs an argument
ecs.prefab([Position, Health]);
// @ts-expect-error a number is no component
ecs.addEntity(3);
// @ts-expect-error a class that is no component class
ecs.addEntity(class {});
// @ts-expect-error a field that the class does not have
ecs.prefab([Position, [Enemy, { z: 1 }]]);
// @ts-expect-error a boolean for a number
ecs.prefab({ a: [Position, { x: true }] });
// @ts-expect-error an instance in a prefab would belong to one entity only
ecs.prefab([new Position()]);
// @ts-expect-error a field that the class does not have
p.spawn([{ z: 1 }]);
// @ts-expect-error names for a prefab that has positions
p.spawn({ position: { x: 1 } });
// @ts-expect-error a field that the class does not have
q.spawn({ position: { z: 1 } });
// @ts-expect-error a name that the prefab does not have
q.spawn({ other: {} });
// @ts-expect-error a string for a number in a list
q.spawn(2, { position: { x: ["1"] } });
// @ts-expect-error one object for two entities
q.spawn(2, { health: new Health(1) });
// @ts-expect-error a number as the default of a bool
defineComponent("A", { x: { type: "bool", default: 1 } });
// @ts-expect-error a boolean as the default of a number
defineComponent("A", { x: { type: "f32", default: true } });
// @ts-expect-error a string as the default of an entity
defineComponent("A", { x: { type: "entity", default: "1" } });
// @ts-expect-error a component that has none of the fields
new Enemy(new Position());
// @ts-expect-error a misspelt field type
defineComponent("A", { x: { type: "f33" } });
// @ts-expect-error a default without a type
defineComponent("A", { x: { default: 1 } });

// --- values of classes of defineObject
class Name extends defineObject("Name", { text: "", size: 1 }) {}
const named = ecs.prefab({ name: [Name, { text: "x" }], position: Position });
named.spawn({ name: { text: "y" } });
named.spawn({ name: new Name() });
ecs.addEntity([Name, { text: "x" }], [Name, () => new Name()]);
const added: Name = ecs.addComponent(0, Name, { text: "x" });
// @ts-expect-error a field that the class does not have
ecs.addEntity([Name, { txt: "x" }]);
// @ts-expect-error a number for a string
ecs.addEntity([Name, { text: 3 }]);
// @ts-expect-error a field that the class does not have
ecs.addComponent(0, Name, { txt: "x" });
// @ts-expect-error a field that the class does not have
ecs.addComponent(0, Position, { z: 1 });
// @ts-expect-error a class whose constructor takes something else
ecs.addComponent(0, Health, { n: 1 });
// @ts-expect-error a field that the class does not have
ecs.prefab({ name: [Name, { txt: "x" }] });
// @ts-expect-error a field that the class does not have
named.spawn({ name: { txt: "x" } });
// @ts-expect-error a component of another class
named.spawn({ name: new Health(3) });
