// Ends what global_setup.mjs has started. (Jest requires a file of its own.)
export default () => globalThis.closeEngines();
