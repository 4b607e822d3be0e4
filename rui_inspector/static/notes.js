// Notes of a reviewer on the page of a spec, and on the newer one of a comparison: they stay in this browser, and are copied
// as Markdown, which `rui diff --notes` reads (docs/comparing.md). No code here creates HTML from the text of a document.

const ADVICE = [
  "Change the RUI document of this spec as these notes say, and only what they need.",
  "Keep the ids of the parts that stay; a part is where its id is, as paths change while you edit.",
  "If a note is unclear, impossible or already true, leave the part, and say so.",
];

// The notes and drafts on one document that this browser keeps. Each is an item of its own, and a draft belongs to one tab,
// so that tabs do not overwrite each other's. What the browser refuses to keep stays here while the page is open.
class NoteStore {
  constructor(hash, earlierHash) {
    this.notes = `rui-note:${hash}:`; // + id
    this.drafts = `rui-draft:${hash}:`; // + id:tab
    this.tab = Math.random().toString(36).slice(2);
    this.unkept = new Map(); // key → text, or null if it is removed
    for (const former of new Set([hash, earlierHash])) this.adopt(`rui-notes:${former}`);
  }

  // Takes over the notes of an earlier version of this page, which had one item for all of them.
  adopt(key) {
    let former;
    try {
      former = JSON.parse(this.get(key)) ?? {};
    } catch {
      return;
    }
    for (const [id, text] of Object.entries(former)) this.addNote(id, String(text));
    if (!this.unkept.size) this.remove(key);
  }

  get(key) {
    if (this.unkept.has(key)) return this.unkept.get(key);
    try {
      return localStorage.getItem(key);
    } catch {
      return null;
    }
  }

  keys(prefix) {
    let kept = [];
    try {
      kept = Object.keys(localStorage);
    } catch {
      // Storage is denied.
    }
    return [...new Set([...kept, ...this.unkept.keys()])].filter((key) => key.startsWith(prefix) && this.get(key) !== null).sort();
  }

  set(key, text) {
    this.unkept.set(key, text);
    for (const [waiting, its] of this.unkept) {
      try {
        if (its === null) localStorage.removeItem(waiting);
        else localStorage.setItem(waiting, its);
        this.unkept.delete(waiting);
      } catch {
        // Storage is full or denied.
      }
    }
  }

  remove(key) {
    if (this.get(key) !== null) this.set(key, null);
  }

  // Whether a text exists in this page alone.
  get isLosing() {
    return [...this.unkept.values()].some((text) => text !== null);
  }

  noteOn(id) {
    return this.get(this.notes + id) ?? "";
  }

  get notedIds() {
    return this.keys(this.notes).map((key) => key.slice(this.notes.length));
  }

  get draftedIds() {
    return [...new Set(this.keys(this.drafts).map((key) => key.slice(this.drafts.length).split(":")[0]))];
  }

  // Sets or removes a note that was `former` when it was read. If another tab has changed it since, its text is kept, too.
  setNote(id, text, former) {
    const other = this.noteOn(id);
    const both = other === former ? text : joined([other, text]);
    if (both) this.set(this.notes + id, both);
    else this.remove(this.notes + id);
  }

  addNote(id, text) {
    this.setNote(id, text, "");
  }

  // The draft on a part: that of this tab, and those that other tabs have left.
  draftOn(id) {
    return joined(this.keys(`${this.drafts}${id}:`).map((key) => this.get(key)));
  }

  setDraft(id, text) {
    if (text) this.set(`${this.drafts}${id}:${this.tab}`, text);
    else this.remove(`${this.drafts}${id}:${this.tab}`);
  }

  // Makes what other tabs have left a draft of this one, and returns it. A tab that still edits the part writes its draft
  // again.
  takeDraft(id) {
    const text = this.draftOn(id);
    if (text) this.setDraft(id, text);
    for (const key of this.keys(`${this.drafts}${id}:`)) if (!key.endsWith(`:${this.tab}`)) this.remove(key);
    return text;
  }
}

// Returns texts as one, without those that another one contains.
function joined(texts) {
  const different = texts.filter((text, index) => text && !texts.some((other, at) => at !== index && other.includes(text) && (other !== text || at < index)));
  return different.join("\n\n");
}

class Notes {
  // `source` is the element with the attributes of the spec: its page, JSON and the hash of its document.
  constructor(source) {
    this.source = source;
    this.store = new NoteStore(source.dataset.hash, source.dataset.contentHash);
    this.elements = null; // id → the path and value in the document
    this.removed = null; // what the last button has removed: the part, and its note and draft
    this.button = create("button", { type: "button", className: "button" });
    this.button.setAttribute("aria-pressed", "false");
    this.button.addEventListener("click", () => this.toggle());
    source.append(this.button);
    source.hidden = false;
    this.panel = this.createPanel();
    document.body.append(this.panel);
    addEventListener("storage", () => this.show());
    addEventListener("pageshow", () => this.show());
    addEventListener("beforeunload", (event) => {
      if (!this.store.isLosing) return;
      event.preventDefault();
      event.returnValue = true; // for browsers before 2024
    });
    document.addEventListener("click", (event) => this.choose(event), true);
    this.show();
  }

  createPanel() {
    const panel = create("aside", { className: "notes-panel", hidden: true });
    panel.setAttribute("aria-label", "Notes");
    const places = one("#TREE") ? "of the wireframe or the tree" : "under After; for one that is gone, what was around it";
    this.advice = create("p", { className: "quiet" }, `Choose a part ${places}.`);
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
    const close = create("button", { type: "button" }, "Close");
    close.addEventListener("click", () => this.toggle());
    const actions = create("p", { className: "actions" });
    actions.append(this.copy, " ", this.undo, " ", close);
    panel.append(create("h2", {}, "Notes"), this.advice, this.list, this.draftHeading, this.drafts, this.lost, this.state, actions);
    return panel;
  }

  async toggle() {
    const isOn = this.panel.hidden;
    if (isOn && !this.elements && !(await this.fetchElements())) return;
    this.panel.hidden = !isOn;
    this.button.setAttribute("aria-pressed", String(isOn));
    document.body.classList.toggle("noting", isOn);
    for (const old of all(".note")) old.remove();
    if (isOn) for (const part of this.parts()) part.append(this.createMark(part));
    this.show();
    if (!isOn) this.button.focus();
  }

  async fetchElements() {
    try {
      const response = await fetch(this.source.dataset.json);
      if (!response.ok) throw new Error(response.status);
      this.elements = elementsOf(await response.json());
      return true;
    } catch {
      this.button.textContent = "Notes: the spec could not be loaded. Try again";
      return false;
    }
  }

  // The parts of the page that show an element of the document: in the wireframe, and in the tree.
  parts() {
    const inWireframe = all('[id^="W-"]').filter((it) => this.elements.has(it.id.slice(2)));
    return [...inWireframe, ...all("#TREE .node").map((it) => one(":scope > .marks", it) ?? it)];
  }

  idOf(target) {
    const part = target.closest('[id^="W-"], #TREE .node');
    const id = part?.id.replace(/^W-/, "");
    return this.elements?.has(id) ? id : null;
  }

  // A button for the keyboard; with the mouse, the whole part can be chosen.
  createMark(part) {
    const mark = create("button", { type: "button", className: "note" }, "✎");
    mark.dataset.id = this.idOf(part);
    return mark;
  }

  choose(event) {
    if (this.panel.hidden || !(event.target instanceof Element) || event.target.closest("dialog, .notes-panel, .version summary")) return;
    const id = this.idOf(event.target);
    if (!id) return;
    event.preventDefault();
    event.stopPropagation();
    this.edit(id);
  }

  // Opens the dialog of a part. Its text is a draft from the first key on, until a button says what becomes of it.
  edit(id) {
    if (one(".note-dialog")) return;
    const { store } = this;
    const note = store.noteOn(id);
    const dialog = create("dialog", { className: "note-dialog" });
    const form = create("form", { method: "dialog" });
    const label = create("label", {}, `Note on ${this.nameOf(id)}`);
    const area = create("textarea", { rows: 5, value: store.takeDraft(id) || note, id: "NOTE-TEXT" });
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
      const fate = store.isLosing ? "this browser does not keep it, so leave the page open" : "it stays if you close it";
      state.textContent = draft() ? `This is a draft: ${fate}. It becomes a note when you keep it.` : "";
    };
    area.addEventListener("input", () => {
      store.setDraft(id, draft());
      showState();
    });
    area.addEventListener("keydown", (event) => {
      if (event.key === "Enter" && (event.ctrlKey || event.metaKey)) keep.click();
    });
    dialog.addEventListener("close", () => {
      this.close(id, dialog.returnValue, { note, text: area.value.trim(), draft: draft() });
      dialog.remove();
      this.show();
      this.focusOn(id);
    });
    dialog.append(form);
    document.body.append(dialog);
    showState();
    dialog.showModal();
    area.focus();
  }

  // Does what the button of a dialog says. Without one, such as after Escape, a text that differs from the note is a draft.
  close(id, button, { note, text, draft }) {
    this.removed = null;
    this.store.setDraft(id, button ? "" : draft);
    const isKept = button === "keep" && text;
    if (isKept) this.store.setNote(id, text, note);
    else if (button === "keep" || button === "remove") this.store.setNote(id, "", note);
    const isGone = button && !isKept && (draft || (note && !this.store.noteOn(id)));
    if (isGone) this.removed = { id, note: this.store.noteOn(id) ? "" : note, draft };
  }

  // Brings back what was removed last.
  bringBack() {
    const { id, note, draft } = this.removed;
    this.removed = null;
    if (note) this.store.addNote(id, note);
    if (draft) this.store.setDraft(id, joined([draft, this.store.draftOn(id)]));
    this.show();
    this.focusOn(id);
  }

  focusOn(id) {
    one(`.note[data-id="${CSS.escape(id)}"]`)?.focus({ preventScroll: true });
  }

  nameOf(id) {
    return nameOf(this.elements.get(id).value, this.source);
  }

  show() {
    const noted = new Set(this.store.notedIds);
    const drafted = new Set(this.store.draftedIds);
    const counts = [noted.size, drafted.size && countOf(drafted.size, "draft")].filter(Boolean);
    this.button.textContent = counts.length ? `Notes (${counts.join(", ")})` : "Notes";
    this.copy.hidden = !noted.size;
    this.lost.hidden = !this.store.isLosing;
    if (!this.elements) return;
    for (const mark of all(".note")) {
      const { id } = mark.dataset;
      mark.textContent = drafted.has(id) ? "✎ Draft" : "✎";
      mark.classList.toggle("is-noted", noted.has(id));
      mark.classList.toggle("is-draft", drafted.has(id));
      const action = noted.has(id) ? "Change the note" : "Note";
      mark.setAttribute("aria-label", `${drafted.has(id) ? "Draft: note" : action} on ${this.nameOf(id)}`);
    }
    this.list.replaceChildren(...this.inOrder(noted).map(([id]) => this.createItem(id, this.store.noteOn(id))));
    this.drafts.replaceChildren(...this.inOrder(drafted).map(([id]) => this.createItem(id, this.store.draftOn(id))));
    this.draftHeading.hidden = !drafted.size;
    this.showState(noted.size, drafted.size);
  }

  showState(notes, drafts) {
    const sentences = [];
    if (this.removed) sentences.push(`${this.removed.note ? "Note" : "Draft"} on ${this.nameOf(this.removed.id)} removed.`);
    if (notes && !this.store.isLosing) sentences.push(`${countOf(notes, "note")} ${notes === 1 ? "is" : "are"} kept in this browser only.`);
    if (drafts) sentences.push(`${countOf(drafts, "draft")} ${drafts === 1 ? "is" : "are"} not copied.`);
    this.state.textContent = sentences.join(" ");
    this.undo.hidden = !this.removed;
  }

  createItem(id, text) {
    const item = create("li");
    const edit = create("button", { type: "button", className: "plain" }, this.nameOf(id));
    edit.addEventListener("click", () => this.edit(id));
    item.append(edit, create("span", {}, ` ${text}`));
    return item;
  }

  // Some elements in the order of the document.
  inOrder(ids) {
    return [...this.elements].filter(([id]) => ids.has(id));
  }

  async markdown() {
    if (!this.elements) await this.fetchElements();
    const { page, guide, hash } = this.source.dataset;
    const absolute = (address) => new URL(address, location.href);
    const lines = [...ADVICE, "", `- Spec: ${absolute(page)}`, `- Content hash: ${codeOf(hash)}`, `- What a RUI may contain: ${absolute(guide)}`];
    for (const [index, [id, { path, value, children }]] of this.inOrder(new Set(this.store.notedIds)).entries()) {
      const name = nameOf(value, this.source).replace(/[\\`*_{}[\]<>#|~&]/g, "\\$&");
      lines.push("", `${index + 1}. ${value.type} **${name}** ${codeOf(path)}`, `   - Id: ${codeOf(id)}`, `   - Now: ${codeOf(JSON.stringify(value))}`);
      if (children.length) lines.push(`   - Contains: ${children.map(codeOf).join(", ")}`);
      lines.push(...`   - Note: ${this.store.noteOn(id)}`.split("\n").map((line, number) => (number ? `     ${line}`.trimEnd() : line)));
    }
    return `${lines.join("\n")}\n`;
  }
}

function create(tag, properties = {}, text = "") {
  const element = Object.assign(document.createElement(tag), properties);
  if (text) element.textContent = text;
  return element;
}

// Returns id → path, own properties and the ids of child nodes of each node, in the order of the document. Nodes are objects
// with id and type.
function elementsOf(root) {
  const isNode = (value) => typeof value?.id === "string" && typeof value.type === "string";
  const elements = new Map();
  const visit = (value, path) => {
    if (Array.isArray(value)) {
      value.forEach((item, index) => visit(item, `${path}[${index}]`));
    } else if (value && typeof value === "object") {
      const members = Object.entries(value);
      if (isNode(value)) {
        const isNested = ([, member]) => Array.isArray(member) && member.some(isNode);
        const children = members.filter(isNested).flatMap(([, member]) => member.filter(isNode).map((child) => child.id));
        elements.set(value.id, { path, children, value: Object.fromEntries(members.filter((it) => !isNested(it))) });
      }
      for (const [name, member] of members) {
        const step = /^[A-Za-z_][A-Za-z0-9_-]*$/.test(name) ? `${path && "."}${name}` : `[${JSON.stringify(name)}]`;
        visit(member, path + step);
      }
    }
  };
  visit(root, "");
  return elements;
}

function countOf(number, noun) {
  return `${number} ${noun}${number === 1 ? "" : "s"}`;
}

// Returns the first label of a node, on one line, else its type and id.
function nameOf(value, source) {
  const labels = source.dataset.labels.split(" ").map((name) => value[name]);
  const label = labels.find((text) => typeof text === "string" && text.trim()) ?? `${value.type} ${value.id}`;
  const words = label.split(/\s+/).filter(Boolean).join(" ");
  return words.length > 60 ? `${words.slice(0, 60).trimEnd()}…` : words;
}

// Returns a text as code in Markdown: between more backticks than it contains in a row.
function codeOf(text) {
  const longest = Math.max(0, ...(text.match(/`+/g) ?? []).map((run) => run.length));
  const fence = "`".repeat(longest + 1);
  return longest ? `${fence} ${text} ${fence}` : `${fence}${text}${fence}`;
}

if (one("#NOTES")) new Notes(one("#NOTES"));
