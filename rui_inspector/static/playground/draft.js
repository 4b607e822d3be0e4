// The texts that this browser keeps. The text of this tab is in sessionStorage, which survives reload, Back and a crash
// of the tab, and which no other tab changes. A copy is in localStorage, for the next tab if this one is lost.

const TEXT = "rui-draft"; // box.js uses it, too
const ID = "rui-draft-id";
const COPY = "rui-draft-copy-";
const MAX_COPIES = 5;

class Draft {
  constructor() {
    this.text = this.read(sessionStorageOf(), TEXT);
    this.id = this.read(sessionStorageOf(), ID) ?? newId();
  }

  read(storage, key) {
    try {
      return storage.getItem(key);
    } catch {
      return null;
    }
  }

  // Marks the copy as the one of a tab that is open. A duplicated tab begins with the id of the first: it takes another.
  async claim() {
    if (!navigator.locks) return;
    if (!(await hold(COPY + this.id))) {
      this.id = newId();
      await hold(COPY + this.id);
    }
  }

  // The copies of tabs that are closed, the newest first.
  async lost() {
    const held = new Set();
    for (const lock of (await navigator.locks?.query())?.held ?? []) held.add(lock.name);
    return this.copies().filter((copy) => !held.has(copy.key) && copy.key !== COPY + this.id);
  }

  copies() {
    const copies = [];
    try {
      for (const key of Object.keys(localStorage)) {
        if (key.startsWith(COPY)) copies.push({ key, ...JSON.parse(localStorage.getItem(key)) });
      }
    } catch {
      // Storage is off, or another program has written the entry.
    }
    return copies.sort((one, other) => other.time - one.time);
  }

  // Keeps a text, and returns whether the browser did. Where storage is full, copies of closed tabs make room.
  save(text) {
    this.text = text;
    const isKept = write(() => {
      sessionStorage.setItem(TEXT, text);
      sessionStorage.setItem(ID, this.id);
    });
    return this.saveCopy(COPY + this.id, text) || isKept;
  }

  saveCopy(key, text) {
    if (!text.trim()) return write(() => localStorage.removeItem(key));
    const others = this.copies().filter((copy) => copy.key !== key);
    for (const copy of others.splice(MAX_COPIES - 1)) this.remove(copy.key);
    const entry = JSON.stringify({ text, time: Date.now() });
    while (!write(() => localStorage.setItem(key, entry))) {
      const oldest = others.pop();
      if (!oldest) return false;
      this.remove(oldest.key);
    }
    return true;
  }

  // Keeps a text that another one replaces, until a later tab asks for it.
  setAside(text) {
    const isKept = this.copies().some((copy) => copy.text === text && copy.key !== COPY + this.id);
    if (text.trim() && !isKept) this.saveCopy(COPY + newId(), text);
  }

  remove(key) {
    write(() => localStorage.removeItem(key));
  }
}

const newId = () => Math.random().toString(36).slice(2, 12);

function sessionStorageOf() {
  try {
    return sessionStorage;
  } catch {
    return null;
  }
}

function write(change) {
  try {
    change();
    return true;
  } catch {
    return false;
  }
}

// Holds a lock until the tab is closed; returns false if another tab holds it.
function hold(name) {
  return new Promise((resolve) => {
    const wait = (lock) => {
      resolve(lock !== null);
      return lock && new Promise(() => {});
    };
    navigator.locks.request(name, { ifAvailable: true }, wait).catch(() => resolve(true));
  });
}

// Links that carry a text -----------------------------------------------------------------------------------------------

const LINK = "#rui=";
const MAX_LINKED = 1_000_000;

async function linkTo(text) {
  const stream = new Blob([text]).stream().pipeThrough(new CompressionStream("deflate-raw"));
  const bytes = new Uint8Array(await new Response(stream).arrayBuffer());
  let binary = "";
  for (const byte of bytes) binary += String.fromCharCode(byte);
  const code = btoa(binary).replaceAll("+", "-").replaceAll("/", "_").replace(/=+$/, "");
  return `${location.origin}${location.pathname}${LINK}${code}`;
}

// The text of a link; null for a fragment that carries none, or that was cut off.
async function linkedText(hash) {
  if (!hash.startsWith(LINK)) return null;
  try {
    const binary = atob(hash.slice(LINK.length).replaceAll("-", "+").replaceAll("_", "/"));
    const bytes = Uint8Array.from(binary, (character) => character.charCodeAt(0));
    const reader = new Blob([bytes]).stream().pipeThrough(new DecompressionStream("deflate-raw")).getReader();
    const decoder = new TextDecoder();
    let text = "";
    for (;;) {
      const { done, value } = await reader.read();
      if (done) return text + decoder.decode();
      text += decoder.decode(value, { stream: true });
      if (text.length > MAX_LINKED) return null;
    }
  } catch {
    return null;
  }
}
