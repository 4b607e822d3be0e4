// The commands of the palette. The server does the work; this module shows the results.
import * as vscode from "vscode";
import type { Server } from "./client";
import { LANGUAGE } from "./status";

interface PublishResult {
  readonly published: boolean;
  readonly viewUrl?: string;
}

/** Returns the document of a command: its argument, or the document in the active editor. */
export function targetOf(argument: unknown): vscode.Uri | undefined {
  if (argument instanceof vscode.Uri) {
    return argument;
  }
  if (typeof argument === "string") {
    return vscode.Uri.parse(argument);
  }
  const document = vscode.window.activeTextEditor?.document;
  return document?.languageId === LANGUAGE ? document.uri : undefined;
}

export async function publish(server: Server, argument: unknown): Promise<string | undefined> {
  const uri = targetOf(argument);
  if (uri === undefined) {
    void vscode.window.showInformationMessage("Open a RUI document (*.rui.json) to publish it.");
    return undefined;
  }
  const result = await server.request<PublishResult>("rui.publish", [{ uri: uri.toString(), show: false }]);
  const url = result.viewUrl;
  if (!result.published || url === undefined) {
    return undefined; // The server has shown the reason.
  }
  void vscode.window.showInformationMessage(`Published: ${url}`, "Open", "Copy Address").then((choice) => {
    if (choice === "Open") {
      void vscode.env.openExternal(vscode.Uri.parse(url));
    } else if (choice === "Copy Address") {
      void vscode.env.clipboard.writeText(url);
    }
  });
  return url;
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
  const { text } = await server.request<{ text: string }>("rui.newDocument", [{ title, full: template.full }]);
  const document = await vscode.workspace.openTextDocument({ language: LANGUAGE, content: text });
  await vscode.window.showTextDocument(document);
  return document;
}

interface NormalForm {
  readonly text: string;
  readonly contentHash: string;
  readonly valid: boolean;
}

export async function showNormalForm(server: Server, argument: unknown): Promise<void> {
  const uri = targetOf(argument);
  if (uri === undefined) {
    return;
  }
  const result = await server.request<NormalForm>("rui.showNormalized", [{ uri: uri.toString(), show: false }]);
  const document = await vscode.workspace.openTextDocument({ language: LANGUAGE, content: result.text });
  await vscode.window.showTextDocument(document, { preview: true, viewColumn: vscode.ViewColumn.Beside });
  const message = result.valid ? result.contentHash : "Not valid: a service would reject this";
  void vscode.window.setStatusBarMessage(message, 10_000);
}

export async function showVocabulary(context: vscode.ExtensionContext): Promise<void> {
  const page = vscode.Uri.joinPath(context.extensionUri, "bundled", "vocabulary.md");
  await vscode.commands.executeCommand("markdown.showPreview", page);
}
