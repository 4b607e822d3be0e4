// Parts of a large document: its page leaves them out, and they are fetched when a reader opens them. Without a script,
// each has a link to a page that contains it.
"use strict";

const LISTING = "JSON";

async function fetchPart(name) {
  const url = new URL(location.href);
  url.hash = "";
  url.searchParams.set("part", name);
  const response = await fetch(url);
  if (!response.ok) throw new Error(`status ${response.status}`);
  return new DOMParser().parseFromString(await response.text(), "text/html");
}

// Loads a part once. On failure its link is left as it is: it leads to a page with the part.
function loading(box, insert) {
  box.loading ??= (async () => {
    box.setAttribute("aria-busy", "true");
    try {
      insert(await fetchPart(box.dataset.part));
    } catch {
      box.removeAttribute("aria-busy");
      box.loading = undefined;
    }
  })();
  return box.loading;
}

// Replaces the link in a node by its child nodes.
function loadNode(box) {
  return loading(box, (page) => {
    const node = box.closest(".node");
    box.replaceWith(...all(":scope > .tree, :scope > p.name", one(".node .inside", page)));
    tree.adopt(node);
  });
}

async function loadListing() {
  const box = one(`p[data-part=${LISTING}]`);
  if (!box) return;
  await loading(box, (page) => {
    const listing = document.createElement("pre");
    listing.className = "listing";
    listing.tabIndex = 0;
    listing.setAttribute("aria-labelledby", LISTING);
    listing.append(...page.body.childNodes);
    box.replaceWith(listing);
    linked.connect(listing);
  });
}

// The table of bindings of a large document: with a script, the browser parses it when it is near.
function showBindings(section) {
  const source = one("noscript", section);
  if (!source) return;
  source.replaceWith(...new DOMParser().parseFromString(source.textContent, "text/html").body.childNodes);
  addCopyButtons(section);
}

function whenNear(element, callback) {
  if (!element) return;
  const observer = new IntersectionObserver((entries) => {
    if (entries.some((it) => it.isIntersecting)) callback(element);
  }, { rootMargin: "600px" });
  observer.observe(element);
}

// The page with all nodes: loaded once if this one lacks some.
class WholePage {
  constructor() {
    this.isFiltered = one("#Q").value !== "";
    this.isPartial = this.isFiltered || one(".part") !== null;
  }

  load() {
    if (!this.isPartial) return Promise.resolve();
    this.loading ??= this.fetch().finally(() => (this.loading = undefined));
    return this.loading;
  }

  async fetch() {
    const url = new URL(location.href);
    url.hash = "";
    url.searchParams.delete("q");
    url.searchParams.set("open", "outline");
    const response = await fetch(url);
    if (!response.ok) throw new Error(`status ${response.status}`);
    const page = new DOMParser().parseFromString(await response.text(), "text/html");
    const names = this.isFiltered ? [".wireframe", ".sides"] : ["#TREE"];
    for (const name of names) {
      const next = one(name, page);
      const last = one(name);
      if (last) last.replaceWith(next);
      else one("main").prepend(next);
    }
    this.isPartial = this.isFiltered = false;
    startTree();
  }
}
