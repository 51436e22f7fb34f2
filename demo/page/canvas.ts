// The canvas follows the size of its element, takes the focus when it is clicked, and takes it back after the use of a
// control. While it does not have the focus, guards stand still.
import type { Game } from "./game.js";

export function connectCanvas(canvas: HTMLCanvasElement, game: Game): void {
  const { room } = game;
  const observer = new ResizeObserver(() => room.resize(...canvasSize(canvas)));
  try {
    // This box also reports a window that moves to a screen with another pixel ratio: the CSS size stays the same then.
    observer.observe(canvas, { box: "device-pixel-content-box" });
  } catch {
    // Safari does not support that box
    observer.observe(canvas);
  }
  canvas.addEventListener("pointerdown", () => canvas.focus({ preventScroll: true }));
  canvas.addEventListener("blur", () => room.releaseInput());
  // A control or a panel is in use while it has the focus. If another window has it, the canvas stays the active element.
  game.between.listen(() => {
    room.calm = document.activeElement !== canvas;
  });
  // The right button raises the shield and the middle one inspects, so they must not open a menu or scroll.
  canvas.addEventListener("contextmenu", (event) => event.preventDefault());
  canvas.addEventListener("mousedown", (event) => {
    if (event.button === 1) event.preventDefault();
  });
  // After a control was clicked, the canvas gets the focus back. After a control was used by keyboard, it keeps the
  // focus.
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
  // SDL handles every key event of the canvas. It must not get Tab and the browser's own shortcuts.
  window.addEventListener(
    "keydown",
    (event) => {
      const forBrowser =
        event.key === "Tab" || /^F\d+$/.test(event.key) || event.ctrlKey || event.metaKey || event.altKey;
      if (event.target === canvas && forBrowser) event.stopImmediatePropagation();
    },
    { capture: true },
  );
}

/** The size of the canvas element in pixels of the screen, and how many of them are one CSS pixel. */
export function canvasSize(canvas: HTMLCanvasElement): [width: number, height: number, pixelRatio: number] {
  const { clientWidth, clientHeight } = canvas;
  return [
    Math.max(1, Math.round(clientWidth * devicePixelRatio)),
    Math.max(1, Math.round(clientHeight * devicePixelRatio)),
    devicePixelRatio,
  ];
}
