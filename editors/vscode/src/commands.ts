// The commands of the palette. The server does the work; this module shows the results.
import { homedir } from "node:os";
import * as vscode from "vscode";
import { documentSchemes, type Server } from "./client";
import { LANGUAGE } from "./status";

/**
 * Returns the document of a command: its argument, or the document in the active editor. Throws an error for documents
 * that the server does not read, such as the sides of a comparison.
 */
export function targetOf(argument: unknown): vscode.Uri | undefined {
  const document = vscode.window.activeTextEditor?.document;
  const active = document?.languageId === LANGUAGE ? document.uri : undefined;
  const uri = argument instanceof vscode.Uri ? argument : active;
  if (uri !== undefined && !documentSchemes().includes(uri.scheme)) {
    throw new Error(`RUI does not read documents of "${uri.scheme}:". Open the file itself.`);
  }
  return uri;
}

const TEMPLATES = [
  { label: "Small", description: "one page, one section, one text", full: false },
  { label: "With everything", description: "every block, with bindings, columns and a filter", full: true },
];

export async function newDocument(server: Server): Promise<vscode.TextDocument | undefined> {
  const template = await vscode.window.showQuickPick(TEMPLATES, {
    title: "New RUI",
    placeHolder: "Template",
    ignoreFocusOut: true, // The walkthrough takes the focus back after a click on its buttons.
  });
  if (template === undefined) {
    return undefined;
  }
  const title = await vscode.window.showInputBox({
    title: "New RUI",
    prompt: "Title of the app",
    value: "My app",
    ignoreFocusOut: true,
  });
  if (title === undefined) {
    return undefined;
  }
  const options = { title, full: template.full };
  const { text, name } = await server.request<{ text: string; name: string }>("rui.newDocument", [options]);
  const document = await vscode.workspace.openTextDocument(await unusedUri(name));
  const edit = new vscode.WorkspaceEdit();
  edit.insert(document.uri, new vscode.Position(0, 0), text);
  await vscode.workspace.applyEdit(edit);
  await vscode.window.showTextDocument(document);
  return document;
}

/** Returns the URI of an untitled document that is saved under this name, or with a number if there is such a file. */
async function unusedUri(name: string): Promise<vscode.Uri> {
  const folder = vscode.workspace.workspaceFolders?.[0]?.uri ?? vscode.Uri.file(homedir());
  for (let number = 1; ; number++) {
    const file = vscode.Uri.joinPath(folder, number === 1 ? name : name.replace(/(?=\.rui\.json$)/, `-${number}`));
    const uri = file.with({ scheme: "untitled" });
    const isOpen = vscode.workspace.textDocuments.some((document) => document.uri.toString() === uri.toString());
    const exists = vscode.workspace.fs.stat(file).then(() => true, () => false);
    if (!isOpen && !(await exists)) {
      return uri;
    }
  }
}

const SCHEME = "rui-page";

/** Read-only documents of this extension, such as the pages of rules. They are never saved. */
export class Pages implements vscode.Disposable {
  private readonly texts = new Map<string, string>();
  private readonly registration = vscode.workspace.registerTextDocumentContentProvider(SCHEME, {
    provideTextDocumentContent: (uri) => this.texts.get(uri.path) ?? "",
  });

  /** Stores a text under a name that editors show, and returns its address. */
  put(name: string, text: string): vscode.Uri {
    const uri = vscode.Uri.from({ scheme: SCHEME, path: `/${name}` });
    this.texts.set(uri.path, text);
    return uri;
  }

  dispose(): void {
    this.registration.dispose();
  }
}

/** Shows the page of a rule: of the argument, of the error at the cursor, or of one that the user chooses. */
export async function explain(server: Server, pages: Pages, argument: unknown): Promise<void> {
  const rule = (argument as { rule?: unknown } | undefined)?.rule ?? ruleAtCursor() ?? (await chooseRule(server));
  if (typeof rule !== "string") {
    return;
  }
  const { markdown } = await server.request<{ markdown: string }>("rui.explainRule", [{ rule }]);
  await vscode.commands.executeCommand("markdown.showPreviewToSide", pages.put(`${rule}.md`, markdown));
}

function ruleAtCursor(): string | undefined {
  const editor = vscode.window.activeTextEditor;
  const diagnostics = editor === undefined ? [] : vscode.languages.getDiagnostics(editor.document.uri);
  const here = diagnostics.find(({ range }) => editor !== undefined && range.contains(editor.selection.active));
  return typeof here?.code === "object" ? String(here.code.value) : undefined;
}

async function chooseRule(server: Server): Promise<string | undefined> {
  const { rules } = await server.request<{ rules: { number: string; code: string }[] }>("rui.explainRule", []);
  const items = rules.map(({ number, code }) => ({ label: number, description: number === code ? "" : code }));
  const options = { title: "Explain Rule", placeHolder: "Number or code", matchOnDescription: true };
  return (await vscode.window.showQuickPick(items, options))?.label;
}

export async function showVocabulary(context: vscode.ExtensionContext): Promise<void> {
  const page = vscode.Uri.joinPath(context.extensionUri, "bundled", "vocabulary.md");
  await vscode.commands.executeCommand("markdown.showPreview", page);
}
