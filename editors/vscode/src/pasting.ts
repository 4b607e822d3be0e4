// Pastes blocks and properties with their commas and indentation, and with new ids where there would be duplicates.
import * as vscode from "vscode";
import type { TextEdit } from "vscode-languageclient/node";
import type { Server } from "./client";
import { LANGUAGE } from "./status";

const TEXT = "text/plain";

/** Blocks and properties begin like this. Other texts need no answer of the server. */
const START = /^[\s,]*["[{]/;

/** After this time the text is pasted as it is. */
const TIMEOUT_MS = 500;

/** Registers the provider. VS Code older than 1.97 has no such interface, and pastes the text as it is. */
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
        const prepared = await Promise.race([prepare(server, document.uri, range, text), elapsed()]);
        if (!prepared || token.isCancellationRequested) {
          return undefined;
        }
        // With an empty text, only the additional edit is applied, which also replaces the range.
        const paste = new vscode.DocumentPasteEdit("", prepared.label, kind);
        paste.additionalEdit = prepared.edit;
        return [paste];
      },
    },
    { providedPasteEditKinds: [kind], pasteMimeTypes: [TEXT] },
  );
}

/** Returns the edits of the server; undefined if the text is to be pasted as it is. */
async function prepare(
  server: Server,
  uri: vscode.Uri,
  range: vscode.Range,
  text: string,
): Promise<{ edit: vscode.WorkspaceEdit; label: string } | undefined> {
  const { start, end } = range;
  const argument = { uri: uri.toString(), range: { start, end }, text };
  const result = await server
    .request<{ edits: TextEdit[]; label: string } | null>("rui.preparePaste", [argument])
    .catch(() => null);
  if (result === null) {
    return undefined;
  }
  const edit = new vscode.WorkspaceEdit();
  edit.set(uri, result.edits.map((one) => vscode.TextEdit.replace(toRange(one), one.newText)));
  return { edit, label: result.label };
}

function toRange({ range: { start, end } }: TextEdit): vscode.Range {
  return new vscode.Range(start.line, start.character, end.line, end.character);
}

async function elapsed(): Promise<undefined> {
  return new Promise((resolve) => setTimeout(() => resolve(undefined), TIMEOUT_MS));
}
