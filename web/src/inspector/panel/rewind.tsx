// Goes back and forth between the frames that were recorded.
import { useAnswer, useDo, usePanel } from "./context.js";
import { Chosen } from "./entities.js";
import { EntityView } from "./entity.js";
import { IconButton } from "./icons.js";
import { NotRecorded, RecordButton } from "./record.js";
import { Strip, barsOf } from "./strip.js";
import { h, useRef, useState } from "./render.js";

export function Rewind() {
  const { client, view, world } = usePanel();
  const act = useDo();
  const [wanted, setWanted] = useState<number>();
  const busy = useRef(false);
  const next = useRef<number | undefined>(undefined);
  const { entity } = view;
  const changes = useAnswer(
    client,
    world?.history && entity !== undefined ? { ask: "why", entity, count: 500 } : undefined,
    500,
  );
  if (world?.rewind === undefined) return <NotRecorded what="rewind" />;
  const { oldest, newest } = world.rewind;

  /** Goes to a frame; while it does, only the last wish counts. */
  const go = async (frame: number): Promise<void> => {
    const to = Math.min(Math.max(frame, oldest), newest);
    setWanted(to);
    next.current = to;
    if (busy.current) return;
    busy.current = true;
    while (next.current !== undefined) {
      const goal: number = next.current;
      next.current = undefined;
      await act({ do: "rewind", frame: goal });
    }
    busy.current = false;
    setWanted(undefined);
  };
  const now = wanted ?? Math.min(Math.max(world.frame, oldest), newest);
  return (
    <div class="page">
      <div class="tools">
        <IconButton icon="back" label="One frame back" disabled={now <= oldest} onClick={() => void go(now - 1)} />
        <IconButton icon="step" label="One frame forth" disabled={now >= newest} onClick={() => void go(now + 1)} />
        <button disabled={now >= newest} onClick={() => void go(newest)}>
          Newest
        </button>
        {world.paused && <button onClick={() => void act({ do: "resume" })}>Continue here</button>}
        <span class="spring" />
        <RecordButton />
      </div>
      <Strip
        label="Frame to go to"
        oldest={oldest}
        newest={Math.max(newest, oldest + 1)}
        value={now}
        text={(frame) => (frame < newest ? `frame ${frame}, ${newest - frame} back` : `frame ${frame}, the newest`)}
        bars={barsOf(changes?.changes)}
        onChoose={(frame) => void go(frame)}
      />
      <p class="note">
        Going back pauses the game. Continuing from an earlier frame discards the later ones.
        {changes !== undefined && " The marks are changes of the entity."}
      </p>
      {entity === undefined ? (
        <p class="empty">
          <Chosen /> to see its values at each frame.
        </p>
      ) : (
        <EntityView key={entity} entity={entity} />
      )}
    </div>
  );
}
