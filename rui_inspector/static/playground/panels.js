// The tabs beside the editor: wireframe, faults and data. The service renders them with every check.

const PLACE = /^#R(\d+)-(\d+)-(\d+)-(\d+)$/;

class Panels {
  // `go` gets the four numbers of a range, `fix` too.
  constructor(root, go, fix) {
    this.root = root;
    this.fix = fix;
    this.html = "";
    this.tabs = every("[role=tab]", root);
    for (const tab of this.tabs) tab.addEventListener("click", () => this.show(tab.dataset.tab));
    first("[role=tablist]", root).addEventListener("keydown", (event) => this.onKeydown(event));
    root.addEventListener("click", (event) => {
      const href = event.target.closest("a")?.getAttribute("href") ?? "";
      if (!href.startsWith("#")) return;
      event.preventDefault();
      const place = PLACE.exec(href);
      if (place) go(place.slice(1).map(Number));
      else document.getElementById(href.slice(1))?.scrollIntoView({ block: "nearest" });
    });
  }

  panel(name) {
    return first(`#PANEL-${name}`, this.root);
  }

  show(name) {
    for (const tab of this.tabs) {
      const isShown = tab.dataset.tab === name;
      tab.setAttribute("aria-selected", isShown);
      tab.tabIndex = isShown ? 0 : -1;
      this.panel(tab.dataset.tab).hidden = !isShown;
    }
  }

  onKeydown(event) {
    const at = this.tabs.indexOf(event.target);
    const next = { ArrowRight: at + 1, ArrowLeft: at - 1, Home: 0, End: -1 }[event.key];
    if (next === undefined || at < 0) return;
    event.preventDefault();
    const tab = this.tabs.at(next % this.tabs.length);
    this.show(tab.dataset.tab);
    tab.focus();
  }

  // Shows the result of a check. Unchanged HTML stays, so that selection and scrolling stay, too.
  update(answer) {
    const total = answer.errors + answer.warnings;
    first("#TAB-faults .number", this.root).textContent = total ? total.toLocaleString("en") : "";
    if (answer.tabs === this.html) return;
    this.html = answer.tabs;
    for (const section of parse(answer.tabs)) {
      if (section.dataset) this.panel(section.dataset.tab).replaceChildren(...section.childNodes);
    }
    every(".problems > li", this.panel("faults")).forEach((problem, index) => {
      const { range } = answer.diagnostics[index];
      const go = create("a", { href: `#R${range.join("-")}`, className: "button", textContent: "Go there" });
      const fix = create("button", { type: "button", textContent: "Fix…" });
      fix.addEventListener("click", () => this.fix(range));
      first(".where", problem).before(create("p", { className: "acts" }, fix, go));
    });
  }

  clear() {
    this.html = "";
    first("#TAB-faults .number", this.root).textContent = "";
    for (const tab of this.tabs) {
      const words = { wireframe: "The pages appear here as you write them.", faults: "No faults yet.", data: "The endpoints appear here." };
      this.panel(tab.dataset.tab).replaceChildren(create("p", { className: "nothing", textContent: words[tab.dataset.tab] }));
    }
  }

  // Marks the innermost block that contains an offset of the text, in code points.
  mark(offset) {
    const panel = this.panel("wireframe");
    if (panel.hidden) return;
    let found = null;
    for (const element of every("[data-offset]", panel)) {
      if (Number(element.dataset.offset) <= offset && offset <= Number(element.dataset.end)) found = element;
    }
    for (const element of every(".at-cursor", panel)) element.classList.toggle("at-cursor", element === found);
    if (!found) return;
    found.classList.add("at-cursor");
    const box = found.getBoundingClientRect();
    const frame = panel.getBoundingClientRect();
    if (box.top < frame.top || box.top > frame.bottom - 40) panel.scrollTop += box.top - frame.top - 16;
  }
}
