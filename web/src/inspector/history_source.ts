import type { ComponentClass } from "../component/component.js";
import type { Entity } from "../module/entity.js";
import type { HistoryEntry } from "../state/history.js";

/** What the inspector uses of a history. */
export interface HistorySource {
  /** Newest first. */
  why(entity: Entity): readonly HistoryEntry[];
  bySystem(system: string): readonly HistoryEntry[];
  watch(cls: ComponentClass): void;
  dispose(): void;
}
