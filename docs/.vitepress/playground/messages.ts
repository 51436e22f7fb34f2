// The messages of errors, in a line of their own below the line in which the error is.
import { forEachDiagnostic, setDiagnosticsEffect } from "@codemirror/lint";
import { type EditorState, StateField } from "@codemirror/state";
import { Decoration, type DecorationSet, EditorView, WidgetType } from "@codemirror/view";

class Message extends WidgetType {
  constructor(readonly text: string) {
    super();
  }
  override eq({ text }: Message): boolean {
    return text === this.text;
  }
  toDOM(): HTMLElement {
    const element = document.createElement("div");
    element.className = "cm-message";
    element.textContent = this.text;
    return element;
  }
}

/** The first of each line. */
function messagesOf(state: EditorState): DecorationSet {
  const byLine = new Map<number, string>();
  forEachDiagnostic(state, ({ message }, from) => {
    const { to } = state.doc.lineAt(from);
    if (!byLine.has(to)) byLine.set(to, message);
  });
  const widget = (text: string) => Decoration.widget({ widget: new Message(text), block: true, side: 1 });
  return Decoration.set(
    [...byLine].map(([to, text]) => widget(text).range(to)),
    true,
  );
}

export const messages = StateField.define<DecorationSet>({
  create: () => Decoration.none,
  update(shown, { changes, effects, state }) {
    return effects.some((effect) => effect.is(setDiagnosticsEffect)) ? messagesOf(state) : shown.map(changes);
  },
  provide: (field) => EditorView.decorations.from(field),
});
