// Each of these must not compile.
import { ECS, defineComponent, defineSystem, type Entity } from "crateful";

class Position extends defineComponent("Position", { x: "f32" }) {}
class Velocity extends defineComponent("Velocity", { x: "f32" }) {}
class Hidden extends defineComponent("Hidden") {}
const ecs = new ECS();
const query = ecs.query({ position: Position }, { optional: { velocity: Velocity }, without: [Hidden] });

// @ts-expect-error not in the shape
for (const { hidden } of query) void hidden;
// @ts-expect-error optional
for (const { velocity } of query) void velocity.x;
// @ts-expect-error no such field
for (const { position } of query) void position.y;
// @ts-expect-error a number
for (const { position } of query) position.x = "1";
// @ts-expect-error read-only
for (const row of query) row.entity = 1;
// @ts-expect-error read-only
for (const row of query) row.position = new Position();
// @ts-expect-error possibly undefined
void query.at(1).position;
// @ts-expect-error possibly undefined
void query.first().entity;
// @ts-expect-error an instance where a class is expected
ecs.query({ p: new Position() });
// @ts-expect-error an instance where a class is expected
ecs.query({ p: Position }, { without: [new Hidden()] });
// @ts-expect-error a list where names are expected
ecs.query({ p: Position }, { optional: [Velocity] });
// @ts-expect-error a list where names are expected
ecs.query({ p: Position }, { parent: [Velocity] });
// @ts-expect-error possibly undefined
for (const { above } of ecs.query({ p: Position }, { parent: { above: Velocity } })) void above.x;
// @ts-expect-error no component class
ecs.query({ p: Date });
// @ts-expect-error no such filter
ecs.query({ p: Position }, { not: [Hidden] });
// @ts-expect-error no entities
query.of(["a"]);
// @ts-expect-error created by ecs.query only
void ecs.storage(Position).at("a");
// @ts-expect-error possibly undefined
void ecs.tryGet(1, Position).x;
// @ts-expect-error no such field
void ecs.get(1, Position).y;
// @ts-expect-error no class
ecs.has(1, new Position());

// --- sorted queries
class Sorted extends defineComponent("Sorted", { depth: "f32", layer: ["floor", "crates"], at: "f32x2" }) {}
ecs.query({ sprite: Sorted }, { orderBy: [Sorted, "depth"] });
ecs.query({ sprite: Sorted }, { orderBy: [Sorted, "layer", "descending"], without: [Hidden] });
defineSystem({ sprite: Sorted, position: Position }, { orderBy: [Position, "x"], optional: { velocity: Velocity } });
// @ts-expect-error there is no such field
ecs.query({ sprite: Sorted }, { orderBy: [Sorted, "height"] });
// @ts-expect-error there is no such direction
ecs.query({ sprite: Sorted }, { orderBy: [Sorted, "depth", "down"] });
// @ts-expect-error the class and the field are a list
ecs.query({ sprite: Sorted }, { orderBy: "depth" });
// @ts-expect-error there is no such field
defineSystem({ sprite: Sorted }, { orderBy: [Sorted, "height"] });
// @ts-expect-error a vector has no order
ecs.query({ sprite: Sorted }, { orderBy: [Sorted, "at"] });

// --- indices and clones
class Unit extends defineComponent("Unit", { name: "string", team: ["red", "blue"], awake: "bool", at: "f32x3" }) {}
const found: Entity = ecs.index(Unit, "name").first("guard");
for (const each of ecs.index(Unit, "team").get("blue")) ecs.removeEntity(each);
ecs.clone(found, [[Unit, { name: "scout" }], Unit], { children: true });
// @ts-expect-error a field that the class does not have
ecs.index(Unit, "size");
// @ts-expect-error a vector cannot be found
ecs.index(Unit, "at");
// @ts-expect-error a value that the enum does not have
ecs.index(Unit, "team").first("green");
// @ts-expect-error a number for a boolean
ecs.index(Unit, "awake").get(1);
// @ts-expect-error a field that the class does not have
ecs.clone(found, [[Unit, { size: 1 }]]);
// @ts-expect-error overrides are a list
ecs.clone(found, Unit);
// @ts-expect-error a misspelt option
ecs.clone(found, [], { child: true });
