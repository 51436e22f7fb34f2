// koota 0.6 through `updateEach` with a subscription by `onChange`, for which it finds out by itself what a loop has changed.
import { movementCell } from "./koota_worlds.mjs";

export { version } from "./koota_worlds.mjs";

export const cases = {
  movement(params) {
    return movementCell(params, (world, Position) => {
      const moved = new Set();
      world.onChange(Position, (entity) => moved.add(entity));
      return () => {
        const { size } = moved;
        moved.clear();
        return size;
      };
    });
  },
};
