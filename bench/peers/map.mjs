// No library: a Map from ids to objects, the simplest implementation.
import { objects } from "../cases/more.mjs";

export const version = "";

export const cases = {
  objects(params) {
    const { ids, positions } = build(params);
    const step = () => {
      for (let i = 0; i < ids.length; i++) positions.get(ids[i]).x += 0.25;
    };
    return objects.cell(params, { step, value: (i) => positions.get(ids[i]).x });
  },
  objects_iter(params) {
    const { ids, positions } = build(params);
    const step = () => {
      for (const [, position] of positions) position.x += 0.25;
    };
    return objects.cell(params, { step, value: (i) => positions.get(ids[i]).x });
  },
};

function build({ n }) {
  const ids = Array.from({ length: n }, (_, i) => i);
  return { ids, positions: new Map(ids.map((id) => [id, { x: 0, y: 0 }])) };
}
