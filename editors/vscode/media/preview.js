// The preview: shows each rendering in place of the one before, so that a reader stays where they are; a click tells the
// editor where a node stands; the node at the cursor is marked.
const editor = acquireVsCodeApi();

const kept = editor.getState() ?? { top: 0, opened: {} };
const keep = (change) => editor.setState(Object.assign(kept, change));

const start = (element) => Number(element.dataset.offset);
const end = (element) => Number(element.dataset.end);

/** What a node that opens and closes is known by, from one rendering to the next. */
function nameOf(details) {
  const owner = details.closest("[id]");
  const siblings = owner ? [...owner.querySelectorAll("details")] : [...document.querySelectorAll("details")];
  return `${owner?.id ?? ""}/${siblings.indexOf(details)}`;
}

/** Opens and closes what the reader has opened and closed. */
function restore() {
  for (const details of document.querySelectorAll("details")) {
    const wanted = kept.opened[nameOf(details)];
    if (wanted !== undefined) {
      details.open = wanted;
    }
  }
  window.scrollTo(0, kept.top);
}

/** Puts a new rendering in the place of the old; of a text that is too broken for any node, the last tree stays. */
function replace(html) {
  const page = new DOMParser().parseFromString(html, "text/html");
  const next = page.getElementById("TREE");
  const last = document.getElementById("TREE");
  if (next && last?.querySelector("[data-offset]") && !next.querySelector("[data-offset]")) {
    last.dataset.stale = "";
    next.replaceWith(document.importNode(last, true));
  }
  const top = window.scrollY;
  document.body.replaceChildren(...[...page.body.childNodes].map((node) => document.importNode(node, true)));
  kept.top = top;
  restore();
}

/** The id of the node that was marked last. */
let marked;

/** Marks the innermost node around the cursor, and brings it into view. */
function mark(offset) {
  const nodes = [...document.querySelectorAll("[data-offset][data-end]")];
  const around = nodes.filter((node) => start(node) <= offset && offset <= end(node));
  const innermost = around.sort((a, b) => end(a) - start(a) - (end(b) - start(b)))[0];
  document.querySelectorAll("[data-cursor]").forEach((node) => node.removeAttribute("data-cursor"));
  if (!innermost) {
    return;
  }
  innermost.setAttribute("data-cursor", "");
  // Within one node, whoever writes does not move what somebody reads.
  if (innermost.id === marked) {
    return;
  }
  marked = innermost.id;
  for (let outer = innermost.parentElement; outer; outer = outer.parentElement) {
    if (outer.tagName === "DETAILS") {
      outer.open = true;
    }
  }
  innermost.scrollIntoView({ block: "nearest" });
}

document.addEventListener("click", (event) => {
  const node = event.target.closest("[data-offset]");
  const link = event.target.closest("a[href^='#']");
  // A link to a line of the text leads to the editor; any other leads to its place in the page.
  const isToText = link !== null && document.getElementById(decodeURIComponent(link.hash.slice(1))) === null;
  const isControl = event.target.closest("a, button, input, .why") !== null;
  if (node && (isToText || !isControl)) {
    editor.postMessage({ kind: "clicked", start: start(node) });
  }
});

document.addEventListener(
  "toggle",
  ({ target }) => {
    keep({ opened: { ...kept.opened, [nameOf(target)]: target.open } });
  },
  true,
);

window.addEventListener("message", ({ data }) => {
  if (data.kind === "page") {
    keep({ uri: data.uri });
    replace(data.html);
  } else if (data.kind === "cursor") {
    mark(data.offset);
  }
});

window.addEventListener("scroll", () => keep({ top: window.scrollY }));
restore();
editor.postMessage({ kind: "ready" });
