import { ECS } from "../ecs/ecs.js";
import { core } from "../module/instance.js";
import { recorders } from "../state/recorder.js";
import { RewindRecorder } from "../state/rewind.js";
import { nameClasses, textsAt } from "../state/state_call.js";
import { replace, warnOnce } from "./replace.js";

function warnOfUnrecorded(ecs: ECS, recording: number): void {
  nameClasses(ecs.$world, "Rewind", true);
  const texts = textsAt(core._crateful_rewind_unrecorded(recording));
  for (let k = 0; k < texts.length; k += 3) {
    const [cls, field, entity] = texts.slice(k);
    warnOnce(
      replace,
      `${cls}.${field}`,
      `${cls}.${field} of entity ${entity} has changed without a signal, so that Rewind does not record it. After writing to ` +
        `columns, call ecs.storage(${cls}).markDirty(entity) before the update ends; in C++, ecs.dirty<${cls}>(entity)`,
    );
  }
}

/** Detects fields of stored and native components that change without a signal while a `Rewind` records them (rule N7). */
export function checkRecordings(): void {
  replace(
    ECS.prototype,
    "update",
    (update) =>
      function (this: ECS, ...args) {
        const result = update.apply(this, args) as number;
        if (this.$world.disposed) return result;
        for (const each of recorders?.values() ?? [])
          if (each instanceof RewindRecorder && each.ecs === this) warnOfUnrecorded(this, each.address);
        return result;
      },
  );
}
