// The tab "One frame apart".
import { element, make } from "./element.js";
import type { OneFrame } from "./one_frame.js";
import { describeStep, type Visits } from "./one_frame_story.js";
import { whole } from "./text.js";

const figures = ({ visited, tracked, enabled }: Visits) => (enabled ? `${whole(visited)} of ${whole(tracked)}` : "off");

export function connectOneFrame(story: OneFrame): void {
  const { game, switches } = story;
  const nudge = element("nudge", HTMLButtonElement);
  const step = element("one-frame-step", HTMLButtonElement);
  const still = element("hold-still", HTMLInputElement);
  const rows = element("one-frame", HTMLTableSectionElement);

  const show = () => {
    rows.replaceChildren(
      ...story.steps.flatMap((one) => [
        make(
          "tr",
          {},
          make("th", { scope: "row", textContent: String(one.frame) }),
          make("td", { textContent: figures(one.index) }),
          make("td", { textContent: one.nudged ? "moved a crate" : "–" }),
          make("td", { textContent: figures(one.renderer) }),
        ),
        make("tr", { className: "aside" }, make("td", { colSpan: 4, textContent: describeStep(one) })),
      ]),
    );
    element("one-frame-empty", HTMLElement).hidden = story.steps.length > 0;
    step.disabled = game.busy !== "" || story.steps.length === 0;
    nudge.disabled = game.busy !== "";
    rows.lastElementChild?.scrollIntoView({ block: "nearest" });
  };
  // The debug views that were switched on for the story; they are switched off when the room continues.
  let shown: string[] = [];
  const hide = () => {
    for (const name of shown) switches.set(name, false);
    shown = [];
  };
  nudge.addEventListener("click", () => {
    const off = ["DebugHeat", "DebugCollision"].filter((name) => !switches.enabled(name));
    for (const name of off) switches.set(name, true);
    shown.push(...off);
    story.step(true, still.checked);
    show();
  });
  step.addEventListener("click", () => {
    story.step(false, still.checked);
    show();
  });
  game.changed.listen(() => {
    story.clearIfOver();
    if (!game.paused) hide();
    show();
  });
  show();
}
