// Sound is on unless the address or the button turns it off. Browsers allow it to start only during a user gesture.
import { element } from "./element.js";
import type { Settings } from "./settings.js";
import type { Speaker } from "./speaker.js";

const GESTURES = ["pointerdown", "pointerup", "keydown", "click"] as const;

export function connectSound(speaker: Speaker, settings: Settings): void {
  const button = element("sound", HTMLButtonElement);
  let wanted = !settings.muted;
  const show = () => button.setAttribute("aria-pressed", String(wanted));
  const apply = () => {
    speaker.on = wanted;
    wanted = speaker.on; // it stays off in a browser that cannot play sounds
    show();
  };
  // Every gesture does this, not only the first one, because a browser can suspend the output later, for a call for example.
  const begin = () => {
    // Some events are no gesture for the browser: putting down a finger, or the Escape key.
    if (wanted && navigator.userActivation?.isActive !== false) apply();
  };
  for (const gesture of GESTURES) window.addEventListener(gesture, begin, { capture: true });
  button.addEventListener("click", () => {
    wanted = !wanted;
    settings.muted = !wanted;
    apply();
  });
  show();
}
