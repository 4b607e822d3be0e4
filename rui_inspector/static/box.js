// The text box of the front page: checks the document while typing. It works until the editor (playground/) takes its
// place, and where that does not load.
"use strict";

// The text in the box, kept for reloads, for Back, and for the way to another page and back.
const draft = {
  key: "rui-draft",
  load() {
    try {
      return sessionStorage.getItem(this.key) ?? "";
    } catch {
      return "";
    }
  },
  save(text) {
    try {
      sessionStorage.setItem(this.key, text);
    } catch {
      // Storage is off or full: the text is still in the box.
    }
  },
};

class Box {
  constructor(box) {
    this.box = box;
    this.result = one("#RESULT");
    this.stopped = new AbortController();
    const options = { signal: this.stopped.signal };
    box.addEventListener("input", () => draft.save(box.value), options);
    box.addEventListener("input", debounce(300, () => this.check()), options);
    for (const type of ["dragenter", "dragover"]) box.addEventListener(type, (event) => this.setOver(event, true), options);
    for (const type of ["dragleave", "drop"]) box.addEventListener(type, (event) => this.setOver(event, false), options);
    box.addEventListener("drop", (event) => this.load(event.dataTransfer.files[0]), options);
    one("#FILE").addEventListener("change", (event) => this.load(event.target.files[0]), options);
    // The editor may be about to take the place of the box.
    addEventListener("load", () => this.restore(), { ...options, once: true });
    this.addJumps();
  }

  // Leaves the page to the editor.
  stop() {
    this.stopped.abort();
    this.pending?.abort();
  }

  // A page that is loaded again shows the last text; a page with another text, such as an example, offers it.
  restore() {
    const text = draft.load();
    if (!text.trim() || text === this.box.value) return draft.save(this.box.value);
    const [navigation] = performance.getEntriesByType("navigation");
    if (!this.box.value || ["reload", "back_forward"].includes(navigation?.type)) {
      this.replace(text);
      return;
    }
    const button = document.createElement("button");
    button.type = "button";
    button.id = "RESTORE";
    button.textContent = "Bring back my last text";
    button.addEventListener("click", () => {
      button.remove();
      this.replace(text);
    });
    one(".actions").append(button);
  }

  replace(text) {
    this.box.value = text;
    draft.save(text);
    this.check();
  }

  setOver(event, isOver) {
    if (!event.dataTransfer.types.includes("Files")) return;
    event.preventDefault();
    this.box.classList.toggle("over", isOver);
  }

  async load(file) {
    if (!file) return;
    const text = await file.text();
    one("#FILE").value = "";
    this.replace(text);
  }

  async check() {
    this.pending?.abort();
    this.pending = new AbortController();
    const text = this.box.value;
    if (!text.trim()) return this.result.replaceChildren();
    try {
      const response = await fetch(this.box.form.action, {
        method: "POST", body: text, headers: { "content-type": "application/json" }, signal: this.pending.signal,
      });
      const page = new DOMParser().parseFromString(await response.text(), "text/html");
      this.result.replaceChildren(...(one("#RESULT", page) ?? page.body).childNodes);
      this.addJumps();
    } catch (error) {
      if (error.name !== "AbortError") this.result.textContent = "The service does not respond. “Check it” tries again.";
    }
  }

  // Selects a part of the text, and scrolls the box to it: browsers do not.
  select(start, end) {
    this.box.focus();
    this.box.setSelectionRange(start, end);
    const before = this.box.value.slice(0, start);
    const style = getComputedStyle(this.box);
    const context = document.createElement("canvas").getContext("2d");
    context.font = style.font;
    const column = before.slice(before.lastIndexOf("\n") + 1).replaceAll("\t", "  ");
    const left = context.measureText(column).width;
    this.box.scrollTop = (before.split("\n").length - 1) * parseFloat(style.lineHeight) - this.box.clientHeight / 2;
    this.box.scrollLeft = left < this.box.clientWidth * 0.75 ? 0 : left - this.box.clientWidth / 2;
    this.box.scrollIntoView({ block: "nearest" });
  }

  // A button at every problem that selects its place in the box.
  addJumps() {
    for (const problem of all(".problems > li", this.result)) {
      const button = document.createElement("button");
      button.type = "button";
      button.textContent = "Go there";
      button.addEventListener("click", () => {
        // Offsets count code points, the box counts UTF-16 units.
        const at = [...this.box.value].slice(0, Number(problem.dataset.offset)).join("").length;
        this.select(at, at + (one("mark:not(.related)", problem)?.textContent.length ?? 0));
      });
      one(".where", problem).append(" ", button);
    }
  }
}
