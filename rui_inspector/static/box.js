// The text box of the front page: checks the document while typing.
"use strict";

class Box {
  constructor(box) {
    this.box = box;
    this.result = one("#RESULT");
    box.addEventListener("input", debounce(300, () => this.check()));
    for (const type of ["dragenter", "dragover"]) box.addEventListener(type, (event) => this.setOver(event, true));
    for (const type of ["dragleave", "drop"]) box.addEventListener(type, (event) => this.setOver(event, false));
    box.addEventListener("drop", (event) => this.load(event.dataTransfer.files[0]));
    one("#FILE").addEventListener("change", (event) => this.load(event.target.files[0]));
    this.addJumps();
  }

  setOver(event, isOver) {
    if (!event.dataTransfer.types.includes("Files")) return;
    event.preventDefault();
    this.box.classList.toggle("over", isOver);
  }

  async load(file) {
    if (!file) return;
    this.box.value = await file.text();
    one("#FILE").value = "";
    this.check();
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

  // A button at every problem that selects its place in the box.
  addJumps() {
    for (const problem of all(".problems > li", this.result)) {
      const button = document.createElement("button");
      button.type = "button";
      button.textContent = "Go there";
      button.addEventListener("click", () => {
        // Offsets count code points, the box counts UTF-16 units.
        const at = [...this.box.value].slice(0, Number(problem.dataset.offset)).join("").length;
        this.box.focus();
        this.box.setSelectionRange(at, at + (one("mark:not(.related)", problem)?.textContent.length ?? 0));
      });
      one(".where", problem).append(" ", button);
    }
  }
}
