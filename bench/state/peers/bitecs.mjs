// bitECS 0.4, with the serializers of `bitecs/serialization`. Components are arrays with tags, as in its guide; with typed arrays, comparing
// takes twice as long. The SoA serializer with `diff` compares the entities that it gets with a copy of the values that it sent; here these
// are all networked ones ("usually you would use query results"). With `epsilon: 0` it sends each change, as the others do. The observer
// serializer sends which entities exist. The buffers have a size that is sufficient, because creating a snapshot copies what is left of
// them, 100 MB by default.
import { addComponents, addEntity, createWorld, deleteWorld, getAllEntities, query, removeEntity } from "bitecs";
import {
  createObserverDeserializer,
  createObserverSerializer,
  createSnapshotDeserializer,
  createSnapshotSerializer,
  createSoADeserializer,
  createSoASerializer,
  f32,
} from "bitecs/serialization";

const Networked = {};
const field = (n) => f32(new Array(n + 1).fill(0));
/** Components for entities with the ids 1 to n. */
const componentsFor = (n) => [{ x: field(n), y: field(n) }, { x: field(n), y: field(n) }, { points: field(n) }];
/** The arrays of all fields. */
const arraysOf = (components) => components.flatMap((component) => Object.values(component));
const valuesOf = (components, id) => arraysOf(components).map((array) => array[id]);

function addWith(world, components, columns, i) {
  const id = addEntity(world);
  addComponents(world, id, Networked, ...components);
  const arrays = arraysOf(components);
  for (let f = 0; f < arrays.length; f++) arrays[f][id] = columns[f][i];
  return id;
}
const addAll = (world, components, columns) => Array.from(columns[0], (_, i) => addWith(world, components, columns, i));
/** A buffer for `n` entities whose components have `fields` fields. */
const bufferFor = (n, fields) => new ArrayBuffer(1024 + n * (64 + 16 * fields));

/** Writes the entities that `list` returns: their changes with `diff`, else all of their values. */
export function sending(columns, { list, diff }) {
  const n = columns[0].length;
  const [world, copy] = [createWorld(), createWorld()];
  const [components, copies] = [componentsFor(n), componentsFor(n)];
  const buffer = bufferFor(n, columns.length);
  const observe = createObserverSerializer(world, Networked, components, { buffer });
  const serialize = createSoASerializer(components, { diff, epsilon: 0, buffer });
  const apply = createObserverDeserializer(copy, Networked, copies);
  const deserialize = createSoADeserializer(copies, { diff });
  const ids = addAll(world, components, columns);
  const state = { world, components, ids };
  let mapping = new Map();
  return {
    ...state,
    write: () => [observe(), serialize(list(state))],
    read([structure, values]) {
      if (structure.byteLength > 0) mapping = apply(structure);
      deserialize(values, mapping);
    },
    size: ([structure, values]) => structure.byteLength + values.byteLength,
    sent: (i) => valuesOf(components, ids[i]),
    received: (i) => valuesOf(copies, mapping.get(ids[i])),
    counts: () => [query(world, [Networked]).length, query(copy, [Networked]).length],
  };
}
export const networked = ({ world }) => query(world, [Networked]);

/** Sets the changed field; `changed` gets the id of each entity. */
export const changing =
  ({ components: [position], ids }, changed) =>
  (indices, values) => {
    for (let k = 0; k < indices.length; k++) {
      const id = ids[indices[k]];
      position.x[id] = values[k];
      changed?.push(id);
    }
  };

export const pairs = {
  /** Without entities at first: for the cases in which they are created. Their values are all sent, without a comparison. */
  units(columns) {
    if (columns[0].length === 0) return creating();
    const pair = sending(columns, { list: networked, diff: true });
    return { ...pair, change: changing(pair) };
  },

  /** A serializer for each receiver, with its own copy of the values. */
  receivers: (columns, selections) =>
    selecting(columns, selections, ({ components, ids, buffer }) => {
      const receivers = selections.map((selection) => ({
        selected: selection.map((i) => ids[i]),
        serialize: createSoASerializer(components, { diff: true, epsilon: 0, buffer }),
      }));
      return {
        diff: true,
        change: changing({ components, ids }),
        write: () => receivers.map(({ selected, serialize }) => serialize(selected)),
      };
    }),

  full(columns) {
    const n = columns[0].length;
    const [world, components, copies] = [createWorld(), componentsFor(n), componentsFor(n)];
    const ids = addAll(world, components, columns);
    const serialize = createSnapshotSerializer(world, components, bufferFor(n, columns.length));
    let copy;
    let deserialize;
    let mapping;
    return {
      write: () => serialize(),
      fresh() {
        if (copy !== undefined) deleteWorld(copy);
        copy = createWorld();
        deserialize = createSnapshotDeserializer(copy, copies);
      },
      read(bytes) {
        mapping = deserialize(bytes);
      },
      size: (bytes) => bytes.byteLength,
      sent: (i) => valuesOf(components, ids[i]),
      received: (i) => valuesOf(copies, mapping.get(ids[i])),
      counts: () => [getAllEntities(world).length, getAllEntities(copy).length],
    };
  },
};

/** `make` returns how changes are made and written. */
export function selecting(columns, selections, make) {
  const n = columns[0].length;
  const [world, components, copies] = [createWorld(), componentsFor(n), componentsFor(n)];
  const ids = addAll(world, components, columns);
  const buffer = bufferFor(selections[0].length, columns.length);
  const { diff, change, write } = make({ components, ids, buffer });
  const deserialize = createSoADeserializer(copies, { diff });
  return {
    change,
    write,
    read: (bytes) => deserialize(bytes),
    size: (bytes) => bytes.byteLength,
    sent: (i) => valuesOf(components, ids[i]),
    received: (i) => valuesOf(copies, ids[i]),
    // These serializers send no entities, so those that have values are counted.
    counts: () => [query(world, [Networked]).length, copies[1].x.filter((x) => x !== 0).length],
  };
}

function creating() {
  const most = 10_000;
  const [world, copy] = [createWorld(), createWorld()];
  const [components, copies] = [componentsFor(most), componentsFor(most)];
  const buffer = bufferFor(most, 5);
  const observe = createObserverSerializer(world, Networked, components, { buffer });
  const serialize = createSoASerializer(components, { buffer });
  const apply = createObserverDeserializer(copy, Networked, copies);
  const deserialize = createSoADeserializer(copies);
  const mapping = new Map();
  const ids = [];
  const none = new ArrayBuffer(0);
  return {
    create(columns) {
      for (let i = 0; i < columns[0].length; i++) ids.push(addWith(world, components, columns, i));
    },
    remove() {
      for (const id of ids) removeEntity(world, id);
      ids.length = 0;
    },
    write: () => [observe(), ids.length === 0 ? none : serialize(ids)],
    read([structure, values]) {
      apply(structure, mapping);
      deserialize(values, mapping);
    },
    size: ([structure, values]) => structure.byteLength + values.byteLength,
    sent: (i) => valuesOf(components, ids[i]),
    received: (i) => valuesOf(copies, mapping.get(ids[i])),
    counts: () => [query(world, [Networked]).length, query(copy, [Networked]).length],
  };
}
