// For `require`: what all entries share is one file, api.js.
import { decoded, initialise } from "./init.js";
import * as inspector from "./inspector/internals.js";
import * as state from "./state/index.js";

export * from "./inline.js";
/** What state.js uses. @internal */
export const $state = { initialise, decoded, ...state };
/** What inspector.js uses. @internal */
export const $inspector = inspector;
