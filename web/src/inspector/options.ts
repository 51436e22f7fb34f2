import type { History } from "../state/history.js";
import type { Rewind } from "../state/rewind.js";

/** How `attachInspector` shows the panel. */
export interface InspectorOptions {
  /**
   * Where the panel is the first time: at a side of the page, the right one by default, folded to a button, or in a window of its own;
   * later, it is where it was last.
   */
  readonly place?: "right" | "bottom" | "folded" | "window";
  /** The element to which the panel is added; the body by default. */
  readonly container?: HTMLElement;
  /**
   * Opens a place in the source, "src/game.ts:42". Without it, a page that Vite serves for development opens it in the editor, and in
   * others a click copies the place.
   */
  readonly openSource?: (place: string) => void;
  /** A history and a rewind that the game has. Without them, the panel can start to record. Only with an ECS. */
  readonly history?: Pick<History, "why" | "bySystem" | "watch" | "dispose">;
  readonly rewind?: Rewind;
}

// Names for parts of it, inside of the inspector.
export type InspectorPlace = NonNullable<InspectorOptions["place"]>;
export type HistorySource = NonNullable<InspectorOptions["history"]>;
export type Recordings = Pick<InspectorOptions, "history" | "rewind">;
