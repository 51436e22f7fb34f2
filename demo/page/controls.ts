// What can be set outside the room.
import type { ECS } from "crateful";
import type { CrateRoom } from "./crate_room.js";
import { element } from "./element.js";
import type { Figures } from "./figures.js";
import { FEWEST, MOST, type Settings } from "./settings.js";

const SLOWNESS = 4;

// The slider is logarithmic: from a hundred to fifty thousand, each third of it is another magnitude.
const toSlider = (crates: number) => Math.log(crates / FEWEST) / Math.log(MOST / FEWEST);
function fromSlider(at: number): number {
  const exact = FEWEST * (MOST / FEWEST) ** at;
  const step = 10 ** Math.floor(Math.log10(exact)) / 2;
  return Math.round(exact / step) * step;
}

export function connectControls(ecs: ECS, room: CrateRoom, figures: Figures, settings: Settings): void {
  const canvas = element("canvas", HTMLCanvasElement);

  const rebuild = () => {
    ecs.clear();
    room.build(settings.seed, settings.crates);
    figures.restart();
  };

  const tracking = element("tracking", HTMLInputElement);
  const track = () => {
    room.tracking = tracking.checked;
    document.body.classList.toggle("tracking-off", !tracking.checked);
    figures.restart();
  };
  tracking.checked = settings.tracking;
  tracking.addEventListener("change", track);
  track();

  const crates = element("crates", HTMLInputElement);
  const shown = element("crates-shown", HTMLOutputElement);
  const showCrates = (count: number) => {
    shown.value = count.toLocaleString("en");
    crates.setAttribute("aria-valuetext", `${shown.value} crates`);
  };
  crates.value = String(toSlider(settings.crates));
  showCrates(settings.crates);
  crates.addEventListener("input", () => showCrates(fromSlider(Number(crates.value))));
  crates.addEventListener("change", () => {
    settings.crates = fromSlider(Number(crates.value));
    rebuild();
  });

  const zoom = element("zoom", HTMLSelectElement);
  zoom.addEventListener("change", () => { room.zoom = Number(zoom.value); });

  const speed = element("speed", HTMLSelectElement);
  speed.addEventListener("change", () => {
    ecs.slowMotion.clear();
    if (speed.value === "1") return;
    ecs.slowMotion.style = speed.value === "step" ? "step" : "scale";
    ecs.slowMotion.request(SLOWNESS, Infinity);
  });

  const pause = element("pause", HTMLButtonElement);
  pause.addEventListener("click", () => {
    ecs.paused = !ecs.paused;
    pause.setAttribute("aria-pressed", String(ecs.paused));
    pause.textContent = ecs.paused ? "Go on" : "Pause";
    element("paused-badge", HTMLElement).hidden = !ecs.paused;
    if (!ecs.paused) canvas.focus();
  });

  element("reset", HTMLButtonElement).addEventListener("click", () => {
    rebuild();
    canvas.focus();
  });
}

/** The canvas has the size of its place on the page, takes the focus when clicked, and gives it back. */
export function connectCanvas(canvas: HTMLCanvasElement, room: CrateRoom): void {
  new ResizeObserver(() => {
    const [width, height] = canvasSize(canvas);
    room.resize(width, height);
  }).observe(canvas);
  canvas.addEventListener("pointerdown", () => canvas.focus());
  canvas.addEventListener("blur", () => room.releaseInput());
  // SDL takes every key that reaches the canvas. Tab has to lead on, and the browser's own shortcuts to work.
  window.addEventListener("keydown", (event) => {
    if (event.target === canvas && (event.key === "Tab" || event.ctrlKey || event.metaKey || event.altKey)) event.stopImmediatePropagation();
  }, { capture: true });
}

/** Its place on the page, in the screen's own pixels. */
export function canvasSize(canvas: HTMLCanvasElement): [width: number, height: number] {
  const { clientWidth, clientHeight } = canvas;
  return [Math.max(1, Math.round(clientWidth * devicePixelRatio)), Math.max(1, Math.round(clientHeight * devicePixelRatio))];
}
