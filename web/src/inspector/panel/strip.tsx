// A strip over time, which is also a slider.
import type { Child } from "./jsx.js";
import { h } from "./render.js";

/** A mark in a strip. */
export interface Bar {
  readonly frame: number;
  /** From 0 to 1. */
  readonly from: number;
  readonly to: number;
  readonly color: string;
}

/** Frames from `oldest` to `newest`, with bars; moving the slider chooses one. */
export function Strip(props: {
  label: string;
  oldest: number;
  newest: number;
  value: number;
  bars: readonly Bar[];
  text: (frame: number) => string;
  onChoose: (frame: number) => void;
  children?: Child;
}) {
  const { label, oldest, newest, value, bars, text, onChoose } = props;
  const frames = Math.max(newest - oldest, 1);
  const width = 1000 / (frames + 1);
  const thin = Math.max(width * (width > 4 ? 0.8 : 1), 2);
  const x = (frame: number): number => ((frame - oldest) / frames) * (1000 - thin);
  return (
    <div class="strip">
      <svg viewBox="0 0 1000 100" preserveAspectRatio="none" aria-hidden="true">
        {bars.map(({ frame, from, to, color }) => (
          <rect x={x(frame)} width={thin} y={100 - 100 * to} height={100 * (to - from)} fill={color} />
        ))}
        <rect class="chosen" x={x(value)} width={thin} y="0" height="100" />
      </svg>
      <input
        type="range"
        aria-label={label}
        min={oldest}
        max={newest}
        value={value}
        aria-valuetext={text(value)}
        onInput={(event) => onChoose(Number(event.currentTarget.value))}
      />
      <p class="scale" aria-hidden="true">
        <span>{oldest}</span>
        <span>{text(value)}</span>
        <span>{newest}</span>
      </p>
    </div>
  );
}
