// Sound is on unless the address or the button says no, but browsers let it start only in a user's gesture.
import type { CrateRoom } from "./crate_room.js";
import { element } from "./element.js";

const GESTURES = ["pointerdown", "pointerup", "keydown", "click"] as const;

export function connectSound(room: CrateRoom, muted: boolean): void {
  const button = element("sound", HTMLButtonElement);
  let wanted = !muted;
  const show = () => button.setAttribute("aria-pressed", String(wanted));
  const listening = new AbortController();
  const begin = () => {
    // A finger that goes down is none yet, and neither is the Escape key.
    if (navigator.userActivation?.isActive === false) return;
    listening.abort();
    room.sound = wanted;
  };
  for (const gesture of GESTURES) window.addEventListener(gesture, begin, { capture: true, signal: listening.signal });
  button.addEventListener("click", () => {
    wanted = !wanted;
    room.sound = wanted;
    show();
  });
  show();
}
