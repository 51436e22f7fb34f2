// The controls below the room.
import { connectCrates } from "./crates_slider.js";
import { element } from "./element.js";
import type { Game, Speed } from "./game.js";
import type { Loop } from "./loop.js";

export function connectControls(game: Game, loop: Loop): void {
  const canvas = element("canvas", HTMLCanvasElement);
  const tracking = element("tracking", HTMLInputElement);
  const speed = element("speed", HTMLSelectElement);
  const pause = element("pause", HTMLButtonElement);
  const zoom = element("zoom", HTMLSelectElement);

  connectCrates(game);
  tracking.addEventListener("change", () => {
    game.tracking = tracking.checked;
  });
  speed.addEventListener("change", () => {
    game.speed = speed.value as Speed;
  });
  zoom.addEventListener("change", () => {
    game.room.chooseZoom(Number(zoom.value));
  });
  pause.addEventListener("click", () => {
    game.paused = !game.paused;
    if (!game.paused) canvas.focus();
  });
  element("step", HTMLButtonElement).addEventListener("click", () => loop.step());
  element("reset", HTMLButtonElement).addEventListener("click", () => {
    game.begin();
    canvas.focus();
  });

  // Other parts of the page change the same settings, so the controls are updated from them.
  const update = () => {
    tracking.checked = game.tracking;
    document.body.classList.toggle("tracking-off", !game.tracking);
    speed.value = game.speed;
    pause.textContent = game.paused ? "Go on" : "Pause";
    pause.classList.toggle("on", game.paused);
    element("paused-badge", HTMLElement).hidden = !game.paused;
    for (const control of document.querySelectorAll<HTMLButtonElement>("[data-unless-busy]"))
      control.disabled = game.busy !== "";
    tracking.disabled = game.busy === "measurement";
  };
  game.changed.listen(update);
  update();
}
