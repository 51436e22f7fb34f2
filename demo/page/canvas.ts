// The canvas has the size of its place on the page, takes the focus when clicked, and gives it back.
import type { CrateRoom } from "./crate_room.js";

export function connectCanvas(canvas: HTMLCanvasElement, room: CrateRoom): void {
  const observer = new ResizeObserver(() => room.resize(...canvasSize(canvas)));
  try {
    // Hears also of a window that is moved to another screen: it keeps its size, but not its pixels.
    observer.observe(canvas, { box: "device-pixel-content-box" });
  } catch {
    // Safari knows no such box
    observer.observe(canvas);
  }
  canvas.addEventListener("pointerdown", () => canvas.focus({ preventScroll: true }));
  canvas.addEventListener("blur", () => room.releaseInput());
  // The right button holds up the shield, and the middle one inspects: neither opens a menu or scrolls.
  canvas.addEventListener("contextmenu", (event) => event.preventDefault());
  canvas.addEventListener("mousedown", (event) => {
    if (event.button === 1) event.preventDefault();
  });
  // Who has just clicked on something wants to go on playing; who came by keyboard wants to stay there.
  let byPointer = false;
  window.addEventListener(
    "pointerdown",
    () => {
      byPointer = true;
    },
    { capture: true },
  );
  window.addEventListener(
    "keydown",
    () => {
      byPointer = false;
    },
    { capture: true },
  );
  for (const type of ["click", "change"]) {
    document.addEventListener(type, ({ target }) => {
      if (!byPointer || !(target instanceof HTMLElement)) return;
      const done = type === "click" ? target.closest("button, input[type=checkbox]") : target.closest("select, input");
      if (done !== null) canvas.focus({ preventScroll: true });
    });
  }
  // SDL takes every key that reaches the canvas. Tab has to lead on, and the browser's own keys to work.
  window.addEventListener(
    "keydown",
    (event) => {
      const browsers =
        event.key === "Tab" || /^F\d+$/.test(event.key) || event.ctrlKey || event.metaKey || event.altKey;
      if (event.target === canvas && browsers) event.stopImmediatePropagation();
    },
    { capture: true },
  );
}

/** Its place on the page, in the screen's own pixels. */
export function canvasSize(canvas: HTMLCanvasElement): [width: number, height: number] {
  const { clientWidth, clientHeight } = canvas;
  return [
    Math.max(1, Math.round(clientWidth * devicePixelRatio)),
    Math.max(1, Math.round(clientHeight * devicePixelRatio)),
  ];
}
