// Formats numbers for the page.

export const whole = (n: number): string => Math.round(n).toLocaleString("en");

/** The resolution of the browser's clock, in milliseconds; it is finer on an isolated page. */
export const RESOLUTION = crossOriginIsolated ? 0.005 : 0.1;

/** The time of a frame at 60 frames per second, in milliseconds. */
export const BUDGET = 1000 / 60;

/** Formats a measured time in milliseconds. */
export function milliseconds(ms: number | undefined): string {
  if (ms !== undefined && ms < RESOLUTION) return `<${RESOLUTION}`;
  return meanMilliseconds(ms);
}
/** Formats a mean, which can be shorter than the clock's resolution. */
export function meanMilliseconds(ms: number | undefined): string {
  return ms === undefined ? "–" : ms.toFixed(ms < 0.1 ? 3 : ms < 10 ? 2 : 1);
}
/** How many times as long `longer` takes, with two significant digits. */
export const times = (longer: number, shorter: number): string =>
  `${Number((longer / shorter).toPrecision(2)).toLocaleString("en")}×`;

/** Formats bytes in KB (1024 bytes) or MB. */
export function size(bytes: number): string {
  if (bytes < 1024 * 1024) return `${(bytes / 1024).toFixed(bytes < 10_240 ? 1 : 0)} KB`;
  return `${(bytes / 1024 / 1024).toFixed(1)} MB`;
}
