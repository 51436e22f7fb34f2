// Updates, removal phases and clear().
import { act } from "./calls.js";
import { clear, removeMarked } from "./effects.js";
import { skipUntil } from "./runs.js";
import type { Frame, World } from "./state.js";

export function update(w: World): void {
  const delta = w.random.pick([0.25, 0.25, 0.25, 0.5, 0]);
  w.replay.count("updates");
  if (w.chaos) {
    act(w, ["update", delta], () => w.ecs.update(delta));
    return;
  }
  const frame: Frame = { order: [...w.systems], delta, over: 0, threw: false };
  for (const s of w.systems) if (!s.disabled) s.elapsed += delta;
  w.gameTime += delta;
  const model = (result: number | undefined) => {
    w.frame = undefined;
    if (result !== undefined && result !== delta) w.fail(`M1 update returned ${result}, expected ${delta}`);
    if (frame.threw) return;
    skipUntil(w, frame);
    removeMarked(w);
  };
  w.frame = frame;
  try {
    act(w, ["update", delta], () => w.ecs.update(delta), model);
  } finally {
    w.frame = undefined;
  }
}
/** In callbacks, this is an error (S6). */
export function updateAgain(w: World): void {
  const call = w.random.chance(500) ? () => w.ecs.update(0.25) : () => w.ecs.removeMarked();
  act(w, ["update in an update"], call, undefined, "REENTRANT_UPDATE");
}
export function updateWithBadDelta(w: World): void {
  const delta = w.random.pick([-1, Number.NaN, Number.POSITIVE_INFINITY]);
  act(w, ["update", delta], () => w.ecs.update(delta), undefined, "BAD_ARGUMENT");
}
export function removeAllMarked(w: World): void {
  act(
    w,
    ["removeMarked"],
    () => w.ecs.removeMarked(),
    () => removeMarked(w),
  );
}
export function clearAll(w: World): void {
  w.cleared = [];
  w.replay.count("clear");
  const model = () => {
    clear(w);
    if (w.cleared.some((s, i) => s !== w.systems[i]) || w.cleared.length !== w.systems.length)
      w.fail(`K1 onClear was called for ${w.cleared.map((s) => s.name)}`);
  };
  act(w, ["clear"], () => w.ecs.clear(), model);
}
