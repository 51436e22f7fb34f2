// koota 0.6 through `updateEach`, its everyday form: a callback with snapshots of the traits, whose changes are written back.
import { createChanged, createQuery } from "koota";
import { movementCell, standardCases } from "./koota_worlds.mjs";

export { version } from "./koota_worlds.mjs";

export const cases = {
  ...standardCases(plus, swap),

  movement(params) {
    const watch = (world, Position) => {
      const moved = createQuery(createChanged()(Position));
      world.query(moved);
      return () => world.query(moved).length;
    };
    return movementCell(params, watch, { changeDetection: "always" });
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

function swap(world, query) {
  return () => {
    world.query(query).updateEach(([one, other]) => {
      const x = one.value;
      one.value = other.value;
      other.value = x;
    });
  };
}
