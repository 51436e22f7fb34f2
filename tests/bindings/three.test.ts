// The adapter for three.js without a renderer: what would be uploaded. tests/pages/three.test.ts renders.
import { describe, expect, test } from "@jest/globals";
import { NONE, defineComponent, type ECS, type Entity } from "crateful";
import { InstancedRows } from "crateful/three";
import {
  BoxGeometry,
  Color,
  Euler,
  type InstancedBufferAttribute,
  InstancedMesh,
  Matrix4,
  MeshBasicMaterial,
  Quaternion,
  Raycaster,
  Sphere,
  Vector3,
} from "three";
import { Health, Position, Tag, expectError, positions, random, world } from "./world.js";

const MATRIX = 64; // bytes
const COLOR = 12;

const makeMesh = (capacity: number) => new InstancedMesh(new BoxGeometry(), new MeshBasicMaterial(), capacity);

/** What a renderer does with an attribute: it creates a buffer, and later uploads the ranges. */
class Buffer {
  readonly #attribute: InstancedBufferAttribute;
  readonly content: Float32Array;
  #version: number;
  constructor(attribute: InstancedBufferAttribute) {
    this.#attribute = attribute;
    this.content = Float32Array.from(attribute.array);
    this.#version = attribute.version;
    attribute.onUploadCallback();
  }
  /** Returns how many bytes it uploads. */
  upload(): number {
    const { array, updateRanges, version } = this.#attribute;
    if (version === this.#version) return 0;
    this.#version = version;
    const ranges = updateRanges.length === 0 ? [{ start: 0, count: array.length }] : updateRanges;
    let bytes = 0;
    for (const { start, count } of ranges) {
      this.content.set(array.subarray(start, start + count), start);
      bytes += 4 * count;
    }
    this.#attribute.clearUpdateRanges();
    this.#attribute.onUploadCallback();
    return bytes;
  }
}

/** A renderer of one mesh. */
class Renderer {
  #buffers = new Map<InstancedBufferAttribute, Buffer>();
  readonly #mesh: InstancedMesh;
  constructor(mesh: InstancedMesh) {
    this.#mesh = mesh;
    mesh.addEventListener("dispose", () => this.#buffers.clear());
  }
  /** Returns how many bytes it uploads. */
  render(): number {
    const { instanceMatrix, instanceColor } = this.#mesh;
    let bytes = 0;
    for (const attribute of [instanceMatrix, instanceColor]) {
      if (attribute === null) continue;
      const buffer = this.#buffers.get(attribute);
      bytes += buffer?.upload() ?? attribute.array.byteLength;
      if (buffer === undefined) this.#buffers.set(attribute, new Buffer(attribute));
    }
    return bytes;
  }
  /** The x of all instances that are drawn. */
  get places(): number[] {
    const { content } = this.#buffers.get(this.#mesh.instanceMatrix)!;
    return Array.from({ length: this.#mesh.count }, (_, i) => content[16 * i + 12]!);
  }
  get colors(): string[] {
    const { content } = this.#buffers.get(this.#mesh.instanceColor!)!;
    return Array.from({ length: this.#mesh.count }, (_, i) => new Color().fromArray(content, 3 * i).getHexString());
  }
}

/** A world whose positions are drawn. */
function drawn(ecs: ECS, capacity: number) {
  const mesh = makeMesh(capacity);
  const instances = ecs.addSystem(
    90,
    new InstancedRows(
      mesh,
      { position: Position },
      { matrix: ({ position: { x, y } }, matrix) => matrix.setPosition(x, y, 0) },
    ),
  );
  const renderer = new Renderer(mesh);
  /** Updates and renders; returns the bytes, of which `pendingBytes` must have said how many. */
  const frame = () => {
    ecs.update();
    const { pendingBytes } = instances;
    expect(renderer.render()).toBe(pendingBytes);
    expect(instances.pendingBytes).toBe(0);
    return pendingBytes;
  };
  return { mesh, instances, renderer, frame };
}

test("only instances of dirty entities are uploaded, and nothing at rest", () => {
  const ecs = world();
  const { mesh, renderer, frame } = drawn(ecs, 1000);
  expect(mesh.count).toBe(0);
  const all = positions(ecs, 1000);
  expect(frame()).toBe(1000 * MATRIX); // the buffer is created
  expect(renderer.places).toEqual(all.map((_, i) => i));
  expect(frame()).toBe(0);
  for (const i of [7, 500, 999]) ecs.get(all[i]!, Position).x += 0.5;
  expect(frame()).toBe(3 * MATRIX);
  expect(renderer.places.filter((x) => x % 1 !== 0)).toEqual([7.5, 500.5, 999.5]);
  expect(frame()).toBe(0);
});

test("ranges with at most 1 KiB between them are uploaded as one", () => {
  const ecs = world();
  const { mesh, renderer, frame } = drawn(ecs, 1000);
  const all = positions(ecs, 1000);
  frame();
  for (const i of [117, 100, 400, 418, 900]) ecs.get(all[i]!, Position).y = 1; // 16 and 17 instances apart
  ecs.update();
  expect(mesh.instanceMatrix.updateRanges).toEqual(
    [
      [100, 18],
      [400, 1],
      [418, 1],
      [900, 1],
    ].map(([start, count]) => ({ start: 16 * start!, count: 16 * count! })),
  );
  expect(renderer.render()).toBe((18 + 1 + 1 + 1) * MATRIX);
});

test("the instance of a removed entity is replaced by the last one", () => {
  const ecs = world();
  const { mesh, instances, renderer, frame } = drawn(ecs, 8);
  const all = positions(ecs, 5);
  frame();
  ecs.removeEntity(all[1]!);
  ecs.removeComponent(all[4]!, Position); // the last one
  expect(mesh.count).toBe(4);
  expect(frame()).toBe(MATRIX);
  expect([mesh.count, renderer.places]).toEqual([3, [0, 3, 2]]);
  expect([0, 1, 2, 3, undefined].map((i) => instances.entityAt(i))).toEqual([all[0], all[3], all[2], NONE, NONE]);
  ecs.addComponent(all[4]!, Position, { x: 44 });
  const [fresh] = positions(ecs, 1);
  ecs.removeEntity(fresh!);
  ecs.removeMarked(); // it was never drawn
  frame();
  expect(renderer.places).toEqual([0, 3, 2, 44]);
});

test("buffers grow with the entities, also from none", () => {
  const ecs = world();
  const mesh = makeMesh(0);
  const instances = new InstancedRows(
    mesh,
    { position: Position },
    { matrix: ({ position }, matrix) => void matrix.setPosition(position.x, 0, 0) },
  );
  ecs.addSystem(0, instances);
  positions(ecs, 1);
  for (let i = 0; i < 3; ++i) positions(ecs, 50);
  ecs.update();
  const renderer = new Renderer(mesh);
  expect(instances.pendingBytes).toBe(mesh.instanceMatrix.array.byteLength);
  renderer.render();
  const fifty = Array.from({ length: 50 }, (_, i) => i);
  expect(renderer.places).toEqual([0, ...fifty, ...fifty, ...fifty]);
  const freed: InstancedBufferAttribute[] = [];
  const { instanceMatrix } = mesh;
  instanceMatrix.addEventListener("dispose", () => freed.push(instanceMatrix));
  positions(ecs, 10_000);
  ecs.update();
  expect(freed).toEqual([instanceMatrix]);
  renderer.render();
  expect(renderer.places.slice(-3)).toEqual([9997, 9998, 9999]);
});

test("clear removes all instances, and those of the next round are drawn", () => {
  const ecs = world();
  const { mesh, renderer, frame } = drawn(ecs, 100);
  positions(ecs, 100);
  frame();
  ecs.clear();
  expect([mesh.count, mesh.boundingSphere!.isEmpty()]).toEqual([0, true]);
  positions(ecs, 3);
  frame();
  expect(renderer.places).toEqual([0, 1, 2]);
});

test("S4 while the system is disabled, instances stay except those of removed entities; then it draws all changes", () => {
  const ecs = world();
  const { instances, renderer, frame } = drawn(ecs, 10);
  const all = positions(ecs, 4);
  frame();
  ecs.disableSystem(instances);
  ecs.get(all[0]!, Position).x = 10;
  ecs.removeEntity(all[1]!);
  positions(ecs, 1);
  frame();
  expect(renderer.places).toEqual([0, 3, 2]);
  ecs.enableSystem(instances);
  frame();
  expect(renderer.places).toEqual([10, 3, 2, 0]);
  ecs.removeSystem(instances);
  expect(instances.mesh.count).toBe(0);
});

test("what was not rendered yet is uploaded later, and the ranges stay few", () => {
  const ecs = world();
  const { mesh, instances, renderer, frame } = drawn(ecs, 50_000);
  const all = positions(ecs, 50_000);
  frame();
  const next = random(5);
  for (let i = 0; i < 300; i++) {
    for (let k = 0; k < 100; k++) ecs.get(all[next(50_000)]!, Position).y += 1;
    ecs.update();
  }
  expect(mesh.instanceMatrix.updateRanges.length).toBeLessThan(50_000 / 16);
  const { pendingBytes } = instances;
  expect(renderer.render()).toBe(pendingBytes);
  expect(pendingBytes).toBeLessThanOrEqual(50_000 * MATRIX);
});

test("a removal of many entities leaves few ranges", () => {
  const ecs = world();
  const { mesh, renderer, frame } = drawn(ecs, 50_000);
  const all = positions(ecs, 50_000);
  frame();
  const next = random(6);
  ecs.removeEntities(Array.from({ length: 20_000 }, () => all[next(50_000)]!));
  ecs.update();
  expect(mesh.instanceMatrix.updateRanges.length).toBeLessThan(1024);
  renderer.render();
  const left = new Set(ecs.query({ position: Position }).ids());
  expect(new Set(renderer.places)).toEqual(new Set(all.flatMap((e, i) => (left.has(e) ? [i] : []))));
});

test("matrix and colour begin as identity and white for each entity", () => {
  const ecs = world();
  const mesh = makeMesh(3);
  const instances = new InstancedRows(
    mesh,
    { position: Position },
    {
      matrix: ({ position: { x } }, matrix) => x === 0 && matrix.makeScale(2, 2, 2),
      color: ({ position: { x } }, color) => x === 0 && color.setRGB(1, 0, 0),
    },
  );
  ecs.addSystem(0, instances);
  positions(ecs, 2);
  ecs.update();
  expect(Array.from(mesh.instanceMatrix.array.slice(16, 32))).toEqual(new Matrix4().elements);
  expect(Array.from(mesh.instanceColor!.array.slice(0, 6))).toEqual([1, 0, 0, 1, 1, 1]);
});

test("C12 fields that are vectors take those of three.js, and are copied into them", () => {
  class Place extends defineComponent("Place", { at: "f32x3", turn: "f32x4" }) {}
  const ecs = world();
  const mesh = makeMesh(4);
  const [position, rotation, scale] = [new Vector3(), new Quaternion(), new Vector3(1, 1, 1)];
  ecs.addSystem(
    90,
    new InstancedRows(
      mesh,
      { place: Place },
      {
        matrix: ({ place: { at, turn } }, matrix) => matrix.compose(at.copyTo(position), turn.copyTo(rotation), scale),
      },
    ),
  );
  const turn = new Quaternion().setFromEuler(new Euler(0, Math.PI / 2, 0));
  const e = ecs.addEntity([Place, { at: new Vector3(1, 2, 3), turn }]);
  ecs.update();
  const matrix = new Matrix4();
  const drawnAt = (x: number) => {
    mesh.getMatrixAt(0, matrix);
    const point = new Vector3(x, 0, 0).applyMatrix4(matrix);
    return [point.x, point.y, point.z].map((n) => Math.round(n * 1000) / 1000);
  };
  expect(drawnAt(1)).toEqual([1, 2, 2]);
  ecs.get(e, Place).at.set(mesh.position.set(4, 5, 6));
  ecs.update();
  expect(drawnAt(1)).toEqual([4, 5, 5]);
});

test("instances have colours, which are white unless the function sets them", () => {
  const ecs = world();
  const mesh = makeMesh(1);
  class Heat extends defineComponent("Heat", { value: "f32" }) {}
  const instances = new InstancedRows(
    mesh,
    { position: Position },
    {
      optional: { heat: Heat },
      matrix: ({ position }, matrix) => matrix.setPosition(position.x, position.y, 0),
      color: ({ heat }, color) => heat && color.setRGB(heat.value, 0, 0),
    },
  );
  ecs.addSystem(0, instances);
  const renderer = new Renderer(mesh);
  const all = positions(ecs, 30);
  for (const i of [3, 29]) ecs.addComponent(all[i]!, Heat, { value: 1 });
  ecs.update();
  renderer.render();
  expect(renderer.colors.slice(2, 5)).toEqual(["ffffff", "ff0000", "ffffff"]);
  ecs.get(all[3]!, Heat).value = 0; // the classes of `optional` are watched too
  ecs.removeEntity(all[0]!);
  ecs.update();
  expect(instances.pendingBytes).toBe((MATRIX + COLOR) * 4); // instances 0 to 3
  renderer.render();
  expect([renderer.places[0], renderer.colors[0], renderer.colors[3]]).toEqual([29, "ff0000", "000000"]); // the last one
});

test("the bounding sphere contains all instances, and rays hit the entities", () => {
  const ecs = world();
  const { mesh, instances, frame } = drawn(ecs, 4);
  const all = positions(ecs, 4);
  frame();
  ecs.get(all[2]!, Position).y = 70;
  frame();
  const contains = (x: number, y: number) => mesh.boundingSphere!.containsPoint(new Vector3(x, y, 0.5));
  expect([contains(0, 0), contains(3, 0), contains(2, 70)]).toEqual([true, true, true]);
  const hit = (x: number, y: number) =>
    new Raycaster(new Vector3(x, y, 9), new Vector3(0, 0, -1))
      .intersectObject(mesh)
      .map((h) => instances.entityAt(h.instanceId));
  expect(new Set(hit(2, 70))).toEqual(new Set([all[2]]));
  expect(hit(2, 0)).toEqual([]);
  ecs.removeEntity(all[0]!);
  frame();
  expect(new Set(hit(3, 0))).toEqual(new Set([all[3]]));
  mesh.computeBoundingSphere(); // an exact one
  ecs.get(all[1]!, Position).x = -200;
  mesh.computeBoundingBox();
  frame();
  expect([contains(-200, 0), mesh.boundingBox]).toEqual([true, null]);
});

test("rows can have object components, components of parents, and filters; a watch list selects what counts", () => {
  const ecs = world();
  const mesh = makeMesh(8);
  const instances = new InstancedRows(
    mesh,
    { position: Position, health: Health },
    {
      without: [Tag],
      parent: { above: Position },
      watch: [Health],
      name: "crates",
      matrix: ({ position, health, above }, matrix) =>
        matrix.makeScale(health.current, 1, 1).setPosition(position.x + (above?.x ?? 0), 0, 0),
    },
  );
  ecs.addSystem(0, instances);
  const parent = ecs.addEntity([Position, { x: 100 }]);
  const child = ecs.addEntity([Position, { x: 5 }], new Health(2));
  ecs.addEntity(Position, new Health(), Tag);
  ecs.setParent(child, parent);
  ecs.update();
  expect([mesh.count, ecs.getSystem("crates")]).toEqual([1, instances]);
  const matrix = new Matrix4();
  mesh.getMatrixAt(0, matrix);
  expect([matrix.elements[0], matrix.elements[12]]).toEqual([2, 105]);
  ecs.get(child, Position).x = 6;
  ecs.update();
  mesh.getMatrixAt(0, matrix);
  expect(matrix.elements[12]).toBe(105);
  ecs.get(child, Health).current = 3;
  ecs.update();
  mesh.getMatrixAt(0, matrix);
  expect([matrix.elements[0], matrix.elements[12]]).toEqual([3, 106]);
});

test("D4 an entity whose function throws gets no instance, and the others are drawn later", () => {
  const ecs = world();
  const mesh = makeMesh(8);
  let trouble: (entity: Entity) => void = (entity) => {
    if (entity === all[1]) throw new Error("no");
  };
  const instances = new InstancedRows(
    mesh,
    { position: Position },
    {
      matrix({ entity, position }, matrix) {
        matrix.setPosition(position.x, 0, 0);
        trouble(entity);
      },
    },
  );
  ecs.addSystem(0, instances);
  const all = positions(ecs, 3);
  expect(() => ecs.update()).toThrow("no");
  expect([mesh.count, instances.entityAt(0)]).toEqual([1, all[0]]);
  trouble = () => undefined;
  ecs.removeComponent(all[1]!, Position);
  ecs.update();
  expect([mesh.count, instances.entityAt(0), instances.entityAt(1)]).toEqual([2, all[0], all[2]]);
});

test("X1 invalid arguments are errors", () => {
  const mesh = makeMesh(1);
  const matrix = () => {};
  const error = (...args: unknown[]) =>
    expectError("BAD_ARGUMENT", () => Reflect.construct(InstancedRows, args)).message;
  expect(error({}, { position: Position }, { matrix })).toBe(
    "InstancedRows: the first argument must be an InstancedMesh of three.js",
  );
  expect(error(mesh, { position: Position }, {})).toBe("InstancedRows: the option matrix must be a function");
  expect(error(mesh, { position: Position }, { matrix, color: "red" })).toBe(
    "InstancedRows: the option color must be a function",
  );
  expect(error(mesh, { position: Position }, { matrix, colour: matrix })).toContain("there is no option colour");
  expect(mesh.count).toBe(1); // unchanged
});

describe.each([1, 2, 3])("after random operations (seed %i)", (seed) => {
  test("each buffer contains what the entities say", () => {
    const ecs = world();
    const { mesh, instances, renderer, frame } = drawn(ecs, 2);
    const next = random(seed);
    let all: Entity[] = [];
    const any = () => all[next(all.length)]!;
    for (let step = 0; step < 400; step++) {
      const operation = next(40);
      if (operation < 4) all.push(...positions(ecs, 1 + next(60)));
      else if (operation === 5 && next(4) === 0) ecs.clear(), (all = []);
      else if (operation < 30 && all.length > 0)
        for (let k = next(20); k > 0; k--) ecs.get(any(), Position).x = next(1000);
      else
        for (let k = Math.min(next(30), all.length); k > 0; k--) ecs.removeEntity(all.splice(next(all.length), 1)[0]!);
      if (next(3) === 0) ecs.update(); // is not rendered
      frame();
      expect(mesh.count).toBe(all.length);
      const shown = new Map(renderer.places.map((x, i) => [instances.entityAt(i), x]));
      expect(shown).toEqual(new Map(all.map((e) => [e, ecs.get(e, Position).x])));
      const sphere = new Sphere(new Vector3(), 0.5);
      const outside = renderer.places.filter((x) => !mesh.boundingSphere!.containsPoint(sphere.center.setX(x)));
      expect(outside).toEqual([]);
    }
  });
});
