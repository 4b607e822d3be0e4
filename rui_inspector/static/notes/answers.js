// What this version did about the notes that this browser has on the versions before. The service gets path and name of each
// note, and the hash of their document, but no words of the reviewer. Without notes nothing is sent.

const MAX_SHOWN = 300; // characters of a note that a part of the page shows
const MAX_LISTED = 10; // notes that are not followed, above which the others are folded
const OUTCOMES = ["untouched", "gone", "followed"];

class Answers {
  // `section` is the element that shows them, with the attributes of a version before this one.
  constructor(section, notes) {
    this.section = section;
    this.notes = notes;
    this.before = new NotedDocument(section, "B-", new NoteStore(section.dataset.hash, section.dataset.contentHash));
    this.version = section.dataset.when ? `the version of ${section.dataset.when}` : "the version before";
    this.parts = []; // those with a note
    this.answers = []; // those of the service, in the order of the parts
  }

  async ask() {
    this.section.replaceChildren(create("h2", {}, `What became of ${countOf(this.before.store.notedKeys.length, "note")} on ${this.version}…`));
    this.section.hidden = false;
    try {
      await this.before.load();
    } catch {
      this.refuse("that version could not be loaded");
      return;
    }
    this.parts = this.before.inOrder(this.before.store.notedKeys);
    if (!this.parts.length) {
      this.show([]);
      return;
    }
    let response;
    let answer;
    try {
      const notes = this.parts.map(({ path, name }) => ({ path, name }));
      response = await fetch(`${this.section.dataset.compare}/notes`, {
        method: "POST",
        cache: "no-store",
        redirect: "manual",
        headers: { "content-type": "application/json" },
        body: JSON.stringify({ hash: this.section.dataset.hash, notes }),
        signal: AbortSignal.timeout(LATE),
      });
      answer = await response.json();
    } catch {
      this.refuse("the service does not answer");
      return;
    }
    if (response.ok) this.show(answer.notes);
    else this.refuse(answer.message.replace(/\.$/, ""));
  }

  textOn(part) {
    return this.before.store.noteOn(part.key);
  }

  // Says why there are no answers, and shows the notes all the same.
  refuse(reason) {
    const keys = this.before.store.notedKeys;
    const items = keys.map((key) => this.quote(key, this.titleOf(key)));
    const again = create("button", { type: "button" }, "Try again");
    again.addEventListener("click", () => this.ask());
    this.fill(`${countOf(keys.length, "note")} on ${this.version} ${keys.length === 1 ? "is" : "are"} not answered: ${reason}`, again, listOf(items));
  }

  quote(key, title) {
    const item = create("li", {}, `${title}: `);
    item.append(create("q", {}, this.before.store.noteOn(key)));
    return item;
  }

  // Offers to answer the notes, below the answers to those on a later version.
  async offer(keys) {
    await this.before.load().catch(() => {});
    const button = create("button", { type: "button" }, `See what became of ${keys.length === 1 ? "it" : "them"}`);
    button.addEventListener("click", async () => {
      await this.ask();
      this.title.focus();
    });
    const items = keys.map((key) => this.quote(key, this.titleOf(key)));
    this.section.replaceChildren(foldOf(`${countOf(keys.length, "note")} on ${this.version}`, items));
    this.section.firstChild.append(create("p"));
    this.section.firstChild.lastChild.append(button);
    this.section.hidden = false;
  }

  // The title of a part; its key, if the document is not loaded or does not have the part.
  titleOf(key) {
    return (this.before.nodes && this.before.part(key)?.title) || nameOfKey(key);
  }

  show(answers) {
    this.answers = answers;
    const count = (outcome) => answers.filter((it) => it.outcome === outcome).length;
    const items = Object.fromEntries(OUTCOMES.map((outcome) => [outcome, []]));
    this.parts.forEach((part, index) => {
      items[answers[index].outcome].push(this.createItem(part, answers[index]));
      this.showAtPart(part, answers[index]);
    });
    const total = countOf(answers.length, "note") + (this.section.dataset.when ? ` on ${this.version}` : "");
    const gone = count("gone") ? `, ${countOf(count("gone"), "part")} ${count("gone") === 1 ? "is" : "are"} gone` : "";
    const followed = `${count("followed")} of ${total} ${answers.length === 1 ? "is" : "are"} followed${gone}`;
    const heading = answers.length ? followed : `Notes on ${this.version} that are about no part of it`;
    const open = [...items.untouched, ...items.gone];
    const content = [listOf(open.slice(0, MAX_LISTED))];
    if (open.length > MAX_LISTED) content.push(foldOf(`${open.length - MAX_LISTED} more`, open.slice(MAX_LISTED)));
    if (count("untouched") > 1) content.push(this.createCarryAll(count("untouched")));
    if (count("followed")) content.push(foldOf(`${count("followed")} followed`, items.followed));
    const others = this.before.store.notedKeys.filter((key) => !this.before.part(key));
    if (!answers.length) content.push(listOf(others.map((key) => this.quote(key, key))));
    else if (others.length) content.push(foldOf(`${countOf(others.length, "note")} on no part of that version`, others.map((key) => this.quote(key, key))));
    this.fill(heading, ...content);
  }

  // Shows the section with a sentence as its heading, which screen readers read, too.
  fill(heading, ...content) {
    const index = all(".answers").indexOf(this.section);
    this.title = create("h2", { id: index ? `ANSWERED-${index}` : "ANSWERED", tabIndex: -1 }, heading);
    const words = "Your words stay in this browser. Only places and names of the noted parts are sent.";
    this.section.replaceChildren(this.title, ...content, create("p", { className: "quiet" }, words));
    this.section.setAttribute("aria-labelledby", this.title.id);
    this.section.hidden = false;
    announcement().textContent = heading;
  }

  createItem(part, answer) {
    const item = create("li");
    const link = this.linkTo(part, answer);
    item.append(outcomeOf(answer), " ", link, ": ", create("q", {}, this.textOn(part)));
    if (answer.sentences.length) item.append(" ", create("span", { className: "quiet" }, answer.sentences.join(" ")));
    if (answer.outcome === "untouched") item.append(" ", this.createCarry(part, answer));
    return item;
  }

  // The name of a part: a link to it on this page or, if only the page of the new version shows it, there.
  linkTo(part, answer) {
    const element = this.elementOf(part, answer);
    if (!element && !answer.part) return create("b", {}, part.title);
    const link = create("a", {}, part.title);
    const id = answer.part?.split("/")[0];
    const node = element && nodeAround(element);
    link.href = node ? `#${node.id}` : `${this.notes.source.dataset.page}${id ? `#${id}` : ""}`;
    if (element) link.addEventListener("click", () => openAround(element));
    return link;
  }

  // Where the page shows the part in the new version, or else in the one before.
  elementOf(part, answer) {
    if (answer.part) return elementOfKey("W-", answer.part);
    return elementOfKey("B-", part.key);
  }

  // Adds the outcome to the part in the picture: below the heading of its node, folded if the note is followed.
  showAtPart(part, answer) {
    const node = this.elementOf(part, answer);
    const heading = node && all(":scope > .heading, :scope > h3, :scope > .answer", node).at(-1);
    if (!heading) return;
    const text = shortened(this.textOn(part));
    const sentences = answer.sentences.join(" ");
    const isOpen = answer.outcome !== "followed" && this.answers.length <= 2 * MAX_LISTED;
    const details = create("details", { className: "answer", open: isOpen });
    const summary = create("summary");
    summary.append(outcomeOf(answer), sentences && ` ${shortened(sentences)}`);
    const quotation = create("p");
    quotation.append(part.key.includes("/") ? `On the ${part.title}: ` : "", create("q", {}, text));
    if (answer.outcome === "untouched") quotation.append(" ", this.createCarry(part, answer));
    details.append(summary, quotation);
    heading.after(details);
  }

  // Carrying over --------------------------------------------------------------------------------------------------------------

  createCarry(part, answer) {
    const button = create("button", { type: "button", className: "carry" }, "Carry over");
    button.setAttribute("aria-label", `Carry over: the note on ${part.title}`);
    const show = () => {
      if (!this.isCarried(part, answer) || !button.isConnected) return;
      const done = create("span", { className: "quiet carried", tabIndex: -1 }, "carried over");
      const isFocused = document.activeElement === button;
      button.replaceWith(done);
      if (isFocused) done.focus();
    };
    button.addEventListener("click", () => this.carry([[part, answer]]));
    this.notes.listeners.push(show);
    queueMicrotask(show);
    return button;
  }

  createCarryAll(count) {
    const button = create("button", { type: "button" }, `Carry all ${count} over`);
    button.addEventListener("click", () => {
      this.carry(this.parts.map((part, index) => [part, this.answers[index]]).filter(([, answer]) => answer.outcome === "untouched"));
      this.title.focus();
      button.remove();
    });
    return button;
  }

  // Adds notes on the version before to those on this one. What a part has no place for is a note on the whole app.
  carry(pairs) {
    const { store } = this.notes.own;
    for (const [part, answer] of pairs) store.setNote(answer.part ?? GENERAL, joined([store.noteOn(answer.part ?? GENERAL), this.textOn(part)]), store.noteOn(answer.part ?? GENERAL));
    this.notes.show();
    const lost = this.notes.isLosing ? "This browser does not keep notes: copy them before you leave the page." : "";
    announcement().textContent = lost || `${countOf(pairs.length, "note")} carried over to this version`;
    if (lost) this.section.append(alertOf(lost));
  }

  isCarried(part, answer) {
    return this.notes.own.store.noteOn(answer.part ?? GENERAL).includes(this.textOn(part));
  }
}

// The node with the part of a key in a picture of the page; null if there is none.
function elementOfKey(prefix, key) {
  const [id] = key.split("/");
  return id ? document.getElementById(prefix + id) : null;
}

function outcomeOf(answer) {
  return create("b", { className: `outcome ${answer.outcome}` }, answer.outcome);
}

function listOf(items) {
  const list = create("ul", { hidden: !items.length });
  list.append(...items);
  return list;
}

function foldOf(title, items) {
  const details = create("details");
  details.append(create("summary", {}, title), listOf(items));
  return details;
}

function shortened(text) {
  return text.length > MAX_SHOWN ? `${text.slice(0, MAX_SHOWN).trimEnd()}…` : text;
}

function nameOfKey(key) {
  return key.slice(key.lastIndexOf(":") + 1).replace(/^\//, "") || "the whole app";
}

// Answers the notes on the latest of the versions before that has some. Those on earlier versions are offered, without the ones
// that were carried over from there.
function startAnswers(notes) {
  const newer = [notes.own.store];
  let isAsked = false;
  for (const section of all(".answers[data-hash]")) {
    const answers = new Answers(section, notes);
    const { store } = answers.before;
    if (newer.some((it) => it.hash === store.hash)) continue;
    const kept = newer.flatMap((it) => it.notedKeys.map((key) => it.noteOn(key)));
    const keys = store.notedKeys.filter((key) => !isAsked || !kept.some((text) => text.includes(store.noteOn(key))));
    if (keys.length && isAsked) answers.offer(keys);
    else if (keys.length) answers.ask();
    isAsked ||= keys.length > 0;
    newer.push(store);
  }
}

// The version before is not there, and nobody knows which of the notes of this browser are about it.
function showOtherNotes(section, { store }) {
  const keys = store.keys("rui-note:").filter((key) => !key.startsWith(store.notes));
  if (!keys.length) return;
  const title = create("h2", { id: "ANSWERED" }, "Notes on the version before cannot be answered, as that is not here");
  const items = keys.map((key) => create("li", {}, `${nameOfKey(key)}: “${store.get(key)}”`));
  section.replaceChildren(title, foldOf("Notes on other documents in this browser", items));
  section.setAttribute("aria-labelledby", title.id);
  section.hidden = false;
}

// inspector.js calls this when it has loaded the file.
function startNotes(button) {
  const section = one("#ANSWERS");
  const notes = new Notes(one("#NOTES"), section, button);
  startAnswers(notes);
  if (section && !section.dataset.hash) showOtherNotes(section, notes.own);
  return notes;
}
