// Numbers as the page writes them.

export const whole = (n: number): string => Math.round(n).toLocaleString("en");

/** What the browser's clock can tell apart, in milliseconds; much finer on an isolated page. */
export const RESOLUTION = crossOriginIsolated ? 0.005 : 0.1;

/** With the digits that matter. */
export function milliseconds(ms: number | undefined): string {
  if (ms === undefined) return "–";
  if (ms < RESOLUTION) return `<${RESOLUTION}`;
  return ms.toFixed(ms < 0.1 ? 3 : ms < 10 ? 2 : 1);
}

/** In KB or MB of 1024. */
export function size(bytes: number): string {
  if (bytes < 1024 * 1024) return `${(bytes / 1024).toFixed(bytes < 10_240 ? 1 : 0)} KB`;
  return `${(bytes / 1024 / 1024).toFixed(1)} MB`;
}
