// Who changed what, when, from which value, and which systems became dirty by it.
import type { ChangeAnswer } from "../protocol.js";
import { useAnswer, useDo, usePanel } from "./context.js";
import { Chosen } from "./entities.js";
import { counted, handleNumber, value } from "./format.js";
import { NotRecorded, RecordButton } from "./record.js";
import { Strip, barsOf } from "./strip.js";
import { Fragment, h, useRef, useState } from "./render.js";

export function Why() {
  const { client, view, show, world } = usePanel();
  const act = useDo();
  const [filters, setFilters] = useState<{ system?: string; component?: string; field?: string }>({});
  const [frame, setFrame] = useState<number>();
  const list = useRef<HTMLDivElement | null>(null);
  const { entity, bySystem } = view;
  const { system, ...others } = filters;
  const answer = useAnswer(
    client,
    world?.history !== true
      ? undefined
      : bySystem !== undefined
        ? { ask: "by", system: bySystem, ...others, count: 500 }
        : entity === undefined
          ? undefined
          : { ask: "why", entity, ...filters, count: 500 },
    250,
  );
  const systems = useAnswer(client, { ask: "systems" }, 2000);
  const changes = answer?.changes ?? [];
  const unwatched = (answer !== undefined && "unwatched" in answer && answer.unwatched) || [];
  const newest = Math.max(world?.frame ?? 0, changes[0]?.frame ?? 0);
  const oldest = Math.min(changes.at(-1)?.frame ?? newest, newest - 1);
  const choose = (to: number): void => {
    setFrame(to);
    const nearest = changes.find((change) => change.frame <= to) ?? changes.at(-1);
    const at = nearest === undefined ? -1 : changes.indexOf(nearest);
    list.current?.querySelector(`[data-at="${at}"]`)?.scrollIntoView({ block: "nearest" });
  };
  const filter = (name: "system" | "component" | "field", names: readonly string[] | undefined) => (
    <select
      aria-label={`Only this ${name}`}
      value={filters[name] ?? "*"}
      onChange={({ currentTarget: { value: chosen } }) => {
        const { [name]: _, ...rest } = filters;
        setFilters(chosen === "*" ? rest : { ...rest, [name]: chosen });
      }}
    >
      <option value="*">every {name}</option>
      {names?.map((each) => (
        <option key={each} value={each}>
          {each === "" ? "no system" : each}
        </option>
      ))}
    </select>
  );
  return (
    <div class="page">
      <div class="tools">
        <select
          aria-label="Changes of"
          value={bySystem ?? "*"}
          onChange={(event) =>
            show({ bySystem: event.currentTarget.value === "*" ? undefined : event.currentTarget.value })
          }
        >
          <option value="*">of the entity</option>
          {systems?.systems.map(({ name }) => (
            <option key={name} value={name}>
              by {name}
            </option>
          ))}
        </select>
        {bySystem === undefined && <Chosen />}
        <span class="spring" />
        {(world?.history || world?.recording) && <RecordButton />}
      </div>
      {world?.history ? (
        <>
          <div class="tools">
            {bySystem === undefined && filter("system", answer?.systems)}
            {filter("component", answer?.components)}
            {filter("field", answer?.fields)}
            <span class="muted">{answer && counted(answer.total, "change")}</span>
          </div>
          {changes.length > 0 && (
            <Strip
              label="Frame"
              oldest={oldest}
              newest={newest}
              value={Math.min(Math.max(frame ?? newest, oldest), newest)}
              text={(at) => `frame ${at}`}
              bars={barsOf(changes)}
              onChoose={choose}
            />
          )}
          <div ref={list} class="scroll" tabIndex={0} role="region" aria-label="Changes, newest first">
            <ol class="changes">
              {changes.map((change, i) => (
                <Change at={i} change={change} chosen={change.frame === frame} showEntity={bySystem !== undefined} />
              ))}
            </ol>
            {changes.length === 0 && (
              <p class="empty">
                {entity === undefined && bySystem === undefined
                  ? "Choose an entity or a system to see what changed, and why."
                  : "Nothing yet."}
              </p>
            )}
          </div>
          {unwatched.length > 0 && (
            <p class="note">
              No system watches its{" "}
              {unwatched.map((component) => (
                <button class="chip" onClick={() => void act({ do: "watch", component })}>
                  Watch {component}
                </button>
              ))}
            </p>
          )}
          {world.paused && (
            <p class="note">
              The game is paused.{" "}
              <button class="link" onClick={() => void act({ do: "step" })}>
                Run one frame
              </button>
            </p>
          )}
        </>
      ) : (
        <NotRecorded what="history" />
      )}
    </div>
  );
}

const WHAT: Record<ChangeAnswer["kind"], string> = {
  changed: "",
  added: "added",
  removed: "removed ", // the values follow
  signaled: "signalled, without another value",
  moved: "another parent",
};

function Change({
  at,
  change,
  chosen,
  showEntity,
}: {
  at: number;
  change: ChangeAnswer;
  chosen: boolean;
  showEntity: boolean;
}) {
  const { show } = usePanel();
  const { entity, frame, system, component, kind, field, before, after, notified } = change;
  return (
    <li data-at={at} class={`${kind}${chosen ? " chosen" : ""}`}>
      <span class="frame" title="Frame">
        {frame}
      </span>
      <span class="what">
        {showEntity && (
          <button class="link" onClick={() => show({ entity, bySystem: undefined })}>
            {handleNumber(entity)}
          </button>
        )}{" "}
        <strong>
          {component}
          {field !== undefined && `.${field}`}
        </strong>{" "}
        <span class="muted">{WHAT[kind]}</span>
        {(before !== undefined || after !== undefined) && (
          <span>
            {before !== undefined && <code>{value(before)}</code>}
            {" → "}
            {after !== undefined && <code>{value(after)}</code>}
          </span>
        )}
      </span>
      <span class="who">
        {system === undefined ? (
          <span class="muted">outside of systems</span>
        ) : (
          <button class="link" onClick={() => show({ bySystem: system })}>
            {system}
          </button>
        )}
        {change.at.split(" or ").map((place) => place && <Place place={place} />)}
      </span>
      {notified.length > 0 && <span class="notified muted">dirty for {notified.join(", ")}</span>}
    </li>
  );
}

/** A place in the source: opens it, or copies it. */
function Place({ place }: { place: string }) {
  const { openSource, say } = usePanel();
  const copy = async (): Promise<void> => {
    try {
      await navigator.clipboard.writeText(place);
      say(`Copied ${place}`);
    } catch {
      say(`Not copied: ${place}`, true);
    }
  };
  return (
    <button
      class="link"
      title={`${openSource ? "Open" : "Copy"} ${place}`}
      onClick={() => (openSource ? openSource(place) : void copy())}
    >
      {place.split("/").at(-1)}
    </button>
  );
}
