// `node jsonc.mjs MODULES` reads a JSON array of texts, and prints the errors and leaves that VS Code's parser finds in each.
import { createRequire } from "node:module";
import { pathToFileURL } from "node:url";

const [, , modules] = process.argv;
const require = createRequire(pathToFileURL(`${modules}/`));

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
