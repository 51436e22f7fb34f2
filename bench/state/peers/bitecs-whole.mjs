// bitECS 0.4, as bitecs-list.mjs; but all values of the entities in the list are sent, without a comparison.
import { createSoASerializer } from "bitecs/serialization";
import { changes, selecting } from "./bitecs.mjs";
import { listed } from "./bitecs-list.mjs";

export const pairs = {
  crates: (columns) => listed("crates", columns, false),
  units: (columns) => listed("units", columns, false),

  /** One serializer for all; each receiver gets those of its entities that have changed. */
  receivers: (columns, selections) =>
    selecting(columns, selections, ({ components, ids, buffer }) => {
      const selected = selections.map((selection) => selection.map((i) => ids[i]));
      const changed = new Set(ids);
      const change = changes.units({ components, ids }, { push: (id) => changed.add(id) });
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
