// koota 0.6 through `updateEach`, its everyday form: a callback with snapshots of the traits, whose changes are written back.
import { createChanged, createQuery, createWorld, trait } from "koota";
import { movement } from "../cases/movement.mjs";
import { loops } from "../cases/standard.mjs";
import { worlds } from "./koota.mjs";

export { version } from "./koota.mjs";

export const cases = {
  ...loops({ ...worlds, plus, swap }),

  movement(params) {
    const world = createWorld();
    const Position = trait({ x: 0, y: 0 });
    const Velocity = trait({ x: 0, y: 0 });
    const ids = Array.from({ length: params.n }, () => world.spawn(Position, Velocity({ x: 1, y: 2 })));
    const moving = createQuery(Position, Velocity);
    const moved = createQuery(createChanged()(Position));
    world.query(moved);
    let seen = 0;
    return movement.cell(params, {
      step(delta) {
        world.query(moving).updateEach(
          ([position, velocity]) => {
            position.x += velocity.x * delta;
            position.y += velocity.y * delta;
          },
          { changeDetection: "always" },
        );
        seen += world.query(moved).length;
      },
      seen: () => seen,
      position: (i) => ids[i].get(Position),
    });
  },
};

function plus(world, t) {
  const query = createQuery(t);
  return () => {
    world.query(query).updateEach(([data]) => {
      data.value += 1;
    });
  };
}

function swap(world, A, B) {
  const query = createQuery(A, B);
  return () => {
    world.query(query).updateEach(([one, other]) => {
      const x = one.value;
      one.value = other.value;
      other.value = x;
    });
  };
}
