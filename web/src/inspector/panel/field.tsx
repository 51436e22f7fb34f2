// A field with its value, which can be edited in place.
import type { Json } from "../../state/codec.js";
import type { ValueAnswer } from "../protocol.js";
import { failed } from "./client.js";
import { useDo, usePanel } from "./context.js";
import { handleNumber, number } from "./format.js";
import { h, useRef, useState } from "./render.js";

/** Resolves with undefined if it failed. */
type Assign = (value: Json, element?: number) => Promise<unknown>;

export function Field({ entity, component, field }: { entity: number; component: string; field: ValueAnswer }) {
  const act = useDo();
  const assign: Assign = (value, element) =>
    act({ do: "set", entity, component, field: field.name, value, ...(element !== undefined && { element }) });
  return (
    <div class="field">
      <span class="name ellipsis" title={`${field.name}: ${field.type}`}>
        {field.name}
      </span>
      <span class="value">
        <Changed text={JSON.stringify(field.value)} />
        <Editor label={`${component}.${field.name}`} field={field} assign={assign} />
      </span>
    </div>
  );
}

/** Flashes when the value has changed. */
function Changed({ text }: { text: string }) {
  const first = useRef(text);
  const changed = useRef(false);
  if (text !== first.current) changed.current = true;
  return changed.current ? <i key={text} class="flash" aria-hidden="true" /> : null;
}

function Editor({ label, field, assign }: { label: string; field: ValueAnswer; assign: Assign }) {
  const { type, value, names, readOnly } = field;
  if (type === "entity" || type === "link") return <Reference label={label} field={field} assign={assign} />;
  if (readOnly)
    return (
      <code class="ellipsis" title={String(JSON.stringify(value))}>
        {typeof value === "string" ? value : JSON.stringify(value)}
      </code>
    );
  if (type === "bool" || type === "boolean")
    return (
      <input type="checkbox" aria-label={label} checked={value === true} onChange={() => void assign(value !== true)} />
    );
  if (names !== undefined)
    return (
      <select aria-label={label} value={String(value)} onChange={(event) => void assign(event.currentTarget.value)}>
        {names.map((name) => (
          <option key={name}>{name}</option>
        ))}
      </select>
    );
  if (Array.isArray(value) && type !== "json")
    return (
      <span class={value.length > 4 ? "vector many" : "vector"}>
        {value.map((element: Json, i) => (
          <NumberEditor
            label={`${label}${value.length > 4 ? `[${i}]` : `.${"xyzw"[i]}`}`}
            type={type}
            value={element}
            assign={(given) => assign(given, i)}
          />
        ))}
      </span>
    );
  if (type === "string") return <TextEditor label={label} text={String(value)} commit={(text) => assign(text)} />;
  if (type === "json")
    return (
      <TextEditor
        label={label}
        text={JSON.stringify(value)}
        commit={(text) => {
          try {
            return assign(JSON.parse(text) as Json);
          } catch {
            return "this is no JSON";
          }
        }}
      />
    );
  return <NumberEditor label={label} type={type} value={value} assign={assign} />;
}

/** Edits a text; the value is assigned with Enter, or when the focus leaves. Until then, the game does not change it. */
function TextEditor(props: {
  label: string;
  text: string;
  /** Whether the arrow keys change it. */
  numeric?: boolean;
  /** Returns what is wrong, as a text, or resolves with undefined if it failed. */
  commit: (text: string) => string | Promise<unknown>;
}) {
  const { say } = usePanel();
  const { label, text, numeric, commit } = props;
  const [draft, setDraft] = useState<string>();
  const [wrong, setWrong] = useState(false);
  /** The draft that was assigned. */
  const assigned = useRef<string | undefined>(undefined);
  const end = (): void => {
    setDraft(undefined);
    setWrong(false);
  };
  /** `more`: the arrow keys will probably change it further. */
  const assign = (next: string, more = false): void => {
    if (next === assigned.current) {
      end();
      return;
    }
    const result = commit(next);
    setWrong(typeof result === "string");
    if (typeof result === "string") {
      say(`${label}: ${result}`, true);
      return;
    }
    assigned.current = next;
    void result.then((done) => {
      if (done === undefined) {
        assigned.current = undefined;
        setWrong(true);
      } else if (!more && assigned.current === next) end();
    });
  };
  const onKeyDown = (event: KeyboardEvent): void => {
    const up = { ArrowUp: 1, ArrowDown: -1 }[event.key];
    const shown = Number(draft ?? text);
    if (event.key === "Enter" && draft !== undefined) assign(draft);
    else if (event.key === "Escape" && draft !== undefined) {
      end();
      say(undefined);
    } else if (numeric && up !== undefined && Number.isFinite(shown)) {
      const by = event.shiftKey ? 10 : event.altKey ? 0.1 : 1;
      const next = String(Number((shown + up * by).toPrecision(12)));
      setDraft(next);
      assign(next, true);
    } else return;
    event.preventDefault();
  };
  return (
    <input
      type="text"
      inputMode={numeric ? "decimal" : "text"}
      spellcheck={false}
      autocomplete="off"
      aria-label={label}
      aria-invalid={wrong}
      value={draft ?? text}
      onInput={(event) => {
        assigned.current = undefined;
        setDraft(event.currentTarget.value);
      }}
      onKeyDown={onKeyDown}
      onBlur={() => {
        if (draft !== undefined) assign(draft);
        end();
      }}
    />
  );
}

function NumberEditor(props: { label: string; type: string; value: Json; assign: (value: Json) => Promise<unknown> }) {
  const { label, type, value, assign } = props;
  return (
    <TextEditor
      label={label}
      text={number(type, value)}
      numeric
      commit={(text) => {
        const given = text.trim();
        if (/^(NaN|-?Infinity)$/.test(given)) return assign(given);
        if (given === "" || Number.isNaN(Number(given))) return `${given === "" ? "nothing" : given} is no number`;
        return assign(Number(given));
      }}
    />
  );
}

/** A reference to an entity: a link to it, and its number. */
function Reference({ label, field, assign }: { label: string; field: ValueAnswer; assign: Assign }) {
  const { client, show, say } = usePanel();
  const { value, label: name, readOnly } = field;
  // The number is that of the index; the world knows the handle.
  const assignIndex = async (index: number): Promise<unknown> => {
    const found = await client.send({ ask: "entity", index });
    if (!failed(found)) return assign(found.entity);
    say(`${label}: ${found.error.message}`, true);
  };
  return (
    <span class="reference">
      {readOnly !== true && (
        <TextEditor
          label={label}
          text={typeof value === "number" ? handleNumber(value) : "none"}
          commit={(text) => {
            const given = text.trim().toLowerCase();
            if (given === "" || given === "none") return assign(null);
            if (!/^#?\d+(\.\d+)?$/.test(given)) return `${text} is no number of an entity`;
            return assignIndex(Number.parseInt(given.replace("#", ""), 10));
          }}
        />
      )}
      {typeof value === "number" && (
        <button
          class="link ellipsis"
          aria-label={`Go to ${label}`}
          onClick={() => show({ tab: "Entities", entity: value })}
        >
          {name ?? "go"} →
        </button>
      )}
    </span>
  );
}
