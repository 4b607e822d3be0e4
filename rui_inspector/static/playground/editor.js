// This part: the editor itself, with completion, hover texts, and the menu of fixes.

// The editor: CodeMirror in a shadow root, where its styles need no exception from the page's policy. ---------------------

const colors = CM.HighlightStyle.define([
  { tag: CM.tags.propertyName, color: "var(--blue)" },
  { tag: CM.tags.string, color: "var(--green)" },
  { tag: CM.tags.number, color: "var(--orange)" },
  { tag: [CM.tags.bool, CM.tags.null], color: "var(--violet)" },
  { tag: CM.tags.invalid, color: "var(--bad)" },
]);

const LABEL = "RUI document. Tab indents; press Escape, then Tab, to leave the editor.";

// Creates the editor. `onUpdate` gets every update; `extensions` need the service.
function createEditor(parent, styles, onUpdate, extensions) {
  const root = parent.attachShadow({ mode: "open" });
  root.adoptedStyleSheets = [styles]; // CodeMirror puts its own in front
  const keys = [
    ...CM.closeBracketsKeymap, ...CM.completionKeymap, ...CM.defaultKeymap, ...CM.historyKeymap, ...CM.foldKeymap,
    ...CM.searchKeymap, CM.indentWithTab,
    { key: "F8", run: toFault(CM.nextDiagnostic) }, { key: "Shift-F8", run: toFault(CM.previousDiagnostic) },
  ];
  const basics = [
    CM.lintGutter(), CM.lineNumbers(), CM.foldGutter({ openText: "▾", closedText: "▸" }), CM.highlightActiveLine(),
    CM.highlightActiveLineGutter(), CM.highlightSpecialChars(), CM.history(), CM.indentOnInput(), CM.indentUnit.of("  "),
    EditorState.tabSize.of(2), CM.bracketMatching(), CM.closeBrackets(), CM.search({ top: true }), CM.json(),
    CM.syntaxHighlighting(colors), CM.placeholder("Ctrl+Space begins a document."),
    EditorView.contentAttributes.of({ "aria-label": LABEL, tabindex: "0", autocapitalize: "off", autocorrect: "off", spellcheck: "false" }),
    EditorView.updateListener.of(onUpdate),
  ];
  const state = EditorState.create({ extensions: [...extensions, CM.keymap.of(keys), basics] });
  return new EditorView({ state, parent: root, root });
}

// Replaces the whole text in one step, which Undo takes back, but for the first text of the page.
function replaceText(view, text) {
  const isFirst = !view.state.doc.length && !CM.undoDepth(view.state);
  view.dispatch({
    changes: { from: 0, to: view.state.doc.length, insert: text }, selection: { anchor: 0 },
    effects: EditorView.scrollIntoView(0), userEvent: "input.replace", annotations: CM.Transaction.addToHistory.of(!isFirst),
  });
}

// Whether an update leaves nothing of a text, and not by an edit of the service.
function replacesAll({ changes, transactions }) {
  let left = 0;
  changes.iterGaps((from, to, length) => {
    left += length;
  });
  const isService = ["input.complete", "input.fix"].some((event) => transactions.some((it) => it.isUserEvent(event)));
  return !left && !isService;
}

// Makes the edits of the service, unless the text has changed since it was asked. Returns whether it has not.
function applyEdits(view, doc, edits) {
  if (view.state.doc !== doc) return false;
  const changes = edits.map((edit) => ({ ...spanOf(doc, edit.range), insert: edit.text }));
  view.dispatch({ changes, userEvent: "input.fix", scrollIntoView: true });
  return true;
}

// Selects a range, and scrolls only if it is hidden.
function select(view, from, to) {
  const effects = [EditorView.scrollIntoView(from, { y: "nearest", x: "nearest", yMargin: 60, xMargin: 60 })];
  view.dispatch({ selection: { anchor: from, head: to }, effects });
  view.focus();
}

// The faults at an offset.
function faultsAt(state, offset) {
  const faults = [];
  CM.forEachDiagnostic(state, (fault, from, to) => {
    if (from <= offset && offset <= to) faults.push({ ...fault, from, to });
  });
  return faults;
}

// Completion, hover texts and the menu of fixes ---------------------------------------------------------------------------

const COMPLETES_AFTER = /["{[:,\w./-]$/;
const VALID_FOR = /^[\w./-]*$/;

function completion(service) {
  const source = async (context) => {
    const { doc } = context.state;
    const before = doc.sliceString(Math.max(0, context.pos - 1), context.pos);
    if (!context.explicit && !COMPLETES_AFTER.test(before)) return null;
    const abort = new AbortController();
    context.addEventListener("abort", () => abort.abort());
    const answer = await service.ask("complete", doc, { from: context.pos, signal: abort.signal }).catch(() => null);
    if (!answer?.items.length) return null;
    const span = spanOf(doc, answer.range);
    const quote = answer.inString ? 1 : 0; // the list is filtered by what is between the quotes
    const place = { quote, tail: span.to - context.pos, comma: answer.commaAt && offsetOf(doc, ...answer.commaAt) };
    const options = answer.items.map((item, index) => option(item, index, place));
    return { from: Math.min(span.from + quote, context.pos), options, validFor: VALID_FOR };
  };
  return CM.autocompletion({ override: [source], icons: false, activateOnTypingDelay: 60, tooltipClass: () => "completions" });
}

function option(item, index, { quote, tail, comma }) {
  return {
    label: item.label,
    detail: item.detail,
    boost: -index / 100,
    info: () => (item.text ? create("div", { className: "docs" }, ...parse(item.text)) : null),
    apply: (view, completion, from, to) => {
      let shift = 0;
      if (comma !== undefined && comma <= from) {
        view.dispatch({ changes: { from: comma, insert: "," }, userEvent: "input.complete" });
        shift = 1;
      }
      CM.snippet(template(item.parts))(view, completion, from - quote + shift, to + tail + shift);
    },
  };
}

// The parts of a snippet as CodeMirror writes one: `${1:text}` is a tab stop, `${}` the last one.
function template(parts) {
  let number = 0;
  let hasEnd = false;
  const texts = parts.map((part) => {
    if (typeof part === "string") return part.replace(/([#$])\{/g, "$1\\{");
    hasEnd ||= part.isFinal;
    if (part.isFinal) return "${}";
    if (/[{}]/.test(part.default)) return part.default;
    number += 1;
    return `\${${number}:${part.default}}`;
  });
  return texts.join("") + (hasEnd || number ? "" : "${}");
}

function faultElement(diagnostic) {
  const element = create("div", { className: "fault" });
  element.append(create("p", {}, create("span", { className: "code", textContent: diagnostic.source }), " ", diagnostic.message));
  if (diagnostic.hint) element.append(create("p", { className: "hint" }, ...withCode(diagnostic.hint)));
  return element;
}

function hover(service) {
  return CM.hoverTooltip(async (view, offset) => {
    const { doc } = view.state;
    const faults = faultsAt(view.state, offset);
    const documentation = await service.ask("hover", doc, { from: offset }).catch(() => ({}));
    if (!faults.length && !documentation.text) return null;
    const span = documentation.range ? spanOf(doc, documentation.range) : faults[0];
    const dom = create("div", {}, ...faults.map(faultElement));
    if (documentation.text) dom.append(create("div", { className: "docs" }, ...parse(documentation.text)));
    return { pos: Math.min(span.from, offset), end: Math.max(span.to, offset), above: true, create: () => ({ dom }) };
  }, { hoverTime: 250 });
}

const setMenu = CM.StateEffect.define();

const menuField = CM.StateField.define({
  create: () => null,
  update(menu, transaction) {
    for (const effect of transaction.effects) if (effect.is(setMenu)) return effect.value;
    return transaction.docChanged || transaction.selection ? null : menu;
  },
  provide: (field) => CM.showTooltip.from(field),
});

// A command that goes to a fault, and shows its message there until the next key.
function toFault(go) {
  return (view) => {
    if (!go(view)) return false;
    const { from } = view.state.selection.main;
    const dom = create("div", {}, ...faultsAt(view.state, from).filter((fault) => fault.from === from).map(faultElement));
    const menu = { pos: from, above: true, arrow: false, create: () => ({ dom }) };
    view.dispatch({ effects: [setMenu.of(menu), EditorView.scrollIntoView(from, { y: "nearest", yMargin: 120 })] });
    return true;
  };
}

// Opens the menu of fixes at the cursor; `say` gets a sentence where there are none.
async function openMenu(view, service, say) {
  const { doc, selection } = view.state;
  const { from, to } = selection.main;
  let answer;
  try {
    answer = await service.ask("fixes", doc, { from, to });
  } catch (error) {
    return say(error.message);
  }
  if (view.state.doc !== doc) return undefined;
  if (!answer.fixes.length) return say("There is no fix for this place. The hint of the fault describes what to write.");
  const close = () => {
    view.dispatch({ effects: setMenu.of(null) });
    view.focus();
  };
  const dom = menuElement(answer.fixes, (fix) => applyEdits(view, doc, fix.edits), close);
  const tooltip = { pos: from, above: false, arrow: false, create: () => ({ dom, mount: () => first("button", dom).focus() }) };
  return view.dispatch({ effects: setMenu.of(tooltip) });
}

function menuElement(fixes, choose, close) {
  const list = create("ul", { className: "fixes", role: "menu", ariaLabel: "Fixes" });
  for (const fix of fixes) {
    const button = create("button", { type: "button", role: "menuitem", textContent: fix.title });
    button.addEventListener("click", () => {
      choose(fix);
      close();
    });
    list.append(create("li", { role: "none" }, button));
  }
  list.addEventListener("keydown", (event) => {
    if (event.key === "Escape" || event.key === "Tab") close();
    else if (!moveFocus(every("button", list), list.getRootNode().activeElement, event.key, "ArrowDown", "ArrowUp")) return;
    event.preventDefault();
    event.stopPropagation();
  });
  list.addEventListener("focusout", (event) => {
    if (event.relatedTarget && !list.contains(event.relatedTarget)) close();
  });
  return create("div", {}, list);
}

// Focuses the next or previous element of a list; returns it, or undefined for another key.
function moveFocus(elements, current, key, forward, back) {
  const at = elements.indexOf(current);
  const next = { [forward]: at + 1, [back]: at - 1, Home: 0, End: -1 }[key];
  if (next === undefined || at < 0) return undefined;
  const element = elements.at(next % elements.length);
  element.focus();
  return element;
}
