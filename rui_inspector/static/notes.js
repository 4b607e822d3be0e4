// Notes of a reviewer on the page of a spec, and on the newer one of a comparison: they stay in this browser, and are copied
// as Markdown, which `rui diff --notes` reads (docs/comparing.md). No code here creates HTML from the text of a document.

const ADVICE = [
  "Change the RUI document of this spec as these notes say, and only what they need.",
  "Keep the ids of the parts that stay; a part is where its id is, as paths change while you edit.",
  "If a note is unclear, impossible or already true, leave the part, and say so.",
];

class Notes {
  // `source` is the element with the attributes of the spec: its page, JSON and content hash.
  constructor(source) {
    this.source = source;
    this.key = `rui-notes:${source.dataset.hash}`;
    this.elements = null; // id → the path and value in the document
    this.texts = this.load();
    this.button = create("button", { type: "button", className: "button" });
    this.button.setAttribute("aria-pressed", "false");
    this.button.addEventListener("click", () => this.toggle());
    source.append(this.button);
    source.hidden = false;
    this.panel = this.createPanel();
    document.body.append(this.panel);
    addEventListener("storage", (event) => {
      if (event.key !== this.key) return;
      this.texts = this.load();
      this.show();
    });
    document.addEventListener("click", (event) => this.choose(event), true);
    this.show();
  }

  // Notes by the id of their element; those of this browser, if it keeps any.
  load() {
    try {
      return new Map(Object.entries(JSON.parse(localStorage.getItem(this.key)) ?? {}));
    } catch {
      return this.texts ?? new Map();
    }
  }

  save() {
    try {
      if (this.texts.size) localStorage.setItem(this.key, JSON.stringify(Object.fromEntries(this.texts)));
      else localStorage.removeItem(this.key);
      this.lost.hidden = true;
    } catch {
      this.lost.hidden = false;
    }
    this.show();
  }

  createPanel() {
    const panel = create("aside", { className: "notes-panel", hidden: true });
    panel.setAttribute("aria-label", "Notes");
    const places = one("#TREE") ? "of the wireframe or the tree" : "under After; for one that is gone, what was around it";
    this.advice = create("p", { className: "quiet" }, `Choose a part ${places}.`);
    this.list = create("ol");
    this.lost = create("p", { hidden: true }, "This browser does not keep notes: copy them before you leave the page.");
    this.state = create("p", { className: "quiet" });
    this.state.setAttribute("role", "status");
    this.copy = create("button", { type: "button", className: "main" }, "Copy notes");
    copyOnClick(this.copy, () => this.markdown());
    const close = create("button", { type: "button" }, "Close");
    close.addEventListener("click", () => this.toggle());
    const actions = create("p", { className: "actions" });
    actions.append(this.copy, " ", close);
    panel.append(create("h2", {}, "Notes"), this.advice, this.list, this.lost, this.state, actions);
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

  edit(id) {
    const dialog = create("dialog", { className: "note-dialog" });
    const form = create("form", { method: "dialog" });
    const label = create("label", {}, `Note on ${nameOf(this.elements.get(id).value, this.source)}`);
    const area = create("textarea", { rows: 5, maxLength: 10_000, value: this.texts.get(id) ?? "", id: "NOTE-TEXT" });
    label.htmlFor = area.id;
    const write = create("button", { value: "write", className: "main" }, "Keep");
    const remove = create("button", { value: "remove", hidden: !this.texts.has(id) }, "Remove");
    const cancel = create("button", { value: "" }, "Cancel");
    const actions = create("p", { className: "actions" });
    actions.append(write, " ", remove, " ", cancel);
    form.append(label, area, actions);
    area.addEventListener("keydown", (event) => {
      if (event.key === "Enter" && (event.ctrlKey || event.metaKey)) write.click();
    });
    dialog.addEventListener("close", () => {
      const text = area.value.trim();
      if (dialog.returnValue === "remove" || (dialog.returnValue === "write" && !text)) this.texts.delete(id);
      else if (dialog.returnValue === "write") this.texts.set(id, text);
      if (dialog.returnValue) this.save();
      dialog.remove();
      one(`.note[data-id="${CSS.escape(id)}"]`)?.focus({ preventScroll: true });
    });
    dialog.append(form);
    document.body.append(dialog);
    dialog.showModal();
    area.focus();
  }

  show() {
    const count = this.texts.size;
    this.button.textContent = count ? `Notes (${count})` : "Notes";
    this.copy.hidden = !count;
    if (!this.elements) return;
    for (const mark of all(".note")) {
      const isNoted = this.texts.has(mark.dataset.id);
      mark.classList.toggle("is-noted", isNoted);
      mark.setAttribute("aria-label", `${isNoted ? "Change the note" : "Note"} on ${nameOf(this.elements.get(mark.dataset.id).value, this.source)}`);
    }
    this.list.replaceChildren(...this.inOrder().map(([id, element]) => this.createItem(id, element)));
    this.state.textContent = count ? `${count === 1 ? "1 note is" : `${count} notes are`} kept in this browser only.` : "";
  }

  createItem(id, element) {
    const item = create("li");
    const edit = create("button", { type: "button", className: "plain" }, nameOf(element.value, this.source));
    edit.addEventListener("click", () => this.edit(id));
    item.append(edit, create("span", {}, ` ${this.texts.get(id)}`));
    return item;
  }

  // The notes in the order of the document. An element that it does not have is the part of another version: its notes wait.
  inOrder() {
    return [...this.elements].filter(([id]) => this.texts.has(id));
  }

  async markdown() {
    if (!this.elements) await this.fetchElements();
    const { page, guide, hash } = this.source.dataset;
    const absolute = (address) => new URL(address, location.href);
    const lines = [...ADVICE, "", `- Spec: ${absolute(page)}`, `- Content hash: ${codeOf(hash)}`, `- What a RUI may contain: ${absolute(guide)}`];
    for (const [index, [id, { path, value, children }]] of this.inOrder().entries()) {
      const name = nameOf(value, this.source).replace(/[\\`*_{}[\]<>#|~&]/g, "\\$&");
      lines.push("", `${index + 1}. ${value.type} **${name}** ${codeOf(path)}`, `   - Id: ${codeOf(id)}`, `   - Now: ${codeOf(JSON.stringify(value))}`);
      if (children.length) lines.push(`   - Contains: ${children.map(codeOf).join(", ")}`);
      lines.push(...`   - Note: ${this.texts.get(id)}`.split("\n").map((line, number) => (number ? `     ${line}`.trimEnd() : line)));
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
