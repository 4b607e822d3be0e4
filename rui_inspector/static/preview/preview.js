// The script of the preview: shows the wireframe or the tree, replaces both when the text changes and keeps the reader's
// place, sends clicks on nodes to the editor, and highlights the node at the caret.
//
// The page is in VS Code, or in a browser, where live.js runs first and sets `previewHost`.
const editor = globalThis.previewHost ?? acquireVsCodeApi();

const VIEWS = ["wireframe", "tree"];

/** The parts of the page that are replaced. The last views stay if a broken text has lost nodes. */
const PARTS = ["TITLE", "PANEL-wireframe", "PANEL-tree"];

/**
 * What survives a reload.
 * view: the name of the view; tops: view → scroll position; opened: name of a details element → whether it is open;
 * marked: view → id of the node at the caret.
 */
const state = { tops: {}, opened: {}, marked: {}, ...editor.getState() };
const saveState = (change) => editor.setState(Object.assign(state, change));

const byId = (id) => document.getElementById(id);
const panelOf = (view) => byId(`PANEL-${view}`);
const tabs = [...document.querySelectorAll("[role=tab]")];

const start = (element) => Number(element.dataset.offset);
const end = (element) => Number(element.dataset.end);
const size = (element) => end(element) - start(element);

/* Views */

const shownView = () => document.body.dataset.view;

function selectView(view) {
  document.body.dataset.view = view;
  for (const tab of tabs) {
    const isSelected = tab.dataset.view === view;
    tab.setAttribute("aria-selected", isSelected);
    tab.tabIndex = isSelected ? 0 : -1;
  }
}

/** Shows a view at its last position, and in it the node at the caret. */
function switchView(view) {
  if (view === shownView()) {
    return;
  }
  saveState({ view, tops: { ...state.tops, [shownView()]: window.scrollY } });
  selectView(view);
  window.scrollTo({ top: state.tops[view] ?? 0, behavior: "instant" });
  const marked = panelOf(view).querySelector("[data-cursor]");
  if (marked) {
    reveal(marked);
  }
  editor.postMessage({ kind: "view", view });
}

function onTabKey(event) {
  const at = tabs.indexOf(event.target);
  const next = { ArrowRight: at + 1, ArrowLeft: at - 1, Home: 0, End: -1 }[event.key];
  if (at < 0 || next === undefined) {
    return;
  }
  event.preventDefault();
  const tab = tabs.at(next % tabs.length);
  switchView(tab.dataset.view);
  tab.focus();
}

/* Details */

/** Returns a name of a details element that is the same in the next rendering. */
function nameOf(details) {
  const owner = details.closest("[id]");
  const siblings = owner ? [...owner.querySelectorAll("details")] : [...document.querySelectorAll("details")];
  return `${owner?.id ?? ""}/${siblings.indexOf(details)}`;
}

/** Restores the details that the reader has opened and closed. */
function restoreDetails() {
  for (const details of document.querySelectorAll("details")) {
    const isOpen = state.opened[nameOf(details)];
    if (isOpen !== undefined) {
      details.open = isOpen;
    }
  }
}

/** Opens all nodes, or those with child nodes. */
function setMode(mode) {
  for (const details of document.querySelectorAll("#TREE .node > details")) {
    details.open = mode === "all" || !details.parentElement.matches(".leaf");
  }
}

/* Updates */

/** Replaces the page, and reports its number if it is readable. */
function replacePage(html, number) {
  const page = new DOMParser().parseFromString(html, "text/html");
  const faults = page.getElementById("FAULTS");
  const isStale = faults.dataset.state === "broken" && lacksNodes(page);
  const anchor = anchorNode();
  const top = window.scrollY;
  if (isStale) {
    moveNodes(page);
  } else {
    PARTS.forEach((id) => replacePart(page, id));
    editor.postMessage({ kind: "shown", number });
  }
  replacePart(page, "FAULTS");
  document.body.toggleAttribute("data-stale", isStale);
  document.body.classList.toggle("big", page.body.classList.contains("big"));
  restoreDetails();
  restoreMarks();
  window.scrollTo({ top, behavior: "instant" });
  const moved = anchor && byId(anchor.id);
  if (moved) {
    window.scrollBy({ top: moved.getBoundingClientRect().top - anchor.top, behavior: "instant" });
  }
}

/** Replaces the content of an element by that in another page. The focus stays at the same place. */
function replacePart(page, id) {
  const last = byId(id);
  const next = document.importNode(page.getElementById(id), true);
  const focusable = "a, button, summary, [tabindex]";
  const focused = last.contains(document.activeElement) ? document.activeElement : null;
  const index = [...last.querySelectorAll(focusable)].indexOf(focused);
  last.replaceWith(next);
  if (focused !== null) {
    const target = next.querySelectorAll(focusable)[index] ?? next;
    target.focus({ preventScroll: true });
  }
}

/** Returns whether a page lacks nodes of the tree that is shown. */
function lacksNodes(page) {
  return [...document.querySelectorAll("#TREE [data-offset][id]")].some((node) => page.getElementById(node.id) === null);
}

/** Moves the nodes of the last readable text to their places in a broken one. Those that are not in it lead nowhere. */
function moveNodes(page) {
  for (const node of document.querySelectorAll("main [data-end]")) {
    const next = page.getElementById(node.id);
    if (next === null || next.dataset.end === undefined) {
      delete node.dataset.offset;
    } else {
      node.dataset.offset = next.dataset.offset;
      node.dataset.end = next.dataset.end;
    }
  }
}

/** Returns the id and position of the first visible node, which keeps its place when parts above it come and go. */
function anchorNode() {
  if (window.scrollY === 0) {
    return undefined;
  }
  const node = [...panelOf(shownView()).querySelectorAll("[data-end][id]")].find(
    (candidate) => candidate.offsetHeight > 0 && candidate.getBoundingClientRect().top >= 0,
  );
  return node && { id: node.id, top: node.getBoundingClientRect().top };
}

/* The caret */

/** Highlights the innermost node at the caret in each view, and scrolls to it in the one that is shown. */
function markNode(offset) {
  const marked = {};
  document.querySelectorAll("[data-cursor]").forEach((node) => node.removeAttribute("data-cursor"));
  for (const view of VIEWS) {
    const node = innermostAt(view, offset);
    node?.setAttribute("data-cursor", "");
    marked[view] = node?.id;
  }
  const view = shownView();
  // Do not scroll while the caret moves inside one node.
  const isOther = marked[view] !== undefined && marked[view] !== state.marked[view];
  saveState({ marked });
  if (isOther) {
    reveal(byId(marked[view]));
  }
}

function innermostAt(view, offset) {
  const nodes = [...panelOf(view).querySelectorAll("[data-offset][data-end]")];
  const enclosing = nodes.filter((node) => start(node) <= offset && offset <= end(node));
  return enclosing.sort((a, b) => size(a) - size(b))[0];
}

function restoreMarks() {
  for (const view of VIEWS) {
    const node = state.marked[view] && byId(state.marked[view]);
    node?.setAttribute("data-cursor", "");
  }
}

/** Returns the first title in a node, or else the node: a node may be higher than the window. */
function titleOf(node) {
  return node.querySelector("summary, h3, .heading") ?? node;
}

/** Scrolls to a node if its title is not visible. */
function reveal(node, block = "nearest") {
  for (let outer = node.parentElement; outer; outer = outer.parentElement) {
    if (outer.tagName === "DETAILS") {
      outer.open = true;
    }
  }
  titleOf(node).scrollIntoView({ block, behavior: "instant" });
}

/** Follows the editor's scrolling: shows the first node of the visible text, unless a node of it is visible already. */
function followText(from, to) {
  const panel = panelOf(shownView());
  const nodes = [...panel.querySelectorAll("[data-offset][data-end]")];
  const visible = nodes.filter((node) => from <= start(node) && start(node) <= to);
  if (visible.length === 0) {
    const outer = innermostAt(shownView(), from);
    visible.push(...(outer ? [outer] : []));
  }
  const shown = visible.filter((node) => titleOf(node).getClientRects().length > 0);
  if (shown.length > 0 && !shown.some((node) => isInWindow(titleOf(node)))) {
    titleOf(shown[0]).scrollIntoView({ block: "start", behavior: "instant" });
  }
}

function isInWindow(element) {
  const { top, bottom } = element.getBoundingClientRect();
  return bottom > 0 && top < window.innerHeight;
}

/* Clicks */

/** Returns the offset in the text that a click leads to; undefined for a click on something else. */
function offsetOf(target) {
  const node = target.closest("[data-offset]");
  if (node === null) {
    return undefined;
  }
  const link = target.closest("a[href^='#']");
  // Links to places in the text lead to the editor, other links to elements of the page.
  const isToText = link !== null && byId(decodeURIComponent(link.hash.slice(1))) === null;
  const isOfFault = link !== null && link.closest(".problems") !== null;
  const isControl = target.closest("a, button, input, .why") !== null;
  return isToText || isOfFault || !isControl ? start(node) : undefined;
}

/** Follows a link to a node of the other view. */
function followLink(event) {
  const link = event.target.closest("a[href^='#']");
  const target = link && byId(decodeURIComponent(link.hash.slice(1)));
  const view = VIEWS.find((name) => name !== shownView() && panelOf(name).contains(target));
  if (view !== undefined) {
    event.preventDefault();
    switchView(view);
    reveal(target, "start");
  }
}

function onClick(event) {
  const tab = event.target.closest("[role=tab]");
  if (tab !== null) {
    switchView(tab.dataset.view);
    return;
  }
  const opening = event.target.closest("[data-open]");
  if (opening !== null) {
    setMode(opening.dataset.open);
    return;
  }
  const summary = event.target.closest(".node summary");
  if (summary !== null && event.target === summary) {
    return; // The marker, or the space beside the title, opens and closes the node.
  }
  const offset = offsetOf(event.target);
  if (offset === undefined) {
    followLink(event);
    return;
  }
  if (summary !== null || event.target.closest("a") !== null) {
    event.preventDefault(); // The title leads to the text, and the node stays as it is.
  }
  editor.postMessage({ kind: "clicked", start: offset });
}

document.addEventListener("click", onClick);
document.addEventListener("keydown", onTabKey);
document.addEventListener(
  "toggle",
  ({ target }) => saveState({ opened: { ...state.opened, [nameOf(target)]: target.open } }),
  true,
);
window.addEventListener("message", ({ data }) => {
  if (data.kind === "page") {
    saveState({ uri: data.uri });
    replacePage(data.html, data.number);
  } else if (data.kind === "cursor") {
    markNode(data.offset);
  } else if (data.kind === "scrolled") {
    followText(data.start, data.end);
  }
});

document.querySelector(".views").hidden = false;
restoreDetails();
selectView(state.view ?? document.body.dataset.view ?? VIEWS[0]);
// The reader may have scrolled while the page was loading.
if (window.scrollY === 0) {
  window.scrollTo({ top: state.tops[shownView()] ?? 0, behavior: "instant" });
}
window.addEventListener("scroll", () => saveState({ tops: { ...state.tops, [shownView()]: window.scrollY } }));
document.body.dataset.ready = "";
editor.postMessage({ kind: "ready" });
