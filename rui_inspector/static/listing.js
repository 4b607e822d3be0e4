// The JSON next to the tree: it follows the tree, has colours, and its lines can be folded.
"use strict";

const MAX_LINES = 400;

// Tree and JSON: hovering over one highlights the other.
class Linked {
  constructor(tree) {
    this.tree = tree;
    this.highlighted = [];
    const scroll = debounce(350, (first) => this.scrollTo(first));
    tree.addEventListener("pointerover", (event) => {
      const range = this.rangeOf(event.target.closest(".node"));
      this.highlight(range ? this.linesOf(...range) : []);
      scroll(range?.[0] ?? 0);
    });
    tree.addEventListener("pointerleave", () => { this.highlight([]); scroll(0); });
    tree.addEventListener("click", (event) => this.onClick(event));
  }

  connect(listing) {
    this.listing = listing;
    this.lines = new Lines(listing);
    listing.addEventListener("pointerover", (event) => this.highlight(this.nodeAt(event.target.closest("span[id]"))));
    listing.addEventListener("pointerleave", () => this.highlight([]));
  }

  rangeOf(node) {
    return node?.dataset.lines?.split("-").map(Number);
  }

  async onClick(event) {
    const link = event.target.closest(".line");
    if (!link || event.ctrlKey || event.metaKey || event.shiftKey) return;
    if (this.listing && !this.isNextToTree()) return; // the browser goes there
    event.preventDefault();
    await loadListing();
    if (!this.isNextToTree()) location.hash = link.hash;
    else this.showLines(...this.rangeOf(link.closest(".node")));
  }

  // Shows the lines of a node that a key or a permalink leads to.
  async show(node) {
    const range = this.rangeOf(node);
    if (!range || !this.isNextToTree()) return;
    await loadListing();
    this.showLines(...range);
  }

  showLines(first, last) {
    this.lines.unfold(first);
    this.highlight(this.linesOf(first, last));
    this.scrollTo(first);
  }

  // Whether the listing is next to the tree and scrolls independently.
  isNextToTree() {
    const pane = one(".json");
    return pane !== null && getComputedStyle(pane).position === "sticky";
  }

  scrollTo(first) {
    const line = first && this.listing && this.isNextToTree() && document.getElementById(`L${first}`);
    if (line) this.listing.scrollTop += line.getBoundingClientRect().top - this.listing.getBoundingClientRect().top - 60;
  }

  linesOf(first, last) {
    const elements = [];
    for (let line = first; line <= Math.min(last, first + MAX_LINES); line += 1) elements.push(document.getElementById(`L${line}`));
    return elements.filter(Boolean);
  }

  // The innermost node that has this line.
  nodeAt(line) {
    const number = Number(line?.id.slice(1));
    const has = (node) => {
      const range = this.rangeOf(node);
      return range && range[0] <= number && number <= range[1];
    };
    let found = all(":scope > section > .tree > .node", this.tree).find(has);
    for (let next = found; next; found = next ?? found) next = all(".node", found).find(has);
    return found ? [found] : [];
  }

  highlight(elements) {
    for (const element of this.highlighted) element.classList.remove("highlighted");
    for (const element of elements) element.classList.add("highlighted");
    this.highlighted = elements;
  }
}

// Colours and folding ---------------------------------------------------------------------------------------------------

const STRING = /"(?:[^"\\]|\\.)*"?/g;
const TOKEN = /("(?:[^"\\]|\\.)*"?)(\s*:)?|-?\d[\d.eE+-]*|\b(?:true|false|null)\b/g;
const COLORS = ["key", "string", "number", "word"];

function colorOf(token) {
  if (token[1]) return token[2] ? "key" : "string";
  return /^[-\d]/.test(token[0]) ? "number" : "word";
}

// The text nodes of a line after its number, and where each starts in its text.
function textNodesOfLine(line) {
  const nodes = [];
  let start = 0;
  for (const node of [...line.childNodes].slice(1)) {
    if (node.nodeType !== Node.TEXT_NODE) continue;
    nodes.push({ node, start });
    start += node.length;
  }
  return nodes;
}

// The lines of the JSON. A browser that has the CSS Custom Highlight API colours them without further elements. Only lines
// that are near the window have colours and buttons to fold them.
class Lines {
  constructor(listing) {
    this.listing = listing;
    this.colored = new Map();
    if (globalThis.Highlight) for (const color of COLORS) CSS.highlights.set(`json-${color}`, new Highlight());
    const observer = new IntersectionObserver((entries) => {
      for (const { target, isIntersecting } of entries) {
        if (isIntersecting) this.show(target);
        else this.removeColors(target);
      }
    }, { rootMargin: "600px" });
    for (const chunk of all("code", listing)) observer.observe(chunk);
    listing.addEventListener("click", (event) => {
      const button = event.target.closest(".fold-lines");
      if (button) this.toggle(button.closest("span[id]"));
    });
  }

  show(chunk) {
    const ends = this.ends();
    for (const line of all(":scope > span", chunk)) {
      const end = ends.get(line);
      if (end && !one(".fold-lines", line)) line.firstElementChild.after(this.button(line, end));
    }
    if (globalThis.Highlight && !this.colored.has(chunk)) this.addColors(chunk);
  }

  addColors(chunk) {
    const ranges = [];
    for (const line of all(":scope > span", chunk)) {
      const nodes = textNodesOfLine(line);
      const text = nodes.map(({ node }) => node.data).join("");
      for (const token of text.matchAll(TOKEN)) {
        const length = token[1]?.length ?? token[0].length;
        const range = this.range(nodes, token.index, token.index + length);
        ranges.push([colorOf(token), range]);
        CSS.highlights.get(`json-${colorOf(token)}`).add(range);
      }
    }
    this.colored.set(chunk, ranges);
  }

  removeColors(chunk) {
    for (const [color, range] of this.colored.get(chunk) ?? []) CSS.highlights.get(`json-${color}`).delete(range);
    this.colored.delete(chunk);
  }

  range(nodes, start, end) {
    const at = (offset) => nodes.findLast((it) => it.start < offset || it.start === 0);
    const first = nodes.findLast((it) => it.start <= start);
    const last = at(end);
    return new StaticRange({
      startContainer: first.node, startOffset: start - first.start, endContainer: last.node, endOffset: end - last.start,
    });
  }

  // Line → the last line of the object or array that starts on it, if it takes several lines.
  ends() {
    if (this.cachedEnds) return this.cachedEnds;
    this.cachedEnds = new Map();
    this.all = all("span[id]", this.listing);
    const open = [];
    let depth = 0;
    this.all.forEach((line, index) => {
      const brackets = textNodesOfLine(line).map(({ node }) => node.data).join("").replace(STRING, "").match(/[[\]{}]/g) ?? [];
      const before = depth;
      for (const bracket of brackets) depth += bracket === "{" || bracket === "[" ? 1 : -1;
      while (open.length && open.at(-1).depth >= depth) {
        const start = open.pop().index;
        // The line with the closing bracket stays.
        if (index - start > 1) this.cachedEnds.set(this.all[start], this.all[index - 1]);
      }
      if (depth > before) open.push({ index, depth: before });
    });
    return this.cachedEnds;
  }

  button(line, end) {
    const button = document.createElement("button");
    button.type = "button";
    button.className = "fold-lines";
    button.setAttribute("aria-expanded", "true");
    button.setAttribute("aria-label", `Lines ${this.number(line) + 1} to ${this.number(end)}`);
    return button;
  }

  number(line) {
    return Number(line.id.slice(1));
  }

  toggle(line) {
    const button = one(".fold-lines", line);
    const isOpen = button.getAttribute("aria-expanded") === "false";
    button.setAttribute("aria-expanded", isOpen);
    const end = this.number(this.ends().get(line));
    for (let number = this.number(line) + 1; number <= end; number += 1) {
      const inner = this.all[number - 1];
      inner.hidden = !isOpen;
      const innerEnd = isOpen && this.isFolded(inner) && this.ends().get(inner);
      if (innerEnd) number = this.number(innerEnd);
    }
    one(".folded", line)?.remove();
    if (!isOpen) line.append(this.note(line, end - this.number(line)));
  }

  isFolded(line) {
    return one(".fold-lines", line)?.getAttribute("aria-expanded") === "false";
  }

  // What is hidden, at the end of the line.
  note(line, count) {
    const note = document.createElement("i");
    const length = textNodesOfLine(line).reduce((sum, { node }) => sum + node.length, 0);
    note.className = "folded";
    note.style.insetInlineStart = `${8 + length}ch`;
    note.textContent = count === 1 ? "1 line" : `${count} lines`;
    return note;
  }

  // Unfolds all lines around a line, so that it is visible.
  unfold(number) {
    for (let line = this.all?.[number - 1]; line?.hidden;) {
      const around = this.all.slice(0, number).findLast((it) => !it.hidden && this.isFolded(it));
      if (!around) return;
      this.toggle(around);
    }
  }
}
