// Describes a frame in words, derived from its figures.

/** How many entities a system visited. */
export interface Visits {
  visited: number;
  tracked: number;
  enabled: boolean;
}
export interface StepFigures {
  frame: number;
  tracking: boolean;
  /** SpatialHash, which runs before the nudge. */
  index: Visits;
  /** AnimationRenderer, which runs after the nudge. */
  renderer: Visits;
  /** A crate was moved in this frame. */
  nudged: boolean;
  /** A crate was moved before this frame, and SpatialHash has not run since. */
  due: boolean;
  /** AnimationRenderer visited an entity in the previous frame. */
  drewBefore: boolean;
  /** How many other entities moved in this frame. */
  others: number;
}

const many = (n: number, one: string, more = `${one}s`) => `${n.toLocaleString("en")} ${n === 1 ? one : more}`;

function ofIndex({ index, nudged, due, others, tracking }: StepFigures): string {
  const { visited, tracked, enabled } = index;
  if (!enabled) {
    return due || nudged
      ? "SpatialHash is switched off. The crate stays in its dirty set until it runs again, after any number of frames."
      : "SpatialHash is switched off and did not run.";
  }
  if (!tracking)
    return `Tracking is off: SpatialHash visited all ${many(tracked, "entity", "entities")} that it tracks, changed or not.`;
  if (due && visited === 0) return "The crate is missing from the dirty set of SpatialHash: this is a bug.";
  if (due) {
    const company = visited > 1 ? ` and ${many(visited - 1, "other")}` : "";
    return `SpatialHash found the crate${company} in its dirty set. The set was not cleared at the end of the last frame, but only now, after SpatialHash has run.`;
  }
  if (visited === 0)
    return nudged
      ? "SpatialHash ran first. Its dirty set was empty, so it did nothing."
      : "The dirty set of SpatialHash was empty.";
  const what = others > 0 ? `; ${many(others, "figure")} moved` : "";
  return `SpatialHash visited ${many(visited, "entity", "entities")} with other changes${what}${nudged ? ". The crate had not been moved yet" : ""}.`;
}

function ofNudge({ nudged, index }: StepFigures): string {
  if (!nudged) return "";
  return index.enabled
    ? "Then Nudge moved a crate. It was added to the dirty sets of all systems that watch Position; SpatialHash will see it in the next frame."
    : "Nudge moved a crate.";
}

function ofRenderer({ renderer, nudged, due, drewBefore, tracking }: StepFigures): string {
  const { visited, tracked, enabled } = renderer;
  if (!enabled) return "AnimationRenderer is switched off, so the picture still shows the old position.";
  if (!tracking) return `AnimationRenderer visited all ${many(tracked, "entity", "entities")} too.`;
  if (nudged && visited === 0)
    return "AnimationRenderer runs later, but the crate is missing from its dirty set: this is a bug.";
  if (nudged)
    return `AnimationRenderer runs later and drew ${visited === 1 ? "the crate" : `${many(visited, "entity", "entities")}, including the crate,`} in the same frame.`;
  if (visited === 0)
    return due && drewBefore
      ? "AnimationRenderer had drawn the crate in the last frame and did nothing."
      : "The dirty set of AnimationRenderer was empty, too.";
  return `AnimationRenderer drew ${many(visited, "entity", "entities")} because of other changes.`;
}

/** Describes one frame. */
export function describeStep(step: StepFigures): string {
  const quiet =
    !step.nudged &&
    !step.due &&
    step.tracking &&
    step.index.enabled &&
    step.renderer.enabled &&
    step.index.visited === 0 &&
    step.renderer.visited === 0;
  if (quiet) return "Quiet: both dirty sets are empty, and the frame costs next to nothing.";
  return [ofIndex(step), ofNudge(step), ofRenderer(step)].filter((sentence) => sentence !== "").join(" ");
}
