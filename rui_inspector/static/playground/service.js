// The playground of the front page. The served module is service.js, draft.js, editor.js, assist.js, panels.js and
// start.js, in this order. It takes the place of the text box (box.js), which stays where this module does not load.
import * as CM from "./codemirror.js";

const first = (selector, root = document) => root.querySelector(selector);
const every = (selector, root = document) => [...root.querySelectorAll(selector)];

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

const count = (number, one, many = `${one}s`) => `${number.toLocaleString("en")} ${number === 1 ? one : many}`;

// A failed request, with a sentence for the reader.
class ServiceError extends Error {}

const OFFLINE = "The service does not respond.";
const SUPERSEDED = "The text has changed meanwhile. Try again.";

class Service {
  // `tab` names this tab: its newest question of a kind supersedes the others.
  constructor(home, tab) {
    this.home = home;
    this.tab = tab;
  }

  // The answer to a question about a text, such as "check" or "complete".
  async ask(action, doc, { from = 0, to = from, signal } = {}) {
    const query = `from=${position(doc, from)}&to=${position(doc, to)}&tab=${this.tab}`;
    return this.send(`${this.home}playground/${action}?${query}`, doc.toString(), signal);
  }

  async store(doc) {
    return this.send(`${this.home}api/specs`, doc.toString());
  }

  async send(url, body, signal) {
    let response;
    try {
      response = await fetch(url, { method: "POST", body, signal, headers: { "content-type": "application/json" } });
    } catch (error) {
      if (error.name === "AbortError") throw error;
      throw new ServiceError(OFFLINE);
    }
    if (response.status === 204) throw new ServiceError(SUPERSEDED);
    const answer = await response.json().catch(() => null);
    if (response.ok && answer) return answer;
    const [fault] = answer?.errors ?? [];
    throw new ServiceError(fault?.hint ?? answer?.message ?? OFFLINE);
  }

  // The text in the box of the page at a URL of this site, such as that of an example.
  async textAt(url) {
    const response = await fetch(url).catch(() => null);
    if (!response?.ok) throw new ServiceError(OFFLINE);
    return first("#RUI", new DOMParser().parseFromString(await response.text(), "text/html")).value;
  }
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
