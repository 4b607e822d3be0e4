// The language status item: the state of the server. VS Code's own item in the status bar counts errors.
import * as vscode from "vscode";

export const LANGUAGE = "rui-json";

type ServerState = "starting" | "running" | "stopped" | "not running";

export class Status implements vscode.Disposable {
  private readonly item = vscode.languages.createLanguageStatusItem("rui.status", { language: LANGUAGE });

  constructor() {
    this.item.name = "RUI language server";
    this.item.command = { command: "rui.showLog", title: "Log" };
    this.set("starting");
  }

  set(state: ServerState, detail = ""): void {
    const { Error, Information } = vscode.LanguageStatusSeverity;
    this.item.text = `RUI: ${state}`;
    this.item.detail = detail;
    this.item.busy = state === "starting";
    this.item.severity = state === "not running" ? Error : Information;
  }

  dispose(): void {
    this.item.dispose();
  }
}
