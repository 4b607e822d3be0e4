// The panel of notes, the marks on the parts of the page, and the dialog of a note.

const ADVICE = [
  "Change the RUI document of this spec as these notes say, and only what they need.",
  "Keep the ids of the parts that stay; a part is where its id is, as paths change while you edit.",
  "If a note is unclear, impossible or already true, leave the part, and say so.",
];
const NOTES_LINK = "notes"; // the name of a fragment with notes
const GENERAL = "/"; // the key of a note on the whole document
const KEYS = "↑ ↓ or the first letters of a name for another block, Page Up and Page Down for another page, ← → for the parts of a block.";
const TYPED_FOR = 700; // milliseconds in which letters are one word

class Notes {
  // `source` is the element with the attributes of the spec, `before` that of the version before, or null; `button` opens the panel.
  constructor(source, before, button) {
    this.source = source;
    const { hash, contentHash } = source.dataset;
    this.own = new NotedDocument(source, "W-", new NoteStore(hash, contentHash));
    this.documents = [this.own];
    if (before?.dataset.hash) {
      // Notes on parts of the version before that are written while both are compared: no answer to them is known.
      this.documents.push(new NotedDocument(before, "B-", new NoteStore(`${before.dataset.hash}>${hash}`)));
    }
    this.isReady = false; // whether the documents are loaded
    this.isLoading = false;
    this.added = []; // the notes that came with a link, each with the former note on its part
    this.removed = null; // what the last button has removed: the document, the key of the part, and its note and draft
    this.listeners = []; // what is called after a note has changed
    this.typed = { text: "", at: 0 }; // the first letters of a name, and when the last one was typed
    this.button = button;
    this.button.addEventListener("click", () => this.toggle());
    this.panel = this.createPanel();
    source.after(this.panel);
    addEventListener("storage", () => this.show());
    addEventListener("pageshow", () => this.show());
    addEventListener("beforeunload", (event) => {
      if (!this.isLosing) return;
      event.preventDefault();
      event.returnValue = true; // for browsers before 2024
    });
    document.addEventListener("click", (event) => this.choose(event), true);
    document.addEventListener("keydown", (event) => this.moveByKey(event));
    addEventListener("hashchange", () => this.openLink());
    this.show();
    this.openLink();
  }

  get isLosing() {
    return this.documents.some((it) => it.store.isLosing);
  }

  createPanel() {
    const panel = create("aside", { className: "notes-panel", hidden: true });
    panel.setAttribute("aria-label", "Notes");
    this.list = create("ol");
    this.draftHeading = create("h3", {}, "Drafts");
    this.drafts = create("ul");
    this.lost = create("p", { className: "wrong", hidden: true }, "This browser does not keep notes: copy them before you leave the page.");
    this.state = create("p", { className: "quiet" });
    this.state.setAttribute("role", "status");
    this.undo = create("button", { type: "button", hidden: true }, "Undo");
    this.undo.addEventListener("click", () => this.bringBack());
    this.copy = create("button", { type: "button", className: "main" }, "Copy notes");
    copyOnClick(this.copy, () => this.markdown());
    this.share = create("button", { type: "button" }, "Share notes");
    this.share.title = "Copy a link to this page that carries the notes";
    copyOnClick(this.share, () => this.link());
    const general = create("button", { type: "button" }, "Note on the whole app");
    general.addEventListener("click", () => this.edit(this.own, GENERAL));
    const parts = create("button", { type: "button" }, "To the parts");
    parts.addEventListener("click", () => (this.marks().find((it) => it.tabIndex === 0) ?? this.marks()[0])?.focus());
    const close = create("button", { type: "button", className: "close" }, "Close");
    close.addEventListener("click", () => this.toggle());
    this.actions = create("p", { className: "actions" });
    this.actions.append(this.copy, " ", this.share, " ", this.undo, " ", general, " ", parts, " ", close);
    const advice = create("p", { className: "quiet" }, "Press what a note is about: a block, a column, a link, the title.");
    advice.append(create("span", { className: "for-keys" }, ` Keys: ${KEYS}`));
    panel.append(create("h2", {}, "Notes"), advice, this.actions, this.lost, this.state, this.list, this.draftHeading, this.drafts);
    return panel;
  }

  async toggle() {
    const isOn = this.panel.hidden;
    if (this.isLoading || (isOn && !(await this.load()))) return;
    this.panel.hidden = !isOn;
    this.button.setAttribute("aria-pressed", String(isOn));
    document.body.classList.toggle("noting", isOn);
    for (const old of all(".note")) old.remove();
    for (const it of this.documents) it.marks.clear();
    if (isOn) this.addMarks();
    this.show();
    if (!isOn) this.button.focus({ preventScroll: true });
  }

  // Loads the documents that the page has parts or notes of, and returns whether it has them.
  async load() {
    if (this.isReady) return true;
    this.isLoading = true;
    const needed = this.documents.filter((it) => it === this.own || one(`[id^="${it.prefix}"]`) || it.store.notedKeys.length || it.store.draftedKeys.length);
    try {
      await Promise.all(needed.map((it) => it.load()));
      this.isReady = true;
    } catch {
      this.button.textContent = "Notes: the spec could not be loaded. Try again";
    }
    this.isLoading = false;
    return this.isReady;
  }

  // Marks ----------------------------------------------------------------------------------------------------------------

  // Adds a button to each node, for the keyboard; with the mouse, all of it can be chosen. Only one button is a tab stop.
  addMarks() {
    for (const node of all(NODE)) this.addMark(one(":scope > .marks", node) ?? node, node);
    const [first] = all(".note");
    if (first) first.tabIndex = 0;
    for (const it of this.documents) {
      for (const key of [...it.store.notedKeys, ...it.store.draftedKeys]) this.markOf(it, key);
    }
  }

  addMark(place, part) {
    const noted = this.documentOf(part);
    const key = noted?.keyAt(part);
    if (!key) return null;
    const mark = create("button", { type: "button", className: "note", tabIndex: -1 }, "✎");
    mark.noted = noted;
    mark.key = key;
    if (!noted.marks.has(key)) noted.marks.set(key, mark); // that in the picture, which precedes the tree
    mark.classList.toggle("of-part", !part.matches(NODE));
    if (place.matches(NODE)) place.prepend(mark); // in the order of the document
    else place.append(mark);
    return mark;
  }

  documentOf(element) {
    return nodeAround(element)?.id.startsWith("B-") ? this.documents[1] : this.own;
  }

  marks() {
    return all(".note").filter((it) => it.checkVisibility());
  }

  // The mark of a part, which is added if there is none; null if the page does not show the part.
  markOf(noted, key) {
    if (noted.marks.has(key)) return noted.marks.get(key);
    const element = noted.elementOf(key);
    if (!element || noted.keyAt(element) !== key) return null;
    const mark = this.addMark(element, element);
    if (mark) this.showMark(mark, new Set(noted.store.draftedKeys));
    return mark;
  }

  // Moves from mark to mark, and from there to the panel with Tab. Escape closes the panel.
  moveByKey(event) {
    if (this.panel.hidden || event.defaultPrevented || one(".note-dialog")) return;
    if (event.key === "Escape") {
      this.toggle();
      return;
    }
    const mark = event.target;
    if (!mark.matches?.(".note") || event.altKey || event.ctrlKey || event.metaKey) return;
    const target = event.key === "Tab" ? !event.shiftKey && one("button:not([hidden])", this.actions) : this.neighbour(mark, event.key);
    if (!target) return;
    event.preventDefault();
    this.focus(target);
  }

  neighbour(mark, key) {
    if (key.length === 1 && key.trim()) return this.named(mark, key);
    if (key === "PageDown" || key === "PageUp") {
      const pages = this.marks().filter((it) => it.parentElement.matches(".screen"));
      const isBefore = (it) => it.compareDocumentPosition(mark) & Node.DOCUMENT_POSITION_FOLLOWING;
      return key === "PageDown" ? pages.find((it) => it !== mark && !isBefore(it)) : pages.findLast((it) => isBefore(it));
    }
    if (["ArrowDown", "ArrowUp", "Home", "End"].includes(key)) {
      const nodes = this.marks().filter((it) => !it.matches(".of-part") || it === mark);
      const index = nodes.indexOf(mark);
      const back = mark.matches(".of-part") ? nodes.findLast((it) => !it.matches(".of-part") && nodeAround(it) === nodeAround(mark)) : nodes[index - 1];
      const others = nodes.filter((it) => !it.matches(".of-part"));
      return { ArrowDown: nodes[index + 1], ArrowUp: back, Home: others[0], End: others.at(-1) }[key];
    }
    if (key !== "ArrowRight" && key !== "ArrowLeft") return null;
    const node = nodeAround(mark);
    if (!node) return null;
    for (const part of partsIn(node)) if (part.checkVisibility()) this.markOf(mark.noted, mark.noted.keyAt(part));
    const own = this.marks().filter((it) => nodeAround(it) === node);
    const isBefore = (one, other) => one.compareDocumentPosition(other) & Node.DOCUMENT_POSITION_FOLLOWING;
    const parts = own.filter((it) => it.matches(".of-part")).sort((it, other) => (isBefore(it.parentElement, other.parentElement) ? -1 : 1));
    const ordered = [...own.filter((it) => !it.matches(".of-part")), ...parts];
    return ordered[ordered.indexOf(mark) + (key === "ArrowRight" ? 1 : -1)];
  }

  // The next mark of a node whose name begins with the letters that were typed, as in a tree of a desktop.
  named(mark, letter) {
    const isLater = Date.now() - this.typed.at > TYPED_FOR;
    this.typed = { text: (isLater ? "" : this.typed.text) + letter.toLowerCase(), at: Date.now() };
    const { text } = this.typed;
    const marks = this.marks().filter((it) => !it.matches(".of-part") || it === mark);
    const at = marks.indexOf(mark) + (text.length > 1 ? 0 : 1);
    return [...marks.slice(at), ...marks.slice(0, at)].find((it) => !it.matches(".of-part") && this.titleOf(it.noted, it.key).toLowerCase().startsWith(text));
  }

  focus(target) {
    if (target.matches(".note")) {
      for (const it of all('.note[tabindex="0"]')) it.tabIndex = -1;
      target.tabIndex = 0;
    }
    target.focus();
  }

  choose(event) {
    if (this.panel.hidden || !(event.target instanceof Element) || event.target.closest("dialog, .notes-panel, summary, .answer, .answers")) return;
    const mark = event.target.closest(".note");
    const noted = mark?.noted ?? this.documentOf(event.target);
    const key = mark?.key ?? noted?.keyAt(event.target);
    if (!key) return;
    event.preventDefault();
    event.stopPropagation();
    this.edit(noted, key);
  }

  // The dialog ---------------------------------------------------------------------------------------------------------------

  // Opens the dialog of a part. Its text is a draft from the first key on, until a button says what becomes of it.
  edit(noted, key) {
    if (one(".note-dialog")) return;
    const { store } = noted;
    const note = store.noteOn(key);
    const dialog = create("dialog", { className: "note-dialog" });
    const form = create("form", { method: "dialog" });
    const label = create("label", {}, `Note on ${this.titleOf(noted, key)}`);
    const area = create("textarea", { rows: 5, value: store.takeDraft(key) || note, id: "NOTE-TEXT" });
    label.htmlFor = area.id;
    const state = create("p", { className: "quiet" });
    state.setAttribute("role", "status");
    const keep = create("button", { value: "keep", className: "main" }, "Keep");
    const discard = create("button", { value: "discard" }, "Discard draft");
    const remove = create("button", { value: "remove", hidden: !note }, "Remove note");
    const close = create("button", { value: "" }, "Close");
    const actions = create("p", { className: "actions" });
    actions.append(keep, " ", discard, " ", remove, " ", close);
    form.append(label, area, state, actions);
    const draft = () => (area.value.trim() === note ? "" : area.value.trim());
    const showState = () => {
      discard.hidden = !draft();
      const fate = store.isLosing ? "this browser does not keep it, so keep this page open" : "it stays if you close it";
      state.textContent = draft() ? `This is a draft: ${fate}. It becomes a note when you keep it.` : "";
    };
    area.addEventListener("input", () => {
      store.setDraft(key, draft());
      showState();
    });
    area.addEventListener("keydown", (event) => {
      if (event.key === "Enter" && (event.ctrlKey || event.metaKey)) keep.click();
    });
    dialog.addEventListener("close", () => {
      this.close(noted, key, dialog.returnValue, { note, text: area.value.trim(), draft: draft() });
      dialog.remove();
      this.show();
      this.focusOn(noted, key);
    });
    dialog.append(form);
    document.body.append(dialog);
    showState();
    dialog.showModal();
    area.focus();
  }

  // Does what the button of a dialog says. Without one, such as after Escape, a text that differs from the note is a draft.
  close(noted, key, button, { note, text, draft }) {
    const { store } = noted;
    this.removed = null;
    this.added = [];
    store.setDraft(key, button ? "" : draft);
    const isKept = button === "keep" && text;
    if (isKept) store.setNote(key, text, note);
    else if (button === "keep" || button === "remove") store.setNote(key, "", note);
    const isGone = button && !isKept && (draft || (note && !store.noteOn(key)));
    if (isGone) this.removed = { noted, key, note: store.noteOn(key) ? "" : note, draft };
  }

  // Brings back what was removed last, or takes back what a link has added.
  bringBack() {
    if (!this.removed) {
      for (const { store, key, former } of this.added) store.setNote(key, former, store.noteOn(key));
      this.added = [];
      this.show();
      return;
    }
    const { noted, key, note, draft } = this.removed;
    this.removed = null;
    if (note) noted.store.addNote(key, note);
    if (draft) noted.store.setDraft(key, joined([draft, noted.store.draftOn(key)]));
    this.show();
    this.focusOn(noted, key);
  }

  // Moves the focus to the mark of a part, or to the panel if the page does not show the part.
  focusOn(noted, key) {
    const mark = this.panel.hidden ? this.button : this.markOf(noted, key);
    if (!mark?.checkVisibility()) one("button:not([hidden])", this.actions).focus();
    else if (mark === this.button) mark.focus();
    else this.focus(mark);
  }

  // Shows a part, and opens what encloses it.
  goTo(noted, key) {
    const element = noted.elementOf(key);
    if (!element) return;
    openAround(element);
    element.scrollIntoView({ block: "center" });
    this.focusOn(noted, key);
  }

  titleOf(noted, key) {
    const title = noted.part(key)?.title ?? key;
    return noted === this.own ? title : `${title}, in the version before`;
  }

  // The list -------------------------------------------------------------------------------------------------------------------

  // The parts with a note, or those with a draft, each with its document.
  partsWith(name) {
    return this.documents.flatMap((noted) => (noted.nodes ? noted.inOrder(noted.store[name]).map((part) => ({ noted, part })) : []));
  }

  show() {
    const count = (name) => this.documents.reduce((sum, it) => sum + it.store[name].length, 0);
    const noted = count("notedKeys");
    const drafted = count("draftedKeys");
    const counts = [noted, drafted && countOf(drafted, "draft")].filter(Boolean);
    this.button.textContent = counts.length ? `Notes (${counts.join(", ")})` : "Notes";
    this.copy.hidden = !noted;
    this.share.hidden = !noted || !globalThis.CompressionStream;
    this.lost.hidden = !this.isLosing;
    for (const listener of this.listeners) listener();
    if (!this.isReady) return;
    if (!this.panel.hidden) for (const { noted: its, part } of [...this.partsWith("notedKeys"), ...this.partsWith("draftedKeys")]) this.markOf(its, part.key);
    const draftsOf = new Map(this.documents.map((it) => [it, new Set(it.store.draftedKeys)]));
    for (const mark of all(".note")) this.showMark(mark, draftsOf.get(mark.noted));
    this.list.replaceChildren(...this.partsWith("notedKeys").map(({ noted: its, part }) => this.createItem(its, part, its.store.noteOn(part.key))));
    this.drafts.replaceChildren(...this.partsWith("draftedKeys").map(({ noted: its, part }) => this.createItem(its, part, its.store.draftOn(part.key))));
    this.draftHeading.hidden = !drafted;
    this.showState(noted, drafted);
  }

  showMark(mark, drafted) {
    const isDrafted = drafted.has(mark.key);
    const isNoted = Boolean(mark.noted.store.noteOn(mark.key));
    mark.textContent = isDrafted ? "✎ Draft" : "✎";
    mark.classList.toggle("is-noted", isNoted);
    mark.classList.toggle("is-draft", isDrafted);
    const action = isNoted ? "Change the note" : "Note";
    mark.setAttribute("aria-label", `${isDrafted ? "Draft: note" : action} on ${this.titleOf(mark.noted, mark.key)}`);
  }

  showState(notes, drafts) {
    const sentences = [];
    if (this.removed) sentences.push(`${this.removed.note ? "Note" : "Draft"} on ${this.titleOf(this.removed.noted, this.removed.key)} removed.`);
    if (this.added.length) sentences.push(`${countOf(this.added.length, "note")} came with the link.`);
    if (notes && !this.isLosing) sentences.push(`${countOf(notes, "note")} ${notes === 1 ? "is" : "are"} kept in this browser only.`);
    if (drafts) sentences.push(`${countOf(drafts, "draft")} ${drafts === 1 ? "is" : "are"} not copied.`);
    this.state.textContent = sentences.join(" ");
    this.undo.hidden = !this.removed && !this.added.length;
  }

  createItem(noted, part, text) {
    const item = create("li");
    const title = this.titleOf(noted, part.key);
    const go = create("button", { type: "button", className: "plain" }, title);
    go.addEventListener("click", () => this.goTo(noted, part.key));
    const edit = create("button", { type: "button", className: "change" }, "Change");
    edit.setAttribute("aria-label", `Change the note on ${title}`);
    edit.addEventListener("click", () => this.edit(noted, part.key));
    item.append(go, create("span", {}, ` ${text} `), edit);
    return item;
  }

  // A link to this page with the notes in its fragment, which is not sent to the service.
  async link() {
    const sets = this.documents.map(({ store }) => [store.hash, store.notedKeys.map((key) => [key, store.noteOn(key)])]);
    const link = `${location.origin}${location.pathname}${await packed(NOTES_LINK, JSON.stringify(sets.filter(([, notes]) => notes.length)))}`;
    if (link.length > LONG_LINK) this.say(`The link has ${link.length.toLocaleString("en")} characters: some programs cut it off.`);
    return link;
  }

  // Adds the notes of such a link to those of this browser. A link that cannot be used stays in the address.
  async openLink() {
    const code = packedIn(location.hash, NOTES_LINK);
    if (code === null) return;
    const sets = notesOf(await unpacked(code));
    const stores = new Map(this.documents.map(({ store }) => [store.hash, store]));
    const added = sets?.flatMap(([hash, notes]) => (stores.has(hash) ? notes.map(([key, text]) => ({ store: stores.get(hash), key, text })) : []));
    if (this.panel.hidden) await this.toggle();
    if (!added) this.say("The link is not complete, so its notes cannot be read. Ask for it again.");
    else if (!added.length) this.say("The notes of the link are about another document. They are not added.");
    if (!added?.length) return;
    this.removed = null;
    this.added = added.map((it) => ({ ...it, former: it.store.noteOn(it.key) }));
    for (const { store, key, text, former } of this.added) store.setNote(key, joined([former, text]), former);
    history.replaceState(history.state, "", location.pathname + location.search);
    this.isReady = false; // the link may have notes on a document that is not loaded
    await this.load();
    this.show();
  }

  say(sentence) {
    this.state.textContent = sentence;
  }

  async markdown() {
    if (!(await this.load())) throw new NothingToCopy("The spec could not be loaded.");
    const absolute = (address) => new URL(address, location.href);
    const lines = [...ADVICE, ""];
    let number = 0;
    for (const noted of this.documents) {
      const { page, hash } = noted.source.dataset;
      const parts = noted.inOrder(noted.store.notedKeys);
      if (noted !== this.own && !parts.length) continue;
      if (noted !== this.own) lines.push("", "The next notes are about parts of the version before it:", "");
      lines.push(`- Spec: ${absolute(page)}`, `- Content hash: ${codeOf(hash)}`);
      if (noted === this.own) lines.push(`- What a RUI may contain: ${absolute(this.source.dataset.guide)}`);
      for (const part of parts) lines.push("", ...this.linesOf((number += 1), part, noted.store.noteOn(part.key)));
    }
    return `${lines.join("\n")}\n`;
  }

  linesOf(number, part, text) {
    const name = part.name.replace(/[\\`*_{}[\]<>#|~&]/g, "\\$&");
    const kind = part.kind.replace(/[\\`*_]/g, "");
    const lines = [`${number}. ${kind ? `${kind} ` : ""}**${name}** ${codeOf(part.path)}`];
    if (part.id) lines.push(`   - Id: ${codeOf(part.id)}`);
    if (part.path) lines.push(`   - Now: ${codeOf(JSON.stringify(part.value))}`);
    if (part.children.length) lines.push(`   - Contains: ${part.children.map(codeOf).join(", ")}`);
    lines.push(...`   - Note: ${text}`.split("\n").map((line, index) => (index ? `     ${line}`.trimEnd() : line)));
    return lines;
  }
}

// Returns the notes of a link: a list of the name of a store, and keys and texts; null for anything else.
function notesOf(text) {
  try {
    const sets = JSON.parse(text).map(([hash, notes]) => [String(hash), notes.map(([key, note]) => [String(key), String(note).trim()])]);
    return sets.map(([hash, notes]) => [hash, notes.filter(([, note]) => note)]);
  } catch {
    return null;
  }
}

// Returns a text as code in Markdown: between more backticks than it contains in a row.
function codeOf(text) {
  const longest = Math.max(0, ...(text.match(/`+/g) ?? []).map((run) => run.length));
  const fence = "`".repeat(longest + 1);
  return longest ? `${fence} ${text} ${fence}` : `${fence}${text}${fence}`;
}
