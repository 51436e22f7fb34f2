// The editor.
import { javascript } from "@codemirror/lang-javascript";
import { acceptCompletion } from "@codemirror/autocomplete";
import { Annotation, Compartment, Prec } from "@codemirror/state";
import { EditorView, keymap } from "@codemirror/view";
import { basicSetup } from "codemirror";
import { look } from "./look.js";

export interface Editor {
  /** Replaces the program; the user can undo it. */
  set text(text: string);
  /** Moves the focus and the cursor to the end of a line. */
  focus(line: number): void;
  /** Selects a line, and scrolls to it. */
  showLine(line: number): void;
  /** Loads TypeScript. */
  addTypes(): Promise<void>;
  destroy(): void;
}

export interface Listeners {
  /** The user wants to run the program. */
  run(): void;
  /** The user has changed the text. */
  change(text: string): void;
}

/** Marks what the user has not changed. */
const replaced = Annotation.define<true>();

export function createEditor(parent: HTMLElement, text: string, { run, change }: Listeners): Editor {
  const types = new Compartment();
  let ended = false;
  let endTypes = () => {};
  const keys = [
    { key: "Mod-Enter", run: () => (run(), true) },
    { key: "Tab", run: acceptCompletion }, // otherwise Tab leaves the editor
  ];
  const view = new EditorView({
    doc: text,
    parent,
    extensions: [
      Prec.highest(keymap.of(keys)),
      basicSetup,
      javascript({ typescript: true }),
      look,
      EditorView.lineWrapping,
      EditorView.contentAttributes.of({ "aria-label": "Program", tabindex: "0" }), // axe requires the second
      EditorView.updateListener.of(({ docChanged, transactions, state }) => {
        if (docChanged && !transactions.some((each) => each.annotation(replaced))) change(state.doc.toString());
      }),
      types.of([]),
    ],
  });
  const lineAt = (number: number) => view.state.doc.line(Math.min(number, view.state.doc.lines));
  return {
    set text(insert: string) {
      view.dispatch({
        annotations: replaced.of(true),
        changes: { from: 0, to: view.state.doc.length, insert },
        selection: { anchor: 0 },
        scrollIntoView: true,
      });
    },
    focus(line) {
      view.dispatch({ selection: { anchor: lineAt(line).to } });
      view.focus();
    },
    showLine(line) {
      const { from, to } = lineAt(line);
      view.dispatch({
        selection: { anchor: from, head: to },
        effects: EditorView.scrollIntoView(from, { y: "center" }),
      });
      view.focus();
    },
    async addTypes() {
      const { startTypes } = await import("./types.js");
      if (ended) return;
      const { ready, extension, end } = startTypes();
      endTypes = end;
      await ready;
      view.dispatch({ effects: types.reconfigure(extension(view.state.doc.toString())) });
    },
    destroy() {
      ended = true;
      endTypes();
      view.destroy();
    },
  };
}
