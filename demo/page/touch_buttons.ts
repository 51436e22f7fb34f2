// Buttons for touch screens.
import type { CrateRoom } from "./crate_room.js";

export function connectTouchButtons(room: CrateRoom): void {
  for (const button of document.querySelectorAll<HTMLButtonElement>("[data-hold]")) {
    const hold = (down: boolean) => {
      room.holdButton(button.dataset["hold"]!, down);
      button.classList.toggle("held", down);
    };
    button.addEventListener("pointerdown", (event) => {
      event.preventDefault();
      button.setPointerCapture(event.pointerId); // the button is held until the finger is lifted, wherever it moves
      hold(true);
    });
    for (const over of ["pointerup", "pointercancel", "lostpointercapture"] as const)
      button.addEventListener(over, () => hold(false));
    button.addEventListener("contextmenu", (event) => event.preventDefault());
  }
}
