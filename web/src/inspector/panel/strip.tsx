// A strip over time, which is also a slider.
import type { Child } from "./jsx.js";
import type { ChangeAnswer } from "../protocol.js";
import { h } from "./render.js";

/** A mark in a strip. */
export interface Bar {
  readonly frame: number;
  /** From 0 to 1. */
  readonly from: number;
  readonly to: number;
  readonly color: string;
}

const COLORS: Record<ChangeAnswer["kind"], string> = {
  changed: "var(--accent)",
  added: "var(--good)",
  removed: "var(--bad)",
  signaled: "var(--muted)",
  moved: "var(--hot)",
};
/** A bar for each change. */
export const barsOf = (changes: readonly ChangeAnswer[] = []): Bar[] =>
  changes.map(({ frame, kind }) => ({ frame, from: 0, to: kind === "signaled" ? 0.4 : 0.9, color: COLORS[kind] }));

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
  const paths = new Map<string, string>(); // one for each color, because elements take time
  for (const { frame, from, to, color } of bars)
    paths.set(color, `${paths.get(color) ?? ""}M${x(frame)} ${100 - 100 * to}h${thin}v${100 * (to - from)}h-${thin}`);
  return (
    <div class="strip">
      <svg viewBox="0 0 1000 100" preserveAspectRatio="none" aria-hidden="true">
        {[...paths].map(([fill, d]) => (
          <path key={fill} fill={fill} d={d} />
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
