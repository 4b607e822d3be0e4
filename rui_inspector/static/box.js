// The box of the front page, checking while typing.
"use strict";

class Box {
  constructor(box) {
    this.box = box;
    this.result = one("#RESULT");
    box.addEventListener("input", later(300, () => this.check()));
    for (const type of ["dragenter", "dragover"]) box.addEventListener(type, (event) => this.over(event, true));
    for (const type of ["dragleave", "drop"]) box.addEventListener(type, (event) => this.over(event, false));
    box.addEventListener("drop", (event) => this.take(event.dataTransfer.files[0]));
    one("#FILE").addEventListener("change", (event) => this.take(event.target.files[0]));
    this.addJumps();
  }

  over(event, isOver) {
    if (!event.dataTransfer.types.includes("Files")) return;
    event.preventDefault();
    this.box.classList.toggle("over", isOver);
  }

  async take(file) {
    if (!file) return;
    this.box.value = await file.text();
    one("#FILE").value = "";
    this.check();
  }

  async check() {
    this.asked?.abort();
    this.asked = new AbortController();
    const text = this.box.value;
    if (!text.trim()) return this.result.replaceChildren();
    try {
      const answer = await fetch(this.box.form.action, {
        method: "POST", body: text, headers: { "content-type": "application/json" }, signal: this.asked.signal,
      });
      const page = new DOMParser().parseFromString(await answer.text(), "text/html");
      this.result.replaceChildren(...(one("#RESULT", page) ?? page.body).childNodes);
      this.addJumps();
    } catch (fault) {
      if (fault.name !== "AbortError") this.result.textContent = "The service does not answer; “Check it” tries again.";
    }
  }

  // From a finding to its place in the box.
  addJumps() {
    for (const finding of all(".problems > li", this.result)) {
      const button = document.createElement("button");
      button.type = "button";
      button.textContent = "Go there";
      button.addEventListener("click", () => {
        // Offsets count characters, the box counts 16-bit units.
        const at = [...this.box.value].slice(0, Number(finding.dataset.offset)).join("").length;
        this.box.focus();
        this.box.setSelectionRange(at, at + (one("mark:not(.near)", finding)?.textContent.length ?? 0));
      });
      one(".where", finding).append(" ", button);
    }
  }
}
