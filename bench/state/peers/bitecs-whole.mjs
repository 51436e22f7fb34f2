// bitECS 0.4, as bitecs.mjs; but the application keeps a list of the entities that it has changed, and all of their values are sent, without
// a comparison.
import { createSoASerializer } from "bitecs/serialization";
import { changing, networked, selecting, sending } from "./bitecs.mjs";

export const pairs = {
  /** The first time, all entities are sent. */
  units(columns) {
    const changed = [];
    const list = (state) => (changed.length === 0 ? networked(state) : changed.splice(0));
    const pair = sending(columns, { list, diff: false });
    return { ...pair, change: changing(pair, changed) };
  },

  /** One serializer for all; each receiver gets those of its entities that have changed. */
  receivers: (columns, selections) =>
    selecting(columns, selections, ({ components, ids, buffer }) => {
      const selected = selections.map((selection) => selection.map((i) => ids[i]));
      const changed = new Set(ids);
      const change = changing({ components, ids }, { push: (id) => changed.add(id) });
      const serialize = createSoASerializer(components, { buffer });
      return {
        diff: false,
        change,
        write() {
          const list = selected.map((some) => serialize(some.filter((id) => changed.has(id))));
          changed.clear();
          return list;
        },
      };
    }),
};
