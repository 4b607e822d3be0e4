// The extension in a browser without a remote machine: no server can be started. Commands that need it show the reason.
import * as vscode from "vscode";
import { showVocabulary } from "./commands";
import { LANGUAGE } from "./status";

const REASON =
  "The RUI language server requires Python, which cannot run in a browser. Open the folder on the desktop, " +
  "over SSH, in a container or in a codespace to validate documents.";

export function activate(context: vscode.ExtensionContext): void {
  const item = vscode.languages.createLanguageStatusItem("rui.status", { language: LANGUAGE });
  item.name = "RUI language server";
  item.text = "RUI: not available in a browser";
  item.detail = REASON;
  item.severity = vscode.LanguageStatusSeverity.Warning;
  const { contributes } = context.extension.packageJSON as { contributes: { commands: { command: string }[] } };
  const unavailable = contributes.commands.map(({ command }) => command).filter((name) => name !== "rui.showVocabulary");
  context.subscriptions.push(
    item,
    vscode.commands.registerCommand("rui.showVocabulary", () => showVocabulary(context)),
    ...unavailable.map((name) =>
      vscode.commands.registerCommand(name, () => void vscode.window.showWarningMessage(REASON)),
    ),
  );
}
