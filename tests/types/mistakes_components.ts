// Each of these must not compile.
import { Component, ECS, NONE, defineComponent, defineObject, nativeComponent, type ComponentClass } from "crateful";

class Position extends defineComponent("Position", { x: "f32", y: "f32", solid: "bool", target: "entity" }) {}
class Tag extends defineComponent("Tag") {}
class Health extends Component {
  current = 1;
}
class Unrelated {
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
// @ts-expect-error the name is the first argument
defineComponent({ x: "f32" });
// @ts-expect-error there is no such policy
defineComponent("A", { x: "f32" }, { policy: "dense" });
// @ts-expect-error there is no such option
defineComponent("A", { x: "f32" }, { storage: "linear" });
// @ts-expect-error a misspelt field type of a native component
nativeComponent("A", { x: "double" });

// @ts-expect-error a link has no default
defineComponent("A", { target: { type: "link", default: 1 } });

// @ts-expect-error the default is no name of the enum
defineComponent("A", { state: { type: ["idle", "walk"], default: "run" } });
defineComponent("A", { state: { type: ["idle", "walk"], default: "walk" }, x: { type: "f32", default: 1 } });

// --- links
class Cable extends defineComponent("Cable", { from: "link", length: "f32", to: { type: "link" } }) {}
ecs.linked(Cable, e, "to");
// @ts-expect-error it is no link field
ecs.linked(Cable, e, "length");
// @ts-expect-error an object component has no link fields
ecs.linked(Health, e);
// @ts-expect-error a class without link fields
ecs.linked(Tag, e);
// @ts-expect-error a class without link fields
ecs.linked(Position, e);
// @ts-expect-error a class of several has arguments of its own
ecs.addComponent(e, Math.random() > 0.5 ? Position : Tag, { x: 1 });
// @ts-expect-error not all of these classes create their components
ecs.addComponent(e, Math.random() > 0.5 ? Position : Health);
// @ts-expect-error the values of a part
ecs.add(e, [Position, { x: "1" }]);
// @ts-expect-error columns of links are read-only
ecs.storage(Cable).columns.from[0] = e;
// @ts-expect-error they have no method that writes
ecs.storage(Cable).columns.from.fill(e);

// --- constructors
// @ts-expect-error there is no such field
new Position({ z: 1 });
// @ts-expect-error a number is required
new Position({ x: "1" });
// @ts-expect-error a boolean is required
new Position({ solid: 1 });
// @ts-expect-error an entity is a number
new Position({ target: "e" });
// @ts-expect-error values must be an object with the fields
new Position(1, 2);
// @ts-expect-error null is not a number
new Position({ x: null });
// @ts-expect-error a tag has no fields
new Tag({ x: 1 });

// --- assignments
// @ts-expect-error a number is required
position.x = "1";
// @ts-expect-error a boolean is required
position.solid = 1;
// @ts-expect-error a number is required
position.target = undefined;
// @ts-expect-error there is no such field
position.z = 1;
// @ts-expect-error there is no such field to read
position.angle.toFixed();
// @ts-expect-error a float is not a boolean
const wrong: boolean = position.x;
// @ts-expect-error NONE is a constant
NONE = 3;

// --- get, tryGet, has
// @ts-expect-error not a component class
view.get(Unrelated);
// @ts-expect-error an instance instead of its class
view.get(position);
// @ts-expect-error a name instead of the class
view.get("Position");
// @ts-expect-error a class is required
view.get();
// @ts-expect-error not a component class
view.tryGet(Unrelated);
// @ts-expect-error the component can be missing
view.tryGet(Position).x;
// @ts-expect-error not a component class
view.has(Position, Unrelated);
// @ts-expect-error a different class
const health: Health = view.get(Position);
class Speed extends defineComponent("Speed", { x: "f32", y: "f32", solid: "bool", target: "entity" }) {}
// @ts-expect-error another class with the same fields
const speed: Speed = view.get(Position);
// @ts-expect-error another class with the same fields
const speedClass: ComponentClass<Speed> = Position;
class Marked extends defineComponent("Marked") {}
class Hidden extends defineComponent("Hidden") {}
// @ts-expect-error another tag
const marked: Marked = new Hidden();
// @ts-expect-error the components are read-only
view.add(new Health());
// @ts-expect-error unknown member of the component
view.get(Health).maximum;

// --- addComponent, addComponents, removeComponent
// @ts-expect-error object components need an instance, not a class
ecs.addComponent(e, Health);
// @ts-expect-error there is no such field
ecs.addComponent(e, Position, { z: 1 });
// @ts-expect-error a field of another type
ecs.addComponent(e, Position, { x: "1" });
// @ts-expect-error an instance needs no values
ecs.addComponent(e, new Position(), { x: 1 });
// @ts-expect-error not a component
ecs.addComponent(e, new Unrelated());
// @ts-expect-error not a component, though it has the fields
ecs.addComponent(e, { x: 1, y: 2, solid: true, target: 0 });
// @ts-expect-error the entity is the first argument
ecs.addComponent(new Position(), e);
// @ts-expect-error an entity is not a string
ecs.addComponent("0", new Position());
// @ts-expect-error an instance instead of its class
ecs.removeComponent(e, position);
// @ts-expect-error not a component class
ecs.removeComponent(e, Unrelated);
// @ts-expect-error a class is required
ecs.removeComponent(e);
// @ts-expect-error a list is required
ecs.removeComponents(e, Position);
// @ts-expect-error a list is required
ecs.removeEntities(e);
// @ts-expect-error one entity is required
ecs.removeEntity([e]);
// @ts-expect-error a list is required
ecs.addComponents(e, Position);
// @ts-expect-error there is no such field
ecs.addComponents([e], Position, { z: 1 });
// @ts-expect-error a number is required
ecs.addComponents([e], Position, { x: "1" });
// @ts-expect-error numbers are required
ecs.addComponents([e], Position, { x: ["1"] });
// @ts-expect-error booleans are required
ecs.addComponents([e], Position, { solid: [1, 0] });
// @ts-expect-error values must be an object with the fields
ecs.addComponents([e], Position, [new Position()]);
// @ts-expect-error objects are required
ecs.addComponents([e], Health, { current: 1 });
// @ts-expect-error objects of the class are required
ecs.addComponents([e], Health, [new Position()]);
// @ts-expect-error the function must create components of the class
ecs.addComponents([e], Health, () => new Tag());

// --- storage
// @ts-expect-error not a component class
ecs.storage(Unrelated);
// @ts-expect-error there is no such column
ecs.storage(Position).columns.z;
// @ts-expect-error columns can't be replaced
ecs.storage(Position).columns.x = new Float32Array(1);
// @ts-expect-error a column of f32 is not a Float64Array
const column: Float64Array = ecs.storage(Position).columns.x;
// @ts-expect-error object components have no columns
ecs.storage(Health).columns.current;
// @ts-expect-error the count is read-only
ecs.storage(Position).count = 3;
// @ts-expect-error entities are numbers
ecs.storage(Position).markDirty("all");
// @ts-expect-error a class is abstract
new Component();

// --- defineObject
class Bag extends defineObject("Bag", { size: 3, items: [] as string[] }) {}
// @ts-expect-error there is no such field
new Bag({ count: 1 });
// @ts-expect-error a number is required
new Bag({ size: "1" });
// @ts-expect-error strings are required
new Bag().items.push(1);
// @ts-expect-error a string for a number
ecs.addEntity([Bag, { size: "1" }]);

declare const anyClass: ComponentClass;
// @ts-expect-error a ComponentClass can't be constructed
new anyClass();

export { column, health, marked, speed, speedClass, wrong };

// --- strings
class Title extends defineComponent("Title", { text: "string", kind: { type: "string", default: "crate" } }) {}
const title = ecs.get(e, Title);
// @ts-expect-error a number
new Title({ text: 1 });
// @ts-expect-error a number
title.text = 1;
// @ts-expect-error no text
title.text = undefined;
// @ts-expect-error never true
if (title.text === 1) title.dirty();
// @ts-expect-error the default is a text
defineComponent("A", { text: { type: "string", default: 1 } });
// @ts-expect-error strings are no vectors
defineComponent("A", { text: "stringx2" });
// @ts-expect-error the column of texts, not of booleans
ecs.addComponents([e], Title, { text: [true] });
// @ts-expect-error columns contain numbers
void (ecs.storage(Title).columns.text[0] === "a");
// @ts-expect-error the number of a column, not a text
ecs.text("a");
// @ts-expect-error a string has no reverse
ecs.linked(Title, e, "text");

// --- enums and vectors
class Unit extends defineComponent("Unit", {
  state: ["idle", "walk"],
  at: "f32x3",
  size: { type: "u8x2", default: [1, 2] },
}) {}
class Long extends defineComponent("Long", { all: "f32x16" }) {}
const unit = ecs.get(e, Unit);
declare const quaternion: { x: number; y: number; z: number; w: number };
// @ts-expect-error a misspelt name
new Unit({ state: "wlak" });
// @ts-expect-error a misspelt name
unit.state = "wlak";
// @ts-expect-error the number of a name
unit.state = 1;
// @ts-expect-error never true
if (unit.state === "run") unit.dirty();
// @ts-expect-error names are strings
defineComponent("A", { state: ["idle", 1] });
// @ts-expect-error the default is a name
defineComponent("A", { state: { type: ["idle", "walk"], default: 1 } });
// @ts-expect-error a vector has at least two elements
defineComponent("A", { at: "f32x1" });
// @ts-expect-error a vector has at most 64 elements
defineComponent("A", { at: "f32x65" });
// @ts-expect-error vectors contain numbers
defineComponent("A", { at: "boolx2" });
// @ts-expect-error the default of a vector is a list
defineComponent("A", { at: { type: "f32x2", default: 1 } });
// @ts-expect-error too few elements
new Unit({ at: [1, 2] });
// @ts-expect-error too many elements
new Unit({ at: [1, 2, 3, 4] });
// @ts-expect-error an object with too few elements
new Unit({ at: { x: 1, y: 2 } });
// @ts-expect-error an object with too many elements
new Unit({ at: quaternion });
// @ts-expect-error elements are numbers
new Unit({ at: { x: 1, y: 2, z: "3" } });
// @ts-expect-error a vector of more than four elements takes no object
new Long({ all: quaternion });
// @ts-expect-error an object with too few elements
unit.at.set({ x: 1, y: 2 });
// @ts-expect-error an object with too many elements
unit.at.set(quaternion);
// @ts-expect-error nothing to write z to
unit.at.copyTo({ x: 1, y: 2 });
// @ts-expect-error nothing to write to
unit.at.copyTo([1, 2, 3]);
// @ts-expect-error more than four elements have no names
new Long().all.copyTo(quaternion);
// @ts-expect-error too few elements
ecs.addEntity([Unit, { at: [1, 2] }]);
// @ts-expect-error too few elements
unit.at.set(1, 2);
// @ts-expect-error elements are numbers
unit.at.set(1, 2, "3");
// @ts-expect-error a vector of another length
unit.at = unit.size;
// @ts-expect-error an element is a number
unit.at.x = "1";
// @ts-expect-error a vector of two elements has no z
unit.size.z = 1;
// @ts-expect-error the length is fixed
unit.at.length = 4;

// --- links, and enums in bulk
class Rope extends defineComponent("Rope", { from: "link", to: { type: "link" }, kind: ["thin", "thick"] }) {}
ecs.linked(Rope, e, "to");
// @ts-expect-error one of the link fields must be named
ecs.linked(Rope, e);
// @ts-expect-error no link field
ecs.linked(Rope, e, "kind");
ecs.addComponents([e, e], Rope, { kind: ["thin", "thick"] });
ecs.addComponents([e, e], Rope, { kind: new Uint8Array(2) });
// @ts-expect-error a name that the enum does not have
ecs.addComponents([e, e], Rope, { kind: ["thin", "short"] });
