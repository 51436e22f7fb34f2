import type { Entity } from "../module/entity.js";

/** What happened to a component. */
export interface HistoryEntry {
  readonly entity: Entity;
  readonly frame: number;
  /** The running system. */
  readonly system: string | undefined;
  readonly component: string;
  /** `signaled`: it signalled, and no value differs; `moved`: another parent. */
  readonly kind: "added" | "removed" | "changed" | "signaled" | "moved";
  /** Of `changed`. */
  readonly field: string | undefined;
  /** A value; of `removed`, an object of the fields. */
  readonly before: unknown;
  readonly after: unknown;
  /** The systems that became dirty by it. */
  readonly notified: readonly string[];
  /** The place in the source, "game.ts:42", or "". */
  readonly at: string;
}

/** What the inspector uses of a history. */
export interface HistorySource {
  /** Newest first. */
  why(entity: Entity): readonly HistoryEntry[];
  bySystem(system: string): readonly HistoryEntry[];
  dispose(): void;
}
