// This part: the parts together.

// The property that names a replaced spec, with one comma.
const REPLACES = /"replaces"\s*:\s*"[0-9a-f-]{36}"\s*,\s*|\s*,\s*"replaces"\s*:\s*"[0-9a-f-]{36}"/;

class Playground {
  constructor(box, root, styles) {
    Object.assign(this, { box, root, form: box.form, kept: [], isSaying: false });
    Object.assign(this, { status: first("#STATUS", root), fault: first("#FAULT", root), note: first("#NOTE", root) });
    this.maxBytes = Number(root.dataset.maxBytes);
    this.maxChecked = Number(root.dataset.maxChecked);
    this.example = first("#EXAMPLE", root).value;
    this.examples = new Set([this.example]); // texts that the service has, too
    this.drafts = new Drafts();
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
    const own = this.drafts.own();
    const [last] = this.drafts.all();
    const sent = this.box.value;
    const hasLink = packedIn(location.hash, LINK) !== null;
    const isFromService = location.search !== ""; // an example, or the copy or new version of a stored spec
    if (isFromService) this.examples.add(sent);
    if (own?.isExample) this.examples.add(own.text);
    if (await this.openLink(own)) return;
    if (sent.trim() && !(returns && own?.text.trim())) {
      replaceText(this.view, sent);
      if (own?.text === sent) this.drafts.continue(own);
      if (!sent.includes("\n")) await this.format();
      if (isFromService) this.examples.add(this.doc.toString());
      if (own) this.offer("", own);
    } else if (own) {
      replaceText(this.view, own.text);
      this.drafts.continue(own);
      if (own.text === this.example) this.sayExample();
      else if (!own.text.trim() && last) this.offer("", last);
    } else if (last) {
      replaceText(this.view, last.text);
      this.drafts.continue(last);
      this.say("This is your last text.", ["Start empty", () => this.replace("", "")]);
    } else {
      replaceText(this.view, this.example);
      this.sayExample();
    }
    this.begun = this.doc.toString();
    this.showVersion();
    if (!this.doc.length) this.checker.soon(0);
    if (hasLink) this.say(CUT_OFF);
  }

  sayExample() {
    this.say("This is an example.", ["Start from this", () => this.view.focus()], ["Start empty", () => this.replace("", "")]);
  }

  // Says that the text is a new version, until it is stored.
  showVersion() {
    if (!first(".version-note", this.form) || !REPLACES.test(this.begun)) return;
    const button = create("button", { type: "button", textContent: "Remove it" });
    button.addEventListener("click", () => {
      const match = REPLACES.exec(this.doc.toString());
      if (match) this.view.dispatch({ changes: { from: match.index, to: match.index + match[0].length }, userEvent: "delete" });
      this.keep();
      this.view.focus();
    });
    this.kept = [create("span", {}, ...withCode("A new version: `meta.replaces` is set.")), button];
    if (this.isSaying) this.note.prepend(...this.kept);
    else this.keep(...this.kept);
  }

  // Shows the text of a link, and returns whether there is one. `own` is the text of this tab, if it is not shown yet.
  async openLink(own) {
    const code = packedIn(location.hash, LINK);
    if (code === null) return false;
    const text = await unpacked(code);
    history.replaceState(history.state, "", location.pathname + location.search);
    if (text === null) {
      this.say(CUT_OFF);
      return false;
    }
    this.replace(text, "This text comes from a link.", own ?? undefined);
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
      this.open([...file.files]);
      file.value = "";
    });
    for (const link of every("#EXAMPLES a", this.root)) {
      link.addEventListener("click", (event) => this.openExample(event, link));
    }
    for (const [id, list] of [["EARLIER", () => this.listEarlier()], ["STORED", () => this.listStored()]]) {
      const menu = first(`#${id}`, this.root);
      menu.addEventListener("toggle", () => first("ul", menu).replaceChildren(...(menu.open ? list() : [])));
    }
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
      document.addEventListener(type, (event) => this.onDrag(event), true);
    }
    this.root.addEventListener("paste", (event) => this.onPaste(event), true);
    document.addEventListener("paste", (event) => !this.root.contains(event.target) && !isField(event.target) && this.onPaste(event));
    addEventListener("hashchange", () => this.openLink());
    addEventListener("pagehide", () => this.save());
    document.addEventListener("visibilitychange", () => document.hidden && this.save()); // phones end hidden pages
    addEventListener("pageshow", (event) => event.persisted && this.save()); // this tab may have shown another text since
  }

  // Updates --------------------------------------------------------------------------------------------------------------

  onUpdate(update) {
    if (update.docChanged) {
      this.say(null);
      if (this.storedLabel) this.storedLabel.textContent = "Last stored:";
      if (replacesAll(update)) this.onReplaced(update);
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
    const before = this.view.state.sliceDoc(0, head);
    this.panels.mark(before.length - (before.match(/[\ud800-\udbff][\udc00-\udfff]/g)?.length ?? 0)); // in code points
  }

  // Another text begins, unless it is an earlier one that Undo or Redo brings back.
  onReplaced({ startState, transactions }) {
    if (startState.doc.length) this.save(startState.doc.toString());
    this.drafts.forget();
    if (!transactions.some((it) => it.isUserEvent("undo") || it.isUserEvent("redo"))) return;
    const text = this.doc.toString();
    const earlier = this.drafts.all().find((draft) => draft.text === text);
    if (earlier) this.drafts.bringBack(earlier);
  }

  save(text = this.doc.toString()) {
    clearTimeout(this.saveTimer);
    this.saveTimer = undefined;
    const unkept = first("#UNKEPT", this.root);
    const wasKept = unkept.hidden;
    unkept.hidden = this.drafts.keep(text, this.examples.has(text));
    if (unkept.hidden || !wasKept) return;
    const reason = text.length > MAX_LENGTH ? "it is too long. Copy it" : "its storage is full or off. Store, share or copy it";
    const sentence = `This browser cannot keep the text: ${reason} before you leave.`;
    if (this.isSaying) this.note.append(create("span", { textContent: sentence }));
    else this.say(sentence);
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

  // The last stored specs, for their menu.
  listStored() {
    const items = storedSpecs().map(({ viewUrl, title, time }) => create("li", {},
      create("a", { href: this.pathOf(viewUrl), textContent: title || viewUrl }), " ", dateOf(time), " ",
      createCopyButton(viewUrl, async () => viewUrl)));
    return items.length ? items : [emptyItem("The addresses that you store here are listed here.")];
  }

  // The texts that this browser keeps besides the one in the editor, for their menu.
  listEarlier() {
    const drafts = new Map(); // by text, as two tabs may have the same
    for (const draft of this.drafts.all().reverse()) drafts.set(draft.text, draft);
    drafts.delete(this.doc.toString());
    const items = [...drafts.values()].reverse().map((draft) => {
      const button = create("button", { type: "button", textContent: titleOf(draft.text) });
      button.addEventListener("click", () => {
        first("#EARLIER", this.root).open = false;
        this.bringBack(draft);
      });
      return create("li", {}, button, " ", dateOf(draft.time));
    });
    return items.length ? items : [emptyItem("Texts that you replace, and those of other tabs, are listed here.")];
  }

  // The address of a page of a spec on this site, which may have another name than the configured one.
  pathOf(viewUrl) {
    return `${this.service.home}specs/${viewUrl.split("/").at(-1)}`;
  }

  // Says a sentence, and offers to bring back a text that is not shown, unless the service has it.
  offer(sentence, last) {
    const isGone = last.text.trim() && last.text !== this.doc.toString() && !this.examples.has(last.text);
    this.say(sentence, ...(isGone ? [["Bring back my last text", () => this.bringBack(last)]] : []));
  }

  bringBack(draft) {
    this.replace(draft.text, "");
    this.drafts.bringBack(draft);
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
    if (!answer.edits.length) return this.say(answer.note || (answer.left ? "No fault can be fixed without a choice. Use “Fix…” at a fault." : "There is nothing to fix."));
    if (!applyEdits(this.view, doc, answer.edits)) return;
    const left = answer.left ? `${answer.left.toLocaleString("en")}${answer.isTruncated ? " or more" : ""} left.` : "None is left.";
    const revealed = answer.revealed ? `${count(answer.revealed, "fault")} came to light that these had hidden. ` : "";
    this.say(`${count(answer.fixed, "fault")} fixed. ${revealed}${left} ${answer.note}`.trim());
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
    const link = `${location.origin}${location.pathname}${await packed(LINK, doc.toString())}`;
    if (this.doc !== doc) return;
    const length = link.length > LONG_LINK ? ` It has ${link.length.toLocaleString("en")} characters: some programs cut it off.` : "";
    const field = create("input", { readOnly: true, value: link, ariaLabel: "Link" });
    this.say(`The link carries the text itself; the service stores nothing.${length}`);
    this.note.append(field, createCopyButton("the link", async () => link, field));
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
    if (this.lastStored?.text === stored(doc)) {
      this.onStored(doc, this.lastStored.viewUrl);
      return "";
    }
    const excess = this.excess();
    if (excess) {
      return `The document is ${excess}. The limit is ${inWords(this.maxBytes)} without white space. It is still in the editor.`;
    }
    const timer = setTimeout(() => this.keep(create("span", { textContent: "Storing… The service has not answered yet." })), LATE);
    try {
      const { viewUrl } = await this.service.store(doc);
      this.onStored(doc, viewUrl);
      const title = JSON.parse(doc.toString()).meta?.title;
      keepStored({ viewUrl, title: typeof title === "string" ? title.slice(0, 80) : "", time: Date.now() });
      if (this.doc !== doc) this.storedLabel.textContent = "Last stored:";
      return "";
    } catch (error) {
      const isStored = error.isRefused ? "The document is not stored." : "It is not known whether the document is stored.";
      return `${isStored} ${error.message} It is still in the editor.`;
    } finally {
      clearTimeout(timer);
    }
  }

  // Says where the text is stored, also if it was stored already.
  onStored(doc, viewUrl) {
    const isAgain = this.lastStored?.viewUrl === viewUrl;
    this.lastStored = { text: stored(doc), viewUrl };
    const link = create("a", { href: this.pathOf(viewUrl), textContent: viewUrl });
    this.storedLabel = create("span", { textContent: isAgain ? "Stored already:" : "Stored:" });
    this.keep(this.storedLabel, link, createCopyButton(viewUrl, async () => viewUrl));
  }

  async openExample(event, link) {
    event.preventDefault();
    link.closest("details").open = false;
    try {
      const text = await this.service.textAt(link.href);
      this.examples.add(text);
      this.replace(text, `${link.textContent}.`);
    } catch (error) {
      this.say(error.message);
    }
  }

  // Files are opened; CodeMirror would insert their text, and the browser leave the page. Dragged text is left to CodeMirror.
  onDrag(event) {
    const { types, items, files } = event.dataTransfer;
    if (!types.includes("Files")) return;
    event.preventDefault();
    event.stopPropagation();
    first(".panes", this.root).classList.toggle("over", ["dragenter", "dragover"].includes(event.type));
    if (event.type !== "drop") return;
    if ([...items].some((item) => item.webkitGetAsEntry()?.isDirectory)) this.say("This is a folder. Drop a file.");
    else this.open([...files]);
  }

  // A document that is pasted takes the place of an example that nobody has changed; it would be inserted in the middle of that.
  onPaste(event) {
    const { types, files } = event.clipboardData;
    const text = event.clipboardData.getData("text/plain");
    if (this.isDocumentForExample(text) && !isField(event.composedPath()[0])) {
      event.preventDefault();
      event.stopPropagation();
      this.replace(text, "");
      return;
    }
    if (!files.length || types.includes("text/plain")) return;
    event.preventDefault();
    event.stopPropagation();
    this.open([...files]);
  }

  isDocumentForExample(text) {
    const { from, to } = this.view.state.selection.main;
    const isExample = this.examples.has(this.doc.toString()) || !this.doc.length;
    return isExample && to - from < Math.max(this.doc.length, 1) && /\bpages\b/.test(text);
  }

  async open(files) {
    if (!files.length) return;
    if (files.length > 1) return this.say(`These are ${files.length} files. Open one of them.`);
    try {
      const [text, sentence] = await readFile(files[0], `The limit of a stored document is ${inWords(this.maxBytes)}.`);
      this.replace(text, sentence);
    } catch (error) {
      if (!(error instanceof FileError)) throw error;
      this.say(error.message);
    }
  }

  // Shows another text, and offers to bring back the last one.
  replace(text, sentence, last) {
    this.save();
    const replaced = last ?? { name: this.drafts.name, text: this.doc.toString() };
    if (text !== this.doc.toString()) replaceText(this.view, text);
    this.view.focus();
    this.offer(sentence, replaced);
  }
}

function isField(element) {
  return element instanceof Element && element.matches("input, textarea");
}

function dateOf(time) {
  return create("span", { className: "quiet", textContent: new Date(time).toLocaleString("en") });
}

function emptyItem(sentence) {
  return create("li", { className: "quiet", textContent: sentence });
}

// What the editor needs besides modules: what the oldest browsers that are supported have (docs/decisions.md, section 8), and
// copy.js, which is loaded with every page.
const NEEDED = [
  () => AbortSignal.any, () => AbortSignal.timeout, () => CompressionStream, () => DecompressionStream,
  () => Array.prototype.findLast, () => "ariaLabel" in Element.prototype, () => "adoptedStyleSheets" in document,
  () => CSS.supports("selector(&)"), () => createCopyButton, () => packed,
];

function isSupported() {
  try {
    return NEEDED.every((isThere) => isThere());
  } catch {
    return false; // A name that the browser does not have.
  }
}

async function start() {
  if (!isSupported()) return; // The form stays.
  const box = first("#RUI");
  const styles = new CSSStyleSheet();
  const response = await fetch(new URL("editor.css", import.meta.url));
  if (!response.ok) throw new Error(`editor.css: ${response.status}`);
  styles.replaceSync(await response.text());
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
  const file = first("#FILE");
  first("#RESULT").remove();
  box.form.hidden = true;
  file.remove(); // The form would send it in place of the text.
  root.playground.begin().then(() => {
    if (notice) root.playground.say(notice);
    root.playground.open([...file.files]);
  });
}

start();
