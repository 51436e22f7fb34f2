// Each of these must not compile.
import { Component, ECS, NONE, defineComponent, nativeComponent, type ComponentClass } from "crateful";

class Position extends defineComponent("Position", { x: "f32", y: "f32", solid: "bool", target: "entity" }) {}
class Tag extends defineComponent("Tag") {}
class Health extends Component {
  current = 1;
}
class Stranger {
  x = 1;
}
const ecs = new ECS();
const e = ecs.addEntity();
const view = ecs.getComponents(e);
const position = view.get(Position);

// --- schemas
// @ts-expect-error a misspelt field type
defineComponent("A", { x: "float32" });
// @ts-expect-error a field type is a string
defineComponent("A", { x: 32 });
// @ts-expect-error a name comes first
defineComponent({ x: "f32" });
// @ts-expect-error there is no such policy
defineComponent("A", { x: "f32" }, { policy: "dense" });
// @ts-expect-error there is no such option
defineComponent("A", { x: "f32" }, { storage: "linear" });
// @ts-expect-error a misspelt field type of a native component
nativeComponent("A", { x: "double" });

// --- constructors
// @ts-expect-error no such field
new Position({ z: 1 });
// @ts-expect-error a number is wanted
new Position({ x: "1" });
// @ts-expect-error a boolean is wanted
new Position({ solid: 1 });
// @ts-expect-error an entity is a number
new Position({ target: "e" });
// @ts-expect-error values are given by name
new Position(1, 2);
// @ts-expect-error null is no number
new Position({ x: null });
// @ts-expect-error a tag has no fields
new Tag({ x: 1 });

// --- assignments
// @ts-expect-error a number is wanted
position.x = "1";
// @ts-expect-error a boolean is wanted
position.solid = 1;
// @ts-expect-error a number is wanted
position.target = undefined;
// @ts-expect-error no such field
position.z = 1;
// @ts-expect-error no such field to read
position.angle.toFixed();
// @ts-expect-error a float is no boolean
const wrong: boolean = position.x;
// @ts-expect-error NONE is a constant
NONE = 3;

// --- get, tryGet, has
// @ts-expect-error no component class
view.get(Stranger);
// @ts-expect-error an instance instead of its class
view.get(position);
// @ts-expect-error a name instead of the class
view.get("Position");
// @ts-expect-error a class is wanted
view.get();
// @ts-expect-error no component class
view.tryGet(Stranger);
// @ts-expect-error it may be missing
view.tryGet(Position).x;
// @ts-expect-error no component class
view.has(Position, Stranger);
// @ts-expect-error another class
const health: Health = view.get(Position);
// @ts-expect-error to look at, not to add
view.add(new Health());
// @ts-expect-error unknown member of the component
view.get(Health).maximum;

// --- addComponent, addComponents, removeComponent
// @ts-expect-error a class instead of an instance, of a class whose values are objects
ecs.addComponent(e, Health);
// @ts-expect-error no such field
ecs.addComponent(e, Position, { z: 1 });
// @ts-expect-error a field of another type
ecs.addComponent(e, Position, { x: "1" });
// @ts-expect-error an instance needs no values
ecs.addComponent(e, new Position(), { x: 1 });
// @ts-expect-error not a component
ecs.addComponent(e, new Stranger());
// @ts-expect-error not a component, though it has the fields
ecs.addComponent(e, { x: 1, y: 2, solid: true, target: 0 });
// @ts-expect-error the entity comes first
ecs.addComponent(new Position(), e);
// @ts-expect-error an entity is no string
ecs.addComponent("0", new Position());
// @ts-expect-error an instance instead of its class
ecs.removeComponent(e, position);
// @ts-expect-error no component class
ecs.removeComponent(e, Stranger);
// @ts-expect-error a class is wanted
ecs.removeComponent(e);
// @ts-expect-error a list is wanted
ecs.removeComponents(e, Position);
// @ts-expect-error a list is wanted
ecs.removeEntities(e);
// @ts-expect-error one entity is wanted
ecs.removeEntity([e]);
// @ts-expect-error a list is wanted
ecs.addComponents(e, Position);
// @ts-expect-error no such field
ecs.addComponents([e], Position, { z: 1 });
// @ts-expect-error a number is wanted
ecs.addComponents([e], Position, { x: "1" });
// @ts-expect-error numbers are wanted
ecs.addComponents([e], Position, { x: ["1"] });
// @ts-expect-error booleans are wanted
ecs.addComponents([e], Position, { solid: [1, 0] });
// @ts-expect-error stored values are given by field
ecs.addComponents([e], Position, [new Position()]);
// @ts-expect-error objects are needed
ecs.addComponents([e], Health, { current: 1 });
// @ts-expect-error objects of the class are needed
ecs.addComponents([e], Health, [new Position()]);
// @ts-expect-error what makes the i-th makes one of the class
ecs.addComponents([e], Health, () => new Tag());

// --- storage
// @ts-expect-error no component class
ecs.storage(Stranger);
// @ts-expect-error no such column
ecs.storage(Position).columns.z;
// @ts-expect-error columns can't be replaced
ecs.storage(Position).columns.x = new Float32Array(1);
// @ts-expect-error an f32 is no Float64Array
const column: Float64Array = ecs.storage(Position).columns.x;
// @ts-expect-error objects have no columns
ecs.storage(Health).columns.current;
// @ts-expect-error the count is to read
ecs.storage(Position).count = 3;
// @ts-expect-error entities are numbers
ecs.storage(Position).markDirty("all");
// @ts-expect-error a class is abstract
new Component();

declare const anyClass: ComponentClass;
// @ts-expect-error a ComponentClass can't be constructed
new anyClass();

export { column, health, wrong };
