// Starts and ends recording.
import { useDo, usePanel } from "./context.js";
import { Icon } from "./icons.js";
import { h } from "./render.js";

export function RecordButton() {
  const { world, say } = usePanel();
  const act = useDo();
  const on = world?.recording === true;
  const toggle = async (): Promise<void> => {
    const { without = [] } = (await act({ do: "record", on: !on })) ?? {};
    if (without.length > 0) say(`The rewind leaves out ${without.join(", ")}`);
  };
  if (!on && world?.history && world.rewind !== undefined) return null; // the game records
  return (
    <button
      class={on ? "recording" : ""}
      aria-pressed={on}
      disabled={!on && world?.records.length === 0}
      onClick={() => void toggle()}
    >
      <Icon name={on ? "stop" : "record"} /> {on ? "Stop recording" : "Record"}
    </button>
  );
}

/** What a view says while nothing was recorded. */
export function NotRecorded({ what }: { what: "history" | "rewind" }) {
  const { world } = usePanel();
  if (world === undefined) return null;
  return (
    <div class="empty">
      <p>{world.problem ?? "Nothing is recorded yet."}</p>
      {world.records.includes(what) ? (
        <RecordButton />
      ) : (
        <p>The module has no code for it: use the development build, or link crateful::inspector.</p>
      )}
    </div>
  );
}
