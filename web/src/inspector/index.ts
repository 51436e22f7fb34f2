export { attachInspector, type Inspector, type InspectorOptions } from "./attach.js";
export type { HistoryEntry, HistoryOptions } from "../state/history.js";
export type { HistorySource } from "./history_source.js";
export { History } from "./internals.js";
export { inspect, type Recordings } from "./inspect.js";
export type { InspectorPlace } from "./place.js";
export type * from "./protocol.js";
export { serveInspector, type InspectorPort } from "./transport.js";
export { verifyReplay, type ReplayDifference, type VerifyReplayOptions } from "./verify_replay.js";
