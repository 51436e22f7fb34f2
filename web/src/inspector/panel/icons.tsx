// Pictures on buttons, 16 by 16.
import { h } from "./render.js";
const paths = {
  pause: "M5 3h2v10H5zM9 3h2v10H9z",
  play: "M5 3l8 5-8 5z",
  step: "M4 3l6 5-6 5zM11 3h2v10h-2z",
  back: "M12 3L6 8l6 5zM3 3h2v10H3z",
  right: "M2 3h12v10H2zm1 1v8h6V4z",
  bottom: "M2 3h12v10H2zm1 1v5h10V4z",
  window: "M2 3h9v2h3v8H5v-2H2zm1 1v6h2V5h5V4zm3 2v6h7V6z",
  fold: "M3 11h10v2H3z",
  close: "M4 3l4 4 4-4 1 1-4 4 4 4-1 1-4-4-4 4-1-1 4-4-4-4z",
  pin: "M6 2h4l-.5 5L12 9v1H8.5v4h-1v-4H4V9l2.500-2z",
  left: "M10 3L5 8l5 5 1-1-4-4 4-4z",
  record: "M8 4a4 4 0 100 8 4 4 0 000-8z",
  stop: "M4 4h8v8H4z",
} as const;

export const Icon = ({ name }: { name: keyof typeof paths }) => (
  <svg viewBox="0 0 16 16" width="16" height="16" aria-hidden="true">
    <path d={paths[name]} fill="currentColor" fill-rule="evenodd" />
  </svg>
);

/** A button with a picture. `label` is what it does. */
export function IconButton(props: {
  icon: keyof typeof paths;
  label: string;
  pressed?: boolean;
  disabled?: boolean | undefined;
  onClick: () => void;
}) {
  const { icon, label, pressed, disabled, onClick } = props;
  return (
    <button class="icon" title={label} aria-label={label} aria-pressed={pressed} disabled={disabled} onClick={onClick}>
      <Icon name={icon} />
    </button>
  );
}
