// The systems in the order in which they run.
import type { SystemAnswer } from "../protocol.js";
import { useAnswer, useDo, usePanel } from "./context.js";
import { count, counted, milliseconds, trackedBy } from "./format.js";
import { IconButton } from "./icons.js";
import { Fragment, h, useRef, useState } from "./render.js";

/** For so many milliseconds after it had something to do, a system is busy. */
const BUSY = 3000;

export function Systems() {
  const { client, world } = usePanel();
  const answer = useAnswer(client, { ask: "systems" });
  const lastBusy = useRef(new Map<string, number>());
  const [filter, setFilter] = useState("");
  const all = answer?.systems ?? [];
  const systems = all.filter(({ name }) => name.toLowerCase().includes(filter.toLowerCase()));
  const total = all.reduce((sum, { average = 0 }) => sum + average, 0);
  const now = performance.now();
  const isBusy = ({ name, dirty, enabled, average = 0 }: SystemAnswer): boolean => {
    if (dirty > 0 || average > 0.05 * total) lastBusy.current.set(name, now);
    return enabled && now - (lastBusy.current.get(name) ?? -Infinity) < BUSY;
  };
  const groups: Record<string, SystemAnswer[]> = { Busy: [], Off: [], Quiet: [], "While paused": [] };
  for (const system of systems)
    groups[isBusy(system) ? "Busy" : !system.enabled ? "Off" : system.debug ? "While paused" : "Quiet"].push(system);
  const most = Math.max(...systems.map(({ average = 0 }) => average), 0.001);
  return (
    <div class="page">
      <div class="tools">
        <input
          type="search"
          placeholder="Find a system"
          aria-label="Find a system"
          value={filter}
          onInput={(event) => setFilter(event.currentTarget.value)}
        />
        <span class="muted">
          {counted(systems.length, "system")}
          {world?.measures && `, ${milliseconds(total)} ms a frame`}
        </span>
      </div>
      <div class="scroll" tabIndex={-1}>
        <table class="systems">
          <thead>
            <tr>
              <th scope="col">On</th>
              <th scope="col">System</th>
              <th scope="col" class="number" title="Milliseconds a frame, on average">
                ms
              </th>
              <th scope="col" class="number">
                Tracked
              </th>
              <th scope="col" class="number">
                Dirty
              </th>
              <th scope="col">Run</th>
            </tr>
          </thead>
          {Object.entries(groups).map(
            ([name, list]) =>
              list.length > 0 && (
                <Group
                  key={name}
                  name={name}
                  list={list}
                  most={most}
                  open={name === "Busy" || name === "Off" || filter !== ""}
                />
              ),
          )}
        </table>
        {answer !== undefined && systems.length === 0 && (
          <p class="empty">{filter === "" ? "This world has no systems." : "No system has this name."}</p>
        )}
        {systems.length > 0 && <p class="note">In the order in which they run.</p>}
      </div>
    </div>
  );
}

function Group({ name, list, most, open }: { name: string; list: SystemAnswer[]; most: number; open: boolean }) {
  const [chosen, setChosen] = useState<boolean>();
  const isOpen = chosen ?? open;
  const sum = list.reduce((all, { average = 0 }) => all + average, 0);
  return (
    <tbody>
      <tr class="group">
        <th scope="rowgroup" colSpan={2}>
          <button class="plain" aria-expanded={isOpen} onClick={() => setChosen(!isOpen)}>
            <span class="twisty" aria-hidden="true" />
            {name} <span class="muted">{list.length}</span>
          </button>
        </th>
        <td class="number muted">{milliseconds(sum)}</td>
        <td colSpan={3} />
      </tr>
      {isOpen && list.map((system) => <Row key={system.name} system={system} most={most} />)}
    </tbody>
  );
}

function Row({ system, most }: { system: SystemAnswer; most: number }) {
  const { world } = usePanel();
  const act = useDo();
  const [open, setOpen] = useState(false);
  const { name, enabled, average, tracked, dirty } = system;
  return (
    <Fragment>
      <tr class={enabled ? "" : "off"}>
        <td>
          <input
            type="checkbox"
            aria-label={`${name} is on`}
            checked={enabled}
            onChange={() => void act({ do: enabled ? "disable" : "enable", system: name })}
          />
        </td>
        <th scope="row">
          <button class="plain" aria-expanded={open} onClick={() => setOpen(!open)}>
            {name}
          </button>
        </th>
        <td class="number">
          <span class="share" style={{ width: `${(100 * (average ?? 0)) / most}%` }} aria-hidden="true" />
          {milliseconds(average)}
        </td>
        <td class="number">{count(tracked)}</td>
        <td class={dirty > 0 ? "number hot" : "number"}>{count(dirty)}</td>
        <td>
          <IconButton
            icon="play"
            label={`Run ${name}`}
            disabled={!world?.paused || !enabled}
            onClick={() => void act({ do: "run", system: name })}
          />
        </td>
      </tr>
      {open && (
        <tr class="detail">
          <td />
          <td colSpan={5}>
            <Constraints system={system} />
          </td>
        </tr>
      )}
    </Fragment>
  );
}

function Constraints({ system }: { system: SystemAnswer }) {
  const { show } = usePanel();
  const { name, language, priority, interval, onlyWhenDirty, conditional, before, after } = system;
  const lists: [string, readonly string[]][] = [
    ["Requires", system.required],
    ["Without", system.excluded],
    ["Any of", system.any],
    ["Watches", system.watched],
    ["Watches ancestors", system.ancestors],
  ];
  const facts = [
    `priority ${priority}`,
    before.length > 0 && `before ${before.join(", ")}`,
    after.length > 0 && `after ${after.join(", ")}`,
    interval > 0 && `every ${interval} s`,
    onlyWhenDirty && "only when something is dirty",
    conditional && "its own condition",
    language,
  ].filter(Boolean);
  return (
    <div class="constraints">
      <dl>
        {lists.map(
          ([label, classes]) =>
            classes.length > 0 && (
              <Fragment key={label}>
                <dt>{label}</dt>
                <dd>
                  {classes.map((cls) => (
                    <button key={cls} class="chip" onClick={() => show({ tab: "Entities", where: cls })}>
                      {cls}
                    </button>
                  ))}
                </dd>
              </Fragment>
            ),
        )}
      </dl>
      <p class="muted">{facts.join(" · ")}</p>
      <p>
        <button class="link" onClick={() => show({ tab: "Entities", where: trackedBy(name) })}>
          Its entities
        </button>
        <button class="link" onClick={() => show({ tab: "Why", bySystem: name })}>
          What it changed
        </button>
      </p>
    </div>
  );
}
