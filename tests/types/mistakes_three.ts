// The adapter for three.js: each mistake must not compile, and the types of rows follow from the shape.
import { Component, ECS, defineComponent, type Entity } from "crateful";
import { InstancedRows } from "crateful/three";
import { BoxGeometry, type Color, InstancedMesh, type Matrix4, Mesh, MeshStandardMaterial } from "three";
import type { Equal } from "./equal.js";

class Position extends defineComponent("Position", { x: "f32", y: "f32", z: "f32" }) {}
class Heat extends defineComponent("Heat", { value: "f32" }) {}
class Health extends Component {}

const mesh = new InstancedMesh(new BoxGeometry(), new MeshStandardMaterial(), 1);
const shape = { position: Position, health: Health };
const options = { matrix: () => {} };
const ecs = new ECS();

const instances: InstancedRows<typeof shape> = ecs.addSystem(0, new InstancedRows(mesh, shape, options));
const bytes: number = instances.pendingBytes;
const entity: Entity = instances.entityAt(undefined);
void [bytes, entity, ecs.getSystem(InstancedRows).mesh.count];

new InstancedRows(mesh, shape, {
  without: [Heat],
  watch: [Position],
  optional: { heat: Heat },
  parent: { above: Position },
  interval: 0.1,
  name: "crates",
  matrix(row, matrix) {
    const types: [
      Equal<typeof row.position, Position>,
      Equal<typeof row.health, Health>,
      Equal<typeof row.heat, Heat | undefined>,
      Equal<typeof row.above, Position | undefined>,
      Equal<typeof row.entity, Entity>,
      Equal<typeof matrix, Matrix4>,
    ] = [true, true, true, true, true, true];
    void types;
  },
  color({ position, heat }, color) {
    const types: [Equal<typeof color, Color>, Equal<typeof position, Position>, Equal<typeof heat, Heat | undefined>] =
      [true, true, true];
    void types;
  },
});

// @ts-expect-error the function that sets the matrix is missing
new InstancedRows(mesh, shape, {});
// @ts-expect-error no options
new InstancedRows(mesh, shape);
// @ts-expect-error a mesh without instances
new InstancedRows(new Mesh(), shape, options);
// @ts-expect-error no component class
new InstancedRows(mesh, { position: Date }, options);
// @ts-expect-error not in the shape
new InstancedRows(mesh, shape, { matrix: ({ heat }) => heat });
// @ts-expect-error optional, so possibly undefined
new InstancedRows(mesh, shape, { optional: { heat: Heat }, matrix: ({ heat }) => heat.value });
// @ts-expect-error no such field
new InstancedRows(mesh, shape, { matrix: ({ position }) => position.w });
// @ts-expect-error no such method of Matrix4
new InstancedRows(mesh, shape, { matrix: (_, matrix) => matrix.translate(1, 2, 3) });
// @ts-expect-error a matrix is no colour
new InstancedRows(mesh, shape, { ...options, color: (_, color) => color.identity() });
// @ts-expect-error misspelt
new InstancedRows(mesh, shape, { ...options, colour: () => {} });
// @ts-expect-error it draws dirty entities only in any case
new InstancedRows(mesh, shape, { ...options, onlyWhenDirty: false });
// @ts-expect-error a removal changes the order of the instances
new InstancedRows(mesh, shape, { ...options, ordered: true });
// @ts-expect-error read-only
instances.pendingBytes = 0;
// @ts-expect-error read-only
instances.mesh = mesh;
