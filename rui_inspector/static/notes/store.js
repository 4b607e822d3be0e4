// Notes of a reviewer on the page of a spec, and on both of a comparison: they stay in this browser, and are copied as
// Markdown, which `rui diff --notes` reads (docs/comparing.md). No code in this folder creates HTML from the text of a document.
//
// The key of a part is the id of the node around it and the path from there, such as `orders/columns[2]`. That of a node is
// its id, that of the document is `/`, and that of another part is `/` and its path, such as `/navigation.items[0]`.

// The notes and drafts on one document that this browser keeps. Each is an item of its own, and a draft belongs to one tab,
// so that tabs do not overwrite each other's. What the browser refuses to keep stays here while the page is open.
class NoteStore {
  constructor(hash, earlierHash = hash) {
    this.hash = hash;
    this.notes = `rui-note:${hash}:`; // + key of the part
    this.drafts = `rui-draft:${hash}:`; // + key of the part:tab
    this.tab = Math.random().toString(36).slice(2);
    this.unkept = new Map(); // key → text, or null if it is removed
    for (const former of new Set([hash, earlierHash])) this.adopt(`rui-notes:${former}`);
  }

  // Takes over the notes of an earlier version of this page, which had one item for all of them.
  adopt(key) {
    let former;
    try {
      former = JSON.parse(this.get(key)) ?? {};
    } catch {
      return;
    }
    for (const [id, text] of Object.entries(former)) this.addNote(id, String(text));
    if (!this.unkept.size) this.remove(key);
  }

  get(key) {
    if (this.unkept.has(key)) return this.unkept.get(key);
    try {
      return localStorage.getItem(key);
    } catch {
      return null;
    }
  }

  keys(prefix) {
    let kept = [];
    try {
      kept = Object.keys(localStorage);
    } catch {
      // Storage is denied.
    }
    return [...new Set([...kept, ...this.unkept.keys()])].filter((key) => key.startsWith(prefix) && this.get(key) !== null).sort();
  }

  set(key, text) {
    this.unkept.set(key, text);
    for (const [waiting, its] of this.unkept) {
      try {
        if (its === null) localStorage.removeItem(waiting);
        else localStorage.setItem(waiting, its);
        this.unkept.delete(waiting);
      } catch {
        // Storage is full or denied.
      }
    }
  }

  remove(key) {
    if (this.get(key) !== null) this.set(key, null);
  }

  // Whether a text exists in this page alone.
  get isLosing() {
    return [...this.unkept.values()].some((text) => text !== null);
  }

  noteOn(part) {
    return this.get(this.notes + part) ?? "";
  }

  get notedKeys() {
    return this.keys(this.notes).map((key) => key.slice(this.notes.length));
  }

  get draftedKeys() {
    return [...new Set(this.keys(this.drafts).map((key) => key.slice(this.drafts.length, key.lastIndexOf(":"))))];
  }

  // Sets or removes a note that was `former` when it was read. If another tab has changed it since, its text is kept, too.
  setNote(part, text, former) {
    const other = this.noteOn(part);
    const both = other === former ? text : joined([other, text]);
    if (both) this.set(this.notes + part, both);
    else this.remove(this.notes + part);
  }

  addNote(part, text) {
    this.setNote(part, text, "");
  }

  // The draft on a part: that of this tab, and those that other tabs have left.
  draftOn(part) {
    return joined(this.keys(`${this.drafts}${part}:`).map((key) => this.get(key)));
  }

  setDraft(part, text) {
    if (text) this.set(`${this.drafts}${part}:${this.tab}`, text);
    else this.remove(`${this.drafts}${part}:${this.tab}`);
  }

  // Makes what other tabs have left a draft of this one, and returns it. A tab that still edits the part writes its draft
  // again.
  takeDraft(part) {
    const text = this.draftOn(part);
    if (text) this.setDraft(part, text);
    for (const key of this.keys(`${this.drafts}${part}:`)) if (!key.endsWith(`:${this.tab}`)) this.remove(key);
    return text;
  }
}

// Returns texts as one, without those that another one contains.
function joined(texts) {
  const different = texts.filter((text, index) => text && !texts.some((other, at) => at !== index && other.includes(text) && (other !== text || at < index)));
  return different.join("\n\n");
}
