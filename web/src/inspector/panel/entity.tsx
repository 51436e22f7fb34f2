// One entity: its components, and which systems track it.
import type { ComponentAnswer, EntityDetails, TrackingAnswer } from "../protocol.js";
import { failed } from "./client.js";
import { useAnswer, useAsk, useDo, usePanel } from "./context.js";
import { Field } from "./field.js";
import { count, entityNumber, trackedBy } from "./format.js";
import { IconButton } from "./icons.js";
import { h, useState } from "./render.js";

export function EntityView({ entity, back }: { entity: number; back?: () => void }) {
  const { client } = usePanel();
  const answer = useAsk(client, { ask: "entity", entity });
  if (answer === undefined) return null;
  if (failed(answer))
    return (
      <div class="entity">
        <div class="heading">
          {back && <IconButton icon="left" label="Back to the list" onClick={back} />}
          <h2>Gone</h2>
        </div>
        <p class="empty">{answer.error.message.replace(/^entity: /, "")}</p>
      </div>
    );
  return (
    <div class="entity">
      <Heading details={answer} back={back} />
      <div class="scroll" tabIndex={-1}>
        {answer.details.map((component) => (
          <Component key={component.name} entity={entity} component={component} />
        ))}
        <AddComponent details={answer} />
        <Tracking details={answer} />
      </div>
    </div>
  );
}

function Heading({ details, back }: { details: EntityDetails; back?: (() => void) | undefined }) {
  const { view, show } = usePanel();
  const act = useDo();
  const { entity, index, generation, label, parent, children } = details;
  const pinned = view.pinned.includes(entity);
  const pin = () => show({ pinned: pinned ? view.pinned.filter((each) => each !== entity) : [...view.pinned, entity] });
  return (
    <div class="heading">
      {back && <IconButton icon="left" label="Back to the list" onClick={back} />}
      <h2 title={`handle ${entity}`}>
        <span class="id">{entityNumber(index, generation)}</span> {index === 0 ? "the world" : label}
      </h2>
      <span class="muted">
        {parent !== undefined && (
          <button class="link" onClick={() => show({ entity: parent.entity })}>
            child of {parent.label ?? parent.index}
          </button>
        )}
        {children > 0 && (
          <button class="link" onClick={() => show({ tab: "Entities", where: `Parent.entity = ${index}` })}>
            {count(children)} {children === 1 ? "child" : "children"}
          </button>
        )}
      </span>
      <span class="spring" />
      <button class="link" onClick={() => show({ tab: "Why", bySystem: undefined })}>
        Why
      </button>
      <IconButton icon="pin" label={pinned ? "Unpin" : "Pin"} pressed={pinned} onClick={pin} />
      {index !== 0 && (
        <IconButton icon="close" label="Remove the entity" onClick={() => void act({ do: "destroy", entity })} />
      )}
    </div>
  );
}

function Component({ entity, component }: { entity: number; component: ComponentAnswer }) {
  const act = useDo();
  const [open, setOpen] = useState(true);
  const { name, kind, fields } = component;
  return (
    <div class="component" role="group" aria-label={name}>
      <h3>
        <button class="plain" aria-expanded={open} disabled={fields.length === 0} onClick={() => setOpen(!open)}>
          {fields.length > 0 && <span class="twisty" aria-hidden="true" />}
          {name}
        </button>
        {kind !== "stored" && <span class="muted">{kind === "native" ? "C++" : "object"}</span>}
        <span class="spring" />
        <IconButton
          icon="close"
          label={`Remove ${name}`}
          onClick={() => void act({ do: "remove", entity, component: name })}
        />
      </h3>
      {open && fields.length > 0 && (
        <div class="fields">
          {fields.map((field) => (
            <Field key={field.name} entity={entity} component={name} field={field} />
          ))}
        </div>
      )}
    </div>
  );
}

function AddComponent({ details }: { details: EntityDetails }) {
  const { client } = usePanel();
  const act = useDo();
  const answer = useAnswer(client, { ask: "classes" }, 2000);
  const others = (answer?.classes ?? []).filter(({ name }) => !details.components.includes(name) && name !== "Parent");
  if (others.length === 0) return null;
  return (
    <select
      class="add"
      aria-label="Add a component"
      value=""
      onChange={(event) => {
        const component = event.currentTarget.value;
        event.currentTarget.value = "";
        if (component !== "") void act({ do: "add", entity: details.entity, component });
      }}
    >
      <option value="">Add a component …</option>
      {others.map(({ name }) => (
        <option key={name}>{name}</option>
      ))}
    </select>
  );
}

function Tracking({ details }: { details: EntityDetails }) {
  const { show } = usePanel();
  const tracking = details.tracking.filter(({ usesNone }) => !usesNone);
  const link = (system: string) => (
    <button class="link" onClick={() => show({ tab: "Entities", where: trackedBy(system) })}>
      {system}
    </button>
  );
  const yes = tracking.filter(({ tracked }) => tracked);
  const no = tracking.filter(({ tracked }) => !tracked);
  return (
    <div class="tracking">
      <h3>Tracked by</h3>
      {yes.length === 0 && <p class="muted">No system tracks it.</p>}
      <ul>
        {yes.map(({ system, dirty }) => (
          <li key={system}>
            {link(system)} {dirty && <span class="tag">dirty</span>}
          </li>
        ))}
      </ul>
      {no.length > 0 && <h3>Not tracked by</h3>}
      <ul>
        {no.map((each) => (
          <li key={each.system}>
            {link(each.system)} <span class="muted">{reason(each)}</span>
          </li>
        ))}
      </ul>
    </div>
  );
}
function reason({ missing, excluded, noneOf }: TrackingAnswer): string {
  const reasons = [
    missing && `it lacks ${missing.join(", ")}`,
    excluded && `it has ${excluded.join(", ")}`,
    noneOf && `it has none of ${noneOf.join(", ")}`,
  ];
  return reasons.filter(Boolean).join("; ");
}
