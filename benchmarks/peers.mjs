// Peers on Node. `node peers.mjs zod MODULES` reads lines `FILE RUNS`, validates the file in each run, and prints the
// microseconds of CPU time per run. `node peers.mjs jsonc MODULES` reads a JSON array of texts, and prints the errors and
// leaves that VS Code's parser finds in each.
import { readFileSync } from "node:fs";
import { createRequire } from "node:module";
import { createInterface } from "node:readline";
import { pathToFileURL } from "node:url";

const [, , peer, modules] = process.argv;
const require = createRequire(pathToFileURL(`${modules}/`));

async function zod() {
  const validate = contract(require("zod").z);
  for await (const line of createInterface({ input: process.stdin })) {
    const [file, runs] = line.split(" ");
    const body = readFileSync(file);
    if (!JSON.parse(validate(JSON.parse(body.toString("utf8")))).valid) throw new Error("the peer refuses a valid document");
    const before = process.cpuUsage();
    for (let run = 0; run < Number(runs); run++) validate(JSON.parse(body.toString("utf8")));
    const used = process.cpuUsage(before);
    console.log((used.user + used.system) / Number(runs));
  }
}

// RUI 0.1 in zod, from its JSON Schema, with rules and references, in the style of its documentation.
function contract(z) {
  const shapes = JSON.parse(readFileSync(new URL("../docs/rui-0.1.schema.json", import.meta.url))).$defs;

  function object(shape, required) {
    const properties = {};
    for (const [name, schema] of Object.entries(shape.properties)) {
      // Suggested properties have no constraints.
      if (Object.keys(schema).every((word) => word === "description" || word === "examples")) continue;
      properties[name] = required.includes(name) ? value(schema) : value(schema).optional();
    }
    return shape.additionalProperties ? z.looseObject(properties) : z.strictObject(properties);
  }

  function value(schema) {
    if (schema.$ref) {
      const shape = shapes[schema.$ref.split("/").at(-1)];
      return object(shape, [...(shape.required ?? []), ...(schema.required ?? [])]);
    }
    if (schema.anyOf) return z.discriminatedUnion("type", schema.anyOf.map(value));
    if (schema.enum) return z.enum(schema.enum);
    if ("const" in schema) return z.literal(schema.const);
    if (schema.type === "array") return z.array(value(schema.items)).min(schema.minItems ?? 0);
    if (schema.type !== "string") return z.fromJSONSchema(schema);
    let text = z.string();
    if (schema.pattern === "^/[\\s\\S]*$") text = text.startsWith("/");
    else if (schema.pattern) text = text.regex(new RegExp(schema.pattern));
    if (schema.pattern && schema.maxLength) text = text.min(schema.minLength);
    return schema.maxLength ? text.max(schema.maxLength) : text;
  }

  const rui = object(shapes.RUI, shapes.RUI.required);
  return (value) => {
    const parsed = rui.safeParse(value);
    if (!parsed.success) return answer(parsed.error.issues.map((issue) => [issue.code, issue.path.join("."), issue.message]));
    return answer(references(parsed.data), parsed.data);
  };
}

// The rules that zod cannot express: ids, references, columns and filters.
function references(value) {
  const faults = [], ids = new Set(), pages = new Set();
  const seen = (name) => { if (ids.has(name)) faults.push(["DUPLICATE_ID", name]); ids.add(name); };
  for (const page of value.pages) {
    seen(page.id);
    pages.add(page.id);
    for (const section of page.children) {
      seen(section.id);
      for (const block of section.children) {
        seen(block.id);
        if (block.type !== "Table") continue;
        const keys = new Set(block.columns.map((column) => column.key));
        if (keys.size !== block.columns.length) faults.push(["INVALID_COLUMNS", block.id]);
        if (block.filter && !keys.has(block.filter.field)) faults.push(["INVALID_FILTER_FIELD", block.id]);
      }
    }
  }
  const linked = new Set(value.navigation.items.map((item) => item.pageId));
  for (const name of linked) if (!pages.has(name)) faults.push(["INVALID_NAV_PAGE_ID", name]);
  for (const name of pages) if (!linked.has(name)) faults.push(["ORPHAN_PAGE", name]);
  return faults;
}

function answer(faults, value) {
  if (faults.length === 0) {
    return JSON.stringify({ valid: true, validationVersion: "0.1", registryVersion: "0.1", normalizedRui: value });
  }
  return JSON.stringify({ valid: false, errors: faults.slice(0, 50), truncated: faults.length > 50 });
}

function jsonc() {
  const { parseTree } = require("jsonc-parser");
  let input = "";
  process.stdin.on("data", (data) => (input += data));
  process.stdin.on("end", () => {
    const answers = JSON.parse(input).map((text) => {
      const errors = [];
      const root = parseTree(text, errors, { disallowComments: true, allowTrailingComma: false });
      return { faults: errors.length, leaves: root ? leaves(root, [], []) : [] };
    });
    process.stdout.write(JSON.stringify(answers));
  });
}

function leaves(node, path, found) {
  const below = node.type === "object" || node.type === "array" ? node.children || [] : [];
  below.forEach((child, index) => {
    if (node.type === "array") {
      leaves(child, [...path, index], found);
    } else if (child.children && child.children.length === 2) {
      leaves(child.children[1], [...path, child.children[0].value], found);
    }
  });
  if (!below.length) {
    found.push([path, node.type === "object" ? {} : node.type === "array" ? [] : node.value]);
  }
  return found;
}

await { zod, jsonc }[peer]();
