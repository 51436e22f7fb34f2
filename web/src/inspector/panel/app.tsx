// The panel: its bar, its tabs, and the view that is chosen.
import type { Child } from "./jsx.js";
import type { InspectorPlace } from "../options.js";
import { failed, type Client } from "./client.js";
import { useAsk, type Panel, type Tab, type View } from "./context.js";
import { Entities } from "./entities.js";
import { count, seconds } from "./format.js";
import { IconButton } from "./icons.js";
import { Rewind } from "./rewind.js";
import { Systems } from "./systems.js";
import { Events, Frames, Memory } from "./tables.js";
import { Why } from "./why.js";
import { Fragment, h, useRoot, useEffect, useState } from "./render.js";

const VIEWS: Record<Tab, () => Child> = {
  Systems,
  Entities,
  Why,
  Rewind,
  Frames,
  Events,
  Memory,
};
export const TABS = Object.keys(VIEWS) as Tab[];

export function App(props: {
  client: Client;
  view: View;
  place: InspectorPlace;
  openSource: ((place: string) => void) | undefined;
  onView: (view: View) => void;
  onPlace: (place: InspectorPlace) => void;
}) {
  const { client, view, place, openSource, onView, onPlace } = props;
  const answer = useAsk(client, { ask: "world" });
  const [message, setMessage] = useState<{ text: string; isError: boolean }>();
  const [silent, setSilent] = useState(false);
  const world = answer === undefined || failed(answer) ? undefined : answer;
  const say: Panel["say"] = (text, isError = false) => setMessage(text === undefined ? undefined : { text, isError });
  const show: Panel["show"] = (change) => onView({ ...view, ...change });
  useEffect(() => {
    client.onSilence = setSilent;
    void client.send({ do: "measure", on: true });
    return () => void client.send({ do: "measure", on: false });
  }, [client]);
  const panel: Panel = { client, world, view, show, openSource, say };
  useRoot().shared = panel;
  const problem = failed(answer) ? answer.error.message : silent ? "The world does not answer." : undefined;
  const shown = problem === undefined ? message : { text: problem, isError: true };
  const Shown = VIEWS[view.tab];
  return (
    <>
      <div class="bar">
        <span class="time">
          {world && (
            <>
              <span>
                frame <strong>{world.frame}</strong>
              </span>
              <span title="Game time">{seconds(world.gameTime)}</span>
              <span>
                {count(world.entities)} {world.entities === 1 ? "entity" : "entities"}
              </span>
            </>
          )}
        </span>
        <span class="spring" />
        <IconButton
          icon={world?.paused ? "play" : "pause"}
          label={world?.paused ? "Resume" : "Pause"}
          disabled={world === undefined}
          onClick={() => void client.send({ do: world?.paused ? "resume" : "pause" })}
        />
        <IconButton
          icon="step"
          label="Run one frame"
          disabled={world === undefined}
          onClick={async () => {
            const done = await client.send({ do: "step" });
            say(failed(done) ? done.error.message : undefined, true);
          }}
        />
        {(["right", "bottom", "window"] as const).map(
          (each) =>
            each !== place && (
              <IconButton
                key={each}
                icon={each}
                label={each === "window" ? "Open a window" : `Dock at the ${each}`}
                onClick={() => onPlace(each)}
              />
            ),
        )}
        <IconButton icon="fold" label="Fold" onClick={() => onPlace("folded")} />
      </div>
      <Tabs tab={view.tab} onTab={(tab) => show({ tab })} />
      {shown !== undefined && (
        <p class={shown.isError ? "message wrong" : "message"} role={shown.isError ? "alert" : "status"}>
          <span>{shown.text}</span>
          {problem === undefined && (
            <IconButton icon="close" label="Close the message" onClick={() => say(undefined)} />
          )}
        </p>
      )}
      <div class="view" id="view" role="tabpanel" aria-labelledby={`tab-${view.tab}`}>
        <Shown />
      </div>
    </>
  );
}

function Tabs({ tab, onTab }: { tab: Tab; onTab: (tab: Tab) => void }) {
  const onKeyDown = (event: KeyboardEvent): void => {
    const at = TABS.indexOf(tab);
    const to = { ArrowRight: at + 1, ArrowLeft: at - 1, Home: 0, End: TABS.length - 1 }[event.key];
    if (to === undefined) return;
    event.preventDefault();
    const next = TABS[(to + TABS.length) % TABS.length];
    onTab(next);
    ((event.currentTarget as Element).querySelector(`#tab-${next}`) as HTMLElement).focus();
  };
  return (
    <div role="tablist" aria-label="Inspector" onKeyDown={onKeyDown}>
      {TABS.map((each) => (
        <button
          key={each}
          role="tab"
          id={`tab-${each}`}
          aria-selected={each === tab}
          aria-controls="view"
          tabIndex={each === tab ? 0 : -1}
          onClick={() => onTab(each)}
        >
          {each}
        </button>
      ))}
    </div>
  );
}
