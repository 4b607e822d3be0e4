// Enhances pages that work without a script: copying, *Expand all*, permalinks, and the JSON beside the tree. No code here
// creates HTML from the text of a document. copy.js precedes it in the same file.

const all = (selector, root = document) => [...root.querySelectorAll(selector)];
const one = (selector, root = document) => root.querySelector(selector);

const LATE = 8_000; // milliseconds until an answer counts as absent

// Copying ------------------------------------------------------------------------------------------------------------

function addCopyButton(element, label) {
  const button = createCopyButton(label, async () => element.textContent);
  button.className = "copy";
  element.after(" ", button);
}

// The document itself: that of the service, or the text of the author.
async function documentText() {
  const own = one("[name=rui][type=hidden]");
  return own ? own.value : fetchJson(one("#DOWNLOAD").href);
}

// The JSON at an address of the service, as text. A proxy may answer in its place, or redirect to a login page.
async function fetchJson(url) {
  const signal = AbortSignal.timeout(LATE);
  let response;
  let text;
  try {
    response = await fetch(url, { signal, redirect: "manual" });
    text = await response.text();
  } catch {
    throw new NothingToCopy(signal.aborted ? `The service has not answered for ${LATE / 1000} seconds.` : "The service does not respond.");
  }
  const isJson = response.headers.get("content-type")?.startsWith("application/json");
  if (response.type === "opaqueredirect" || (response.ok && !isJson)) {
    throw new NothingToCopy("The answer is not the document. Reload the page: you may have to log in again.");
  }
  if (!response.ok) throw new NothingToCopy(`The service cannot send it now (status ${response.status}). Try again later.`);
  return text;
}

// The tree and the JSON ----------------------------------------------------------------------------------------------

const JSON_ANCHOR = "J-";
const MAX_COLORED = 20_000;
const TOKEN = /("(?:[^"\\\n]|\\.)*"?)(\s*:)?|-?\d[\d.eE+-]*|\b(?:true|false|null)\b/g;

// The element with the id of a fragment. A truncated address may end within %E2%80%AE, which cannot be decoded.
function targetOf(hash) {
  try {
    return document.getElementById(decodeURIComponent(hash.slice(1)));
  } catch {
    return null;
  }
}

// Opens what encloses an element.
function openAround(element) {
  for (let it = element.closest("details"); it; it = it.parentElement.closest("details")) it.open = true;
}

// Shows the target of a permalink: opens what encloses it, and the node itself.
function follow() {
  const target = targetOf(location.hash);
  if (!target) return;
  if (target.matches(".node")) one(":scope > details", target).open = true;
  openAround(target);
  target.scrollIntoView({ block: "start" });
  offerLink(target);
}

// Offers the address of the block of the picture that is lit.
function offerLink(target) {
  one(".to-tree button")?.remove();
  const links = one(":scope > .to-tree", target);
  if (!links) return;
  const button = document.createElement("button");
  Object.assign(button, { type: "button", textContent: "Copy link" });
  links.append(button);
  copyOnClick(button, async () => location.href);
}

// A press on the title of a block that can be seen lights it, and does not move the page: the browser scrolls to where it is.
function keepPlace() {
  let pressed = null;
  document.addEventListener("click", (event) => {
    const link = event.target instanceof Element && event.target.closest(".wireframe .to");
    const block = link && link.closest('[id^="W-"]');
    if (!block || event.defaultPrevented || link.hash !== `#${encodeURIComponent(block.id)}` || link.getBoundingClientRect().top < 0) return;
    if (link.hash === location.hash) {
      event.preventDefault();
      return;
    }
    pressed = block;
    const { scrollPaddingTop } = getComputedStyle(document.documentElement);
    block.style.scrollMarginTop = `${block.getBoundingClientRect().top - parseFloat(scrollPaddingTop)}px`;
  });
  addEventListener("hashchange", () => {
    pressed?.style.removeProperty("scroll-margin-top");
    pressed = null;
  });
}

function setMode(link) {
  for (const node of all("#TREE .node")) one(":scope > details", node).open = link.dataset.open === "all" || !node.matches(".leaf");
  for (const other of all("[data-open]")) other.toggleAttribute("aria-current", false);
  link.setAttribute("aria-current", "true");
  const url = new URL(location.href);
  url.searchParams.set("open", link.dataset.open);
  history.replaceState(history.state, "", url);
}

function colorOf(token) {
  if (token[1]) return token[2] ? "key" : "string";
  return /^[-\d]/.test(token[0]) ? "number" : "word";
}

// Colours the JSON without further elements, in browsers that have the CSS Custom Highlight API.
function addColors(listing) {
  if (!globalThis.Highlight) return;
  const walker = document.createTreeWalker(listing, NodeFilter.SHOW_TEXT);
  const ranges = { key: [], string: [], number: [], word: [] };
  let count = 0;
  while (walker.nextNode() && count < MAX_COLORED) {
    const node = walker.currentNode;
    for (const token of node.data.matchAll(TOKEN)) {
      const endOffset = token.index + (token[1] ?? token[0]).length;
      ranges[colorOf(token)].push(new StaticRange({ startContainer: node, startOffset: token.index, endContainer: node, endOffset }));
      count += 1;
    }
  }
  for (const [color, found] of Object.entries(ranges)) CSS.highlights.set(`json-${color}`, new Highlight(...found));
}

// The tree beside its JSON: the pointer over a node of one marks the node of the other.
function linkJson(listing) {
  let timer = 0;
  let marked = null;
  const isBeside = () => getComputedStyle(one(".json")).position === "sticky";
  const mark = (element) => {
    marked?.classList.remove("highlighted");
    marked = element;
    marked?.classList.add("highlighted");
  };
  const show = (element) => {
    if (element && isBeside()) listing.scrollTop += element.getBoundingClientRect().top - listing.getBoundingClientRect().top - 60;
  };
  const inJson = (target) => document.getElementById(JSON_ANCHOR + target.closest(".node")?.id);
  one("#TREE").addEventListener("pointerover", ({ target }) => {
    const element = inJson(target);
    mark(element);
    clearTimeout(timer);
    timer = setTimeout(show, 350, element);
  });
  listing.addEventListener("pointerover", ({ target }) => {
    const element = target.closest(`[id^=${JSON_ANCHOR}]`);
    mark(element && document.getElementById(element.id.slice(JSON_ANCHOR.length)));
  });
  one("#TREE").addEventListener("click", (event) => {
    if (!event.target.closest(`a[href^="#${JSON_ANCHOR}"]`)) return;
    one(".json details").open = true;
    if (!isBeside()) return; // the browser goes there
    event.preventDefault();
    mark(inJson(event.target));
    show(inJson(event.target));
  });
  one(".json details").addEventListener("toggle", () => addColors(listing), { once: true });
}

// The search ------------------------------------------------------------------------------------------------------------------

const TYPING = 300; // milliseconds after the last key until the service is asked

// Answers while the reader types, with the page of the answer that Enter opens: the pages with a match, and marks in the page
// list and the picture. Without an answer, the page stays as it is.
function searchWhileTyping(form) {
  const field = one("input", form);
  let timer = 0;
  let request = null;
  const find = async () => {
    request?.abort();
    request = new AbortController();
    const { signal } = request;
    const address = new URL(form.action);
    if (field.value.trim()) address.searchParams.set("q", field.value);
    try {
      const response = await fetch(address, { signal, redirect: "manual" });
      const text = await response.text();
      if (response.ok && !signal.aborted) showFound(new DOMParser().parseFromString(text, "text/html"));
    } catch {
      // Enter says what is wrong.
    }
  };
  field.addEventListener("input", () => {
    clearTimeout(timer);
    timer = setTimeout(find, TYPING);
  });
}

// Takes from the page of an answer what it says, and what it marks.
function showFound(page) {
  one("#FOUND")?.remove();
  const found = one("#FOUND", page);
  if (found) one(".masthead > .tools").after(found);
  announcement().textContent = found ? one("b", found).textContent : "";
  const marked = new Set(all(".wireframe .found", page).map((it) => it.id));
  for (const it of all('.wireframe [id^="W-"]')) it.classList.toggle("found", marked.has(it.id));
  for (const old of all(".needs mark")) old.remove();
  const pages = all(".needs > ul > li > p");
  all(".needs > ul > li > p", page).forEach((it, index) => pages[index]?.append(...all("mark", it).flatMap((mark) => [" ", mark])));
  const further = one(".more-screens");
  if (further && one(".found", further)) further.open = true;
}

// The sheets under the buttons of the header --------------------------------------------------------------------------------

function bindSheets() {
  const sheets = all(".tools > details");
  for (const sheet of sheets) {
    sheet.addEventListener("toggle", () => {
      if (!sheet.open) return;
      for (const other of sheets) if (other !== sheet) other.open = false;
      one("input", sheet)?.focus();
    });
    sheet.addEventListener("keydown", (event) => {
      if (event.key !== "Escape") return;
      sheet.open = false;
      one("summary", sheet).focus();
    });
  }
  document.addEventListener("click", (event) => {
    for (const sheet of sheets) if (!sheet.contains(event.target)) sheet.open = false;
  });
}

// Notes: their script is loaded by the button, and at once if this browser has notes or the address carries some.
function addNotes(source) {
  const button = document.createElement("button");
  Object.assign(button, { type: "button", className: "button", textContent: "Notes" });
  button.setAttribute("aria-pressed", "false");
  const load = (isPressed) => {
    if (button.disabled) return;
    button.disabled = true; // until the file is there
    const style = Object.assign(document.createElement("link"), { rel: "stylesheet", href: `${source.dataset.assets}notes.css` });
    const script = Object.assign(document.createElement("script"), { src: `${source.dataset.assets}notes.js` });
    const isDone = [style, script].map((it) => new Promise((resolve, reject) => Object.assign(it, { onload: resolve, onerror: reject })));
    document.head.append(style, script);
    Promise.all(isDone).then(() => {
      button.disabled = false;
      button.removeEventListener("click", press);
      const notes = startNotes(button);
      if (isPressed) notes.toggle();
      if (isPressed) button.focus();
    }, () => {
      button.disabled = false;
      button.textContent = "Notes: their script could not be loaded. Try again";
    });
  };
  const press = () => load(true);
  button.addEventListener("click", press);
  source.append(button);
  source.hidden = false;
  if (hasNotes() || packedIn(location.hash, "notes") !== null) load(false);
  else addEventListener("storage", () => hasNotes() && !globalThis.startNotes && load(false));
  addEventListener("hashchange", () => packedIn(location.hash, "notes") !== null && !globalThis.startNotes && load(false));
}

function hasNotes() {
  try {
    return Object.keys(localStorage).some((key) => /^rui-(note|draft:)/.test(key));
  } catch {
    return false; // Storage is denied.
  }
}

// The picture at the width of a phone.
function addPhoneWidth(heading) {
  const button = document.createElement("button");
  button.type = "button";
  button.textContent = "Phone width";
  button.setAttribute("aria-pressed", "false");
  button.addEventListener("click", () => {
    const isOn = heading.parentElement.classList.toggle("at-phone-width");
    button.setAttribute("aria-pressed", String(isOn));
  });
  heading.append(" ", button);
}

// The forms -------------------------------------------------------------------------------------------------------------------

// A document is stored once, however often its button is pressed.
function storeOnce(form) {
  let isStoring = false;
  form.addEventListener("submit", (event) => {
    if (event.submitter?.value !== "store") return;
    if (isStoring) event.preventDefault();
    isStoring = true;
  });
  addEventListener("pageshow", () => (isStoring = false));
}

// A file that is dropped beside the field is chosen; the browser would leave the page. The editor has its own way.
function takeFiles(input) {
  for (const type of ["dragover", "drop"]) {
    document.addEventListener(type, (event) => {
      if (!input.isConnected || !event.dataTransfer.types.includes("Files")) return;
      event.preventDefault();
      if (type === "drop" && event.dataTransfer.files.length) input.files = event.dataTransfer.files;
    });
  }
}

// Id, date and hash in the margin of each sheet, where a browser prints one; they are at the end of the document, too.
if (one(".printed")) document.documentElement.style.setProperty("--printed", JSON.stringify(one(".printed").textContent));
bindSheets();
if (one(".search") && !one("#FOUND")) searchWhileTyping(one(".search"));
if (one("#NOTES")) addNotes(one("#NOTES"));
if (one("#SCREENS")) addPhoneWidth(one("#SCREENS"));
if (one("#FILE")) takeFiles(one("#FILE"));
for (const form of all("form[method=post]")) storeOnce(form);
addEventListener("load", () => setTimeout(() => { // after the first paint: a large page has thousands
  for (const code of all("code, pre, .key, #RUI")) code.translate = false;
}));
for (const element of all("[data-copy]")) addCopyButton(element, element.dataset.copy);
for (const command of all(".command")) addCopyButton(command, "the command");
if (one("#COPY") && one("#DOWNLOAD, [name=rui][type=hidden]")) {
  one("#COPY").hidden = false;
  copyOnClick(one("#COPY"), documentText);
}
if (one("#TREE")) {
  for (const link of all("[data-open]")) {
    link.addEventListener("click", (event) => {
      event.preventDefault();
      setMode(link);
    });
  }
  if (one(".listing")) linkJson(one(".listing"));
  addEventListener("hashchange", follow);
  keepPlace();
  if (location.hash) follow();
}
document.body.dataset.ready = "";
