// A WebGL context can be lost: when a driver restarts, a laptop wakes up, or the browser is short of memory.
import type { CrateRoom } from "./crate_room.js";
import type { Loop } from "./loop.js";
import { hideProblem, showProblem } from "./problem.js";

export function surviveGraphicsLoss(canvas: HTMLCanvasElement, room: CrateRoom, loop: Loop): void {
  canvas.addEventListener("webglcontextlost", (event) => {
    event.preventDefault(); // otherwise the context is never restored
    if (loop.broken) return; // the page shows another problem
    room.loseGraphics();
    loop.stopped = true;
    showProblem(
      "The graphics card was lost",
      "The browser lost its connection to the graphics card. The room is stopped until it is restored…",
    );
  });
  canvas.addEventListener("webglcontextrestored", () => {
    if (loop.broken) return;
    try {
      room.restoreGraphics();
    } catch (error) {
      showProblem("The graphics card was restored, but the room cannot be drawn", String((error as Error).message));
      return;
    }
    hideProblem();
    loop.stopped = false;
  });
}
