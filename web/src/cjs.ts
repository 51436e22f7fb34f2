// For `require`: what all entries share is one file, api.js.
export * from "./inline.js";
/** What state.js exports. @internal */
export * as $state from "./state/index.js";
