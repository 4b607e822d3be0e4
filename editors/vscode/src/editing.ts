// The comma before a new line, for which VS Code asks no language server.
import * as vscode from "vscode";
import type { TextEdit } from "vscode-languageclient/node";
import type { Server } from "./client";
import { LANGUAGE } from "./status";

const NEW_LINE = /^\r?\n[ \t]*(?:\r?\n[ \t]*)?$/;
const ATTEMPTS = 5;

/** Adds the comma that is missing before a new line. The edit of a formatter would be lost if another key follows. */
export function addCommas(server: Server): vscode.Disposable {
  return vscode.workspace.onDidChangeTextDocument(({ document, contentChanges, reason }) => {
    const editor = vscode.window.activeTextEditor;
    const change = contentChanges[0];
    const isTyped = reason === undefined && contentChanges.length === 1 && change?.rangeLength === 0;
    if (isTyped && editor?.document === document && document.languageId === LANGUAGE && NEW_LINE.test(change.text)) {
      void addComma(server, editor, change.range.start);
    }
  });
}

/** Adds a comma after the value that ends at `end`, if the server finds that one is missing there. */
async function addComma(server: Server, editor: vscode.TextEditor, end: vscode.Position): Promise<void> {
  const { document } = editor;
  const isOn = vscode.workspace.getConfiguration("editor", document).get("formatOnType", true);
  if (!isOn || document.lineAt(end.line).text.trimEnd().endsWith(",")) {
    return;
  }
  for (let attempt = 0; attempt < ATTEMPTS; attempt++) {
    // The client sends the change to the server after this listener of the same event has returned.
    await new Promise((resolve) => setImmediate(resolve));
    const { version } = document;
    const line = end.line + 1;
    const edits = await server.send<TextEdit[] | null>("textDocument/onTypeFormatting", {
      textDocument: { uri: document.uri.toString() },
      position: { line, character: document.lineAt(line).firstNonWhitespaceCharacterIndex },
      ch: "\n",
      options: { tabSize: 2, insertSpaces: true },
    });
    const edit = edits?.[0];
    if (edit === undefined || edit.range.start.line !== end.line) {
      return;
    }
    const at = new vscode.Position(edit.range.start.line, edit.range.start.character);
    // An edit of an outdated text is refused. What was typed meanwhile is below this line, so it is tried again.
    const options = { undoStopBefore: false, undoStopAfter: false };
    if (document.version === version && (await editor.edit((builder) => builder.insert(at, edit.newText), options))) {
      return;
    }
  }
}
