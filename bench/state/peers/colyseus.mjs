// @colyseus/schema: a map of entities, each an object whose fields notify the encoder. An entity is one object with all fields, as its users
// write it; components as objects of their own would make the bytes more. The buffer has a size that is sufficient.
import { Decoder, Encoder, schema, StateView, t } from "@colyseus/schema";

const unitFields = { x: t.float32(), y: t.float32(), dx: t.float32(), dy: t.float32(), points: t.float32() };
const Unit = schema(unitFields, "Unit");
const UnitState = schema({ entities: t.map(Unit) }, "UnitState");
/** What a client gets of these entities is decided by its `StateView`. */
const FilteredState = schema({ entities: t.map(Unit).view() }, "FilteredState");

const fields = Object.keys(unitFields);
const valuesOf = (entity) => fields.map((field) => entity[field]);

/** Adds an entity with row i of the columns. */
function add(state, key, columns, i) {
  const entity = new Unit();
  for (let f = 0; f < fields.length; f++) entity[fields[f]] = columns[f][i];
  state.entities.set(key, entity);
  return entity;
}

function sender(State, columns) {
  Encoder.BUFFER_SIZE = 2 ** 16 + 64 * Math.max(columns[0].length, 2_000);
  const state = new State();
  const encoder = new Encoder(state);
  const all = Array.from(columns[0], (_, i) => add(state, String(i), columns, i));
  return { state, encoder, all };
}

function sending(columns) {
  const { state, encoder, all } = sender(UnitState, columns);
  const copy = new UnitState();
  const decoder = new Decoder(copy);
  const keys = all.map((_, i) => String(i));
  return {
    state,
    all,
    keys,
    write() {
      const bytes = encoder.encode();
      encoder.discardChanges();
      return bytes;
    },
    read: (bytes) => decoder.decode(bytes),
    size: (bytes) => bytes.length,
    sent: (i) => valuesOf(all[i]),
    received: (i) => valuesOf(copy.entities.get(keys[i])),
    counts: () => [state.entities.size, copy.entities.size],
  };
}

const changeUnits = (all) => (indices, values) => {
  for (let k = 0; k < indices.length; k++) all[indices[k]].x = values[k];
};

export const pairs = {
  units(columns) {
    const pair = sending(columns);
    const { state, all, keys } = pair;
    let serial = all.length;
    return {
      ...pair,
      change: changeUnits(all),
      create([xs, ys, dxs, dys, points]) {
        for (let i = 0; i < xs.length; i++) {
          const unit = new Unit();
          unit.x = xs[i];
          unit.y = ys[i];
          unit.dx = dxs[i];
          unit.dy = dys[i];
          unit.points = points[i];
          const key = String(serial++);
          state.entities.set(key, unit);
          all.push(unit);
          keys.push(key);
        }
      },
      remove() {
        for (const key of keys) state.entities.delete(key);
        all.length = keys.length = 0;
      },
    };
  },

  receivers(columns, selections) {
    const { state, encoder, all } = sender(FilteredState, columns);
    const views = selections.map((selection) => {
      const view = new StateView();
      for (const i of selection) view.add(all[i]);
      return view;
    });
    const copy = new FilteredState();
    const decoder = new Decoder(copy);
    return {
      change: changeUnits(all),
      write() {
        const it = { offset: 0 };
        encoder.encode(it);
        const shared = it.offset;
        const list = views.map((view) => encoder.encodeView(view, shared, it));
        encoder.discardChanges();
        return list;
      },
      read: (bytes) => decoder.decode(bytes),
      size: (bytes) => bytes.length,
      sent: (i) => valuesOf(all[i]),
      received: (i) => valuesOf(copy.entities.get(String(i))),
      counts: () => [state.entities.size, copy.entities.size],
    };
  },

  full(columns) {
    const { state, encoder, all } = sender(UnitState, columns);
    encoder.discardChanges();
    let copy;
    let decoder;
    return {
      write: () => encoder.encodeAll(),
      fresh() {
        copy = new UnitState();
        decoder = new Decoder(copy);
      },
      read: (bytes) => decoder.decode(bytes),
      size: (bytes) => bytes.length,
      sent: (i) => valuesOf(all[i]),
      received: (i) => valuesOf(copy.entities.get(String(i))),
      counts: () => [state.entities.size, copy.entities.size],
    };
  },
};
