export { attachInspector, type Inspector } from "./attach.js";
export type { HistoryEntry, HistoryOptions } from "../state/history.js";
export type { ClassNames } from "../state/state_call.js";
export { History } from "./internals.js";
export { inspect } from "./inspect.js";
export type { InspectorOptions } from "./options.js";
export type { InspectAnswer, InspectAnswers, InspectRequest, JsonValue } from "./protocol.js";
export { serveInspector, type InspectorPort } from "./transport.js";
export { verifyReplay, type ReplayDifference, type VerifyReplayOptions } from "./verify_replay.js";
