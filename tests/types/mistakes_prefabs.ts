// Each of these must not compile.
import { Component, ECS, defineComponent } from "crateful";

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
