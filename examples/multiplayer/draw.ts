// Draws the part of the yard around the own player on the canvas.
import { HEIGHT, type Player, WIDTH } from "./rules.js";
import type { Motion } from "./motion.js";
import type { Session } from "./session.js";

const LEAST = 26; // pixels of a metre: a phone shows a part of the yard

const canvas = document.querySelector("canvas")!;
const context = canvas.getContext("2d")!;
const view = { x: 0, y: 0, metre: LEAST };

/** The place in the yard that is drawn at a point of the page. */
export function metresOf({ x, y }: { x: number; y: number }): { x: number; y: number } {
  return { x: x / view.metre + view.x, y: y / view.metre + view.y };
}

/** Draws, if something has moved. */
export function draw(session: Session, motion: Motion, delta: number): void {
  const [width, height] = [innerWidth, innerHeight];
  const resized = canvas.width !== width * devicePixelRatio || canvas.height !== height * devicePixelRatio;
  if (!motion.advance(delta) && !resized) return;
  if (resized) Object.assign(canvas, { width: width * devicePixelRatio, height: height * devicePixelRatio });

  const me = motion.rows.at(session.me)?.aspect;
  view.metre = Math.max(LEAST, Math.min(width / WIDTH, height / HEIGHT));
  view.x = from(me?.x ?? WIDTH / 2, width / view.metre, WIDTH);
  view.y = from(me?.y ?? HEIGHT / 2, height / view.metre, HEIGHT);
  const scale = view.metre * devicePixelRatio;
  context.setTransform(scale, 0, 0, scale, -view.x * scale, -view.y * scale);
  context.fillStyle = "#05060f";
  context.fillRect(view.x, view.y, width / view.metre, height / view.metre);
  drawFloor();

  for (const { entity, aspect, crate, coin, player } of motion.rows) {
    context.save();
    context.translate(aspect.x, aspect.y);
    if (crate) drawCrate(session.isPredicted(entity));
    if (coin) drawCoin();
    if (player) drawPlayer(player, entity === session.me);
    context.restore();
  }
}

/** Where a view of `seen` metres of `size` begins, so that `at` is in its middle if there is enough on both sides. */
function from(at: number, seen: number, size: number): number {
  if (seen >= size) return (size - seen) / 2;
  return Math.min(Math.max(0, at - seen / 2), size - seen);
}
function drawFloor(): void {
  context.fillStyle = "#141833";
  context.fillRect(0, 0, WIDTH, HEIGHT);
  context.fillStyle = "#181d3c";
  for (let y = 0; y < HEIGHT; y += 2) for (let x = y % 4; x < WIDTH; x += 4) context.fillRect(x, y, 2, 2);
}
function drawCrate(isPredicted: boolean): void {
  context.fillStyle = "#6b4526";
  context.fillRect(-0.5, -0.5, 1, 1);
  context.fillStyle = isPredicted ? "#e0a35c" : "#b9793f";
  context.fillRect(-0.43, -0.43, 0.86, 0.86);
  context.fillStyle = "#8d5a2e";
  context.fillRect(-0.43, -0.06, 0.86, 0.12);
}
function drawCoin(): void {
  circle(0.28, "#8a6a10");
  circle(0.22, "#ffd75e");
}
function drawPlayer({ name, hue }: Player, isMe: boolean): void {
  circle(0.46, isMe ? "#ffffff" : "#0a0c18");
  circle(0.4, `hsl(${hue} 75% 60%)`);
  context.fillStyle = "#dfe6ff";
  context.font = "600 0.5px system-ui, sans-serif";
  context.textAlign = "center";
  context.fillText(name, 0, -0.65);
}
function circle(radius: number, colour: string): void {
  context.fillStyle = colour;
  context.beginPath();
  context.arc(0, 0, radius, 0, 2 * Math.PI);
  context.fill();
}
