// Formats numbers for the page.

export const whole = (n: number): string => Math.round(n).toLocaleString("en");

/** The resolution of the browser's clock, in milliseconds; it is finer on an isolated page. */
export const RESOLUTION = crossOriginIsolated ? 0.005 : 0.1;

/** The time of a frame at 60 frames per second, in milliseconds. */
export const BUDGET = 1000 / 60;

/** Formats milliseconds with a suitable number of digits. */
export function milliseconds(ms: number | undefined): string {
  if (ms === undefined) return "–";
  if (ms < RESOLUTION) return `<${RESOLUTION}`;
  return ms.toFixed(ms < 0.1 ? 3 : ms < 10 ? 2 : 1);
}

/** Formats bytes in KB (1024 bytes) or MB. */
export function size(bytes: number): string {
  if (bytes < 1024 * 1024) return `${(bytes / 1024).toFixed(bytes < 10_240 ? 1 : 0)} KB`;
  return `${(bytes / 1024 / 1024).toFixed(1)} MB`;
}
