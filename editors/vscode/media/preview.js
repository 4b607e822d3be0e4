// The script of the preview: replaces the page and keeps the scroll position, sends clicks on nodes to the editor, and
// highlights the node at the cursor.
const editor = acquireVsCodeApi();

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

/** Restores the scroll position, and the details that the reader has opened and closed. */
function restore() {
  for (const details of document.querySelectorAll("details")) {
    const isOpen = state.opened[nameOf(details)];
    if (isOpen !== undefined) {
      details.open = isOpen;
    }
  }
  window.scrollTo(0, state.top);
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
  document.body.replaceChildren(...[...page.body.childNodes].map((node) => document.importNode(node, true)));
  state.top = top;
  restore();
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
  marked.sort((a, b) => distance(a) - distance(b))[0].scrollIntoView({ block: "nearest" });
}

document.addEventListener("click", (event) => {
  const node = event.target.closest("[data-offset]");
  const link = event.target.closest("a[href^='#']");
  // Links to lines of the text lead to the editor, other links to elements of the page.
  const isToText = link !== null && document.getElementById(decodeURIComponent(link.hash.slice(1))) === null;
  const isControl = event.target.closest("a, button, input, .why") !== null;
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

window.addEventListener("scroll", () => saveState({ top: window.scrollY }));
restore();
editor.postMessage({ kind: "ready" });
