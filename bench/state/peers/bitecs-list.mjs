// bitECS 0.4, as bitecs.mjs; but the application keeps a list of the entities that it has changed, and the serializer compares only these.
import { changes, networked, sending } from "./bitecs.mjs";

/** The first time, all entities are sent. */
export function listed(kind, columns, diff) {
  const changed = [];
  const list = (state) => {
    const ids = changed.length === 0 ? networked(state) : changed.slice();
    changed.length = 0;
    return ids;
  };
  const pair = sending(kind, columns, { list, diff });
  return { ...pair, change: changes[kind](pair, changed) };
}

export const pairs = {
  crates: (columns) => listed("crates", columns, true),
  units: (columns) => listed("units", columns, true),
};
