// Graphics cards can be taken away: by a driver that restarts, a laptop that wakes up, a browser short of memory.
import type { CrateRoom } from "./crate_room.js";
import type { Loop } from "./loop.js";
import { hideProblem, showProblem } from "./problem.js";

export function surviveGraphicsLoss(canvas: HTMLCanvasElement, room: CrateRoom, loop: Loop): void {
  canvas.addEventListener("webglcontextlost", (event) => {
    event.preventDefault(); // else it is never given back
    if (loop.broken) return; // and there is something worse to be read
    room.loseGraphics();
    loop.stopped = true;
    showProblem("The graphics card was lost", "The browser took it away. The room stands still, waiting for it…");
  });
  canvas.addEventListener("webglcontextrestored", () => {
    if (loop.broken) return;
    const reason = room.restoreGraphics();
    if (reason !== "") {
      showProblem("The graphics card came back, but the room can't be drawn", reason);
      return;
    }
    hideProblem();
    loop.stopped = false;
  });
}
