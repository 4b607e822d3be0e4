// This part: the tabs beside the editor, and the checks that fill them.

// The tabs beside the editor: wireframe, faults and data. The service renders them with every check. -----------------------

class Panels {
  // `go` and `fix` get the four numbers of a range.
  constructor(root, go, fix) {
    this.root = root;
    this.tabs = every("[role=tab]", root);
    for (const tab of this.tabs) tab.addEventListener("click", () => this.show(tab.dataset.tab));
    first("[role=tablist]", root).addEventListener("keydown", (event) => {
      const tab = moveFocus(this.tabs, event.target, event.key, "ArrowRight", "ArrowLeft");
      if (!tab) return;
      event.preventDefault();
      this.show(tab.dataset.tab);
    });
    root.addEventListener("click", (event) => {
      const range = event.target.closest("[data-range]")?.dataset.range;
      if (range) return fix(range.split("-").map(Number));
      const href = event.target.closest("a")?.getAttribute("href") ?? "";
      if (!href.startsWith("#")) return undefined;
      event.preventDefault();
      if (/^#R[\d-]+$/.test(href)) return go(href.slice(2).split("-").map(Number));
      return document.getElementById(href.slice(1))?.scrollIntoView({ block: "nearest" });
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

  // Shows the result of a check, or of none. Unchanged HTML stays, so that selection and scrolling stay, too.
  update(answer) {
    const total = answer ? answer.errors + answer.warnings : 0;
    const number = first("#TAB-faults .number", this.root);
    number.textContent = total ? total.toLocaleString("en") : "";
    number.classList.toggle("warned", Boolean(answer) && !answer.errors);
    this.setStale(false);
    if (this.html === answer?.tabs) return;
    this.html = answer?.tabs;
    if (!answer) {
      const hint = () => create("p", { className: "nothing", textContent: "Press Ctrl+Space in the editor, or choose an example." });
      return this.tabs.forEach((tab) => this.panel(tab.dataset.tab).replaceChildren(hint()));
    }
    for (const section of parse(answer.tabs)) {
      if (section.dataset) this.panel(section.dataset.tab).replaceChildren(...section.childNodes);
    }
  }

  // Says that the panels show the result of an earlier text, and hides that it was valid.
  setStale(isStale) {
    this.root.classList.toggle("stale", isStale);
    first("#STALE", this.root).hidden = !isStale;
  }

  // Marks the innermost block that contains an offset of the text, in code points.
  mark(offset) {
    const panel = this.panel("wireframe");
    if (panel.hidden) return;
    const found = every("[data-offset]", panel).findLast((it) => Number(it.dataset.offset) <= offset && offset <= Number(it.dataset.end));
    for (const element of every(".at-cursor", panel)) element.classList.remove("at-cursor");
    if (!found) return;
    found.classList.add("at-cursor");
    const { top } = found.getBoundingClientRect();
    const frame = panel.getBoundingClientRect();
    if (top < frame.top || top > frame.bottom - 40) panel.scrollTop += top - frame.top - 16;
  }
}

// Checks ------------------------------------------------------------------------------------------------------------------

const PAUSE = 250; // milliseconds without a key before a check, and before the text is kept
const RETRY_FIRST = 2_000;
const RETRY_LAST = 30_000;

// Asks the service about the newest text, one question at a time. `on` has a function for each of these: an answer, an
// error, a text whose answer is awaited for a second, a text whose answer is late. `maxBytes` is the limit of a text.
class Checker {
  constructor(view, service, maxBytes, on) {
    Object.assign(this, { view, service, maxBytes, on });
    this.retry = RETRY_FIRST;
    addEventListener("online", () => this.soon(0));
  }

  soon(wait = PAUSE) {
    this.view.dom.dataset.state = "changed";
    this.abort?.abort();
    clearTimeout(this.timer);
    this.timer = setTimeout(() => this.now(), wait);
    this.slowTimer ??= setTimeout(() => this.on.slow(), SLOW); // since the first change that is not checked
  }

  // Checks the text and returns the answer; undefined if there is none, or the text has changed.
  async now() {
    this.abort?.abort();
    clearTimeout(this.timer);
    this.abort = new AbortController();
    const { doc, selection } = this.view.state;
    const text = doc.toString();
    const size = text.length * 3 > this.maxBytes ? sizeOf(text) : 0;
    if (size > this.maxBytes) return this.fail(`The text has ${inWords(size)}. The limit of a check is ${inWords(this.maxBytes)}.`);
    this.lateTimer ??= setTimeout(() => this.on.late(), LATE); // since the first question that has no answer
    let answer = null;
    try {
      const { signal } = this.abort;
      if (text.trim()) answer = await this.service.ask("check", doc, { from: selection.main.head, signal, timeout: LAST });
    } catch (error) {
      if (error.name === "AbortError") return undefined;
      this.fail(error.message);
      this.timer = setTimeout(() => this.now(), this.retry);
      this.retry = Math.min(this.retry * 2, RETRY_LAST);
      return undefined;
    }
    if (this.view.state.doc !== doc) return undefined;
    this.retry = RETRY_FIRST;
    this.stopTimers();
    this.mark(doc, answer?.diagnostics ?? []);
    this.on.answer(answer);
    this.view.dom.dataset.state = "checked";
    return answer;
  }

  // Checks the text, and returns undefined if the answer is late.
  inTime() {
    return Promise.race([this.now(), new Promise((resolve) => setTimeout(resolve, LATE))]);
  }

  fail(sentence) {
    this.stopTimers();
    this.on.error(sentence);
  }

  stopTimers() {
    clearTimeout(this.slowTimer);
    clearTimeout(this.lateTimer);
    this.slowTimer = this.lateTimer = undefined;
  }

  mark(doc, diagnostics) {
    const marks = diagnostics.map((it) => ({
      ...spanOf(doc, it.range), severity: it.isError ? "error" : "warning", source: it.code, message: it.message, hint: it.hint,
      renderMessage: () => faultElement({ source: it.code, message: it.message, hint: it.hint }),
    }));
    // CodeMirror drops an empty mark at the end of the text if another mark ends there: it gets the last character.
    const isAtEnd = (it) => it.from === doc.length;
    if (marks.some((it) => it.to === doc.length && !isAtEnd(it))) {
      for (const mark of marks.filter(isAtEnd)) Object.assign(mark, { from: doc.length - 1, isEmpty: true });
    }
    this.view.dispatch(CM.setDiagnostics(this.view.state, marks));
  }
}
