// How the editor looks: as the code of the other pages, light and dark. Workbench.vue has the colours.
import { HighlightStyle, syntaxHighlighting } from "@codemirror/language";
import type { Extension } from "@codemirror/state";
import { EditorView } from "@codemirror/view";
import { tags } from "@lezer/highlight";

const colors = HighlightStyle.define([
  { tag: [tags.keyword, tags.operator], color: "var(--code-keyword)" },
  { tag: [tags.string, tags.special(tags.string), tags.regexp], color: "var(--code-string)" },
  { tag: [tags.number, tags.bool, tags.null], color: "var(--code-number)" },
  { tag: tags.comment, color: "var(--code-comment)" },
  { tag: [tags.className, tags.typeName], color: "var(--code-class)" },
  { tag: [tags.function(tags.variableName), tags.function(tags.propertyName)], color: "var(--code-function)" },
]);

const shape = EditorView.theme({
  "&": { height: "100%", color: "var(--vp-c-text-1)", backgroundColor: "var(--vp-code-block-bg)", fontSize: "14px" },
  "&.cm-focused": { outline: "2px solid var(--vp-c-brand-1)", outlineOffset: "-2px" },
  ".cm-scroller": { fontFamily: "var(--vp-font-family-mono)", lineHeight: "1.6" },
  ".cm-content": { caretColor: "var(--vp-c-text-1)" },
  ".cm-cursor": { borderLeftColor: "var(--vp-c-text-1)" },
  ".cm-gutters": { color: "var(--vp-c-text-2)", backgroundColor: "transparent", border: "none" },
  ".cm-activeLine, .cm-activeLineGutter": { backgroundColor: "var(--code-active)" },
  "&.cm-focused > .cm-scroller > .cm-selectionLayer .cm-selectionBackground, .cm-selectionBackground": {
    background: "var(--code-selection)",
  },
  ".cm-message": {
    padding: "2px 8px 3px",
    borderLeft: "3px solid var(--vp-c-danger-1)",
    color: "var(--code-error)",
    backgroundColor: "var(--vp-c-danger-soft)",
    whiteSpace: "pre-wrap",
    fontSize: "13px",
  },
  ".cm-tooltip": {
    maxWidth: "min(560px, 90vw)",
    color: "var(--vp-c-text-1)",
    backgroundColor: "var(--vp-c-bg-elv)",
    border: "1px solid var(--vp-c-divider)",
    borderRadius: "6px",
    boxShadow: "var(--vp-shadow-3)",
  },
  ".cm-tooltip.cm-tooltip-autocomplete > ul > li[aria-selected]": {
    color: "var(--vp-button-brand-text)",
    background: "var(--vp-button-brand-bg)",
  },
  ".cm-explanation": { padding: "6px 10px", maxHeight: "240px", overflow: "auto" },
  ".cm-explanation code": { fontFamily: "var(--vp-font-family-mono)", fontSize: "13px", whiteSpace: "pre-wrap" },
  ".cm-explanation p": { margin: "6px 0 0", fontSize: "13px", whiteSpace: "pre-wrap" },
  ".cm-panels": { color: "var(--vp-c-text-1)", backgroundColor: "var(--vp-c-bg-elv)" },
});

export const look: Extension = [shape, syntaxHighlighting(colors)];
