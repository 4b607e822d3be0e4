// The editor: CodeMirror in a shadow root, where its styles need no exception from the page's policy.

const { EditorView, EditorState } = CM;

const MONOSPACE = "var(--mono)";
const BORDER = "1px solid var(--line)";

const theme = EditorView.theme({
  "&": { height: "100%", backgroundColor: "var(--card)", color: "var(--ink)", fontSize: "0.875rem" },
  "&.cm-focused": { outline: "none" }, // the page draws the frame
  ".cm-scroller": { fontFamily: MONOSPACE, lineHeight: "1.6" },
  ".cm-content": { padding: "0.6rem 0", caretColor: "var(--ink)" },
  ".cm-line": { padding: "0 0.75rem 0 0.25rem" },
  ".cm-gutters": { backgroundColor: "var(--card)", color: "var(--quiet)", border: "none" },
  ".cm-lineNumbers .cm-gutterElement": { padding: "0 0.1rem 0 0.2rem", minWidth: "1.9rem" },
  ".cm-foldGutter .cm-gutterElement": { width: "1.1em", textAlign: "center", cursor: "pointer" },
  ".cm-activeLine, .cm-activeLineGutter": { backgroundColor: "color-mix(in srgb, var(--link) 7%, transparent)" },
  ".cm-content ::selection": { backgroundColor: "color-mix(in srgb, var(--link) 32%, transparent)" },
  ".cm-placeholder": { color: "var(--quiet)" },
  ".cm-foldPlaceholder": { backgroundColor: "var(--code)", border: BORDER, color: "var(--quiet)", padding: "0 0.4rem" },
  "&.cm-focused .cm-matchingBracket": { backgroundColor: "var(--good-tint)", color: "var(--good)" },
  "&.cm-focused .cm-nonmatchingBracket": { backgroundColor: "var(--bad-tint)", color: "var(--bad)" },
  ".cm-searchMatch": { backgroundColor: "var(--found-tint)", color: "var(--found)" },
  ".cm-searchMatch-selected": { outline: "2px solid var(--link)" },
  ".cm-snippetField": { backgroundColor: "var(--code)" },
  ".cm-specialChar": { color: "var(--bad)" },
  // Squiggles are text decorations, which forced colours keep.
  ".cm-lintRange": { backgroundImage: "none", paddingBottom: "0" },
  ".cm-lintRange-error": { textDecoration: "underline wavy var(--bad-mark) 1.5px", textDecorationSkipInk: "none" },
  ".cm-lintRange-warning": { textDecoration: "underline wavy var(--amber-mark) 1.5px", textDecorationSkipInk: "none" },
  ".cm-lintRange-active": { backgroundColor: "var(--bad-tint)" },
  ".cm-lintPoint:after": { borderBottomColor: "var(--bad-mark)" },
  ".cm-gutter-lint": { width: "0.9rem" },
  ".cm-gutter-lint .cm-gutterElement": { padding: "0.45rem 0 0 0.35rem" },
  ".cm-lint-marker": { width: "0.5rem", height: "0.5rem", content: "normal", forcedColorAdjust: "none" },
  ".cm-lint-marker-error": { content: "normal", borderRadius: "50%", backgroundColor: "var(--bad-mark)" },
  ".cm-lint-marker-warning": { content: "normal", borderRadius: "1px", backgroundColor: "var(--amber-mark)" },
  ".cm-tooltip": {
    maxWidth: "min(34rem, 92vw)", border: BORDER, borderRadius: "8px", backgroundColor: "var(--card)", color: "var(--ink)",
    boxShadow: "0 6px 24px rgb(0 0 0 / 0.16)", overflow: "hidden", font: "0.875rem/1.45 system-ui, sans-serif",
  },
  ".cm-tooltip-hover": { padding: "0" },
  ".cm-tooltip code, .cm-tooltip-autocomplete li": { fontFamily: MONOSPACE, fontSize: "0.8125rem" },
  ".cm-tooltip.cm-tooltip-autocomplete > ul > li": { padding: "0.2rem 0.7rem", display: "flex", gap: "1.5rem" },
  ".cm-tooltip.cm-tooltip-autocomplete > ul": { fontFamily: MONOSPACE, maxHeight: "15rem" },
  ".cm-tooltip.cm-tooltip-autocomplete > ul > li[aria-selected]": {
    backgroundColor: "var(--selected)", color: "#fff", outline: "2px solid transparent", outlineOffset: "-2px",
  },
  ".cm-completionDetail": { marginLeft: "auto", fontStyle: "normal", opacity: "0.75" },
  ".cm-completionMatchedText": { textDecoration: "none", fontWeight: "700" },
  ".cm-tooltip.cm-completionInfo": { padding: "0", width: "24rem" },
  ".docs": { padding: "0.5rem 0.75rem", maxHeight: "16rem", overflow: "auto" },
  ".docs p, .docs ul": { margin: "0 0 0.4rem", padding: "0" },
  ".docs li": { marginLeft: "1.1rem" },
  ".docs hr": { border: "0", borderTop: BORDER, margin: "0.5rem 0" },
  ".fault": { padding: "0.5rem 0.75rem", borderBottom: BORDER },
  ".fault p": { margin: "0" },
  ".fault .code": { color: "var(--bad)", fontWeight: "600" },
  ".fault .hint": { color: "var(--quiet)", marginTop: "0.2rem" },
  ".cm-tooltip button": {
    display: "block", width: "100%", padding: "0.3rem 0.75rem", border: "0", background: "none", color: "var(--link)",
    font: "inherit", textAlign: "start", cursor: "pointer",
  },
  ".cm-tooltip button:hover, .cm-tooltip button:focus": { backgroundColor: "var(--selected)", color: "#fff", outline: "2px solid transparent", outlineOffset: "-2px" },
  ".fixes": { listStyle: "none", margin: "0", padding: "0.25rem 0", maxHeight: "18rem", overflow: "auto" },
  ".cm-panels": { backgroundColor: "var(--code)", color: "var(--ink)", borderColor: "var(--line)" },
  ".cm-panel.cm-search": { fontFamily: "system-ui, sans-serif", padding: "0.4rem 2rem 0.4rem 0.6rem" },
  ".cm-textfield": { backgroundColor: "var(--card)", border: "1px solid var(--quiet)", borderRadius: "6px", color: "var(--ink)", padding: "0.2rem 0.4rem" },
  ".cm-button": { backgroundImage: "none", backgroundColor: "var(--card)", border: BORDER, borderRadius: "6px", color: "var(--ink)" },
});

const colors = CM.HighlightStyle.define([
  { tag: CM.tags.propertyName, color: "var(--blue)" },
  { tag: CM.tags.string, color: "var(--green)" },
  { tag: CM.tags.number, color: "var(--orange)" },
  { tag: [CM.tags.bool, CM.tags.null], color: "var(--violet)" },
  { tag: CM.tags.invalid, color: "var(--bad)" },
]);

const LABEL = "RUI document. Tab indents; press Escape, then Tab, to leave the editor.";

// Creates the editor. `onUpdate` gets every update; `extensions` need the service.
function createEditor(parent, text, onUpdate, extensions) {
  const root = parent.attachShadow({ mode: "open" });
  const basics = [
    CM.lintGutter(),
    CM.lineNumbers(),
    CM.foldGutter({ openText: "▾", closedText: "▸" }),
    CM.highlightActiveLine(),
    CM.highlightActiveLineGutter(),
    CM.highlightSpecialChars(),
    CM.history(),
    CM.indentOnInput(),
    CM.indentUnit.of("  "),
    EditorState.tabSize.of(2),
    CM.bracketMatching(),
    CM.closeBrackets(),
    CM.search({ top: true }),
    CM.json(),
    CM.syntaxHighlighting(colors),
    CM.placeholder('{ "version": "0.1", … }'),
    EditorView.contentAttributes.of({ "aria-label": LABEL, tabindex: "0", autocapitalize: "off", autocorrect: "off", spellcheck: "false" }),
    EditorView.updateListener.of(onUpdate),
    theme,
  ];
  const keys = [
    ...CM.closeBracketsKeymap, ...CM.completionKeymap, ...CM.defaultKeymap, ...CM.historyKeymap, ...CM.foldKeymap,
    ...CM.searchKeymap, CM.indentWithTab,
    { key: "F8", run: CM.nextDiagnostic }, { key: "Shift-F8", run: CM.previousDiagnostic },
  ];
  const state = EditorState.create({ doc: text, extensions: [...extensions, CM.keymap.of(keys), basics] });
  return new EditorView({ state, parent: root, root });
}

// Replaces the whole text in one step, which Undo takes back.
function replaceText(view, text) {
  view.dispatch({
    changes: { from: 0, to: view.state.doc.length, insert: text },
    selection: { anchor: 0 },
    effects: EditorView.scrollIntoView(0),
    annotations: CM.Transaction.userEvent.of("input.replace"),
  });
}

// Makes the edits of the service, unless the text has changed since it was asked. Returns whether it has not.
function applyEdits(view, doc, edits) {
  if (view.state.doc !== doc) return false;
  const changes = edits.map((edit) => ({ ...spanOf(doc, edit.range), insert: edit.text }));
  view.dispatch({ changes, userEvent: "input.fix", scrollIntoView: true });
  return true;
}

function select(view, from, to) {
  view.dispatch({ selection: { anchor: from, head: to }, effects: EditorView.scrollIntoView(from, { y: "center", x: "center" }) });
  view.focus();
}
