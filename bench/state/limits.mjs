// What saving, sending and going back cost, compared with work that they cannot avoid.
import { Buffer } from "node:buffer";
import { Changes, ECS, init, Replica, restore, Rewind, snapshot } from "../../dist/state_inline.js";
import { expect } from "../harness/expect.mjs";
import { chooser, columnsOf, float, randomIntegers } from "./random.mjs";
import { components, fields, Health, Position, spawnUnits, unitWorld, Velocity } from "./units.mjs";

await init();
const entities = 100_000;

export const cases = { limit: ({ limit }) => limits[limit]() };
/** A row of the table. `base` is what the time is divided by. */
const row = (limit, { time, base, ratio = base === undefined ? undefined : time / base, bytes }) =>
  Object.entries({ time, base, ratio, bytes })
    .filter(([, value]) => value !== undefined)
    .map(([what, value]) => ({
      what,
      unit: { ratio: "ratio", bytes: "bytes" }[what] ?? "ns",
      value,
      params: { limit },
    }));

export const limits = {
  /** The copy is made of the module's memory, as that of a snapshot. */
  snapshot() {
    const { ecs } = unitWorld(columnsOf(entities, fields, randomIntegers()));
    const size = snapshot(ecs).length;
    const memory = () => new Uint8Array(ecs.storage(Position).columns.x.buffer, 0, size);
    const target = new Uint8Array(size);
    let bytes;
    return {
      turn: ({ inTurn }) =>
        inTurn({
          snapshot: () => {
            bytes = snapshot(ecs);
          },
          copy: () => target.set(memory()),
        }),
      verify() {
        expect("the copy is equal", Buffer.compare(target, memory()), 0);
        expectRestored(bytes, ecs);
      },
      quantities: ({ snapshot: time, copy }) =>
        row("snapshot / copying as many bytes", { time, base: copy, bytes: size }),
    };
  },

  restoreEmpty() {
    const columns = columnsOf(entities, fields, randomIntegers());
    const bytes = snapshot(unitWorld(columns).ecs);
    let restored;
    let spawned;
    return {
      turn({ inTurn }) {
        restored?.dispose();
        spawned?.dispose();
        [restored, spawned] = [new ECS(), new ECS()];
        inTurn({ restore: () => restore(restored, bytes, { components }), spawn: () => spawnUnits(spawned, columns) });
      },
      verify() {
        expect("both worlds are equal", Buffer.compare(snapshot(restored), bytes), 0);
        expect("both worlds are equal", Buffer.compare(snapshot(spawned), bytes), 0);
      },
      quantities: ({ restore: time, spawn: base }) =>
        row("restore into an empty world / spawning as many by prefab", { time, base }),
    };
  },

  /** Two equal snapshots are compared, so that the comparison does not end at the first difference. */
  restoreOver() {
    const random = randomIntegers();
    const { ecs, all, positions } = unitWorld(columnsOf(entities, fields, random));
    const choose = chooser(100, entities, random);
    const bytes = snapshot(ecs);
    const same = bytes.slice();
    let compared = 0;
    return {
      turn({ inTurn }) {
        for (const i of choose()) positions.at(all[i]).position.x = float(random);
        inTurn({
          restore: () => restore(ecs, bytes),
          compare: () => {
            compared |= Buffer.compare(bytes, same);
          },
        });
      },
      verify() {
        expect("the comparison", compared, 0);
        expect("the restored world is equal", Buffer.compare(snapshot(ecs), bytes), 0);
      },
      quantities: ({ restore: time, compare: base }) =>
        row("restore over a world with 100 differences / comparing two snapshots", { time, base }),
    };
  },

  take() {
    const random = randomIntegers();
    const { ecs, all, positions } = unitWorld(columnsOf(entities, fields, random));
    const receiver = new Changes(ecs, { components }).receiver();
    const taken = [receiver.take()]; // applied at the end, so that it does not change what is in the caches
    const changed = 100;
    const choose = chooser(changed, entities, random);
    const repeated = 100;
    return {
      turn({ time, count }) {
        for (const i of choose()) positions.at(all[i]).position.x = float(random);
        const one = time("one", () => receiver.take());
        taken.push(one);
        let none = 0;
        time(
          "none",
          () => {
            for (let k = 0; k < repeated; k++) none += receiver.take().length;
          },
          repeated,
        );
        count("oneBytes", one.length);
        count("noneBytes", none);
      },
      verify() {
        const copy = new ECS();
        const replica = new Replica(copy, { components });
        for (const bytes of taken) replica.apply(bytes);
        expectEqualUnits(ecs, all, copy, replica);
      },
      quantities: ({ one, oneBytes, none, noneBytes }) => [
        ...row("take: 100 of 100,000 with one changed f32; bytes for each", { time: one, bytes: oneBytes / changed }),
        ...row("take: nothing has changed", { time: none, bytes: noneBytes }),
      ],
    };
  },

  apply1k: () => applying(1_000),
  apply100k: () => applying(entities),
  record: () => recording([2_000, entities]),
  rewind2k: () => rewinding(2_000),
  rewind100k: () => rewinding(entities),
};

/** Applies 1,000 changes, and sets the same values in a world of the same kind, through rows of `query.of(entities)`. */
function applying(n) {
  const random = randomIntegers();
  const columns = columnsOf(n, fields, random);
  const sender = unitWorld(columns);
  const direct = unitWorld(columns);
  const receiver = new Changes(sender.ecs, { components }).receiver();
  const copy = new ECS();
  const replica = new Replica(copy, { components });
  replica.apply(receiver.take());
  const choose = chooser(1_000, n, random);
  return {
    turn({ inTurn }) {
      const chosen = choose();
      const values = Float32Array.from(chosen, () => float(random));
      chosen.forEach((i, k) => {
        sender.positions.at(sender.all[i]).position.x = values[k];
      });
      const bytes = receiver.take();
      const same = chosen.map((i) => direct.all[i]);
      inTurn({
        apply: () => replica.apply(bytes),
        set: () => {
          let k = 0;
          for (const { position } of direct.positions.of(same)) position.x = values[k++];
        },
      });
    },
    verify() {
      expectEqualUnits(sender.ecs, sender.all, copy, replica);
      expectEqualUnits(sender.ecs, sender.all, direct.ecs, { entity: (e) => direct.all[sender.all.indexOf(e)] }, 1_000);
    },
    quantities: ({ apply: time, set: base }) =>
      row(`apply of 1,000 changes of ${n.toLocaleString("en")} / setting them through rows`, { time, base }),
  };
}

/** A world in each of whose frames 1,000 entities change, random ones of the first `of`. */
function busyWorld(of) {
  const random = randomIntegers();
  const world = unitWorld(columnsOf(entities, fields, random));
  const { ecs, all, positions } = world;
  return {
    ...world,
    change(changes = 1_000) {
      for (let k = 0; k < changes; k++) positions.at(all[random() % of]).position.x = float(random);
    },
    update: () => ecs.update(),
  };
}

/** What a change costs in an update with recording, compared with one without. */
function recording(list) {
  const pairs = list.map((of) => {
    const [recorded, plain] = [busyWorld(of), busyWorld(of)];
    return { of, recorded, plain, rewind: new Rewind(recorded.ecs) };
  });
  return {
    turn({ inTurn }) {
      for (const { of, recorded, plain } of pairs) {
        recorded.change();
        plain.change();
        inTurn({ [`recorded ${of}`]: recorded.update, [`plain ${of}`]: plain.update });
      }
    },
    verify() {
      for (const { recorded, rewind } of pairs) expect("the newest frame", rewind.newest, recorded.ecs.frame);
    },
    quantities: (of) =>
      list.flatMap((n) =>
        row(`recording: for each of 1,000 changes a frame, of ${n.toLocaleString("en")} entities`, {
          time: (of[`recorded ${n}`] - of[`plain ${n}`]) / 1_000,
        }),
      ),
  };
}

/** Going back by 8 frames. */
function rewinding(of) {
  const { ecs, change, update } = busyWorld(of);
  const rewind = new Rewind(ecs);
  const play = () => {
    for (let frame = 0; frame < 8; frame++) {
      change();
      update();
    }
  };
  play();
  return {
    turn({ time }) {
      play();
      const frame = rewind.newest - 8;
      time("to", () => rewind.to(frame));
      expect("the frame", ecs.frame, frame);
    },
    verify() {
      const before = snapshot(ecs);
      play();
      rewind.to(rewind.newest - 8);
      expect("the world is what it was", Buffer.compare(snapshot(ecs), before), 0);
    },
    quantities: ({ to }) =>
      row(`rewind by 8 frames of 1,000 changes, of ${of.toLocaleString("en")} entities`, { time: to }),
  };
}

function expectRestored(bytes, ecs) {
  const copy = new ECS();
  restore(copy, bytes, { components });
  expect("the restored entities", copy.count, ecs.count);
  expect("the restored world is equal", Buffer.compare(snapshot(copy), snapshot(ecs)), 0);
  copy.dispose();
}

/** The first `count` entities have the same values in both worlds. */
function expectEqualUnits(ecs, all, copy, replica, count = all.length) {
  for (const e of all.slice(0, count)) {
    for (const [Class, names] of [
      [Position, ["x", "y"]],
      [Velocity, ["x", "y"]],
      [Health, ["points"]],
    ]) {
      const [sent, received] = [ecs.get(e, Class), copy.get(replica.entity(e), Class)];
      for (const name of names) expect(`${Class.name}.${name} of ${e}`, received[name], sent[name]);
    }
  }
}
