// Sound is on unless the address or the button turns it off. Browsers allow it to start only during a user gesture.
import type { CrateRoom } from "./crate_room.js";
import { element } from "./element.js";

const GESTURES = ["pointerdown", "pointerup", "keydown", "click"] as const;

export function connectSound(room: CrateRoom, muted: boolean): void {
  const button = element("sound", HTMLButtonElement);
  let wanted = !muted;
  const show = () => button.setAttribute("aria-pressed", String(wanted));
  const listening = new AbortController();
  const begin = () => {
    // Some events are no gesture for the browser: putting down a finger, or the Escape key.
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
