// The editor of the front page. It takes the place of the form, which works where this module does not load.
import * as CM from "./codemirror.js";

const { EditorView, EditorState } = CM;
const first = (selector, root = document) => root.querySelector(selector);
const every = (selector, root = document) => [...root.querySelectorAll(selector)];
const count = (number, noun) => `${number.toLocaleString("en")} ${noun}${number === 1 ? "" : "s"}`;

// Creates an element; children that are texts stay texts.
function create(name, properties = {}, ...children) {
  const element = Object.assign(document.createElement(name), properties);
  element.append(...children);
  return element;
}

// A sentence of the service, with the parts between backticks as code.
function withCode(sentence) {
  return sentence.split(/`([^`]+)`/).map((part, index) => (index % 2 ? create("code", { textContent: part }) : part));
}

// HTML of the service as nodes. The service has escaped the texts of the document; scripts do not run.
function parse(html) {
  return [...new DOMParser().parseFromString(html, "text/html").body.childNodes];
}

// The service ------------------------------------------------------------------------------------------------------------

const OFFLINE = "The service does not respond.";
const SLOW = 1_000; // milliseconds until the reader learns that an answer is awaited
const LATE = 8_000; // until a text counts as not checked, or another answer as absent
const LAST = 30_000; // until a check or a request to store is given up
const SPACES = /("(?:[^"\\\n]|\\.)*")|\s+/g;

// A failed request, with a sentence for the reader. `isAnswered` if the service has refused it.
class ServiceError extends Error {
  constructor(sentence, isAnswered = false) {
    super(sentence);
    this.isAnswered = isAnswered;
  }
}

class Service {
  constructor(home) {
    this.home = home;
  }

  // The answer to a question about a text, such as "check".
  async ask(action, doc, { from = 0, to = from, signal, timeout = LATE } = {}) {
    const query = `from=${position(doc, from)}&to=${position(doc, to)}`;
    return this.send(`${this.home}playground/${action}?${query}`, doc.toString(), timeout, signal);
  }

  async store(doc) {
    return this.send(`${this.home}api/specs`, stored(doc), LAST);
  }

  async send(url, body, timeout, signal) {
    const end = AbortSignal.timeout(timeout);
    let response;
    let answer;
    try {
      const signals = AbortSignal.any(signal ? [signal, end] : [end]);
      response = await fetch(url, { method: "POST", body, signal: signals, headers: { "content-type": "application/json" } });
      answer = await response.json();
    } catch (error) {
      if (error.name === "AbortError") throw error;
      if (!response?.ok) throw new ServiceError(end.aborted ? `The service has not answered for ${timeout / 1000} seconds.` : OFFLINE);
    }
    if (response.ok && answer) return answer;
    throw new ServiceError(answer?.errors?.[0]?.hint ?? answer?.message ?? OFFLINE, Boolean(answer));
  }

  // The text in the form of the page at a URL of this site, such as that of an example.
  async textAt(url) {
    try {
      const response = await fetch(url, { signal: AbortSignal.timeout(LATE) });
      return first("#RUI", new DOMParser().parseFromString(await response.text(), "text/html")).value;
    } catch {
      throw new ServiceError(OFFLINE);
    }
  }
}

// The text as it is stored, without the white space between its tokens: the limit of a document applies to what is sent.
function stored(doc) {
  return doc.toString().replace(SPACES, "$1");
}

// The length of a text in bytes.
function sizeOf(text) {
  return new TextEncoder().encode(text).length;
}

// A length in bytes for people.
function inWords(bytes) {
  if (bytes < 1024) return count(bytes, "byte");
  return bytes < 1024 * 1024 ? `${Math.ceil(bytes / 1024)} KB` : `${(bytes / 1024 / 1024).toFixed(1)} MB`;
}

// Positions of the service are lines and characters from zero, in UTF-16 units.
function position(doc, offset) {
  const line = doc.lineAt(Math.min(offset, doc.length));
  return `${line.number - 1}:${offset - line.from}`;
}

function offsetOf(doc, line, character) {
  if (line >= doc.lines) return doc.length;
  const { from, to } = doc.line(line + 1);
  return Math.min(from + character, to);
}

function spanOf(doc, [startLine, startCharacter, endLine, endCharacter]) {
  return { from: offsetOf(doc, startLine, startCharacter), to: offsetOf(doc, endLine, endCharacter) };
}

// Drafts and links -------------------------------------------------------------------------------------------------------

// The text of this tab is in sessionStorage, which survives reload and Back; the last text of any tab is in localStorage.
// The property that names a replaced spec, with one comma.
const REPLACES = /"replaces"\s*:\s*"[0-9a-f-]{36}"\s*,\s*|\s*,\s*"replaces"\s*:\s*"[0-9a-f-]{36}"/;
const DRAFT = "rui-draft";
const OTHER_DRAFT = "rui-draft-of-another-tab";
const STORED = "rui-stored";
const MAX_STORED = 10;
const LINK = "#rui=";
const MAX_LINKED = 1_000_000;

function draftIn(name, key = DRAFT) {
  try {
    return globalThis[name].getItem(key) ?? "";
  } catch {
    return ""; // Storage is off.
  }
}

// Returns whether the browser has kept a text. The last text of another tab, not `last`, is kept beside it.
function keepDraft(text, last) {
  const other = draftIn("localStorage");
  try {
    if (other.trim() && other !== last && other !== text) localStorage.setItem(OTHER_DRAFT, other);
    for (const name of ["sessionStorage", "localStorage"]) globalThis[name].setItem(DRAFT, text);
    return true;
  } catch {
    return false;
  }
}

// The last stored specs of this browser, the newest first: address, title and time of each.
function storedSpecs() {
  try {
    return JSON.parse(localStorage.getItem(STORED)) ?? [];
  } catch {
    return [];
  }
}

// Adds a spec to them, if the browser can keep it.
function keepStored(spec) {
  try {
    localStorage.setItem(STORED, JSON.stringify([spec, ...storedSpecs()].slice(0, MAX_STORED)));
  } catch {
    // The note still has its address.
  }
}

async function linkTo(text) {
  const stream = new Blob([text]).stream().pipeThrough(new CompressionStream("deflate-raw"));
  const bytes = new Uint8Array(await new Response(stream).arrayBuffer());
  let binary = "";
  for (const byte of bytes) binary += String.fromCharCode(byte);
  const code = btoa(binary).replaceAll("+", "-").replaceAll("/", "_").replace(/=+$/, "");
  return `${location.origin}${location.pathname}${LINK}${code}`;
}

// The text of a link; null for one that was cut off. A hostile link may expand to a long text, so reading is bounded.
async function linkedText(hash) {
  try {
    const binary = atob(hash.slice(LINK.length).replaceAll("-", "+").replaceAll("_", "/"));
    const bytes = Uint8Array.from(binary, (character) => character.charCodeAt(0));
    const reader = new Blob([bytes]).stream().pipeThrough(new DecompressionStream("deflate-raw")).getReader();
    const decoder = new TextDecoder();
    let text = "";
    for (;;) {
      const { done, value } = await reader.read();
      if (done) return text + decoder.decode();
      text += decoder.decode(value, { stream: true });
      if (text.length > MAX_LINKED) return null;
    }
  } catch {
    return null;
  }
}

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

// The tabs beside the editor: wireframe, faults and data. The service renders them with every check. -----------------------

class Panels {
  // `go` and `fix` get the four numbers of a range. `convert` replaces the text.
  constructor(root, go, fix, convert) {
    this.root = root;
    this.tabs = every("[role=tab]", root);
    for (const tab of this.tabs) tab.addEventListener("click", () => this.show(tab.dataset.tab));
    first("[role=tablist]", root).addEventListener("keydown", (event) => {
      const tab = moveFocus(this.tabs, event.target, event.key, "ArrowRight", "ArrowLeft");
      if (!tab) return;
      event.preventDefault();
      this.show(tab.dataset.tab);
    });
    root.addEventListener("click", (event) => {
      if (event.target.closest("[data-act=convert]")) return convert();
      const range = event.target.closest("[data-range]")?.dataset.range;
      if (range) return fix(range.split("-").map(Number));
      const href = event.target.closest("a")?.getAttribute("href") ?? "";
      if (!href.startsWith("#")) return undefined;
      event.preventDefault();
      if (/^#R[\d-]+$/.test(href)) return go(href.slice(2).split("-").map(Number));
      return document.getElementById(href.slice(1))?.scrollIntoView({ block: "nearest" });
    });
  }

  panel(name) {
    return first(`#PANEL-${name}`, this.root);
  }

  show(name) {
    for (const tab of this.tabs) {
      const isShown = tab.dataset.tab === name;
      tab.setAttribute("aria-selected", isShown);
      tab.tabIndex = isShown ? 0 : -1;
      this.panel(tab.dataset.tab).hidden = !isShown;
    }
  }

  // Shows the result of a check, or of none. Unchanged HTML stays, so that selection and scrolling stay, too.
  update(answer) {
    const total = answer ? answer.errors + answer.warnings : 0;
    const number = first("#TAB-faults .number", this.root);
    number.textContent = total ? total.toLocaleString("en") : "";
    number.classList.toggle("warned", Boolean(answer) && !answer.errors);
    this.setStale(false);
    if (this.html === answer?.tabs) return;
    this.html = answer?.tabs;
    if (!answer) {
      const hint = () => create("p", { className: "nothing", textContent: "Press Ctrl+Space in the editor, or choose an example." });
      return this.tabs.forEach((tab) => this.panel(tab.dataset.tab).replaceChildren(hint()));
    }
    for (const section of parse(answer.tabs)) {
      if (section.dataset) this.panel(section.dataset.tab).replaceChildren(...section.childNodes);
    }
  }

  // Says that the panels show the result of an earlier text, and hides that it was valid.
  setStale(isStale) {
    this.root.classList.toggle("stale", isStale);
    first("#STALE", this.root).hidden = !isStale;
  }

  // Marks the innermost block that contains an offset of the text, in code points.
  mark(offset) {
    const panel = this.panel("wireframe");
    if (panel.hidden) return;
    const found = every("[data-offset]", panel).findLast((it) => Number(it.dataset.offset) <= offset && offset <= Number(it.dataset.end));
    for (const element of every(".at-cursor", panel)) element.classList.remove("at-cursor");
    if (!found) return;
    found.classList.add("at-cursor");
    const { top } = found.getBoundingClientRect();
    const frame = panel.getBoundingClientRect();
    if (top < frame.top || top > frame.bottom - 40) panel.scrollTop += top - frame.top - 16;
  }
}

// The parts together -------------------------------------------------------------------------------------------------------

const PAUSE = 250; // milliseconds without a key before a check, and before the text is kept
const RETRY_FIRST = 2_000;
const RETRY_LAST = 30_000;
const MAX_FILE = 2_000_000;
const LONG_LINK = 8_000;
const CUT_OFF = "The link is not complete, so its text cannot be read. Ask for it again, or for the file.";

// Asks the service about the newest text, one question at a time. `on` has a function for each of these: an answer, an
// error, a text whose answer is awaited for a second, a text whose answer is late. `maxBytes` is the limit of a text.
class Checker {
  constructor(view, service, maxBytes, on) {
    Object.assign(this, { view, service, maxBytes, on });
    this.retry = RETRY_FIRST;
    addEventListener("online", () => this.soon(0));
  }

  soon(wait = PAUSE) {
    this.view.dom.dataset.state = "changed";
    this.abort?.abort();
    clearTimeout(this.timer);
    this.timer = setTimeout(() => this.now(), wait);
    this.slowTimer ??= setTimeout(() => this.on.slow(), SLOW); // since the first change that is not checked
  }

  // Checks the text and returns the answer; undefined if there is none, or the text has changed.
  async now() {
    this.abort?.abort();
    clearTimeout(this.timer);
    this.abort = new AbortController();
    const { doc, selection } = this.view.state;
    const text = doc.toString();
    const size = text.length * 3 > this.maxBytes ? sizeOf(text) : 0;
    if (size > this.maxBytes) return this.fail(`The text has ${inWords(size)}. The limit of a check is ${inWords(this.maxBytes)}.`);
    this.lateTimer ??= setTimeout(() => this.on.late(), LATE); // since the first question that has no answer
    let answer = null;
    try {
      const { signal } = this.abort;
      if (text.trim()) answer = await this.service.ask("check", doc, { from: selection.main.head, signal, timeout: LAST });
    } catch (error) {
      if (error.name === "AbortError") return undefined;
      this.fail(error.message);
      this.timer = setTimeout(() => this.now(), this.retry);
      this.retry = Math.min(this.retry * 2, RETRY_LAST);
      return undefined;
    }
    if (this.view.state.doc !== doc) return undefined;
    this.retry = RETRY_FIRST;
    this.stopTimers();
    this.mark(doc, answer?.diagnostics ?? []);
    this.on.answer(answer);
    this.view.dom.dataset.state = "checked";
    return answer;
  }

  // Checks the text, and returns undefined if the answer is late.
  inTime() {
    return Promise.race([this.now(), new Promise((resolve) => setTimeout(resolve, LATE))]);
  }

  fail(sentence) {
    this.stopTimers();
    this.on.error(sentence);
  }

  stopTimers() {
    clearTimeout(this.slowTimer);
    clearTimeout(this.lateTimer);
    this.slowTimer = this.lateTimer = undefined;
  }

  mark(doc, diagnostics) {
    const marks = diagnostics.map((it) => ({
      ...spanOf(doc, it.range), severity: it.isError ? "error" : "warning", source: it.code, message: it.message, hint: it.hint,
      renderMessage: () => faultElement({ source: it.code, message: it.message, hint: it.hint }),
    }));
    // CodeMirror drops an empty mark at the end of the text if another mark ends there: it gets the last character.
    const isAtEnd = (it) => it.from === doc.length;
    if (marks.some((it) => it.to === doc.length && !isAtEnd(it))) {
      for (const mark of marks.filter(isAtEnd)) Object.assign(mark, { from: doc.length - 1, isEmpty: true });
    }
    this.view.dispatch(CM.setDiagnostics(this.view.state, marks));
  }
}

class Playground {
  constructor(box, root, styles) {
    Object.assign(this, { box, root, form: box.form, kept: [], isSaying: false });
    Object.assign(this, { status: first("#STATUS", root), fault: first("#FAULT", root), note: first("#NOTE", root) });
    this.maxBytes = Number(root.dataset.maxBytes);
    this.maxChecked = Number(root.dataset.maxChecked);
    this.example = first("#EXAMPLE", root).value;
    this.service = new Service(this.form.getAttribute("action"));
    const say = (sentence) => this.say(sentence);
    const menu = { key: "Mod-.", run: (view) => openMenu(view, this.service, say) && true };
    const extensions = [
      completion(this.service), hover(this.service), menuField, CM.Prec.high(CM.keymap.of([menu])),
      CM.linter(null, { tooltipFilter: () => [] }),
    ];
    this.view = createEditor(first("#EDITOR", root), styles, (update) => this.onUpdate(update), extensions);
    this.checker = new Checker(this.view, this.service, this.maxChecked, {
      answer: (answer) => this.onAnswer(answer), error: (sentence) => this.onError(sentence),
      slow: () => this.onSlow(), late: () => this.onError(`The service has not answered for ${LATE / 1000} seconds.`),
    });
    this.panels = new Panels(root, (range) => this.go(range), (range) => this.fixAt(range), () => this.convert());
    this.bind();
    this.updateButtons();
  }

  get doc() {
    return this.view.state.doc;
  }

  // The marks in the editor with their positions, as tests read them.
  get marks() {
    const marks = [];
    CM.forEachDiagnostic(this.view.state, (mark, from, to) => {
      marks.push([mark.source, position(this.doc, mark.isEmpty ? to : from), position(this.doc, to)]);
    });
    return marks;
  }

  // Shows the first text: that of a link, else the own text of this tab after reload and Back, else that of the service,
  // else the last text of this browser, else an example.
  async begin() {
    const [navigation] = performance.getEntriesByType("navigation");
    const returns = ["reload", "back_forward"].includes(navigation?.type);
    const own = draftIn("sessionStorage");
    const sent = this.box.value;
    const hasLink = location.hash.startsWith(LINK);
    if (await this.openLink()) return;
    if (sent.trim() && !(returns && own.trim())) {
      replaceText(this.view, sent);
      if (!sent.includes("\n")) await this.format();
      if (own.trim() && own !== sent) this.offer("", own);
    } else if (own.trim()) {
      replaceText(this.view, own);
    } else if (draftIn("localStorage").trim()) {
      replaceText(this.view, draftIn("localStorage"));
      const other = draftIn("localStorage", OTHER_DRAFT);
      const buttons = [["Start empty", () => replaceText(this.view, "")]];
      if (other && other !== this.doc.toString()) buttons.push(["Show that of another tab", () => this.replace(other, "")]);
      this.say("This is your last text.", ...buttons);
    } else {
      replaceText(this.view, this.example);
      this.say("This is an example.", ["Start from this", () => this.view.focus()], ["Start empty", () => replaceText(this.view, "")]);
    }
    this.begun = this.doc.toString();
    this.showVersion();
    if (!this.doc.length) this.checker.soon(0);
    if (hasLink) this.say(CUT_OFF);
  }

  // Says, in words of the page, that the text is a new version, until it is stored.
  showVersion() {
    const words = first(".version-note", this.form);
    if (!words || !REPLACES.test(this.begun)) return;
    const button = create("button", { type: "button", textContent: "Remove it" });
    button.addEventListener("click", () => {
      const match = REPLACES.exec(this.doc.toString());
      if (match) this.view.dispatch({ changes: { from: match.index, to: match.index + match[0].length }, userEvent: "delete" });
      this.keep();
      this.view.focus();
    });
    this.kept = [create("span", {}, ...words.cloneNode(true).childNodes), button];
    if (!this.isSaying) this.keep(...this.kept);
  }

  // Shows the text of a link, and returns whether there is one.
  async openLink() {
    if (!location.hash.startsWith(LINK)) return false;
    const text = await linkedText(location.hash);
    history.replaceState(history.state, "", location.pathname + location.search);
    if (text === null) {
      this.say(CUT_OFF);
      return false;
    }
    this.replace(text, "This text comes from a link.", this.doc.length ? this.doc.toString() : draftIn("sessionStorage"));
    return true;
  }

  bind() {
    const actions = {
      UNDO: () => CM.undo(this.view), REDO: () => CM.redo(this.view), "FIX-ALL": () => this.fixAll(), FORMAT: () => this.format(),
      SHARE: () => this.share(), STORE: () => this.store(), OPEN: () => first("#OPEN-FILE", this.root).click(),
    };
    for (const [id, act] of Object.entries(actions)) first(`#${id}`, this.root).addEventListener("click", act);
    const file = first("#OPEN-FILE", this.root);
    file.addEventListener("change", () => {
      this.open(file.files[0]);
      file.value = "";
    });
    for (const link of every("#EXAMPLES a", this.root)) {
      link.addEventListener("click", (event) => this.openExample(event, link));
    }
    const specs = first("#STORED", this.root);
    specs.addEventListener("toggle", () => specs.open && this.listStored());
    for (const menu of every(".popup", this.root)) {
      menu.addEventListener("keydown", (event) => {
        if (event.key !== "Escape") return;
        menu.open = false;
        first("summary", menu).focus();
      });
      document.addEventListener("click", (event) => {
        if (!menu.contains(event.target)) menu.open = false;
      });
    }
    this.form.addEventListener("submit", (event) => this.onSubmit(event));
    for (const type of ["dragenter", "dragover", "dragleave", "drop"]) {
      this.root.addEventListener(type, (event) => this.onDrag(event), true);
    }
    addEventListener("hashchange", () => this.openLink());
    addEventListener("pagehide", () => this.save());
  }

  // Updates --------------------------------------------------------------------------------------------------------------

  onUpdate(update) {
    if (update.docChanged) {
      this.say(null);
      if (this.storedLabel) this.storedLabel.textContent = "Last stored:";
      this.checker.soon();
      this.saveTimer ??= setTimeout(() => this.save(), PAUSE);
      this.updateButtons();
    }
    if (update.docChanged || update.selectionSet) {
      clearTimeout(this.markTimer);
      this.markTimer = setTimeout(() => this.onCursor(), 150);
    }
  }

  updateButtons() {
    first("#UNDO", this.root).disabled = CM.undoDepth(this.view.state) === 0;
    first("#REDO", this.root).disabled = CM.redoDepth(this.view.state) === 0;
  }

  // Shows the block and the fault at the cursor.
  onCursor() {
    const { head } = this.view.state.selection.main;
    const fault = faultsAt(this.view.state, head)[0];
    const message = fault ? `${fault.source} ${fault.message}` : "";
    if (this.fault.textContent !== message) this.fault.textContent = this.fault.title = message;
    if (this.view.dom.dataset.state !== "checked") return;
    if (this.drawn) {
      const { from, to } = spanOf(this.doc, this.drawn);
      const isDrawn = from <= head && head <= to;
      if (!isDrawn && this.asked !== head) this.checker.soon(0);
      this.asked = head;
      if (!isDrawn) return;
    }
    this.panels.mark([...this.view.state.sliceDoc(0, head)].length);
  }

  save() {
    clearTimeout(this.saveTimer);
    this.saveTimer = undefined;
    const text = this.doc.toString();
    if (text === this.example || text === this.saved) return;
    const isKept = keepDraft(text, this.saved ?? this.begun);
    if (isKept) this.saved = text;
    if (isKept || this.warned) return;
    this.warned = true;
    this.say("This browser cannot keep the text: its storage is full or off. Store or share it before you leave.");
  }

  onAnswer(answer) {
    this.panels.update(answer);
    this.drawn = answer?.drawn;
    if (!answer) return this.setStatus("", "");
    const faults = [answer.errors && count(answer.errors, "error"), answer.warnings && count(answer.warnings, "warning")];
    const words = faults.filter(Boolean).join(", ");
    if (answer.isTruncated) this.setStatus("invalid", `${words}, and more`);
    else if (answer.errors) this.setStatus("invalid", words);
    else this.setStatus("valid", ["Valid", words && `with ${words}`, this.excess(), ...answer.totals].filter(Boolean).join(" · "));
    setTimeout(() => this.onCursor()); // when the text counts as checked
  }

  onSlow() {
    this.panels.setStale(true);
    this.setStatus("checking", "Checking…");
  }

  onError(sentence) {
    this.panels.setStale(true);
    this.setStatus("offline", `Not checked: ${sentence} The text is safe in this page.`);
  }

  // By how much the text exceeds the limit of a stored document, in words; "" for a text that does not.
  excess() {
    if (this.doc.length * 3 <= this.maxBytes) return "";
    const size = sizeOf(stored(this.doc));
    return size > this.maxBytes ? `${inWords(size - this.maxBytes)} too long to store` : "";
  }

  onSubmit(event) {
    this.box.value = this.doc.toString();
    const size = sizeOf(this.box.value);
    if (size <= this.maxChecked) return;
    event.preventDefault();
    this.say(`The text has ${inWords(size)}. The limit of a page is ${inWords(this.maxChecked)}.`);
  }

  setStatus(state, text) {
    this.status.dataset.state = state;
    if (this.status.textContent !== text) this.status.textContent = text;
  }

  // Shows a sentence until the next edit, with buttons for what can be done about it; for null, what is kept.
  say(sentence, ...buttons) {
    if (sentence === null) {
      if (this.isSaying) this.note.replaceChildren(...this.kept);
      this.isSaying = false;
      return;
    }
    this.isSaying = true;
    const elements = buttons.map(([label, act]) => {
      const button = create("button", { type: "button", textContent: label });
      button.addEventListener("click", () => {
        this.say(null);
        act();
      });
      return button;
    });
    this.note.replaceChildren(create("span", {}, ...withCode(sentence)), ...elements);
  }

  // Shows elements until others are kept; a sentence may take their place for a while.
  keep(...elements) {
    this.kept = elements;
    this.isSaying = false;
    this.note.replaceChildren(...elements);
  }

  // A button that copies an address.
  copyButton(address) {
    const button = create("button", { type: "button", textContent: "Copy", ariaLabel: `Copy ${address}` });
    button.addEventListener("click", async () => {
      button.textContent = await navigator.clipboard?.writeText(address).then(() => "Copied", () => "Copy") ?? "Copy";
    });
    return button;
  }

  // Lists the last stored specs in their menu.
  listStored() {
    const items = storedSpecs().map(({ viewUrl, title, time }) => create("li", {},
      create("a", { href: this.pathOf(viewUrl), textContent: title || viewUrl }), " ",
      create("span", { className: "quiet", textContent: new Date(time).toLocaleString("en") }), " ", this.copyButton(viewUrl)));
    if (!items.length) items.push(create("li", { className: "quiet", textContent: "The addresses that you store here are listed here." }));
    first("#STORED ul", this.root).replaceChildren(...items);
  }

  // The address of a page of a spec on this site, which may have another name than the configured one.
  pathOf(viewUrl) {
    return `${this.service.home}specs/${viewUrl.split("/").at(-1)}`;
  }

  // Keeps a text that another one replaces, and offers to bring it back.
  offer(sentence, text) {
    this.say(sentence, ["Bring back my last text", () => replaceText(this.view, text)]);
  }

  // Buttons and places -----------------------------------------------------------------------------------------------------

  go(range) {
    const { from, to } = spanOf(this.doc, range);
    select(this.view, from, Math.min(to, this.doc.lineAt(from).to)); // a block is long: only its beginning is selected
  }

  fixAt(range) {
    this.go(range);
    openMenu(this.view, this.service, (sentence) => this.say(sentence));
  }

  async ask(action) {
    let isWaiting = false;
    const timer = setTimeout(() => {
      isWaiting = true;
      this.say("Waiting for the service…");
    }, SLOW);
    if (this.view.dom.dataset.state !== "checked") await this.checker.inTime(); // a later check would cancel the request
    const { doc } = this;
    try {
      const answer = await this.service.ask(action, doc);
      clearTimeout(timer);
      if (isWaiting) this.say(null);
      return [doc, answer];
    } catch (error) {
      clearTimeout(timer);
      this.say(`${error.message} The text is as it was.`);
      return [doc, null];
    }
  }

  async fixAll() {
    const [doc, answer] = await this.ask("fix-all");
    if (!answer) return;
    if (!answer.edits.length) return this.say(answer.left ? "No fault can be fixed without a choice. Use “Fix…” at a fault." : "There is nothing to fix.");
    if (!applyEdits(this.view, doc, answer.edits)) return;
    const left = answer.left ? `${answer.left.toLocaleString("en")}${answer.isTruncated ? " or more" : ""} left.` : "None is left.";
    const revealed = answer.revealed ? `${count(answer.revealed, "fault")} came to light that these had hidden. ` : "";
    this.say(`${count(answer.fixed, "fault")} fixed. ${revealed}${left}`);
  }

  async convert() {
    const [doc, answer] = await this.ask("convert");
    if (!answer || this.doc !== doc) return;
    if (answer.reason) return this.say(answer.reason);
    this.replace(answer.text, "");
  }

  async format() {
    const [doc, answer] = await this.ask("format");
    if (!answer) return;
    if (answer.reason) {
      select(this.view, offsetOf(doc, ...answer.at), offsetOf(doc, ...answer.at));
      return this.say(`The text cannot be formatted yet. ${answer.reason}`);
    }
    applyEdits(this.view, doc, answer.edits);
    this.say(answer.edits.length ? "Formatted." : "The text is formatted already.");
  }

  async share() {
    const { doc } = this;
    if (doc.length > MAX_LINKED) {
      return this.say(`The text is too long for a link. It has ${inWords(sizeOf(doc.toString()))}; the limit is ${inWords(MAX_LINKED)}.`);
    }
    const link = await linkTo(doc.toString());
    if (this.doc !== doc) return;
    const length = link.length > LONG_LINK ? ` It has ${link.length.toLocaleString("en")} characters: some programs cut it off.` : "";
    const field = create("input", { readOnly: true, value: link, ariaLabel: "Link" });
    this.say(`The link carries the text itself; the service stores nothing.${length}`);
    this.note.append(field, this.copyButton(link));
    field.select();
  }

  async store() {
    if (this.isStoring) return this.say("The document is being stored.");
    const before = this.kept;
    this.isStoring = true;
    this.keep(create("span", { textContent: "Storing…" }));
    const problem = await this.tryToStore();
    this.isStoring = false;
    if (!problem) return;
    this.keep(...before);
    this.say(problem);
  }

  // Stores the text and shows its address. Returns a sentence if it is not stored.
  async tryToStore() {
    const answer = await this.checker.inTime();
    const { doc } = this;
    if (this.view.dom.dataset.state !== "checked" || answer === undefined) {
      return "The document is not stored, because it could not be checked. It is still in the editor; try again soon.";
    }
    if (!answer) return "There is nothing in the editor yet.";
    if (answer.errors) {
      this.panels.show("faults");
      return `The document is not stored, because it has ${count(answer.errors, "error")}. It is still in the editor.`;
    }
    const excess = this.excess();
    if (excess) {
      return `The document is ${excess}. The limit is ${inWords(this.maxBytes)} without white space. It is still in the editor.`;
    }
    const timer = setTimeout(() => this.keep(create("span", { textContent: "Storing… The service has not answered yet." })), LATE);
    try {
      const { viewUrl } = await this.service.store(doc);
      this.onStored(viewUrl, JSON.parse(doc.toString()).meta?.title);
      if (this.doc !== doc) this.storedLabel.textContent = "Last stored:";
      return "";
    } catch (error) {
      const isStored = error.isAnswered ? "The document is not stored." : "It is not known whether the document is stored.";
      return `${isStored} ${error.message} It is still in the editor.`;
    } finally {
      clearTimeout(timer);
    }
  }

  onStored(viewUrl, title) {
    const link = create("a", { href: this.pathOf(viewUrl), textContent: viewUrl });
    this.storedLabel = create("span", { textContent: "Stored:" });
    this.keep(this.storedLabel, link, this.copyButton(viewUrl));
    keepStored({ viewUrl, title: typeof title === "string" ? title.slice(0, 80) : "", time: Date.now() });
  }

  async openExample(event, link) {
    event.preventDefault();
    link.closest("details").open = false;
    try {
      this.replace(await this.service.textAt(link.href), `${link.textContent}.`);
    } catch (error) {
      this.say(error.message);
    }
  }

  // Files are opened; CodeMirror would insert their text. Dragged text is left to it.
  onDrag(event) {
    if (!event.dataTransfer.types.includes("Files")) return;
    event.preventDefault();
    event.stopPropagation();
    first(".panes", this.root).classList.toggle("over", ["dragenter", "dragover"].includes(event.type));
    if (event.type === "drop") this.open(event.dataTransfer.files[0]);
  }

  async open(file) {
    if (!file) return;
    if (file.size > MAX_FILE) {
      return this.say(`${file.name} has ${inWords(file.size)}. The limit of a stored document is ${inWords(this.maxBytes)}.`);
    }
    this.replace(await file.text(), `${file.name} is open.`);
  }

  replace(text, sentence, last = this.doc.toString()) {
    replaceText(this.view, text);
    this.view.focus();
    if (last.trim() && last !== text && last !== this.example) this.offer(sentence, last);
    else this.say(sentence);
  }
}

async function start() {
  const box = first("#RUI");
  const styles = new CSSStyleSheet();
  styles.replaceSync(await (await fetch(new URL("editor.css", import.meta.url))).text());
  const root = first("#PLAYGROUND").content.firstElementChild.cloneNode(true);
  box.form.after(root);
  document.body.classList.add("with-editor");
  try {
    root.playground = new Playground(box, root, styles);
  } catch (error) {
    root.remove();
    document.body.classList.remove("with-editor");
    throw error; // The form stays.
  }
  const notice = first("#RESULT .note")?.textContent;
  first("#RESULT").remove();
  box.form.hidden = true;
  root.playground.begin().then(() => notice && root.playground.say(notice));
}

start();
