// What the palette offers. The work is the server's; here it is shown.
import * as vscode from "vscode";
import type { Server } from "./client";
import { LANGUAGE } from "./status";

interface Published {
  readonly published: boolean;
  readonly viewUrl?: string;
  readonly message?: string;
}

/** The RUI that a command is about: the one given, or the one in the active editor. */
export function documentOf(given: unknown): vscode.Uri | undefined {
  if (given instanceof vscode.Uri) {
    return given;
  }
  if (typeof given === "string") {
    return vscode.Uri.parse(given);
  }
  const document = vscode.window.activeTextEditor?.document;
  return document?.languageId === LANGUAGE ? document.uri : undefined;
}

export async function publish(server: Server, given: unknown): Promise<string | undefined> {
  const uri = documentOf(given);
  if (uri === undefined) {
    void vscode.window.showInformationMessage("Open a RUI (*.rui.json) to publish it.");
    return undefined;
  }
  const result = await server.request<Published>("rui.publish", [{ uri: uri.toString(), show: false }]);
  if (!result.published || result.viewUrl === undefined) {
    return undefined; // The server has said why.
  }
  const address = result.viewUrl;
  void vscode.window.showInformationMessage(`Published: ${address}`, "Open", "Copy Address").then((chosen) => {
    if (chosen === "Open") {
      void vscode.env.openExternal(vscode.Uri.parse(address));
    } else if (chosen === "Copy Address") {
      void vscode.env.clipboard.writeText(address);
    }
  });
  return address;
}

const TEMPLATES = [
  { label: "Small", description: "one page, one section, one text", full: false },
  { label: "With everything", description: "every block, with bindings, columns and a filter", full: true },
];

export async function newDocument(server: Server): Promise<vscode.TextDocument | undefined> {
  const chosen = await vscode.window.showQuickPick(TEMPLATES, {
    title: "New RUI",
    placeHolder: "What to start from",
    ignoreFocusOut: true, // The walkthrough takes the focus back from whatever its buttons open.
  });
  if (chosen === undefined) {
    return undefined;
  }
  const title = await vscode.window.showInputBox({
    title: "New RUI",
    prompt: "What is the app called?",
    value: "My app",
    ignoreFocusOut: true,
  });
  if (title === undefined) {
    return undefined;
  }
  const { text } = await server.request<{ text: string }>("rui.newDocument", [{ title, full: chosen.full }]);
  const document = await vscode.workspace.openTextDocument({ language: LANGUAGE, content: text });
  await vscode.window.showTextDocument(document);
  return document;
}

export async function showNormalForm(server: Server, given: unknown): Promise<void> {
  const uri = documentOf(given);
  if (uri === undefined) {
    return;
  }
  const result = await server.request<{ text: string; contentHash: string; valid: boolean }>("rui.showNormalized", [
    { uri: uri.toString(), show: false },
  ]);
  const document = await vscode.workspace.openTextDocument({ language: LANGUAGE, content: result.text });
  await vscode.window.showTextDocument(document, { preview: true, viewColumn: vscode.ViewColumn.Beside });
  const words = result.valid ? result.contentHash : "Not valid: no service stores this";
  void vscode.window.setStatusBarMessage(words, 10_000);
}

export async function showVocabulary(context: vscode.ExtensionContext): Promise<void> {
  const page = vscode.Uri.joinPath(context.extensionUri, "bundled", "vocabulary.md");
  await vscode.commands.executeCommand("markdown.showPreview", page);
}
