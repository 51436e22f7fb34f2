// What is pressed: keys, or a finger on the yard, towards which the player walks.
import { metresOf } from "./draw.js";
import { Keys, Place } from "./rules.js";
import type { Session } from "./session.js";

const codes: Record<string, number> = {
  ArrowLeft: Keys.left,
  ArrowRight: Keys.right,
  ArrowUp: Keys.up,
  ArrowDown: Keys.down,
  KeyA: Keys.left,
  KeyD: Keys.right,
  KeyW: Keys.up,
  KeyS: Keys.down,
};
let pressed = 0;
let pointer: { x: number; y: number } | undefined;

addEventListener("keydown", ({ code }) => (pressed |= codes[code] ?? 0));
addEventListener("keyup", ({ code }) => (pressed &= ~(codes[code] ?? 0)));
addEventListener("blur", () => (pressed = 0));
const canvas = document.querySelector("canvas")!;
canvas.onpointerdown = canvas.onpointermove = ({ buttons, clientX: x, clientY: y }) => {
  pointer = buttons === 0 ? undefined : { x, y };
};
canvas.onpointerup = canvas.onpointercancel = () => (pointer = undefined);

/** The keys for the next step. */
export function keysNow(session: Session): number {
  const me = pointer && session.ecs.tryGet(session.me, Place);
  if (!pointer || !me) return pressed;
  const to = metresOf(pointer);
  const [x, y] = [to.x - me.x, to.y - me.y];
  const near = Math.max(0.3, Math.hypot(x, y) * 0.38); // eight directions
  return (
    (x < -near ? Keys.left : 0) | (x > near ? Keys.right : 0) | (y < -near ? Keys.up : 0) | (y > near ? Keys.down : 0)
  );
}
