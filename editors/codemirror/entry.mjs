// The parts of CodeMirror that the playground uses.
export {
  acceptCompletion, autocompletion, closeBrackets, closeBracketsKeymap, completionKeymap, completionStatus, snippet,
} from "@codemirror/autocomplete";
export { defaultKeymap, history, historyKeymap, indentWithTab, redo, redoDepth, undo, undoDepth } from "@codemirror/commands";
export { json } from "@codemirror/lang-json";
export { HighlightStyle, bracketMatching, codeFolding, foldGutter, foldKeymap, indentOnInput, indentUnit, syntaxHighlighting } from "@codemirror/language";
export { forEachDiagnostic, lintGutter, linter, nextDiagnostic, previousDiagnostic, setDiagnostics } from "@codemirror/lint";
export { search, searchKeymap } from "@codemirror/search";
export { Annotation, Compartment, EditorSelection, EditorState, Prec, StateEffect, StateField, Text, Transaction } from "@codemirror/state";
export {
  Decoration, EditorView, ViewPlugin, dropCursor, highlightActiveLine, highlightActiveLineGutter, highlightSpecialChars, hoverTooltip,
  keymap, lineNumbers, placeholder, showTooltip, tooltips,
} from "@codemirror/view";
export { tags } from "@lezer/highlight";
