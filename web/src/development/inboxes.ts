import { ECS } from "../ecs/ecs.js";
import { Inbox } from "../ecs/inbox.js";
import type { AnySystem } from "../ecs/system.js";
import { replace, warnOnce } from "./replace.js";
import { runsOf } from "./systems.js";

/** After how many updates of its system with events in it an inbox counts as never read. */
const UPDATES = 60;

const read = new WeakSet<object>();
/** The number of the update of its system in which an inbox was seen with events for the first time. */
const since = new WeakMap<object, number>();

function check(system: AnySystem): void {
  for (const inbox of system.$inboxes) {
    if (inbox.size === 0 || read.has(inbox)) continue;
    const first = since.get(inbox) ?? runsOf(system);
    since.set(inbox, first);
    if (runsOf(system) - first < UPDATES) continue;
    const field = Object.keys(system).find((name) => (system as unknown as Record<string, unknown>)[name] === inbox);
    warnOnce(
      system,
      "inbox",
      `${system.name}: its inbox of ${inbox.$cls.name} was not read in ${UPDATES} updates; it holds events (${inbox.size}). Take them out in update: ` +
        `for (const event of this.${field ?? "inbox"})`,
    );
  }
}

/** Detects inboxes that are never read (rule V3). */
export function checkInboxes(): void {
  replace(
    Inbox.prototype,
    Symbol.iterator,
    (iterate) =>
      function () {
        read.add(this);
        return iterate.call(this) as unknown;
      },
  );
  replace(
    ECS.prototype,
    "update",
    (update) =>
      function (this: ECS, ...args) {
        const result = update.apply(this, args) as number;
        if (!this.$world.disposed)
          for (const record of this.$world.systems)
            if (record !== undefined) check(record.system as unknown as AnySystem);
        return result;
      },
  );
}
