// koota 0.6 through `updateEach` with a subscription by `onChange`, for which it finds out by itself what a loop has changed.
import { createQuery, createWorld, trait } from "koota";
import { movement } from "../cases/movement.mjs";
import { versions } from "./versions.mjs";

export const version = versions.koota;

export const cases = {
  movement(params) {
    const world = createWorld();
    const Position = trait({ x: 0, y: 0 });
    const Velocity = trait({ x: 0, y: 0 });
    const ids = Array.from({ length: params.n }, () => world.spawn(Position, Velocity({ x: 1, y: 2 })));
    const moving = createQuery(Position, Velocity);
    const moved = new Set();
    world.onChange(Position, (entity) => moved.add(entity));
    let seen = 0;
    return movement.cell(params, {
      step(delta) {
        world.query(moving).updateEach(([position, velocity]) => {
          position.x += velocity.x * delta;
          position.y += velocity.y * delta;
        });
        seen += moved.size;
        moved.clear();
      },
      seen: () => seen,
      position: (i) => ids[i].get(Position),
    });
  },
};
