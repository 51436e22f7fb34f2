// The editor.
import { javascript } from "@codemirror/lang-javascript";
import { acceptCompletion } from "@codemirror/autocomplete";
import { Compartment, Prec } from "@codemirror/state";
import { EditorView, keymap } from "@codemirror/view";
import { basicSetup } from "codemirror";
import { look } from "./look.js";

export interface Editor {
  /** Replaces the program; the user can undo it. */
  text: string;
  /** Selects a line, and scrolls to it. */
  showLine(line: number): void;
  /** Loads TypeScript. */
  addTypes(): Promise<void>;
  destroy(): void;
}

export function createEditor(parent: HTMLElement, text: string, run: () => void): Editor {
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
      types.of([]),
    ],
  });
  return {
    get text() {
      return view.state.doc.toString();
    },
    set text(insert) {
      view.dispatch({
        changes: { from: 0, to: view.state.doc.length, insert },
        selection: { anchor: 0 },
        scrollIntoView: true,
      });
    },
    showLine(line) {
      const { from, to } = view.state.doc.line(Math.min(line, view.state.doc.lines));
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
