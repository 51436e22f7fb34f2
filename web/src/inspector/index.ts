export { attachInspector } from "./attach.js";
export { History } from "./internals.js";
export { inspect } from "./inspect.js";
export type { InspectAnswer, InspectAnswers, InspectRequest } from "./protocol.js";
export { serveInspector, type InspectorPort } from "./transport.js";
export { verifyReplay } from "./verify_replay.js";
