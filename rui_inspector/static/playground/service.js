// The editor of the front page. It takes the place of the form, which works where this module does not load. The service
// joins it with the other files of this folder, in the order of rui_inspector/html/pages.py.
// This part: requests to the service.
import * as CM from "./codemirror.js";

const { EditorView, EditorState } = CM;
const first = (selector, root = document) => root.querySelector(selector);
const every = (selector, root = document) => [...root.querySelectorAll(selector)];
const count = (number, noun) => `${number.toLocaleString("en")} ${noun}${number === 1 ? "" : "s"}`;

// Creates an element; children that are texts stay texts.
function create(name, properties = {}, ...children) {
  const element = Object.assign(document.createElement(name), properties);
  element.append(...children);
  return element;
}

// A sentence of the service, with the parts between backticks as code.
function withCode(sentence) {
  return sentence.split(/`([^`]+)`/).map((part, index) => (index % 2 ? create("code", { textContent: part }) : part));
}

// HTML of the service as nodes. The service has escaped the texts of the document; scripts do not run.
function parse(html) {
  return [...new DOMParser().parseFromString(html, "text/html").body.childNodes];
}

// The service ------------------------------------------------------------------------------------------------------------

const OFFLINE = "The service does not respond.";
const SLOW = 1_000; // milliseconds until the reader learns that an answer is awaited
const LATE = 8_000; // until a text counts as not checked, or another answer as absent
const LAST = 30_000; // until a check or a request to store is given up
const SPACES = /("(?:[^"\\\n]|\\.)*")|\s+/g;

// A failed request, with a sentence for the reader. `isRefused` if it has had no effect.
class ServiceError extends Error {
  constructor(sentence, isRefused = false) {
    super(sentence);
    this.isRefused = isRefused;
  }
}

// The service asks to send a request again only if it has had no effect. Behind a proxy, the status decides, not the code.
function isRefusal({ status, headers }) {
  return status < 500 || (status === 503 && headers.has("Retry-After"));
}

class Service {
  constructor(home) {
    this.home = home;
  }

  // The answer to a question about a text, such as "check".
  async ask(action, doc, { from = 0, to = from, signal, timeout = LATE } = {}) {
    const query = `from=${position(doc, from)}&to=${position(doc, to)}`;
    return this.send(`${this.home}playground/${action}?${query}`, doc.toString(), timeout, signal);
  }

  async store(doc) {
    return this.send(`${this.home}api/specs`, stored(doc), LAST);
  }

  async send(url, body, timeout, signal) {
    const end = AbortSignal.timeout(timeout);
    const signals = AbortSignal.any(signal ? [signal, end] : [end]);
    let response;
    let answer;
    try {
      response = await fetch(url, { method: "POST", body, signal: signals, headers: { "content-type": "application/json" } });
      answer = await response.json();
    } catch (error) {
      if (error.name === "AbortError") throw error;
      if (!response?.ok) throw new ServiceError(end.aborted ? `The service has not answered for ${timeout / 1000} seconds.` : OFFLINE);
    }
    if (response.ok && answer) return answer;
    throw new ServiceError(answer?.errors?.[0]?.hint ?? answer?.message ?? OFFLINE, Boolean(answer) && isRefusal(response));
  }

  // The text in the form of the page at a URL of this site, such as that of an example.
  async textAt(url) {
    try {
      const response = await fetch(url, { signal: AbortSignal.timeout(LATE) });
      return first("#RUI", new DOMParser().parseFromString(await response.text(), "text/html")).value;
    } catch {
      throw new ServiceError(OFFLINE);
    }
  }
}

// The text as it is stored, without the white space between its tokens: the limit of a document applies to what is sent.
function stored(doc) {
  return doc.toString().replace(SPACES, "$1");
}

// The length of a text in bytes.
function sizeOf(text) {
  return new TextEncoder().encode(text).length;
}

// A length in bytes for people.
function inWords(bytes) {
  if (bytes < 1024) return count(bytes, "byte");
  return bytes < 1024 * 1024 ? `${Math.ceil(bytes / 1024)} KB` : `${(bytes / 1024 / 1024).toFixed(1)} MB`;
}

// Positions of the service are lines and characters from zero, in UTF-16 units.
function position(doc, offset) {
  const line = doc.lineAt(Math.min(offset, doc.length));
  return `${line.number - 1}:${offset - line.from}`;
}

function offsetOf(doc, line, character) {
  if (line >= doc.lines) return doc.length;
  const { from, to } = doc.line(line + 1);
  return Math.min(from + character, to);
}

function spanOf(doc, [startLine, startCharacter, endLine, endCharacter]) {
  return { from: offsetOf(doc, startLine, startCharacter), to: offsetOf(doc, endLine, endCharacter) };
}

// Stored specs -----------------------------------------------------------------------------------------------------------

const STORED = "rui-stored";
const MAX_STORED = 10;
const CUT_OFF = "The link is not complete, so its text cannot be read. Ask for it again, or for the file.";

// The last stored specs of this browser, the newest first: address, title and time of each.
function storedSpecs() {
  try {
    return JSON.parse(localStorage.getItem(STORED)) ?? [];
  } catch {
    return [];
  }
}

// Adds a spec to them, if the browser can keep it.
function keepStored(spec) {
  try {
    localStorage.setItem(STORED, JSON.stringify([spec, ...storedSpecs()].slice(0, MAX_STORED)));
  } catch {
    // The note still has its address.
  }
}
