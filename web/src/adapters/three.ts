import { Color, InstancedBufferAttribute, type InstancedMesh, Matrix4, Sphere } from "three";
import { type Aspect, EcsError, type Entity, NONE, type Row, RowSystem } from "../api.js";
import { type Shape, type SystemOptions, defineSystem, entityIndex } from "../api.js";

/** Ranges with at most this many numbers (1 KiB) between them are uploaded as one; see docs/three.md. */
const GAP = 256;
type Range = { start: number; count: number };
const badArgument = (what: string) => new EcsError("BAD_ARGUMENT", `InstancedRows: ${what}`);

/**
 * A system that draws each entity as an instance of an `InstancedMesh` of three.js. In a frame, it writes and uploads only the
 * instances of dirty entities:
 *
 *     const crates = new InstancedRows(mesh, { position: Position }, {
 *       matrix: ({ position: { x, y, z } }, matrix) => matrix.setPosition(x, y, z),
 *     });
 *
 * It sets `mesh.count`, gives the mesh larger buffers when it needs them, and replaces the instance of a removed entity by the
 * last one. `mesh.boundingSphere` contains all instances, and can be too large. Throws `BAD_ARGUMENT` for invalid arguments.
 */
export class InstancedRows<S extends Shape, O extends Shape = {}, P extends Shape = {}> extends RowSystem<S, O & P> {
  readonly mesh: InstancedMesh;
  readonly #options: ConstructorParameters<typeof InstancedRows<S, O, P>>[2];
  readonly #entities: Entity[] = []; // by instance
  readonly #instances: number[] = []; // by the index of the entity; -1 if it has none
  #attributes: InstancedBufferAttribute[] = []; // the matrices, and the colours if there are any
  #manyRanges = 512; // when there are more, they are merged
  readonly #matrix = new Matrix4();
  readonly #color = new Color();
  readonly #sphere = new Sphere();

  /** `options` are those of a system, and how it draws its entities; `watch` is by default all classes of the rows. */
  constructor(
    mesh: InstancedMesh,
    shape: S,
    options: Omit<SystemOptions<O, Aspect, P>, "aspect" | "onlyWhenDirty" | "ordered"> & {
      /** Changes `matrix`, the identity, into the matrix of a dirty entity's instance. What it returns is ignored. */
      readonly matrix: (row: Row<S, O & P>, matrix: Matrix4) => unknown;
      /** Changes `color`, white, into the instance's colour, which is multiplied by the material's. */
      readonly color?: (row: Row<S, O & P>, color: Color) => unknown;
    },
  ) {
    const { matrix, color, watch = Object.values({ ...shape, ...options?.optional }), ...others } = { ...options };
    if (mesh?.isInstancedMesh !== true) throw badArgument("the first argument must be an InstancedMesh of three.js");
    for (const [name, option] of Object.entries({ matrix, color: color ?? matrix }))
      if (typeof option !== "function") throw badArgument(`the option ${name} must be a function`);
    const system = { ...others, watch, onlyWhenDirty: true, observer: true };
    defineSystem(shape, system); // throws for options that do not exist
    super(shape, system);
    this.mesh = mesh;
    this.#options = options;
    if (color !== undefined) mesh.instanceColor ??= new InstancedBufferAttribute(new Float32Array(0), 3);
    this.#resize(mesh.instanceMatrix.count);
    mesh.count = 0;
    mesh.boundingSphere = new Sphere();
  }

  /** How many bytes are uploaded when the mesh is drawn the next time. */
  get pendingBytes(): number {
    return this.#attributes.flatMap(({ updateRanges }) => updateRanges).reduce((sum, { count }) => sum + 4 * count, 0);
  }
  /** The entity of an instance, which is the `instanceId` of an intersection; NONE if there is no such instance. O(1). */
  entityAt(instanceId: number | undefined): Entity {
    return this.#entities[instanceId ?? this.#entities.length] ?? NONE;
  }

  override update(): void {
    const { matrix, color } = this.#options;
    for (const row of this.dirty) {
      const { entity } = row;
      matrix(row, this.#matrix.identity());
      color?.(row, this.#color.setRGB(1, 1, 1));
      this.#write(entity);
    }
    this.#merge();
  }
  override onRemove({ entity }: Aspect): void {
    const { mesh } = this;
    const instance = this.#instances[entityIndex(entity)] ?? -1;
    if (instance < 0) return; // it was not drawn yet
    this.#instances[entityIndex(entity)] = -1;
    const last = this.#entities.pop()!;
    mesh.count = this.#entities.length;
    mesh.boundingBox = null; // as in #write
    if (mesh.count === 0) mesh.boundingSphere?.makeEmpty();
    if (instance === mesh.count) return;
    this.#entities[instance] = last;
    this.#instances[entityIndex(last)] = instance;
    for (const { array, itemSize } of this.#attributes)
      array.copyWithin(instance * itemSize, mesh.count * itemSize, (mesh.count + 1) * itemSize);
    this.#mark(instance);
  }
  #write(entity: Entity): void {
    const { mesh } = this;
    while (this.#instances.length <= entityIndex(entity)) this.#instances.push(-1);
    let instance = this.#instances[entityIndex(entity)];
    if (instance < 0) {
      if (!this.rows.has(entity)) return; // the functions of the options have removed a component
      instance = this.#instances[entityIndex(entity)] = this.#entities.push(entity) - 1;
      if (instance >= mesh.instanceMatrix.count) this.#resize(Math.max(2 * instance, this.rows.count));
      mesh.count = instance + 1;
    }
    mesh.setMatrixAt(instance, this.#matrix);
    if (this.#options.color !== undefined) mesh.setColorAt(instance, this.#color);
    this.#mark(instance);
    mesh.boundingBox = null; // three.js computes it when it needs it
    if (mesh.boundingSphere === null) return; // as above
    if (mesh.geometry.boundingSphere === null) mesh.geometry.computeBoundingSphere();
    const { center, radius } = this.#sphere.copy(mesh.geometry.boundingSphere!).applyMatrix4(this.#matrix);
    if (!(center.distanceTo(mesh.boundingSphere.center) + radius <= mesh.boundingSphere.radius))
      mesh.boundingSphere.union(this.#sphere);
  }
  /** Gives the mesh other buffers, because three.js can't resize them. */
  #resize(capacity: number): void {
    const { mesh } = this;
    mesh.dispose(); // the renderers free the old buffers
    const resized = ({ array, itemSize }: InstancedBufferAttribute) => {
      const attribute = new InstancedBufferAttribute(new Float32Array(capacity * itemSize), itemSize).set(array);
      attribute.addUpdateRange(0, capacity * itemSize);
      return attribute.onUpload(() => attribute.clearUpdateRanges()); // three.js keeps them when it creates a buffer
    };
    this.#attributes = [(mesh.instanceMatrix = resized(mesh.instanceMatrix))];
    if (mesh.instanceColor !== null) this.#attributes.push((mesh.instanceColor = resized(mesh.instanceColor)));
  }
  #mark(instance: number): void {
    for (const attribute of this.#attributes) {
      const { itemSize, updateRanges } = attribute;
      append(updateRanges, updateRanges.length, { start: instance * itemSize, count: itemSize });
      attribute.needsUpdate = true;
    }
    if (this.#attributes[0].updateRanges.length > this.#manyRanges) this.#merge();
  }
  #merge(): void {
    for (const { updateRanges } of this.#attributes) {
      updateRanges.sort((a, b) => a.start - b.start);
      updateRanges.length = updateRanges.reduce((length, range) => append(updateRanges, length, range), 0);
    }
    this.#manyRanges = 512 + 2 * this.#attributes[0].updateRanges.length;
  }
}

/** Appends a range to the first `length` ones, or extends the last of them. Returns how many there are then. */
function append(ranges: Range[], length: number, range: Range): number {
  const last = ranges[length - 1];
  const far = (a: Range, b: Range) => b.start > a.start + a.count + GAP;
  if (last === undefined || far(last, range) || far(range, last)) return (ranges[length] = range), length + 1;
  const end = Math.max(last.start + last.count, range.start + range.count);
  last.count = end - (last.start = Math.min(last.start, range.start));
  return length;
}
