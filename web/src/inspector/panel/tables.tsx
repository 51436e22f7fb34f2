// Memory, events and frames.
import type { Child } from "./jsx.js";
import { useAnswer, usePanel } from "./context.js";
import { bytes, count, milliseconds, seconds, value } from "./format.js";
import { Strip, type Bar } from "./strip.js";
import { h, useState } from "./render.js";

/** The advice on smaller classes saves too little to be read. */
const WORTH = 65536;

/** A table that scrolls. Of each column, `columns` has the heading, and its class. */
function Table({
  label,
  columns,
  class: name,
  children,
}: {
  label: string;
  columns: Readonly<Record<string, "number" | undefined>>;
  class?: string;
  children?: Child;
}) {
  return (
    <div class="scroll" tabIndex={0} role="region" aria-label={label}>
      <table class={name}>
        <thead>
          <tr>
            {Object.entries(columns).map(([heading, kind]) => (
              <th scope="col" class={kind}>
                {heading}
              </th>
            ))}
          </tr>
        </thead>
        {children}
      </table>
    </div>
  );
}

export function Memory() {
  const { client, show } = usePanel();
  const answer = useAnswer(client, { ask: "memory" }, 1000);
  if (answer === undefined) return null;
  const classes = [...answer.classes].sort((a, b) => b.bytes - a.bytes);
  const total = classes.reduce((sum, each) => sum + each.bytes, 0);
  const advice = classes.filter((each) => each.advice && each.bytes > WORTH);
  return (
    <div class="page">
      {advice.length > 0 && (
        <ul class="advice">
          {advice.map((each) => (
            <li key={each.name}>
              <strong>{each.name}</strong> {each.advice}
            </li>
          ))}
        </ul>
      )}
      <Table
        label="Memory by class"
        columns={{ Class: undefined, Policy: undefined, Count: "number", Memory: "number" }}
      >
        <tbody>
          {classes.map((each) => (
            <tr key={each.name}>
              <th scope="row">
                <button class="plain" onClick={() => show({ tab: "Entities", where: each.name })}>
                  {each.name}
                </button>
              </th>
              <td class="muted">{each.policy}</td>
              <td class="number">{count(each.count)}</td>
              <td class="number">
                <span
                  class="share"
                  style={{ width: `${(100 * each.bytes) / (classes[0].bytes || 1)}%` }}
                  aria-hidden="true"
                />
                {bytes(each.bytes)}
              </td>
            </tr>
          ))}
        </tbody>
        <tfoot>
          <tr>
            <th scope="row" colSpan={3}>
              Together
            </th>
            <td class="number">{bytes(total)}</td>
          </tr>
        </tfoot>
      </Table>
    </div>
  );
}

export function Events() {
  const { client } = usePanel();
  const answer = useAnswer(client, { ask: "events", count: 100 }, 1000);
  const [name, setName] = useState<string>();
  if (answer === undefined) return null;
  const events = answer.events.filter((event) => name === undefined || event.name === name);
  return (
    <div class="page">
      <div class="tools" role="group" aria-label="Only events of this class">
        {answer.names.map((each) => (
          <button
            key={each.name}
            class="chip"
            aria-pressed={name === each.name}
            onClick={() => setName(name === each.name ? undefined : each.name)}
          >
            {each.name} <span class="muted">{count(each.count)}</span>
            {each.handlers === 0 && <span class="tag">no handlers</span>}
          </button>
        ))}
        {answer.names.length === 0 && <span class="muted">No events yet.</span>}
      </div>
      <Table
        label="Events, newest first"
        class="events"
        columns={{ Frame: "number", Event: undefined, Value: undefined }}
      >
        <tbody>
          {answer.delayed.map((each) => (
            <tr class="muted">
              <td class="number">waits</td>
              <th scope="row">{each.name}</th>
              <td>at {seconds(each.due)} of game time</td>
            </tr>
          ))}
          {events.map((event) => (
            <tr>
              <td class="number">{event.frame}</td>
              <th scope="row">{event.name}</th>
              <td>{event.value !== undefined && <code>{value(event.value)}</code>}</td>
            </tr>
          ))}
        </tbody>
      </Table>
    </div>
  );
}

export function Frames() {
  const { client } = usePanel();
  const answer = useAnswer(client, { ask: "frames" }, 500);
  const [chosen, setChosen] = useState<number>();
  const frames = answer?.frames ?? [];
  if (answer === undefined || frames.length < 2) return <p class="empty">No frames yet.</p>;
  const oldest = frames[0].frame;
  const newest = frames.at(-1)!.frame;
  // One slow frame must not make all others invisible.
  const totals = frames.map(({ total }) => total).sort((a, b) => a - b);
  const most = Math.max(Math.min(totals.at(-1)!, 3 * totals[Math.floor(0.9 * totals.length)]), 0.001);
  const sums = answer.systems.map((name, i) => {
    const sum = frames.reduce((all, { times }) => all + (times.find(([at]) => at === i)?.[1] ?? 0), 0);
    return { name, i, average: sum / frames.length };
  });
  sums.sort((a, b) => b.average - a.average);
  const colors = new Map(sums.map(({ i }, rank) => [i, rank < 7 ? `hsl(${210 + 51 * rank} 60% 55%)` : "var(--muted)"]));
  const order = sums.map(({ i }) => i);
  const bars = frames.flatMap(({ frame, times, total }): Bar[] => {
    let at = 0;
    const made = [...times]
      .sort((a, b) => order.indexOf(a[0]) - order.indexOf(b[0]))
      .map(
        ([i, time]): Bar => ({
          frame,
          from: at,
          to: (at = Math.min(at + (0.95 * time) / most, 1)),
          color: colors.get(i)!,
        }),
      );
    return [...made, { frame, from: at, to: Math.min(Math.max((0.95 * total) / most, at), 1), color: "var(--faint)" }];
  });
  const frame = frames.find((each) => each.frame === chosen) ?? frames.at(-1)!;
  const average = frames.reduce((sum, { total }) => sum + total, 0) / frames.length;
  const worst = frames.reduce((a, b) => (b.total > a.total ? b : a));
  return (
    <div class="page">
      <p class="tools">
        <span>
          {milliseconds(average)} ms on average, {milliseconds(worst.total)} ms at most
        </span>
        <button class="link" onClick={() => setChosen(worst.frame)}>
          Slowest frame
        </button>
        {chosen !== undefined && (
          <button class="link" onClick={() => setChosen(undefined)}>
            Newest frame
          </button>
        )}
      </p>
      <Strip
        label="Frame"
        oldest={oldest}
        newest={newest}
        value={frame.frame}
        text={(at) => `frame ${at}, ${milliseconds(frames.find((each) => each.frame === at)?.total)} ms`}
        bars={bars}
        onChoose={setChosen}
      />
      <Table
        label="Time by system"
        columns={{ System: undefined, [`Frame ${frame.frame}`]: "number", Average: "number", Share: "number" }}
      >
        <tbody>
          {sums.map(({ name, i, average: mean }) => (
            <tr key={name}>
              <th scope="row">
                <span class="swatch" style={{ background: colors.get(i) }} aria-hidden="true" /> {name}
              </th>
              <td class="number">{milliseconds(frame.times.find(([at]) => at === i)?.[1])}</td>
              <td class="number">{milliseconds(mean)}</td>
              <td class="number">{Math.round((100 * mean) / (average || 1))} %</td>
            </tr>
          ))}
        </tbody>
      </Table>
    </div>
  );
}
