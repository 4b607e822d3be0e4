// Search while typing, with the same results as the form without a script (rui_inspector/model/search.py).
"use strict";

// Text of the page itself, which is no part of the document.
const OWN = "dt:not(.free), .name:not(.free), .more, .empty, .error-count, .summary *, .request > i";

// Folds case as the server does (Python's casefold): ß equals SS.
const fold = (text) => text.toUpperCase().toLowerCase().replaceAll("ς", "σ");

function piecesOf(part) {
  const walker = document.createTreeWalker(part, NodeFilter.SHOW_TEXT);
  const pieces = [];
  while (walker.nextNode()) if (walker.currentNode.data.trim() && !walker.currentNode.parentElement.closest(OWN)) pieces.push(walker.currentNode);
  return pieces;
}

class Search {
  constructor(form) {
    this.form = form;
    this.input = one("input", form);
    this.wasFiltered = this.input.value !== "";
    form.addEventListener("submit", (event) => {
      if (this.wasFiltered) return;
      event.preventDefault();
      this.find();
    });
    this.input.addEventListener("input", debounce(120, () => (this.wasFiltered ? form.requestSubmit() : this.find())));
  }

  // Every node with its visible texts and its labels in the navigation.
  texts() {
    if (this.cached) return this.cached;
    const entries = all(".menu a").map((it) => [targetOf(it.hash), it]);
    this.cached = all("#TREE .node").map((node) => {
      const inside = one(":scope > details > .inside", node);
      const own = [...inside.children].filter((it) => !it.matches(".tree, p.name"));
      const called = entries.filter(([it]) => it === node).map(([, entry]) => entry);
      const parts = [one("summary", node), ...own, ...called];
      const pieces = parts.flatMap(piecesOf);
      return [node, fold(pieces.map((it) => it.data).join("\n")), pieces];
    });
    return this.cached;
  }

  find() {
    const words = fold(this.input.value).split(/\s+/).filter(Boolean);
    const hits = this.texts().filter(([, text]) => words.every((word) => text.includes(word)));
    const kept = new Set();
    for (const [node] of hits) for (let it = node; it && !kept.has(it); it = it.parentElement.closest(".node")) kept.add(it);
    for (const [node] of this.texts()) {
      node.hidden = words.length > 0 && !kept.has(node);
      if (words.length && kept.has(node)) details(node).open = true;
    }
    this.mark(words, words.length ? hits : []);
    this.report(words, hits.length);
  }

  // Highlights matches without changing the page, in browsers that support it.
  mark(words, hits) {
    const ranges = [];
    for (const piece of hits.flatMap(([, , pieces]) => pieces)) {
      const text = fold(piece.data);
      for (const word of words) {
        for (let at = text.indexOf(word); at >= 0 && ranges.length < 2000; at = text.indexOf(word, at + word.length)) {
          const endOffset = Math.min(at + word.length, piece.length);
          // Folding may change the length of a text; its offsets do not apply to the page then, so mark all of it.
          const [startOffset, end] = text.length === piece.length ? [at, endOffset] : [0, piece.length];
          ranges.push(new StaticRange({ startContainer: piece, startOffset, endContainer: piece, endOffset: end }));
          const folded = piece.parentElement.closest(".fold");
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
  }
}
