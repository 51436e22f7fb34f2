import type { History } from "../state/history.js";
import type { Rewind } from "../state/rewind.js";

export type InspectorPlace = "right" | "bottom" | "folded" | "window";
export type HistorySource = Pick<History, "why" | "bySystem" | "watch" | "dispose">;
/** What a game records itself. */
export interface Recordings {
  readonly history?: HistorySource;
  readonly rewind?: Rewind;
}
