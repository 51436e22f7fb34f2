// What the panel remembers from one visit to the next.
import type { InspectorPlace } from "../options.js";

export interface Remembered {
  place?: InspectorPlace;
  width?: number;
  height?: number;
  tab?: string;
}
const KEY = "crateful-inspector";

export function remembered(): Remembered {
  try {
    return JSON.parse(localStorage.getItem(KEY) ?? "{}") as Remembered;
  } catch {
    return {}; // the page may not use the storage, or something else has written to it
  }
}
export function remember(change: Remembered): void {
  try {
    localStorage.setItem(KEY, JSON.stringify({ ...remembered(), ...change }));
  } catch {
    // as above
  }
}
