// What TypeScript, in a worker, gives the editor: completion, errors and explanations.
import { type Completion, type CompletionSource, autocompletion } from "@codemirror/autocomplete";
import { linter } from "@codemirror/lint";
import type { Extension } from "@codemirror/state";
import { EditorView, hoverTooltip } from "@codemirror/view";
import { type Remote, wrap } from "comlink";
import { messages } from "./messages.js";
import type { Explanation, TypeService } from "./types.worker.js";

/** Starts the worker. `ready` resolves when it has been loaded; `extension` is for an editor with this program. */
export function startTypes() {
  const worker = new Worker(new URL("./types.worker.ts", import.meta.url), { type: "module" });
  const service = wrap<TypeService>(worker);
  return {
    ready: service.update(""),
    extension(program: string): Extension {
      void service.update(program);
      return [updates(service), completion(service), errors(service), explanations(service), messages];
    },
    end: () => worker.terminate(),
  };
}

/** Messages to the worker keep their order, so it answers for the text that was sent before. */
const updates = (service: Remote<TypeService>): Extension =>
  EditorView.updateListener.of(({ docChanged, state }) => {
    if (docChanged) void service.update(state.doc.toString());
  });

/** What CodeMirror calls the kinds of TypeScript, for their icons. */
const KINDS: Record<string, string> = {
  getter: "property",
  setter: "property",
  "local class": "class",
  "local function": "function",
  let: "variable",
  const: "variable",
  var: "variable",
  parameter: "variable",
};

const completion = (service: Remote<TypeService>): Extension => {
  const source: CompletionSource = async (context) => {
    const word = context.matchBefore(/[\w$]+/);
    const before = context.matchBefore(/["'./]/);
    if (!context.explicit && word === null && before === null) return null;
    const { pos } = context;
    const found = await service.completions(pos);
    const options = found.map(({ name, kind, sortText }): Completion => {
      const info = async () => {
        const explanation = await service.explainCompletion(pos, name);
        return explanation === undefined ? null : elementOf(explanation);
      };
      const boost = -2 * Number.parseInt(sortText, 10) - Number(kind === "method"); // fields before methods
      return { label: name, type: KINDS[kind] ?? kind, sortText, boost, info };
    });
    return options.length === 0 ? null : { from: word?.from ?? pos, options, validFor: /^[\w$]*$/ };
  };
  return autocompletion({ override: [source] });
};

const errors = (service: Remote<TypeService>): Extension => linter(() => service.errors(), { delay: 700 });

const explanations = (service: Remote<TypeService>): Extension =>
  hoverTooltip(async (_, position) => {
    const found = await service.explain(position);
    return found ? { pos: found.from, end: found.to, create: () => ({ dom: elementOf(found) }) } : null;
  });

function elementOf({ declaration, comment }: Explanation): HTMLElement {
  const element = document.createElement("div");
  element.className = "cm-explanation";
  for (const [name, text] of [
    ["code", declaration],
    ["p", comment.replace(/(\S)\n(?=\S)/g, "$1 ")], // lines of the source that are one paragraph
  ] as const)
    if (text !== "") element.append(Object.assign(document.createElement(name), { textContent: text }));
  return element;
}
