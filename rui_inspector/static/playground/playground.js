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
const SPACES = /("(?:[^"\\\n]|\\.)*")|\s+/g;

// A failed request, with a sentence for the reader.
class ServiceError extends Error {}

class Service {
  constructor(home) {
    this.home = home;
  }

  // The answer to a question about a text, such as "check".
  async ask(action, doc, { from = 0, to = from, signal } = {}) {
    const query = `from=${position(doc, from)}&to=${position(doc, to)}`;
    return this.send(`${this.home}playground/${action}?${query}`, doc.toString(), signal);
  }

  // Stores a text without the white space between its tokens: the limit of a document applies to what is sent.
  async store(doc) {
    return this.send(`${this.home}api/specs`, doc.toString().replace(SPACES, "$1"));
  }

  async send(url, body, signal) {
    let response;
    try {
      response = await fetch(url, { method: "POST", body, signal, headers: { "content-type": "application/json" } });
    } catch (error) {
      if (error.name === "AbortError") throw error;
      throw new ServiceError(OFFLINE);
    }
    const answer = await response.json().catch(() => null);
    if (response.ok && answer) return answer;
    throw new ServiceError(answer?.errors?.[0]?.hint ?? answer?.message ?? OFFLINE);
  }

  // The text in the form of the page at a URL of this site, such as that of an example.
  async textAt(url) {
    const response = await fetch(url).catch(() => null);
    if (!response?.ok) throw new ServiceError(OFFLINE);
    return first("#RUI", new DOMParser().parseFromString(await response.text(), "text/html")).value;
  }
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
const DRAFT = "rui-draft";
const LINK = "#rui=";
const MAX_LINKED = 1_000_000;

function draftIn(name) {
  try {
    return globalThis[name].getItem(DRAFT) ?? "";
  } catch {
    return ""; // Storage is off.
  }
}

// Returns whether the browser has kept a text.
function keepDraft(text, names = ["sessionStorage", "localStorage"]) {
  try {
    for (const name of names) globalThis[name].setItem(DRAFT, text);
    return true;
  } catch {
    return false;
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
    { key: "F8", run: CM.nextDiagnostic }, { key: "Shift-F8", run: CM.previousDiagnostic },
  ];
  const basics = [
    CM.lintGutter(), CM.lineNumbers(), CM.foldGutter({ openText: "▾", closedText: "▸" }), CM.highlightActiveLine(),
    CM.highlightActiveLineGutter(), CM.highlightSpecialChars(), CM.history(), CM.indentOnInput(), CM.indentUnit.of("  "),
    EditorState.tabSize.of(2), CM.bracketMatching(), CM.closeBrackets(), CM.search({ top: true }), CM.json(),
    CM.syntaxHighlighting(colors), CM.placeholder('{ "version": "0.1", … }'),
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

function select(view, from, to) {
  view.dispatch({ selection: { anchor: from, head: to }, effects: EditorView.scrollIntoView(from, { y: "center", x: "center" }) });
  view.focus();
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
    const faults = [];
    CM.forEachDiagnostic(view.state, (fault, from, to) => {
      if (from <= offset && offset <= to) faults.push({ ...fault, from, to });
    });
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
    return transaction.docChanged ? null : menu;
  },
  provide: (field) => CM.showTooltip.from(field),
});

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
  // `go` and `fix` get the four numbers of a range.
  constructor(root, go, fix) {
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
    first("#TAB-faults .number", this.root).textContent = total ? total.toLocaleString("en") : "";
    if (this.html === answer?.tabs) return;
    this.html = answer?.tabs;
    if (!answer) return this.tabs.forEach((tab) => this.panel(tab.dataset.tab).replaceChildren());
    for (const section of parse(answer.tabs)) {
      if (section.dataset) this.panel(section.dataset.tab).replaceChildren(...section.childNodes);
    }
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

// Asks the service about the newest text, one question at a time.
class Checker {
  constructor(view, service, onAnswer, onError) {
    Object.assign(this, { view, service, onAnswer, onError });
    this.retry = RETRY_FIRST;
    addEventListener("online", () => this.soon(0));
  }

  soon(wait = PAUSE) {
    this.view.dom.dataset.state = "changed";
    this.abort?.abort();
    clearTimeout(this.timer);
    this.timer = setTimeout(() => this.now(), wait);
  }

  // Checks the text and returns the answer; undefined if the service does not respond, or the text has changed.
  async now() {
    this.abort?.abort();
    clearTimeout(this.timer);
    this.abort = new AbortController();
    const { doc } = this.view.state;
    let answer = null;
    try {
      if (doc.toString().trim()) answer = await this.service.ask("check", doc, { signal: this.abort.signal });
    } catch (error) {
      if (error.name === "AbortError") return undefined;
      this.onError(error.message);
      this.timer = setTimeout(() => this.now(), this.retry);
      this.retry = Math.min(this.retry * 2, RETRY_LAST);
      return undefined;
    }
    if (this.view.state.doc !== doc) return undefined;
    this.retry = RETRY_FIRST;
    this.mark(doc, answer?.diagnostics ?? []);
    this.onAnswer(answer);
    this.view.dom.dataset.state = "checked";
    return answer;
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
    Object.assign(this, { box, root, form: box.form, status: first("#STATUS", root), note: first("#NOTE", root) });
    this.example = first("#EXAMPLE", root).value;
    this.service = new Service(this.form.getAttribute("action"));
    const say = (sentence) => this.say(sentence);
    const menu = { key: "Mod-.", run: (view) => openMenu(view, this.service, say) && true };
    const extensions = [
      completion(this.service), hover(this.service), menuField, CM.Prec.high(CM.keymap.of([menu])),
      CM.linter(null, { tooltipFilter: () => [] }),
    ];
    this.view = createEditor(first("#EDITOR", root), styles, (update) => this.onUpdate(update), extensions);
    this.checker = new Checker(this.view, this.service, (answer) => this.onAnswer(answer), (error) => this.onError(error));
    this.panels = new Panels(root, (range) => this.go(range), (range) => this.fixAt(range));
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
      this.say("This is your last text.", ["Start empty", () => replaceText(this.view, "")]);
    } else {
      replaceText(this.view, this.example);
      this.say("This is an example.", ["Start from this", () => this.view.focus()], ["Start empty", () => replaceText(this.view, "")]);
    }
    if (!this.doc.length) this.checker.soon(0);
    if (hasLink) this.say(CUT_OFF);
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
    const menu = first(".examples-menu", this.root);
    for (const link of every("a", menu)) link.addEventListener("click", (event) => this.openExample(event, link));
    menu.addEventListener("keydown", (event) => {
      if (event.key !== "Escape") return;
      menu.open = false;
      first("summary", menu).focus();
    });
    document.addEventListener("click", (event) => {
      if (!menu.contains(event.target)) menu.open = false;
    });
    this.form.addEventListener("submit", () => (this.box.value = this.doc.toString()));
    for (const type of ["dragenter", "dragover", "dragleave", "drop"]) {
      this.root.addEventListener(type, (event) => this.onDrag(event), true);
    }
    addEventListener("hashchange", () => this.openLink());
    addEventListener("pagehide", () => this.save());
  }

  // Updates --------------------------------------------------------------------------------------------------------------

  onUpdate(update) {
    if (update.docChanged) {
      this.note.replaceChildren();
      this.checker.soon();
      this.saveTimer ??= setTimeout(() => this.save(), PAUSE);
      this.updateButtons();
    }
    if (update.docChanged || update.selectionSet) {
      clearTimeout(this.markTimer);
      this.markTimer = setTimeout(() => this.markBlock(), 150);
    }
  }

  updateButtons() {
    first("#UNDO", this.root).disabled = CM.undoDepth(this.view.state) === 0;
    first("#REDO", this.root).disabled = CM.redoDepth(this.view.state) === 0;
  }

  markBlock() {
    if (this.view.dom.dataset.state !== "checked") return;
    this.panels.mark([...this.view.state.sliceDoc(0, this.view.state.selection.main.head)].length);
  }

  save() {
    clearTimeout(this.saveTimer);
    this.saveTimer = undefined;
    const text = this.doc.toString();
    if (text === this.example || keepDraft(text) || this.warned) return;
    this.warned = true;
    this.say("This browser cannot keep the text: its storage is full or off. Store or share it before you leave.");
  }

  onAnswer(answer) {
    this.panels.update(answer);
    if (!answer) return this.setStatus("", "");
    const faults = [answer.errors && count(answer.errors, "error"), answer.warnings && count(answer.warnings, "warning")];
    const words = faults.filter(Boolean).join(", ");
    if (answer.isTruncated) this.setStatus("invalid", `${words}, and more`);
    else if (answer.errors) this.setStatus("invalid", words);
    else this.setStatus("valid", ["Valid", words && `with ${words}`, ...answer.totals].filter(Boolean).join(" · "));
    return this.markBlock();
  }

  onError(sentence) {
    this.setStatus("offline", `${sentence} The text is safe in this page, and is checked again soon.`);
  }

  setStatus(state, text) {
    this.status.dataset.state = state;
    if (this.status.textContent !== text) this.status.textContent = text;
  }

  // Shows a sentence until the next edit, with buttons for what can be done about it.
  say(sentence, ...buttons) {
    this.note.replaceChildren(create("span", {}, ...withCode(sentence)));
    for (const [label, act] of buttons) {
      const button = create("button", { type: "button", textContent: label });
      button.addEventListener("click", () => {
        this.note.replaceChildren();
        act();
      });
      this.note.append(" ", button);
    }
  }

  // Shows a sentence and an address with a button that copies it.
  sayAddress(sentence, address, element) {
    this.say(sentence);
    const button = create("button", { type: "button", textContent: "Copy" });
    button.addEventListener("click", async () => {
      button.textContent = await navigator.clipboard?.writeText(address).then(() => "Copied", () => "Copy") ?? "Copy";
    });
    this.note.append(" ", element, " ", button);
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
    if (this.view.dom.dataset.state !== "checked") await this.checker.now(); // a later check would cancel the request
    const { doc } = this;
    try {
      return [doc, await this.service.ask(action, doc)];
    } catch (error) {
      this.say(error.message);
      return [doc, null];
    }
  }

  async fixAll() {
    const [doc, answer] = await this.ask("fix-all");
    if (!answer) return;
    if (!answer.edits.length) return this.say(answer.left ? "No fault can be fixed without a choice. Use “Fix…” at a fault." : "There is nothing to fix.");
    if (!applyEdits(this.view, doc, answer.edits)) return;
    this.say(`${count(answer.fixed, "fault")} fixed. ${answer.left ? `${answer.left.toLocaleString("en")} left.` : "None is left."}`);
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
    const link = await linkTo(doc.toString());
    if (this.doc !== doc) return;
    const length = link.length > LONG_LINK ? ` It has ${link.length.toLocaleString("en")} characters: some programs cut it off.` : "";
    const field = create("input", { readOnly: true, value: link, ariaLabel: "Link" });
    this.sayAddress(`The link carries the text itself; the service stores nothing.${length}`, link, field);
    field.select();
  }

  async store() {
    const answer = await this.checker.now();
    if (this.view.dom.dataset.state !== "checked") {
      return this.say("The document is not stored, because it could not be checked. It is still in the editor; try again soon.");
    }
    if (!answer) return this.say("There is nothing in the editor yet.");
    if (answer.errors) {
      this.panels.show("faults");
      return this.say(`The document is not stored, because it has ${count(answer.errors, "error")}. It is still in the editor.`);
    }
    const { doc } = this;
    try {
      const spec = await this.service.store(doc);
      if (this.doc !== doc) return undefined;
      return this.sayAddress("Stored:", spec.viewUrl, create("a", { href: `${this.service.home}specs/${spec.specId}`, textContent: spec.viewUrl }));
    } catch (error) {
      return this.say(`The document is not stored. ${error.message} It is still in the editor.`);
    }
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
    if (file.size > MAX_FILE) return this.say(`${file.name} is too long to be a document. The limit of a stored document is 256 KB.`);
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
