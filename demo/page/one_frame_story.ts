// What happened in a frame, in words: chosen by its figures, whatever was expected of it.

export interface Looked {
  lookedAt: number;
  tracked: number;
  enabled: boolean;
}
export interface StepFigures {
  frame: number;
  tracking: boolean;
  /** SpatialHash, which runs before the nudge. */
  index: Looked;
  /** AnimationRenderer, which runs after it. */
  renderer: Looked;
  /** A crate was moved in this frame. */
  nudged: boolean;
  /** A crate was moved before this frame, and SpatialHash has not run since. */
  due: boolean;
  /** AnimationRenderer has looked at something in the frame before. */
  drewBefore: boolean;
  /** How many others have moved in this frame. */
  others: number;
}

const many = (n: number, one: string, more = `${one}s`) => `${n.toLocaleString("en")} ${n === 1 ? one : more}`;

function ofIndex({ index, nudged, due, others, tracking }: StepFigures): string {
  const { lookedAt, tracked, enabled } = index;
  if (!enabled) {
    return due || nudged
      ? "SpatialHash is switched off. The crate waits in its set until it runs again, however many frames that takes."
      : "SpatialHash is switched off and did not run.";
  }
  if (!tracking)
    return `Tracking is off: SpatialHash went through all ${many(tracked, "entity", "entities")} it tracks, changed or not.`;
  if (due && lookedAt === 0)
    return "SpatialHash should have heard of the crate by now, and found nothing: that would be the bug.";
  if (due) {
    const company = lookedAt > 1 ? ` and ${many(lookedAt - 1, "other")}` : "";
    return `SpatialHash found the crate${company} waiting. Its set was not emptied with the end of the last frame, only now that it has looked.`;
  }
  if (lookedAt === 0)
    return nudged
      ? "SpatialHash had its turn first, with nothing in its set, and did nothing."
      : "Nothing was waiting for SpatialHash.";
  const what = others > 0 ? `; ${many(others, "figure")} moved` : "";
  return `SpatialHash looked at ${many(lookedAt, "entity", "entities")} that changed otherwise${what}${nudged ? ". The crate was still where it had been" : ""}.`;
}

function ofNudge({ nudged, index }: StepFigures): string {
  if (!nudged) return "";
  return index.enabled
    ? "Then Nudge moved a crate, which put it into the sets of all who watch Position, this one's for the next frame."
    : "Nudge moved a crate.";
}

function ofRenderer({ renderer, nudged, due, drewBefore, tracking }: StepFigures): string {
  const { lookedAt, tracked, enabled } = renderer;
  if (!enabled) return "AnimationRenderer is switched off, so the picture still shows the old place.";
  if (!tracking) return `AnimationRenderer went through all ${many(tracked, "entity", "entities")} too.`;
  if (nudged && lookedAt === 0)
    return "AnimationRenderer, though it runs later, heard nothing of it: that would be the bug.";
  if (nudged)
    return `AnimationRenderer runs after that and made a new picture of ${lookedAt === 1 ? "the crate" : `${many(lookedAt, "entity", "entities")}, the crate among them,`} in the same frame.`;
  if (lookedAt === 0)
    return due && drewBefore
      ? "AnimationRenderer had drawn the crate a frame ago, and rests."
      : "AnimationRenderer has nothing to do either.";
  return `AnimationRenderer drew ${many(lookedAt, "entity", "entities")} anew, for other reasons.`;
}

/** One frame's story. */
export function tell(step: StepFigures): string {
  const quiet =
    !step.nudged &&
    !step.due &&
    step.tracking &&
    step.index.enabled &&
    step.renderer.enabled &&
    step.index.lookedAt === 0 &&
    step.renderer.lookedAt === 0;
  if (quiet) return "Quiet: nobody has anything left to look at, and the frame costs next to nothing.";
  return [ofIndex(step), ofNudge(step), ofRenderer(step)].filter((sentence) => sentence !== "").join(" ");
}
