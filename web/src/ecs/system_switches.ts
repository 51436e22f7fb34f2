import { SystemFlag } from "../module/layout.js";

/** The options of systems that are on or off, which are also members of a system, and their bits for the core. @internal */
export const SWITCHES = {
  onlyWhenDirty: SystemFlag.onlyWhenDirty,
  ordered: SystemFlag.ordered,
  exact: SystemFlag.exact,
  observer: SystemFlag.observer,
} as const;
