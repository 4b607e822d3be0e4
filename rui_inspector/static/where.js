// Where else: a press on an endpoint, a value path, a column, a filter or another word says on how many blocks and pages it is,
// and marks them in the picture. The endpoints and value paths of the lists are buttons for the keyboard; in the picture, → and ← go
// from the title of a block through its words. inspector.js precedes this in the same file.

const WORDS = ".source .request, .source .pick, .cells b, .picker"; // in the picture
const TREE_WORDS = "#TREE .key, #TREE .word, #TREE .request bdi:first-of-type"; // in the tree
const PRESSED = ".needs .request, .endpoints th .request, .endpoints td > code"; // in the lists

class WhereElse {
  constructor() {
    this.status = document.createElement("p");
    this.status.id = "WHERE";
    this.status.setAttribute("role", "status");
    document.body.append(this.status);
    this.pressed = "";
    for (const button of all(PRESSED)) {
      this.makeButton(button, 0);
    }
    document.addEventListener("click", (event) => {
      const element = event.target instanceof Element && event.target.closest([PRESSED, WORDS, TREE_WORDS].join());
      if (element && !event.target.closest("a, summary, button") && !document.body.matches(".noting")) this.press(element);
    });
    document.addEventListener("keydown", (event) => {
      if (event.key === "Escape" && this.pressed) this.show("");
      if (event.key === "ArrowRight" || event.key === "ArrowLeft") this.move(event);
      if (!["Enter", " "].includes(event.key) || !event.target.matches?.(`${PRESSED}, .wireframe [role=button]`)) return;
      event.preventDefault();
      this.press(event.target);
    });
  }

  makeButton(element, tabIndex) {
    for (const [attribute, value] of [["role", "button"], ["tabindex", tabIndex], ["title", "Where else is it?"]]) element.setAttribute(attribute, value);
    element.setAttribute("aria-pressed", String(this.pressed === wordOf(element)));
  }

  // Moves the focus between the title of a block and its words.
  move(event) {
    const { target } = event;
    if (!target.matches?.(".wireframe .block > .heading > .to, .wireframe [role=button]") || document.body.matches(".noting")) return;
    const block = target.closest(".block");
    const stops = [one(":scope > .heading > .to", block), ...all(WORDS, block).filter((it) => it.closest(".block") === block && it.checkVisibility())];
    const next = stops[stops.indexOf(target) + (event.key === "ArrowRight" ? 1 : -1)];
    event.preventDefault();
    if (!next) return;
    if (next.matches(WORDS)) this.makeButton(next, -1);
    next.focus();
  }

  press(element) {
    const word = wordOf(element);
    this.show(word === this.pressed ? "" : word);
    const [first] = all(".block.marked");
    if (!first) return;
    openAround(first);
    if (!element.closest(".wireframe, #TREE")) first.scrollIntoView({ block: "nearest" });
  }

  show(word) {
    this.pressed = word;
    for (const button of all(`${PRESSED}, .wireframe [role=button]`)) button.setAttribute("aria-pressed", String(wordOf(button) === word));
    for (const block of all(".block.marked")) block.classList.remove("marked");
    this.status.replaceChildren();
    if (!word) return;
    const blocks = blocksWith(word);
    for (const block of blocks) block.classList.add("marked");
    const pages = new Map();
    for (const block of blocks) pages.set(block.closest(".screen"), [...(pages.get(block.closest(".screen")) ?? []), block]);
    this.status.append(`${word}: ${countOf(blocks.length, "block")} on ${countOf(pages.size, "page")}`);
    for (const [screen, [first, ...others]] of pages) {
      const link = document.createElement("a");
      link.href = `#${first.id}`;
      link.textContent = one(":scope > h3", screen).textContent;
      this.status.append(this.status.childElementCount ? " · " : ": ", link, ` ${others.length + 1}`);
    }
    const close = document.createElement("button");
    close.type = "button";
    close.textContent = "Close";
    close.addEventListener("click", () => this.show(""));
    this.status.append(" ", close);
  }
}

function wordOf(element) {
  return element.textContent.trim();
}

// The blocks of the picture that show a word, or whose nodes in the tree have it.
function blocksWith(word) {
  const blocks = new Set();
  for (const element of all(WORDS)) if (wordOf(element) === word) blocks.add(element.closest(".wireframe .block"));
  for (const element of all(TREE_WORDS)) {
    if (wordOf(element) === word) blocks.add(document.getElementById(`W-${element.closest(".node")?.id}`));
  }
  return [...blocks].filter((it) => it?.matches(".block") && it.closest(".screen"));
}

function countOf(number, noun) {
  return `${number} ${noun}${number === 1 ? "" : "s"}`;
}

if (one(".wireframe .block") && one("#TREE")) new WhereElse();
