// Runs the body of an async function, posted by a test, inside the extension host, and responds with its result.
const { createServer } = require("node:http");
const { writeFileSync } = require("node:fs");
const { join } = require("node:path");
const vscode = require("vscode");

const sleep = (milliseconds) => new Promise((resolve) => setTimeout(resolve, milliseconds));

/** Waits until a function returns a true value, and returns it. */
async function until(condition, timeout = 120_000) {
  const end = Date.now() + timeout;
  let last;
  while (Date.now() < end) {
    last = await condition();
    if (last) {
      return last;
    }
    await sleep(20);
  }
  throw new Error(`timeout after ${timeout} ms: ${condition}; last value ${JSON.stringify(last)}`);
}

const uri = (path) => vscode.Uri.file(path);
const at = (line, character) => new vscode.Position(line, character);
const place = (range) => [range.start.line, range.start.character, range.end.line, range.end.character];

/** Diagnostics as plain values. */
const found = (path) =>
  vscode.languages.getDiagnostics(uri(path)).map((one) => ({
    code: typeof one.code === "object" ? one.code.value : one.code,
    link: typeof one.code === "object" ? String(one.code.target) : "",
    message: one.message,
    severity: vscode.DiagnosticSeverity[one.severity],
    source: one.source,
    range: place(one.range),
  }));

/** Opens a file in the editor and focuses it. */
async function show(path, options) {
  const document = await vscode.workspace.openTextDocument(uri(path));
  return vscode.window.showTextDocument(document, { viewColumn: vscode.ViewColumn.One, ...options });
}

const tools = { vscode, require, sleep, until, uri, at, place, found, show };
const AsyncFunction = (async () => {}).constructor;

exports.activate = (context) => {
  const server = createServer((request, response) => {
    const parts = [];
    request.on("data", (part) => parts.push(part));
    request.on("end", async () => {
      let result;
      try {
        const { body, values } = JSON.parse(Buffer.concat(parts).toString());
        const names = { ...tools, ...values };
        result = { value: await new AsyncFunction(...Object.keys(names), body)(...Object.values(names)) };
      } catch (error) {
        result = { error: error instanceof Error ? error.stack : String(error) };
      }
      response.end(JSON.stringify(result));
    });
  });
  server.listen(0, "127.0.0.1", () =>
    writeFileSync(join(context.extensionPath, "port"), String(server.address().port)),
  );
  context.subscriptions.push({ dispose: () => server.close() });
};
