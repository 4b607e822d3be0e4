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
    const before = process.cpuUsage();
    for (let run = 0; run < Number(runs); run++) validate(JSON.parse(body.toString("utf8")));
    const used = process.cpuUsage(before);
    console.log((used.user + used.system) / Number(runs));
  }
}

// RUI 0.1 in zod, with rules and references, in the style of its documentation.
function contract(z) {
  const id = z.string().regex(/^[a-z][a-z0-9-]*$/).min(1).max(64);
  const valuePath = z.string().regex(/^[\p{L}\p{M}\p{Nd}_-]+(\.[\p{L}\p{M}\p{Nd}_-]+)*$/u);
  const readBinding = { type: z.literal("read"), method: z.literal("GET"), path: z.string().startsWith("/") };
  const binding = z.strictObject({ ...readBinding, valuePath: valuePath.optional() });
  const metricBinding = z.strictObject({ ...readBinding, valuePath });

  const metric = z.strictObject({
    id, type: z.literal("Metric"), label: z.string(), binding: metricBinding, format: z.enum(["number", "text"]).optional(),
  });
  const table = z.strictObject({
    id, type: z.literal("Table"), title: z.string().optional(), binding,
    columns: z.array(z.looseObject({ key: z.string() })).min(1),
    filter: z.looseObject({ field: z.string() }).optional(),
  });
  const text = z.strictObject({ id, type: z.literal("Text"), content: z.string() });
  const section = z.strictObject({
    id, type: z.literal("Section"), title: z.string().optional(), direction: z.enum(["stack", "row"]),
    children: z.array(z.discriminatedUnion("type", [metric, table, text])).min(1),
  });
  const page = z.strictObject({
    id, type: z.literal("Page"), title: z.string(), description: z.string().optional(), children: z.array(section).min(1),
  });
  const rui = z.strictObject({
    version: z.literal("0.1"), meta: z.looseObject({}),
    navigation: z.strictObject({ items: z.array(z.looseObject({ pageId: z.string() })).min(1) }),
    pages: z.array(page).min(1),
  });
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
