// The script of the preview: replaces the page and keeps the scroll position, sends clicks on nodes to the editor, and
// highlights the node at the cursor.
//
// The page is in VS Code, or in a browser, where live.js runs first and sets `previewHost`.
const editor = globalThis.previewHost ?? acquireVsCodeApi();

const state = editor.getState() ?? { top: 0, opened: {} };
const saveState = (change) => editor.setState(Object.assign(state, change));

const start = (element) => Number(element.dataset.offset);
const end = (element) => Number(element.dataset.end);

/** Returns a name of a details element that is the same in the next rendering. */
function nameOf(details) {
  const owner = details.closest("[id]");
  const siblings = owner ? [...owner.querySelectorAll("details")] : [...document.querySelectorAll("details")];
  return `${owner?.id ?? ""}/${siblings.indexOf(details)}`;
}

/** Restores the details that the reader has opened and closed. */
function restore() {
  document.querySelectorAll(".openings").forEach((element) => (element.hidden = false));
  for (const details of document.querySelectorAll("details")) {
    const isOpen = state.opened[nameOf(details)];
    if (isOpen !== undefined) {
      details.open = isOpen;
    }
  }
}

/** Replaces the page. If the new text has no nodes because it is broken, the last wireframe and tree stay. */
function replacePage(html) {
  const page = new DOMParser().parseFromString(html, "text/html");
  for (const part of ["#TREE", ".screens"]) {
    const next = page.querySelector(part);
    const last = document.querySelector(part);
    if (next && last?.querySelector("[data-offset]") && !next.querySelector("[data-offset]")) {
      last.dataset.stale = "";
      next.replaceWith(document.importNode(last, true));
    }
  }
  const top = window.scrollY;
  const anchor = anchorNode();
  document.body.replaceChildren(...[...page.body.childNodes].map((node) => document.importNode(node, true)));
  restore();
  window.scrollTo({ top, behavior: "instant" });
  const moved = anchor && document.getElementById(anchor.id);
  if (moved) {
    window.scrollBy({ top: moved.getBoundingClientRect().top - anchor.top, behavior: "instant" });
  }
}

/** Returns the id and position of the first visible node, which keeps its place when parts above it come and go. */
function anchorNode() {
  if (window.scrollY === 0) {
    return undefined;
  }
  const node = [...document.querySelectorAll("[data-offset][id]")].find(
    (candidate) => candidate.offsetHeight > 0 && candidate.getBoundingClientRect().top >= 0,
  );
  return node && { id: node.id, top: node.getBoundingClientRect().top };
}

/** The id of the highlighted node. */
let markedId;

/** Returns the distance of an element from the window, in pixels; 0 if a part of it is visible. */
function distance(element) {
  const { top, bottom } = element.getBoundingClientRect();
  return Math.max(0, -bottom, top - window.innerHeight);
}

/** Highlights the innermost node at the cursor, in the wireframe and in the tree, and scrolls to the closer one. */
function markNode(offset) {
  const nodes = [...document.querySelectorAll("[data-offset][data-end]")];
  const enclosing = nodes.filter((node) => start(node) <= offset && offset <= end(node));
  const innermost = enclosing.sort((a, b) => end(a) - start(a) - (end(b) - start(b)))[0];
  document.querySelectorAll("[data-cursor]").forEach((node) => node.removeAttribute("data-cursor"));
  if (!innermost) {
    return;
  }
  const marked = enclosing.filter((node) => start(node) === start(innermost) && end(node) === end(innermost));
  marked.forEach((node) => node.setAttribute("data-cursor", ""));
  // Do not scroll while the cursor moves inside one node.
  if (innermost.id === markedId) {
    return;
  }
  markedId = innermost.id;
  for (const node of marked) {
    for (let outer = node.parentElement; outer; outer = outer.parentElement) {
      if (outer.tagName === "DETAILS") {
        outer.open = true;
      }
    }
  }
  marked.sort((a, b) => distance(a) - distance(b))[0].scrollIntoView({ block: "nearest", behavior: "instant" });
}

/** Opens or closes the nodes: all, none, or the pages only. */
function openAll(which) {
  for (const details of document.querySelectorAll("#TREE .node > details")) {
    let depth = 0;
    for (let node = details.closest(".node"); node; node = node.parentElement.closest(".node")) {
      depth++;
    }
    details.open = which === "all" || (which === "outline" && depth < 3) || (which === "pages" && depth < 2);
  }
}

document.addEventListener("click", (event) => {
  const node = event.target.closest("[data-offset]");
  const link = event.target.closest("a[href^='#']");
  // Links to lines of the text lead to the editor, other links to elements of the page.
  const isToText = link !== null && document.getElementById(decodeURIComponent(link.hash.slice(1))) === null;
  const isControl = event.target.closest("a, button, input, .why") !== null;
  const summary = event.target.closest("summary");
  if (event.target === summary) {
    return; // The marker, or the space beside the title, opens and closes the node.
  }
  if (summary !== null && node !== null) {
    event.preventDefault(); // The title leads to the text, and the node stays as it is.
  }
  const opening = event.target.closest("[data-open]");
  if (opening !== null) {
    event.preventDefault();
    openAll(opening.dataset.open);
    return;
  }
  if (node && (isToText || !isControl)) {
    editor.postMessage({ kind: "clicked", start: start(node) });
  }
});

document.addEventListener(
  "toggle",
  ({ target }) => {
    saveState({ opened: { ...state.opened, [nameOf(target)]: target.open } });
  },
  true,
);

window.addEventListener("message", ({ data }) => {
  if (data.kind === "page") {
    saveState({ uri: data.uri });
    replacePage(data.html);
  } else if (data.kind === "cursor") {
    markNode(data.offset);
  }
});

restore();
// The reader may have scrolled while the page was loading.
if (window.scrollY === 0) {
  window.scrollTo({ top: state.top, behavior: "instant" });
}
saveState({ top: window.scrollY });
window.addEventListener("scroll", () => saveState({ top: window.scrollY }));
document.body.dataset.ready = "";
editor.postMessage({ kind: "ready" });
