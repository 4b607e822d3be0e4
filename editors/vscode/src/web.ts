// In a browser with no machine behind it, nothing can be started: what works without the server does, the rest says why.
import * as vscode from "vscode";
import { showVocabulary } from "./commands";
import { LANGUAGE } from "./status";

const WHY =
  "The RUI language server needs Python on a machine, which a browser cannot start. Open the folder on the desktop, " +
  "over SSH, in a container or in a codespace, and it checks documents there.";

export function activate(context: vscode.ExtensionContext): void {
  const item = vscode.languages.createLanguageStatusItem("rui.status", { language: LANGUAGE });
  item.name = "RUI language server";
  item.text = "RUI: not in a browser";
  item.detail = WHY;
  item.severity = vscode.LanguageStatusSeverity.Warning;
  const { contributes } = context.extension.packageJSON as { contributes: { commands: { command: string }[] } };
  const others = contributes.commands.map(({ command }) => command).filter((name) => name !== "rui.showVocabulary");
  context.subscriptions.push(
    item,
    vscode.commands.registerCommand("rui.showVocabulary", () => showVocabulary(context)),
    ...others.map((name) => vscode.commands.registerCommand(name, () => void vscode.window.showWarningMessage(WHY))),
  );
}
