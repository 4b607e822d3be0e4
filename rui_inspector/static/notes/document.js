// A stored document that notes are about, and its parts. It is loaded when it is needed.
class NotedDocument {
  // `source` is the element with the attributes of the spec: its page, JSON and the hash of its document. `prefix` is what the
  // anchors of its nodes in pictures begin with.
  constructor(source, prefix, store) {
    this.source = source;
    this.prefix = prefix;
    this.store = store;
    this.root = null; // the document
    this.marks = new Map(); // key of a part → its first mark on the page
    this.nodes = null; // id → path, own properties and the ids of child nodes of each node
  }

  async load() {
    if (this.nodes) return;
    const response = await fetch(this.source.dataset.json, { signal: AbortSignal.timeout(LATE) });
    if (!response.ok) throw new Error(response.status);
    this.root = await response.json();
    this.nodes = nodesOf(this.root);
  }

  // Returns the part with a key: its path, value, and the words that name it; null if the document has none.
  part(key) {
    const [, id, rest] = /^([^/]*)\/?(.*)$/s.exec(key);
    const node = id ? this.nodes.get(id) : { path: "", value: this.root };
    const value = node && valueAt(node.value, rest);
    if (value === undefined) return null;
    const path = rest.startsWith("[") || !node.path ? node.path + rest : [node.path, rest].filter(Boolean).join(".");
    return { key, path, value, id: rest ? "" : id, children: (!rest && node.children) || [], ...this.words(node, rest, value) };
  }

  // Returns what kind of part one is, its name, and a title with both for people.
  words(node, rest, value) {
    const owner = node.path ? nameOf(node.value, this.source) : "";
    if (!rest) return owner ? { kind: node.value.type, name: owner, title: owner } : { kind: "", name: "The whole app", title: "the whole app" };
    const names = rest.match(/[^.[\]"]+/g).filter((step) => !/^\d+$/.test(step));
    const isElement = rest.endsWith("]");
    const noun = inWords(isElement ? names.at(-1).replace(/s$/, "") : names.at(-1));
    const kind = isElement && !owner ? `${inWords(names[0])} ${noun}` : noun;
    const of = owner && ` of ${owner}`;
    const label = value && typeof value === "object" && !Array.isArray(value) ? nameOf(value, this.source, isElement) : "";
    if (label) return { kind, name: label, title: `${kind} “${label}”${of}` };
    return { kind: of ? `${kind} of` : kind, name: owner || "The app", title: owner ? `${kind}${of}` : `the ${kind}` };
  }

  // Some parts in the order of the document.
  inOrder(keys) {
    const parts = keys.map((key) => this.part(key)).filter(Boolean);
    return parts.sort((one, other) => one.path.localeCompare(other.path, "en", { numeric: true }));
  }

  // Where a page shows a part: in the picture, or else the node around it. Null if it does not show that.
  elementOf(key) {
    const [id] = key.split("/");
    if (!id) return all("[data-at], [data-at] ~ li").find((it) => absoluteKeyOf(it) === key) ?? null;
    const node = document.getElementById(this.prefix + id) ?? document.getElementById(id);
    return (node && partsIn(node).find((it) => this.keyAt(it) === key)) ?? node;
  }

  // The key of the innermost part at or around an element of the page; null if there is none.
  keyAt(element) {
    const node = nodeAround(element);
    const id = node?.id.replace(/^[WB]-/, "");
    let rest = "";
    for (let it = element; it && it !== node; it = it.parentElement) {
      const step = stepOf(it);
      if (step.startsWith("/")) return step;
      if (step) rest = step + (rest && !rest.startsWith("[") ? "." : "") + rest;
    }
    if (!node || !this.nodes.has(id)) return null;
    while (rest && valueAt(this.nodes.get(id).value, rest) === undefined) rest = rest.replace(/\.?[^.[]+$|\[[^[]*$/, "");
    return rest ? `${id}/${rest}` : id;
  }
}

// Where parts are on a page -------------------------------------------------------------------------------------------------

const NODE = '[id^="W-"], [id^="B-"], #TREE .node';

function nodeAround(element) {
  return element.closest(NODE);
}

// The parts of a node that a picture or the tree shows, without those of nodes in it.
function partsIn(node) {
  return all("[data-at], [data-at] ~ li, [data-at] ~ bdi, .fields > div, .fields .chips > li", node).filter((it) => nodeAround(it) === node && stepOf(it));
}

// Returns the path from the element around to the part that an element shows; "" if it is none. The items after one with
// `data-at` show the next elements of its list.
function stepOf(element) {
  if (element.dataset.at !== undefined) return element.dataset.at;
  if (element.matches(".chips > li")) return `[${[...element.parentElement.children].indexOf(element)}]`;
  if (element.matches("#TREE .fields > div")) return one(":scope > dt", element)?.textContent ?? "";
  if (!element.matches("[data-at] ~ li, [data-at] ~ bdi")) return "";
  let count = 1;
  let first = element.previousElementSibling;
  for (; first.dataset.at === undefined; first = first.previousElementSibling) count += 1;
  return first.dataset.at.replace(/\d+(?=]$)/, (index) => Number(index) + count);
}

// The key of a part outside of nodes, such as a link of the navigation; "" for another element.
function absoluteKeyOf(element) {
  const step = stepOf(element);
  return step.startsWith("/") ? step : "";
}

// Documents ------------------------------------------------------------------------------------------------------------------

// Returns id → path, own properties and the ids of child nodes of each node, in the order of the document. Nodes are objects
// with id and type.
function nodesOf(root) {
  const isNode = (value) => typeof value?.id === "string" && typeof value.type === "string";
  const nodes = new Map();
  const visit = (value, path) => {
    if (Array.isArray(value)) {
      value.forEach((item, index) => visit(item, `${path}[${index}]`));
    } else if (value && typeof value === "object") {
      const members = Object.entries(value);
      if (isNode(value)) {
        const isNested = ([, member]) => Array.isArray(member) && member.some(isNode);
        const children = members.filter(isNested).flatMap(([, member]) => member.filter(isNode).map((child) => child.id));
        nodes.set(value.id, { path, children, value: Object.fromEntries(members.filter((it) => !isNested(it))) });
      }
      for (const [name, member] of members) {
        const step = /^[A-Za-z_][A-Za-z0-9_-]*$/.test(name) ? `${path && "."}${name}` : `[${JSON.stringify(name)}]`;
        visit(member, path + step);
      }
    }
  };
  visit(root, "");
  return nodes;
}

// Returns the value at a path without quoted names; undefined if there is none.
function valueAt(value, path) {
  const own = (inner, step) => (inner && typeof inner === "object" && Object.hasOwn(inner, step) ? inner[step] : undefined);
  return (path.match(/[^.[\]]+/g) ?? []).reduce(own, value);
}

// Returns the first label of an object on one line. Without one: type and id of a node, else the first text of an element of
// a list, such as the key of a column.
function nameOf(value, source, isElement = false) {
  const labels = source.dataset.labels.split(" ").map((name) => value[name]);
  const isText = (text) => typeof text === "string" && text.trim();
  const first = isElement ? Object.values(value).find(isText) : "";
  const other = value.type && value.id ? `${value.type} ${value.id}` : (first ?? "");
  const words = (labels.find(isText) ?? other).split(/\s+/).filter(Boolean).join(" ");
  return words.length > 60 ? `${words.slice(0, 60).trimEnd()}…` : words;
}

// Returns the name of a property as words, such as `value path`.
function inWords(name) {
  return name.replace(/[A-Z]/g, (letter) => ` ${letter.toLowerCase()}`);
}

function create(tag, properties = {}, text = "") {
  const element = Object.assign(document.createElement(tag), properties);
  if (text) element.textContent = text;
  return element;
}
