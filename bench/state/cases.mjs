// The comparison with other libraries: a sender, whose entities change, and a receiver, which gets bytes. Each library (bench/state/peers/)
// has the same entities, values and changes.
import { expect } from "../harness/expect.mjs";
import { chooser, columnsOf, float, randomIntegers } from "./random.mjs";

/**
 * What a library makes of `columns`, one for each field: units, which have a position (`x`, `y`), a velocity (`x`, `y`) and a health
 * (`points`). All of them are 32-bit floats.
 * @typedef {object} Pair
 * @property {(indices: Uint32Array, values: Float32Array) => void} [change] sets `position.x` of these units
 * @property {(columns: Float32Array[]) => void} [create] creates more units, each with its three components
 * @property {() => void} [remove] removes these
 * @property {() => unknown} write returns what is sent: all changes since the last call or, of `full`, everything
 * @property {() => void} [fresh] makes a new, empty receiver
 * @property {(sent: unknown) => void} read
 * @property {(sent: unknown) => number} size bytes
 * @property {(i: number) => number[]} sent the values of an entity
 * @property {(i: number) => number[]} received the same at the receiver
 * @property {() => [number, number]} counts the entities of the sender and of the receiver
 */

const peer = async (library) => import(`./peers/${library}.mjs`);

export const cases = {
  units: async (_, library) => changing(await peer(library), 100_000),
  create: async (_, library) => creating(await peer(library), "create"),
  remove: async (_, library) => creating(await peer(library), "remove"),
  receivers: async (_, library) => selecting(await peer(library)),
  full: async (_, library) => sendingAll(await peer(library), 100_000),
};

/** The quantities of a frame. */
const frame = ({ change, write, read, bytes }) => [
  ...(change === undefined ? [] : [{ what: "change", unit: "ns", value: change }]),
  { what: "write", unit: "ns", value: write },
  ...(read === undefined ? [] : [{ what: "read", unit: "ns", value: read }]),
  { what: "frame", unit: "ns", value: write + (read ?? 0) },
  { what: "bytes", unit: "bytes", value: bytes },
];

/** 100 random entities change in each frame. */
function changing({ pairs }, n) {
  const random = randomIntegers();
  const columns = columnsOf(n, 5, random);
  const pair = pairs.units(columns);
  pair.read(pair.write());
  const choose = chooser(100, n, random);
  return {
    turn({ time, count }) {
      const indices = choose();
      const values = Float32Array.from(indices, () => float(random));
      indices.forEach((i, k) => {
        columns[0][i] = values[k];
      });
      time("change", () => pair.change(indices, values));
      const sent = time("write", () => pair.write());
      time("read", () => pair.read(sent));
      count("bytes", pair.size(sent));
    },
    verify: () => expectEqual(pair, columns),
    quantities: frame,
  };
}

/** 1,000 units are created in one frame and removed in the next one. `what` is the one that counts. */
function creating({ pairs }, what) {
  const random = randomIntegers();
  const pair = pairs.units(columnsOf(0, 5, random));
  let columns;
  const send = (change, { time, count }) => {
    time("change", change);
    const sent = time("write", () => pair.write());
    time("read", () => pair.read(sent));
    count("bytes", pair.size(sent));
  };
  const untimed = { time: (_, run) => run(), count() {} };
  const clockOf = (clock, frame) => (frame === what ? clock : untimed);
  return {
    turn(clock) {
      columns = columnsOf(1_000, 5, random);
      send(() => pair.create(columns), clockOf(clock, "create"));
      send(() => pair.remove(), clockOf(clock, "remove"));
    },
    verify() {
      expectEqual(
        pair,
        columns.map(() => []),
      );
      send(() => pair.create(columns), untimed);
      expectEqual(pair, columns);
    },
    quantities: frame,
  };
}

/** 300 units change in each frame, and 300 receivers get 60 of them each. One of the receivers also reads. */
function selecting({ pairs }) {
  const random = randomIntegers();
  const [changed, selected, receivers] = [300, 60, 300];
  const columns = columnsOf(10_000, 5, random);
  const selections = Array.from({ length: receivers }, (_, r) =>
    Array.from({ length: selected }, (_, i) => (r * 7 + i * 5) % changed),
  );
  const pair = pairs.receivers(columns, selections);
  const indices = Uint32Array.from({ length: changed }, (_, i) => i);
  pair.read(pair.write()[0]);
  return {
    turn({ time, count }) {
      const values = Float32Array.from(indices, () => float(random));
      columns[0].set(values);
      time("change", () => pair.change(indices, values));
      const sent = time("write", () => pair.write());
      pair.read(sent[0]);
      count("bytes", sent.reduce((sum, one) => sum + pair.size(one), 0) / receivers);
    },
    verify: () =>
      expectEqual(
        pair,
        columns.map((column) => selections[0].map((i) => column[i])),
        selections[0],
      ),
    quantities: frame,
  };
}

/** The state of all units is written, and read by a new receiver. */
function sendingAll({ pairs }, n) {
  const columns = columnsOf(n, 5, randomIntegers());
  const pair = pairs.full(columns);
  return {
    turn({ time, count }) {
      const sent = time("write", () => pair.write());
      pair.fresh();
      time("read", () => pair.read(sent));
      count("bytes", pair.size(sent));
    },
    verify: () => expectEqual(pair, columns),
    quantities: frame,
  };
}

/** All entities, or those with these indices at the sender, have the values of `columns` on both sides. */
function expectEqual(pair, columns, indices = Uint32Array.from(columns[0], (_, i) => i)) {
  const [sender, receiver] = pair.counts();
  if (columns[0].length === 0) expect("the entities of the sender", sender, 0);
  expect("the entities of the receiver", receiver, columns[0].length);
  indices.forEach((i, k) => {
    const expected = columns.map((column) => column[k]).join(" ");
    expect(`unit ${i} of the sender`, pair.sent(i).join(" "), expected);
    expect(`unit ${i} of the receiver`, pair.received(i).join(" "), expected);
  });
}
