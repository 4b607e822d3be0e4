// What VS Code asks no language server for: pastes with commas, indentation and new ids, and the comma before a new line.
import * as vscode from "vscode";
import type { TextEdit } from "vscode-languageclient/node";
import type { Server } from "./client";
import { LANGUAGE } from "./status";

const TEXT = "text/plain";

/** Blocks and properties begin like this. Other texts need no answer of the server. */
const START = /^[\s,]*["[{]/;

/** After this time the text is pasted as it is. */
const PASTE_TIMEOUT_MS = 500;

/** Registers the provider of pastes. VS Code older than 1.97 has no such interface, and pastes the text as it is. */
export function preparePastes(server: Server): vscode.Disposable {
  if (vscode.languages.registerDocumentPasteEditProvider === undefined) {
    return new vscode.Disposable(() => undefined);
  }
  const kind = vscode.DocumentDropOrPasteEditKind.Text.append("rui");
  return vscode.languages.registerDocumentPasteEditProvider(
    LANGUAGE,
    {
      provideDocumentPasteEdits: async (document, ranges, data, _context, token) => {
        const [range, ...others] = ranges;
        const text = await data.get(TEXT)?.asString();
        if (range === undefined || others.length > 0 || !text || !START.test(text) || !server.isRunning) {
          return undefined;
        }
        const { start, end } = range;
        const argument = { uri: document.uri.toString(), range: { start, end }, text };
        const request = server.request<{ edits: TextEdit[]; label: string } | null>("rui.preparePaste", [argument]);
        const timeout = new Promise<null>((resolve) => setTimeout(() => resolve(null), PASTE_TIMEOUT_MS));
        const prepared = await Promise.race([request.catch(() => null), timeout]);
        if (!prepared || token.isCancellationRequested) {
          return undefined;
        }
        // With an empty text, only the additional edit is applied, which also replaces the range.
        const paste = new vscode.DocumentPasteEdit("", prepared.label, kind);
        paste.additionalEdit = new vscode.WorkspaceEdit();
        paste.additionalEdit.set(document.uri, prepared.edits.map(toEdit));
        return [paste];
      },
    },
    { providedPasteEditKinds: [kind], pasteMimeTypes: [TEXT] },
  );
}

function toEdit({ range: { start, end }, newText }: TextEdit): vscode.TextEdit {
  return vscode.TextEdit.replace(new vscode.Range(start.line, start.character, end.line, end.character), newText);
}

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
