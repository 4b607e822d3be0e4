// Enhances pages that work without a script: keyboard, copying, hovering. The served script is search.js, box.js,
// parts.js, listing.js and this file, in this order. No code here creates HTML from the text of a document.
"use strict";

const all = (selector, root = document) => [...root.querySelectorAll(selector)];
const one = (selector, root = document) => root.querySelector(selector);
const debounce = (wait, callback) => {
  let timer = 0;
  return (...args) => {
    clearTimeout(timer);
    timer = setTimeout(callback, wait, ...args);
  };
};

// Copying ------------------------------------------------------------------------------------------------------------

async function copy(element) {
  const selection = getSelection();
  selection.selectAllChildren(element);
  try {
    await navigator.clipboard.writeText(element.textContent);
  } catch {
    // The clipboard API needs a secure context; the old command works everywhere else.
    document.execCommand("copy");
  }
}

function copyButton(element, label) {
  const button = document.createElement("button");
  button.type = "button";
  button.className = "copy";
  button.textContent = "Copy";
  button.setAttribute("aria-label", `Copy ${label}`);
  button.addEventListener("click", async () => {
    await copy(element);
    button.textContent = "Copied";
    setTimeout(() => (button.textContent = "Copy"), 1500);
  });
  return button;
}

function addCopyButtons(root = document) {
  for (const element of all("[data-copy]", root)) element.after(" ", copyButton(element, element.dataset.copy));
  for (const command of all(".command")) command.after(copyButton(command, "the command"));
}

// The document itself, for the clipboard and for a file: that of the service, or the text of the author, or the listing
// without line numbers.
async function documentText() {
  if (one("a#DOWNLOAD")) {
    const response = await fetch(one("a#DOWNLOAD").href);
    if (response.ok) return response.text();
  }
  const own = one("[name=rui][type=hidden]");
  if (own) return own.value;
  const characters = (part) =>
    part.className === "invisible" ? String.fromCodePoint(parseInt(part.textContent.slice(2), 16)) : part.textContent;
  return all(".listing span[id]").map((line) => [...line.childNodes].slice(1).filter((it) => !it.matches?.("button, i")).map(characters).join("")).join("");
}

async function copyDocument() {
  const text = documentText();
  try {
    // The promise itself: some browsers allow the clipboard only directly after a click.
    const blob = text.then((it) => new Blob([it], { type: "text/plain" }));
    await navigator.clipboard.write([new ClipboardItem({ "text/plain": blob })]);
  } catch {
    const area = document.createElement("textarea");
    area.value = await text;
    document.body.append(area);
    area.select();
    document.execCommand("copy");
    area.remove();
  }
}

async function saveDocument() {
  const words = one("h1").textContent.toLowerCase().match(/[\p{L}\p{N}]+/gu) ?? ["app"];
  const link = document.createElement("a");
  link.href = URL.createObjectURL(new Blob([await documentText()], { type: "application/json" }));
  link.download = `${words.join("-").slice(0, 60)}.rui.json`;
  link.click();
  setTimeout(() => URL.revokeObjectURL(link.href), 10000);
}

function addTools() {
  const button = one("#COPY");
  const label = button.textContent;
  button.addEventListener("click", async () => {
    await copyDocument();
    button.textContent = "Copied";
    setTimeout(() => (button.textContent = label), 1500);
  });
  one("button#DOWNLOAD")?.addEventListener("click", saveDocument);
  for (const tool of all("#COPY, #DOWNLOAD")) tool.hidden = false;
}

// The tree -----------------------------------------------------------------------------------------------------------

const details = (node) => one(":scope > details", node);
const isShown = (node) => !node.closest("[hidden]") && !node.parentElement.closest("details:not([open])");
const controlsOf = (node) => all("a, button, summary", node).filter((it) => it.closest(".node") === node);
const nameOf = (node) => one(":scope > summary > .label", details(node))?.textContent || one(":scope > summary > .id", details(node))?.textContent || "";
const pathElementOf = (node) => one(":scope > details > .inside > .path", node);

// The element with the id of a fragment. A truncated address may end within %E2%80%AE, which cannot be decoded.
function targetOf(hash) {
  try {
    return document.getElementById(decodeURIComponent(hash.slice(1)));
  } catch {
    return null;
  }
}

// Opens the ancestors of an element, and the element itself if it is a node.
function reveal(element) {
  for (let it = element.closest("details"); it; it = it.parentElement.closest("details")) it.open = true;
  if (element.matches(".node")) details(element).open = true;
}

class Tree {
  constructor(root) {
    this.root = root;
    this.prefix = "";
    this.resetPrefix = debounce(700, () => (this.prefix = ""));
    for (const top of all(".tree.top", root)) {
      top.setAttribute("role", "tree");
      top.setAttribute("aria-label", top.parentElement.getAttribute("aria-label") ?? "Nodes");
    }
    this.adopt(root);
    const first = one(".node", root);
    if (first) this.select(first);
    root.addEventListener("toggle", (event) => this.onToggle(event), true);
    root.addEventListener("keydown", (event) => this.onKeydown(event));
    root.addEventListener("focusin", (event) => {
      const node = event.target.closest(".node");
      if (node) this.select(node);
    });
    root.addEventListener("pointerover", (event) => {
      const node = event.target.closest(".node");
      if (node) this.addCopyButton(node);
    });
  }

  // Prepares the nodes below an element of the page.
  adopt(root) {
    for (const group of all(".node .tree", root)) group.setAttribute("role", "group");
    for (const control of all(".node a, .node button, .node summary", root)) control.tabIndex = -1;
    for (const node of all(".node", root)) this.initialize(node);
    if (this.current && root.contains(this.current)) this.select(this.current, true);
  }

  nodes() {
    return all(".node", this.root);
  }

  shown() {
    return this.nodes().filter(isShown);
  }

  initialize(node) {
    node.setAttribute("role", "treeitem");
    node.tabIndex = -1;
    node.setAttribute("aria-expanded", details(node).open);
  }

  // Makes a node the only one in the tab order, followed by its links and buttons.
  select(node, again = false) {
    if (this.current === node && !again) return;
    if (this.current) {
      this.current.tabIndex = -1;
      for (const control of controlsOf(this.current)) control.tabIndex = -1;
    }
    this.current = node;
    node.tabIndex = 0;
    this.addCopyButton(node);
    for (const control of controlsOf(node)) if (control.parentElement !== details(node)) control.tabIndex = 0;
  }

  // A button that copies the path, added on hover or focus.
  addCopyButton(node) {
    const marks = one(":scope > .marks", node);
    if (one(".copy", marks)) return;
    const button = copyButton(pathElementOf(node), "the path");
    button.tabIndex = this.current === node ? 0 : -1;
    marks.prepend(button);
  }

  onToggle(event) {
    const node = event.target.parentElement;
    if (!node?.matches(".node")) return;
    node.setAttribute("aria-expanded", event.target.open);
    const box = one(":scope > .inside > .part", event.target);
    if (box && event.target.open) loadNode(box);
  }

  go(node) {
    if (!node) return;
    this.select(node);
    node.focus();
    linked?.show(node);
  }

  step(by) {
    const shown = this.shown();
    this.go(shown[shown.indexOf(this.current) + by]);
  }

  // The keys of the tree pattern: https://www.w3.org/WAI/ARIA/apg/patterns/treeview/
  onKeydown(event) {
    const node = event.target;
    if (event.key === "Escape" && !node.matches(".node")) this.go(node.closest(".node"));
    if (!node.matches(".node") || event.ctrlKey || event.metaKey || event.altKey) return;
    const parts = details(node);
    const act = {
      ArrowDown: () => this.step(1),
      ArrowUp: () => this.step(-1),
      ArrowRight: () => (parts.open ? this.go(all(".node", node).find(isShown)) : (parts.open = true)),
      ArrowLeft: () => (parts.open ? (parts.open = false) : this.go(node.parentElement.closest(".node"))),
      Home: () => this.go(this.shown()[0]),
      End: () => this.go(this.shown().at(-1)),
      Enter: () => (parts.open = !parts.open),
      " ": () => (parts.open = !parts.open),
      "*": () => [...node.parentElement.children].forEach((it) => (details(it).open = true)),
    }[event.key];
    if (act) act();
    else if (event.key.length === 1) this.typeAhead(event.key);
    else return;
    event.preventDefault();
  }

  typeAhead(key) {
    this.prefix += key.toLowerCase();
    this.resetPrefix();
    const shown = this.shown();
    const at = shown.indexOf(this.current) + (this.prefix.length === 1 ? 1 : 0);
    const order = [...shown.slice(at), ...shown.slice(0, at)];
    this.go(order.find((node) => nameOf(node).toLowerCase().startsWith(this.prefix)));
  }
}

function setCurrent(link, isCurrent) {
  if (isCurrent) link.setAttribute("aria-current", "true");
  else link.removeAttribute("aria-current");
}

async function openAs(name) {
  if (name !== "none") await whole.load();
  const isOpen = {
    all: () => true,
    outline: (node) => one(".tree", node) !== null,
    pages: (node) => !node.parentElement.closest(".node"),
    none: () => false,
  }[name];
  for (const node of all("#TREE .node")) details(node).open = isOpen(node);
  for (const link of all("[data-open]")) setCurrent(link, link.dataset.open === name);
}

// Keeps the search and the opening in the address, so that it can be shared and reloaded.
function setQuery(name, value) {
  if (!one(".search").getAttribute("action")) return;
  const url = new URL(location.href);
  if (value) url.searchParams.set(name, value);
  else url.searchParams.delete(name);
  history.replaceState(history.state, "", url);
}

let tree;
let linked;
let whole;

function startTree() {
  const root = one("#TREE");
  tree = new Tree(root);
  linked = new Linked(root);
  const listing = one(".listing");
  if (listing) linked.connect(listing);
}

// Shows the target of a permalink, and loads the part that contains it.
async function follow() {
  const box = targetOf(location.hash)?.closest(".part");
  if (box) await loadNode(box);
  else if (/^#L\d+$/.test(location.hash)) await loadListing();
  const target = targetOf(location.hash);
  if (!target) return;
  if (target.matches(".listing span")) linked.lines.unfold(Number(target.id.slice(1)));
  reveal(target);
  if (target.matches(".node, .listing span")) target.scrollIntoView({ block: "start" });
  if (!target.matches(".node")) return;
  tree.select(target);
  linked.show(target);
}

function onPartClick(event) {
  const link = event.target.closest("[data-part] a");
  if (!link || event.ctrlKey || event.metaKey || event.shiftKey) return;
  event.preventDefault();
  const box = link.closest("[data-part]");
  if (box.dataset.part === LISTING) loadListing();
  else loadNode(box).then(() => setQuery("open", box.dataset.part));
  if (link.id) location.hash = link.hash;
}

function inspect() {
  whole = new WholePage();
  startTree();
  for (const part of all(".search, .openings")) part.hidden = false;
  new Search(one(".search"));
  for (const link of all("[data-open]")) {
    link.addEventListener("click", (event) => {
      event.preventDefault();
      openAs(link.dataset.open).catch(() => (location.href = link.href));
      setQuery("open", link.dataset.open);
    });
  }
  one("main").addEventListener("click", onPartClick);
  whenNear(one(`p[data-part=${LISTING}]`), loadListing);
  whenNear(one("section:has(> noscript)"), showBindings);
  addEventListener("hashchange", follow);
  if (location.hash) follow();
}

addCopyButtons();
if (one("a#DOWNLOAD, [name=rui][type=hidden], .listing") && one("#COPY")) addTools();
if (one("#TREE")) inspect();
const frontBox = one("textarea#RUI") && new Box(one("textarea#RUI"));
