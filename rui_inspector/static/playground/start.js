// Brings the parts together: checks while the author types, the toolbar, drafts, links, files.

const PAUSE = 250; // milliseconds without a key before a check
const SAVE_EVERY = 250;
const RETRY_FIRST = 2_000;
const RETRY_LAST = 30_000;
const MAX_FILE = 2_000_000;
const LONG_LINK = 8_000;

// Asks the service about the newest text, one question at a time.
class Checker {
  constructor(view, service, onAnswer, onError) {
    Object.assign(this, { view, service, onAnswer, onError });
    this.retry = RETRY_FIRST;
    this.timer = 0;
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
    const { signal } = this.abort;
    let answer = null;
    try {
      if (doc.toString().trim()) answer = await this.service.ask("check", doc, { signal });
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
  constructor(box, root) {
    this.box = box;
    this.root = root;
    this.form = box.form;
    this.draft = new Draft();
    this.service = new Service(this.form.getAttribute("action"), newId());
    this.status = first("#STATUS", root);
    this.note = first("#NOTE", root);
    this.serverText = box.defaultValue;
    const say = (sentence) => this.say(sentence);
    const extensions = [...assistance(this.service, say), CM.linter(null, { tooltipFilter: () => [] })];
    this.view = createEditor(first("#EDITOR", root), this.firstText(), (update) => this.onUpdate(update), extensions);
    this.checker = new Checker(this.view, this.service, (answer) => this.onAnswer(answer), (error) => this.onError(error));
    this.panels = new Panels(root, (range) => this.go(range), (range) => this.fixAt(range));
    this.panels.clear();
    this.bind();
    this.updateButtons();
    this.checker.soon(0);
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

  // The own text of this tab after reload and Back, else the text that the service has sent, else the own text.
  firstText() {
    const [navigation] = performance.getEntriesByType("navigation");
    const returns = ["reload", "back_forward"].includes(navigation?.type);
    const own = this.draft.text ?? "";
    if (this.box.value !== this.serverText) return this.box.value; // typed before the editor was here
    if (!this.serverText.trim() || (returns && own.trim())) return own;
    if (own.trim() && own !== this.serverText) this.offer(own);
    return this.serverText;
  }

  async begin() {
    await this.draft.claim();
    if (this.doc.length) this.save();
    const text = await linkedText(location.hash);
    if (text !== null) {
      history.replaceState(history.state, "", location.pathname + location.search);
      if (this.doc.length && this.doc.toString() !== text) this.offer(this.doc.toString());
      replaceText(this.view, text);
      this.say("This text comes from a link.");
    } else if (location.hash.startsWith(LINK)) {
      this.say("The link is not complete, so its text cannot be read. Ask for it again, or for the file.");
    } else if (!this.doc.length) {
      await this.recover();
    }
  }

  // The text of a tab that was closed or has crashed.
  async recover() {
    const [copy] = await this.draft.lost();
    if (!copy?.text || this.doc.length) return;
    if (!navigator.locks) return this.offer(copy.text);
    this.draft.remove(copy.key);
    replaceText(this.view, copy.text);
    this.say("This is your last text.", ["Start empty", () => replaceText(this.view, "")]);
  }

  // Keeps a text that another one replaces, and offers to bring it back.
  offer(text) {
    this.draft.setAside(text);
    this.say("", ["Bring back my last text", () => replaceText(this.view, text)]);
  }

  bind() {
    const actions = {
      UNDO: () => CM.undo(this.view),
      REDO: () => CM.redo(this.view),
      "FIX-ALL": () => this.fixAll(),
      FORMAT: () => this.format(),
      SHARE: () => this.share(),
      STORE: () => this.store(),
      OPEN: () => first("#OPEN-FILE", this.root).click(),
    };
    for (const [id, act] of Object.entries(actions)) first(`#${id}`, this.root).addEventListener("click", act);
    const file = first("#OPEN-FILE", this.root);
    file.addEventListener("change", () => {
      this.open(file.files[0]);
      file.value = "";
    });
    for (const link of every(".menu a", this.root)) link.addEventListener("click", (event) => this.example(event, link));
    const menu = first(".menu", this.root);
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
    addEventListener("pagehide", () => this.save());
    document.addEventListener("visibilitychange", () => document.hidden && this.save());
  }

  // Updates --------------------------------------------------------------------------------------------------------------

  onUpdate(update) {
    if (update.docChanged) {
      this.checker.soon();
      this.saveTimer ??= setTimeout(() => this.save(), SAVE_EVERY);
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
    const before = this.view.state.sliceDoc(0, this.view.state.selection.main.head);
    this.panels.mark([...before].length);
  }

  save() {
    clearTimeout(this.saveTimer);
    this.saveTimer = undefined;
    const isKept = this.draft.save(this.doc.toString());
    if (!isKept && !this.warned) {
      this.warned = true;
      this.say("This browser cannot keep the text: its storage is full or off. Store or share it before you leave.");
    }
  }

  onAnswer(answer) {
    if (answer === null) {
      this.panels.clear();
      this.setStatus("", "");
      return;
    }
    this.panels.update(answer);
    const faults = [answer.errors && count(answer.errors, "error"), answer.warnings && count(answer.warnings, "warning")];
    const words = faults.filter(Boolean).join(", ");
    if (answer.isTruncated) this.setStatus("invalid", `${words}, and more`);
    else if (answer.errors) this.setStatus("invalid", words);
    else this.setStatus("valid", ["Valid", words && `with ${words}`, ...answer.totals].filter(Boolean).join(" · "));
    this.markBlock();
  }

  onError(sentence) {
    this.setStatus("offline", `${sentence} The text is safe in this page, and is checked again soon.`);
  }

  setStatus(state, text) {
    this.status.dataset.state = state;
    if (this.status.textContent !== text) this.status.textContent = text;
  }

  // Shows a sentence, and buttons for what can be done about it.
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

  // Places ---------------------------------------------------------------------------------------------------------------

  go(range) {
    const { from, to } = spanOf(this.doc, range);
    // A block is long: only its beginning is selected.
    select(this.view, from, Math.min(to, this.doc.lineAt(from).to));
  }

  fixAt(range) {
    this.go(range);
    openMenu(this.view, this.service, (sentence) => this.say(sentence));
  }

  // Buttons --------------------------------------------------------------------------------------------------------------

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
    const left = answer.left ? `${answer.left.toLocaleString("en")} left.` : "None is left.";
    this.say(`${count(answer.fixed, "fault")} fixed. ${left}`);
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
    const link = await linkTo(this.doc.toString());
    this.say("The link carries the text itself; the service stores nothing.");
    if (link.length > LONG_LINK) {
      this.say(`The link carries the text itself and has ${link.length.toLocaleString("en")} characters: some programs cut it off. Store the document for a short address.`);
    }
    const field = create("input", { readOnly: true, value: link, ariaLabel: "Link" });
    this.note.append(" ", field);
    field.select();
    const isCopied = await navigator.clipboard?.writeText(link).then(() => true, () => false);
    if (isCopied) this.note.append(" Copied.");
    else field.focus();
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
    this.save();
    try {
      const { specId } = await this.service.store(this.doc);
      location.href = `${this.service.home}specs/${specId}`;
    } catch (error) {
      this.say(`The document is not stored. ${error.message} It is still in the editor.`);
    }
  }

  async example(event, link) {
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

  replace(text, sentence) {
    const last = this.doc.toString();
    replaceText(this.view, text);
    this.view.focus();
    if (last.trim() && last !== text) {
      this.draft.setAside(last);
      this.say(sentence, ["Bring back my last text", () => replaceText(this.view, last)]);
    } else {
      this.say(sentence);
    }
  }
}

function start() {
  const box = first("#RUI");
  const root = first("#PLAYGROUND").content.firstElementChild.cloneNode(true);
  const result = first("#RESULT");
  box.form.after(root);
  document.body.classList.add("with-editor");
  let playground;
  try {
    playground = new Playground(box, root);
  } catch (error) {
    root.remove();
    document.body.classList.remove("with-editor");
    throw error; // The box stays.
  }
  root.playground = playground;
  if (typeof frontBox !== "undefined") frontBox?.stop();
  const notice = first(".note", result)?.textContent;
  if (notice) playground.say(notice);
  result.remove();
  box.form.hidden = true;
  playground.begin();
}

start();
