// Crateful: `Changes` and `Replica`; for everything, `snapshot` and `restore`.
import { Changes, ECS, init, Replica, restore, snapshot } from "../../../dist/state_inline.js";
import { components, Health, Position, unitWorld, Velocity } from "../units.mjs";

await init();
const unitOf = (ecs, e) => {
  const [position, velocity, health] = [Position, Velocity, Health].map((Class) => ecs.get(e, Class));
  return [position.x, position.y, velocity.x, velocity.y, health.points];
};

/** One receiver and a replica of `ecs`, in which entity i is `all[i]`. */
function replicated(ecs, all) {
  const receiver = new Changes(ecs, { components }).receiver();
  const copy = new ECS();
  const replica = new Replica(copy, { components });
  return {
    write: () => receiver.take(),
    read: (bytes) => replica.apply(bytes),
    size: (bytes) => bytes.length,
    sent: (i) => unitOf(ecs, all[i]),
    received: (i) => unitOf(copy, replica.entity(all[i])),
    counts: () => [ecs.count, copy.count],
  };
}

export const pairs = {
  units(columns) {
    const { ecs, all, positions } = unitWorld(columns);
    const created = [...all];
    return {
      ...replicated(ecs, created),
      change(indices, values) {
        for (let k = 0; k < indices.length; k++) positions.at(all[indices[k]]).position.x = values[k];
      },
      create([x, y, dx, dy, points]) {
        for (let i = 0; i < x.length; i++)
          created.push(
            ecs.addEntity(
              [Position, { x: x[i], y: y[i] }],
              [Velocity, { x: dx[i], y: dy[i] }],
              [Health, { points: points[i] }],
            ),
          );
      },
      /** They exist until the update. */
      remove() {
        for (const e of created) ecs.removeEntity(e);
        ecs.update();
        created.length = 0;
      },
    };
  },

  receivers(columns, selections) {
    const { ecs, all, positions } = unitWorld(columns);
    const changes = new Changes(ecs, { components });
    const receivers = selections.map((selection) => changes.receiver({ select: selection.map((i) => all[i]) }));
    const copy = new ECS();
    const replica = new Replica(copy, { components });
    return {
      change(indices, values) {
        for (let k = 0; k < indices.length; k++) positions.at(all[indices[k]]).position.x = values[k];
      },
      write: () => receivers.map((receiver) => receiver.take()),
      read: (bytes) => replica.apply(bytes),
      size: (bytes) => bytes.length,
      sent: (i) => unitOf(ecs, all[i]),
      received: (i) => unitOf(copy, replica.entity(all[i])),
      counts: () => [ecs.count, copy.count],
    };
  },

  full(columns) {
    const { ecs, all } = unitWorld(columns);
    let copy;
    return {
      write: () => snapshot(ecs),
      fresh() {
        copy?.dispose();
        copy = new ECS();
      },
      read: (bytes) => restore(copy, bytes, { components }),
      size: (bytes) => bytes.length,
      sent: (i) => unitOf(ecs, all[i]),
      received: (i) => unitOf(copy, all[i]),
      counts: () => [ecs.count, copy.count],
    };
  },
};

/** As `full`, with what a new receiver gets first. */
export function fullByChanges(columns) {
  const { ecs, all } = unitWorld(columns);
  const changes = new Changes(ecs, { components });
  let receiver;
  let copy;
  let replica;
  return {
    write() {
      receiver?.dispose();
      receiver = changes.receiver();
      return receiver.take();
    },
    fresh() {
      copy?.dispose();
      copy = new ECS();
      replica = new Replica(copy, { components });
    },
    read: (bytes) => replica.apply(bytes),
    size: (bytes) => bytes.length,
    sent: (i) => unitOf(ecs, all[i]),
    received: (i) => unitOf(copy, replica.entity(all[i])),
    counts: () => [ecs.count, copy.count],
  };
}
