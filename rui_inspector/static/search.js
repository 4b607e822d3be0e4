// Search while typing, with the same results as the form without a script (rui_inspector/model/search.py).
"use strict";

// Text of the page itself, which is no part of the document.
const OWN = "dt:not(.undeclared), .name:not(.undeclared), .more, .empty, .error-count, .summary *, .request > i";

// Folds case as the server does (Python's casefold): ß equals SS.
const fold = (text) => text.toUpperCase().toLowerCase().replaceAll("ς", "σ");

const MAX_MARKS = 2000;

// The range of a match in the folded text. Folding may change the length of a text; its offsets do not apply to the
// page then, and the whole text node is marked.
function rangeOf(textNode, text, start, end) {
  const isSameLength = text.length === textNode.length;
  return new StaticRange({
    startContainer: textNode, startOffset: isSameLength ? start : 0,
    endContainer: textNode, endOffset: isSameLength ? end : textNode.length,
  });
}

// The text nodes of the document below an element.
function textNodesOf(element) {
  const walker = document.createTreeWalker(element, NodeFilter.SHOW_TEXT);
  const textNodes = [];
  while (walker.nextNode()) {
    const textNode = walker.currentNode;
    if (textNode.data.trim() && !textNode.parentElement.closest(OWN)) textNodes.push(textNode);
  }
  return textNodes;
}

class Search {
  constructor(form) {
    this.form = form;
    this.input = one("input", form);
    form.addEventListener("submit", (event) => {
      event.preventDefault();
      this.search();
    });
    this.input.addEventListener("focus", () => whole.load().catch(() => {}));
    this.input.addEventListener("input", debounce(120, () => this.search()));
  }

  // A page that lacks nodes is completed once, without leaving the field.
  async search() {
    try {
      await whole.load();
    } catch {
      this.form.submit();
      return;
    }
    this.find();
    setQuery("q", this.input.value.trim());
  }

  // Every node with its text nodes, including its labels in the navigation, and their text.
  entries() {
    if (this.cached && this.root === tree.root) return this.cached;
    this.root = tree.root;
    const links = all(".menu a");
    this.cached = all("#TREE .node").map((node) => {
      const inside = one(":scope > details > .inside", node);
      const ownParts = [...inside.children].filter((child) => !child.matches(".tree, p.name"));
      const labels = links.filter((link) => targetOf(link.hash) === node);
      const textNodes = [one("summary", node), ...ownParts, ...labels].flatMap(textNodesOf);
      return { node, textNodes, text: fold(textNodes.map((textNode) => textNode.data).join("\n")) };
    });
    return this.cached;
  }

  find() {
    const words = fold(this.input.value).split(/\s+/).filter(Boolean);
    const hits = this.entries().filter(({ text }) => words.every((word) => text.includes(word)));
    const shown = new Set();
    for (const hit of hits) {
      for (let node = hit.node; node && !shown.has(node); node = node.parentElement.closest(".node")) shown.add(node);
    }
    for (const { node } of this.entries()) {
      node.hidden = words.length > 0 && !shown.has(node);
      if (words.length && shown.has(node)) details(node).open = true;
    }
    this.mark(words, words.length ? hits : []);
    this.report(words, hits.length);
  }

  // Highlights matches without changing the page, in browsers that support it.
  mark(words, hits) {
    const ranges = [];
    for (const textNode of hits.flatMap((hit) => hit.textNodes)) {
      const text = fold(textNode.data);
      for (const word of words) {
        for (let start = text.indexOf(word); start >= 0 && ranges.length < MAX_MARKS; start = text.indexOf(word, start + word.length)) {
          ranges.push(rangeOf(textNode, text, start, start + word.length));
          const folded = textNode.parentElement.closest(".fold");
          if (folded) folded.open = true;
        }
      }
    }
    if (globalThis.Highlight) CSS.highlights.set("found", new Highlight(...ranges));
  }

  report(words, count) {
    const found = one("#FOUND");
    found.replaceChildren();
    if (!words.length) return;
    const line = document.createElement("p");
    const searched = document.createElement("bdi");
    searched.textContent = this.input.value;
    line.append(`${count || "No"} ${count === 1 ? "node matches" : "nodes match"} “`, searched, "”.");
    found.append(line);
    const { top, bottom } = found.getBoundingClientRect();
    if (top < 0 || bottom > innerHeight) found.scrollIntoView({ block: "start", behavior: "instant" });
  }
}
