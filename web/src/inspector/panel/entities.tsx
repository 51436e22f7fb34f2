// Entities as a list or a tree, and the one that is chosen.
import type { EntityAnswer } from "../protocol.js";
import { failed } from "./client.js";
import { useAsk, useAnswer, usePanel } from "./context.js";
import { EntityView } from "./entity.js";
import { count, entityNumber } from "./format.js";
import { IconButton } from "./icons.js";
import { Tree, type RowInfo } from "./list.js";
import { Fragment, h, useRef, useState } from "./render.js";

/** The number, the label and the components of an entity. */
export function EntityName({ entity, components = true }: { entity: EntityAnswer; components?: boolean }) {
  const { index, generation, label } = entity;
  return (
    <>
      <span class="id">{entityNumber(index, generation)}</span>
      {label !== undefined && <strong>{label}</strong>}
      {components && (
        <span class="muted ellipsis">
          {index === 0 ? `the world ${entity.components.join(" ")}` : entity.components.join(" ")}
        </span>
      )}
    </>
  );
}

export function Entities() {
  const { client, view, show } = usePanel();
  const [page, setPage] = useState({ from: 0, count: 60 });
  const tree = view.where.trim() === "";
  const answer = useAsk(client, {
    ask: "entities",
    ...(tree ? { expanded: view.expanded } : { where: view.where }),
    ...page,
  });
  const error = failed(answer) ? answer.error.message.replace(/^where: /, "") : undefined;
  const known = useRef<{ from: number; total: number; entities: readonly EntityAnswer[] }>({
    from: 0,
    total: 0,
    entities: [],
  });
  if (answer !== undefined && !failed(answer)) known.current = answer;
  const { from, total, entities } = known.current;
  const row = (at: number): RowInfo | undefined => {
    const entity = entities[at - from];
    if (entity === undefined) return undefined;
    return {
      key: entity.entity,
      depth: entity.depth ?? 0,
      expanded: tree && entity.children > 0 ? view.expanded.includes(entity.entity) : undefined,
      selected: entity.entity === view.entity,
      content: <EntityName entity={entity} />,
    };
  };
  const expand = (entity: number, on: boolean): void =>
    show({ expanded: on ? [...view.expanded, entity] : view.expanded.filter((each) => each !== entity) });
  return (
    <div class={view.entity === undefined ? "page split" : "page split chosen"}>
      <div class="master">
        <div class="tools">
          <input
            type="search"
            aria-label="Find entities"
            aria-invalid={error !== undefined}
            aria-describedby="found"
            placeholder="Enemy !Dead Health.hp < 10"
            spellcheck={false}
            autocomplete="off"
            value={view.where}
            onInput={(event) => show({ where: event.currentTarget.value })}
          />
          <span id="found" role="status" class={error === undefined ? "muted" : "error"}>
            {error ?? `${count(total)} ${tree ? "at the top" : "found"}`}
          </span>
        </div>
        {view.pinned.length > 0 && (
          <ul class="pinned" aria-label="Pinned entities">
            {view.pinned.map((entity) => (
              <Pinned key={entity} entity={entity} />
            ))}
          </ul>
        )}
        <Tree
          label="Entities"
          total={error === undefined ? total : 0}
          row={row}
          onWindow={(first, n) => setPage({ from: first, count: Math.max(n, 1) })}
          onSelect={(entity) => show({ entity })}
          onExpand={expand}
        />
        {error !== undefined && <Help />}
      </div>
      <div class="details">
        {view.entity === undefined ? (
          <p class="empty">Choose an entity.</p>
        ) : (
          <EntityView key={view.entity} entity={view.entity} back={() => show({ entity: undefined })} />
        )}
      </div>
    </div>
  );
}

const EXAMPLES: [string, string][] = [
  ["Enemy", "has this component"],
  ["!Dead", "lacks it"],
  ["Health.hp < 10", "= != < <= > >= compare, ~ finds a part of a text"],
  ["Body.at.x > 3", "an element of a vector"],
  ["@Mover", "a system tracks it"],
  ['"boss"', "its name contains this"],
  ["42", "its number"],
];
const Help = () => (
  <dl class="help">
    {EXAMPLES.map(([text, meaning]) => [<dt key={text}>{text}</dt>, <dd key={meaning}>{meaning}</dd>])}
  </dl>
);

function Pinned({ entity }: { entity: number }) {
  const { client, view, show } = usePanel();
  const answer = useAsk(client, { ask: "entity", entity }, 500);
  const known = answer === undefined || failed(answer) ? undefined : answer;
  return (
    <li>
      <button class="plain" aria-current={view.entity === entity} onClick={() => show({ entity })}>
        {known === undefined ? <span class="muted">{entity} is gone</span> : <EntityName entity={known} />}
      </button>
      <IconButton
        icon="close"
        label="Unpin"
        onClick={() => show({ pinned: view.pinned.filter((each) => each !== entity) })}
      />
    </li>
  );
}

/** Chooses an entity from those that a condition selects; for views that show one. */
export function Chosen() {
  const { client, view, show } = usePanel();
  const answer = useAnswer(client, view.entity === undefined ? undefined : { ask: "entity", entity: view.entity }, 500);
  return (
    <button class="link" onClick={() => show({ tab: "Entities" })}>
      {answer === undefined ? "Choose an entity" : <EntityName entity={answer} components={false} />}
    </button>
  );
}
