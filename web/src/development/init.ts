// The development build has one module for all entries: with the code for histories.
import { type InitOptions, type Library, initialise } from "../init.js";
import { stateCode } from "../state/state_call.js";

let loading: Promise<unknown> | undefined;
/** Whether it has the code of `crateful/state` in production, too. */
let hasState = true;
const { exists } = stateCode;
stateCode.exists = () => (hasState || stateCode.inspects === true) && exists(); // the inspector may record in any program

/** `init` of an entry. The module of the production build is used if the program names a binary. */
export function developing(
  production: Library,
  inspector: Library,
  withState: boolean,
): (options?: InitOptions) => Promise<unknown> {
  return (options = {}) => {
    const { wasm, locateFile, module } = options;
    const isOwn = wasm !== undefined || locateFile !== undefined || module !== undefined;
    const loaded = initialise(isOwn ? production : inspector, options);
    if (loaded !== loading) {
      loading = loaded;
      hasState = module !== undefined || withState;
    }
    return loaded;
  };
}
