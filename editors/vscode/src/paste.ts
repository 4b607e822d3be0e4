// Pastes JSON as nodes of the document: with Ctrl+V, if the clipboard contains some, and with a command.
import * as vscode from "vscode";
import type { Server } from "./client";
import { LANGUAGE } from "./status";

interface Pasted {
  readonly pasted: boolean;
  readonly title?: string;
  readonly isAtCaret?: boolean;
  readonly edit?: object;
  readonly message?: string;
}

interface Change {
  readonly title: string;
  readonly isAtCaret: boolean;
  readonly edit: vscode.WorkspaceEdit;
}

const KIND = "rui.block";
const TEXT = "text/plain";
const MAX_LENGTH = 262_144;
const STATUS_MS = 8_000;

/** The API for pasting, of VS Code 1.97 and newer. The types of the oldest supported version do not have it. */
interface PasteApi {
  readonly DocumentDropOrPasteEditKind?: { readonly Text: { append(...parts: string[]): unknown } };
  readonly DocumentPasteEdit?: new (text: string, title: string, kind: unknown) => PasteEdit;
}

interface PasteEdit {
  additionalEdit?: vscode.WorkspaceEdit;
  yieldTo?: readonly unknown[];
}

type Register = (selector: vscode.DocumentSelector, provider: object, metadata: object) => vscode.Disposable;

/** Offers a paste as nodes. It is the default where the nodes are inserted at the caret; the text can be selected. */
export function offerPaste(server: Server): vscode.Disposable {
  const api = vscode as unknown as PasteApi;
  const register = (vscode.languages as unknown as { registerDocumentPasteEditProvider?: Register })
    .registerDocumentPasteEditProvider;
  const { DocumentDropOrPasteEditKind: kinds, DocumentPasteEdit: Edit } = api;
  if (register === undefined || kinds === undefined || Edit === undefined) {
    return new vscode.Disposable(() => undefined);
  }
  const kind = kinds.Text.append(...KIND.split("."));
  const provider = {
    async provideDocumentPasteEdits(
      document: vscode.TextDocument,
      ranges: readonly vscode.Range[],
      transfer: vscode.DataTransfer,
      _context: unknown,
      token: vscode.CancellationToken,
    ): Promise<PasteEdit[] | undefined> {
      const text = await transfer.get(TEXT)?.asString();
      const range = ranges[0];
      if (text === undefined || range === undefined || ranges.length > 1 || !range.isEmpty || !mayContainNodes(text)) {
        return undefined;
      }
      const change = await find(server, document, range.start, text).catch(() => undefined);
      if (change === undefined || typeof change === "string" || token.isCancellationRequested) {
        return undefined;
      }
      const edit = new Edit("", change.title, kind);
      edit.additionalEdit = change.edit;
      edit.yieldTo = change.isAtCaret ? [] : [kinds.Text];
      return [edit];
    },
  };
  return register.call(vscode.languages, { language: LANGUAGE }, provider, {
    providedPasteEditKinds: [kind],
    pasteMimeTypes: [TEXT],
  });
}

/** Whether it is worth asking the server: every other text is pasted at once. */
function mayContainNodes(text: string): boolean {
  return text.length <= MAX_LENGTH && /[{[]/.test(text);
}

/** Pastes the clipboard as nodes at the cursor. */
export async function pasteAsBlock(server: Server): Promise<void> {
  const editor = vscode.window.activeTextEditor;
  if (editor?.document.languageId !== LANGUAGE) {
    void vscode.window.showInformationMessage("Open a RUI document (*.rui.json) to paste into it.");
    return;
  }
  const { document, selection } = editor;
  const { version } = document;
  const text = await vscode.env.clipboard.readText();
  const change = await find(server, document, selection.active, text);
  if (typeof change === "string") {
    await showRefusal(editor, text, change);
  } else if (document.version !== version || !(await vscode.workspace.applyEdit(change.edit))) {
    void vscode.window.showWarningMessage("Not pasted: the document has changed meanwhile.");
  } else {
    void vscode.window.setStatusBarMessage(change.title, STATUS_MS);
  }
}

async function showRefusal(editor: vscode.TextEditor, text: string, message: string): Promise<void> {
  const asText = "Paste as Text";
  const choices = text === "" ? [] : [asText];
  if ((await vscode.window.showInformationMessage(message, ...choices)) === asText) {
    await editor.edit((builder) => editor.selections.forEach((selection) => builder.replace(selection, text)));
  }
}

/** Returns the change that pastes a text as nodes, or the reason why there is none. */
async function find(
  server: Server,
  document: vscode.TextDocument,
  { line, character }: vscode.Position,
  text: string,
): Promise<Change | string> {
  const { version } = document;
  const options = { uri: document.uri.toString(), position: { line, character }, text, apply: false, report: false };
  const result = await server.request<Pasted>("rui.paste", [options]);
  const edit = await server.toEdit(result.edit);
  if (!result.pasted || edit === undefined) {
    return result.message ?? "The clipboard cannot be pasted.";
  }
  if (document.version !== version) {
    return "Not pasted: the document has changed meanwhile.";
  }
  return { title: result.title ?? "Paste", isAtCaret: result.isAtCaret ?? false, edit };
}
