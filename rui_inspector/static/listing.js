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
