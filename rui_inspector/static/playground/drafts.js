// This part: the texts that this browser keeps.

const DRAFT = "rui-draft";
const DRAFT_NAME = "rui-draft-name";
const DRAFT_IS_EXAMPLE = "rui-draft-is-example";
const KEPT = "rui-text-";
const MAX_KEPT = 20;
const MAX_LENGTH = 1_000_000;
const MAX_TOTAL = 2_000_000; // Safari has 2,500,000 UTF-16 units for all that a site keeps

// localStorage has the last texts of all tabs, each under a name of its own with the time of its last change. A tab writes
// over a text only if nobody else has changed it: a duplicated tab has the names of the first one. sessionStorage has the
// text of this tab, which survives reload and Back, and its name.
class Drafts {
  constructor() {
    this.forget();
  }

  // The text of this tab is a new one, which has no name yet.
  forget() {
    Object.assign(this, { name: "", known: "" }); // `known`: what this tab last wrote under the name, or read there
  }

  // The text of this tab is one of those that are kept.
  continue({ name, text }) {
    Object.assign(this, { name, known: text });
  }

  // Makes it the last one.
  bringBack(draft) {
    this.continue(draft);
    if (draft.name && read(draft.name)?.text === draft.text) this.write(draft.name, draft.text);
  }

  // What this tab had before it was loaded again: text, name, and whether it is an example; null for a new tab.
  own() {
    try {
      const text = sessionStorage.getItem(DRAFT);
      if (text === null) return null;
      return { text, name: sessionStorage.getItem(DRAFT_NAME) ?? "", isExample: sessionStorage.getItem(DRAFT_IS_EXAMPLE) === "true" };
    } catch {
      return null; // Storage is off.
    }
  }

  // The texts of all tabs with their names and times, the last one first.
  all() {
    try {
      const names = Object.keys(localStorage).filter((name) => name.startsWith(KEPT));
      return names.map(read).filter(Boolean).sort((one, other) => other.time - one.time);
    } catch {
      return [];
    }
  }

  // Keeps the text of this tab. Returns whether a new tab will find it, unless it is an example.
  keep(text, isExample = false) {
    const isKept = isExample || !text.trim() || this.keepForAll(text);
    try {
      sessionStorage.setItem(DRAFT, text);
      sessionStorage.setItem(DRAFT_NAME, this.name);
      sessionStorage.setItem(DRAFT_IS_EXAMPLE, isExample);
    } catch {
      forgetOwn(); // This tab begins with the text that all find.
    }
    return isKept;
  }

  keepForAll(text) {
    if (text.length > MAX_LENGTH) return false;
    const last = this.name && read(this.name)?.text;
    if (last === text) return true;
    if (last !== this.known) this.name = "";
    const isNew = !this.name;
    this.name ||= `${KEPT}${Date.now().toString(36)}-${Math.random().toString(36).slice(2)}`;
    if (isNew) this.makeRoom(text.length);
    if (!this.write(this.name, text)) return false;
    this.known = text;
    return true;
  }

  // Drops the oldest texts, so that another one of a length is within the limits.
  makeRoom(length) {
    let total = length;
    for (const [index, draft] of this.all().entries()) {
      total += draft.text.length;
      if (index + 1 >= MAX_KEPT || total > MAX_TOTAL) localStorage.removeItem(draft.name);
    }
  }

  // Other pages of the site may have filled the storage: older texts make room, unless even that is not enough.
  write(name, text) {
    const dropped = [];
    const others = this.all().filter((draft) => draft.name !== name);
    for (;;) {
      try {
        localStorage.setItem(name, `${Date.now()} ${text}`);
        return true;
      } catch {
        if (!others.length) break;
        dropped.push(others.pop());
        localStorage.removeItem(dropped.at(-1).name);
      }
    }
    for (const { name: other, time, text: old } of dropped) localStorage.setItem(other, `${time} ${old}`);
    return false;
  }
}

function read(name) {
  try {
    const value = localStorage.getItem(name);
    const end = value.indexOf(" ");
    return { name, time: Number(value.slice(0, end)), text: value.slice(end + 1) };
  } catch {
    return null; // There is no such text, or storage is off.
  }
}

function forgetOwn() {
  try {
    sessionStorage.removeItem(DRAFT);
  } catch {
    // Storage is off.
  }
}

// What a list shows of a text: its title, else its beginning.
function titleOf(text) {
  const title = /"title"\s*:\s*("(?:[^"\\\n]|\\.)+")/.exec(text.slice(0, 5_000))?.[1];
  const words = (title ? unquoted(title) : text.slice(0, 200)).replace(/\s+/g, " ").trim();
  return words.length > 60 ? `${words.slice(0, 60)}…` : words;
}

function unquoted(string) {
  try {
    return JSON.parse(string);
  } catch {
    return string;
  }
}
