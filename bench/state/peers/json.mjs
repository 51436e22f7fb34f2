// Plain objects in a Map, sent as JSON text: the application keeps lists of what it has changed, created and removed, and sends only these,
// with the fields that changed.
const text = JSON.stringify;

const unit = ([x, y, dx, dy, points], i) => ({
  position: { x: x[i], y: y[i] },
  velocity: { x: dx[i], y: dy[i] },
  health: { points: points[i] },
});
const valuesOf = ({ position, velocity, health }) => [position.x, position.y, velocity.x, velocity.y, health.points];

function sending(columns) {
  const all = Array.from(columns[0], (_, i) => unit(columns, i));
  const ids = all.map((_, i) => i);
  const copy = new Map();
  const changes = { created: ids.map((id) => [id, all[id]]), changed: [], removed: [] };
  return {
    all,
    ids,
    changes,
    write() {
      const written = text(changes);
      for (const list of Object.values(changes)) list.length = 0;
      return written;
    },
    read(written) {
      const { created, changed, removed } = JSON.parse(written);
      for (const [id, values] of created) copy.set(id, values);
      for (const [id, values] of changed) merge(copy.get(id), values);
      for (const id of removed) copy.delete(id);
    },
    size: (written) => written.length, // all of it is ASCII
    sent: (i) => valuesOf(all[i]),
    received: (i) => valuesOf(copy.get(ids[i])),
    counts: () => [all.length, copy.size],
  };
}

function merge(object, values) {
  for (const name in values) {
    if (typeof values[name] === "object") merge(object[name], values[name]);
    else object[name] = values[name];
  }
}

export const pairs = {
  units(columns) {
    const pair = sending(columns);
    const { all, ids, changes } = pair;
    let serial = all.length;
    return {
      ...pair,
      change(indices, values) {
        for (let k = 0; k < indices.length; k++) {
          all[indices[k]].position.x = values[k];
          changes.changed.push([indices[k], { position: { x: values[k] } }]);
        }
      },
      create(columns) {
        for (let i = 0; i < columns[0].length; i++) {
          const created = unit(columns, i);
          all.push(created);
          ids.push(serial);
          changes.created.push([serial++, created]);
        }
      },
      remove() {
        changes.removed.push(...ids);
        all.length = ids.length = 0;
      },
    };
  },

  receivers(columns, selections) {
    const all = Array.from(columns[0], (_, i) => unit(columns, i));
    const changed = new Map();
    let first = true;
    const copy = new Map();
    return {
      change(indices, values) {
        for (let k = 0; k < indices.length; k++) {
          all[indices[k]].position.x = values[k];
          changed.set(indices[k], { position: { x: values[k] } });
        }
      },
      write() {
        const list = selections.map((selection) => {
          if (first) return text(selection.map((i) => [i, all[i]]));
          const sent = [];
          for (const i of selection) {
            const values = changed.get(i);
            if (values !== undefined) sent.push([i, values]);
          }
          return text(sent);
        });
        first = false;
        changed.clear();
        return list;
      },
      read(written) {
        for (const [i, values] of JSON.parse(written)) {
          const known = copy.get(i);
          if (known === undefined) copy.set(i, values);
          else merge(known, values);
        }
      },
      size: (written) => written.length,
      sent: (i) => valuesOf(all[i]),
      received: (i) => valuesOf(copy.get(i)),
      counts: () => [all.length, copy.size],
    };
  },

  full(columns) {
    const all = Array.from(columns[0], (_, i) => unit(columns, i));
    let copy;
    return {
      write: () => text(all),
      fresh() {
        copy = undefined;
      },
      read(written) {
        copy = JSON.parse(written);
      },
      size: (written) => written.length,
      sent: (i) => valuesOf(all[i]),
      received: (i) => valuesOf(copy[i]),
      counts: () => [all.length, copy.length],
    };
  },
};
