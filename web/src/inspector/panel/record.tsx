// Starts and ends recording.
import type { WorldAnswer } from "../protocol.js";
import { useDo, usePanel } from "./context.js";
import { Icon } from "./icons.js";
import { h } from "./render.js";

/** Whether something is recorded, or can't be. */
const isOn = (world: WorldAnswer | undefined): boolean =>
  world?.history === true || world?.rewind !== undefined || world?.problem !== undefined;

export function RecordButton() {
  const { world, say } = usePanel();
  const act = useDo();
  const on = isOn(world);
  const toggle = async (): Promise<void> => {
    const { without = [] } = (await act({ do: "record", on: !on })) ?? {};
    if (without.length > 0) say(`Not recorded, because they have no static encode and decode: ${without.join(", ")}`);
  };
  return (
    <button
      type="button"
      class={on ? "recording" : ""}
      aria-pressed={on}
      disabled={!on && world?.records === false}
      onClick={() => void toggle()}
    >
      <Icon name={on ? "stop" : "record"} /> {on ? "Stop recording" : "Record"}
    </button>
  );
}

/** What a view says while nothing was recorded. */
export function NotRecorded({ what }: { what: string }) {
  const { world } = usePanel();
  if (world === undefined) return null;
  return (
    <div class="empty">
      <p>
        {isOn(world)
          ? (world.problem ?? `This world keeps no ${what}.`)
          : `Nothing is recorded, so there is no ${what}.`}
      </p>
      {world.records ? (
        <RecordButton />
      ) : (
        <p>
          The module has no code for it. Import <code>init</code> from <code>crateful/state</code>.
        </p>
      )}
    </div>
  );
}
