import type { History } from "./history.js";
import { BUDGET } from "./text.js";

/** Draws a bar for each of the last frames: its update time, and its render time above it. */
export function drawGraph(canvas: HTMLCanvasElement, update: History, render: History, tracking: boolean): void {
  const context = canvas.getContext("2d");
  if (context === null) return;
  const { width, height } = canvas;
  context.clearRect(0, 0, width, height);
  const updates = update.tail(width / 2);
  const renders = render.tail(width / 2);
  const top = Math.max(4, ...updates.map((time, i) => time + (renders[i] ?? 0)));
  const frame = height - (BUDGET / top) * height;
  context.fillStyle = "#54453a";
  if (frame > 0) context.fillRect(0, Math.round(frame), width, 1);
  updates.forEach((time, i) => {
    const high = (time / top) * height;
    const higher = ((renders[i] ?? 0) / top) * height;
    const x = width - 2 * (updates.length - i);
    context.fillStyle = "#4d7fa8";
    context.fillRect(x, height - high - higher, 1.5, higher);
    context.fillStyle = tracking ? "#7fd39b" : "#f5876a";
    context.fillRect(x, height - Math.max(high, 1), 1.5, Math.max(high, 1));
  });
}
