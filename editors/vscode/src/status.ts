// The language status item: the state of the server. VS Code's own item in the status bar counts errors.
import * as vscode from "vscode";

export const LANGUAGE = "rui-json";

export type ServerState = "starting" | "running" | "stopped" | "failed";

const LABELS: Record<ServerState, string> = {
  starting: "starting",
  running: "running",
  stopped: "stopped",
  failed: "not running",
};

export class Status implements vscode.Disposable {
  private readonly item = vscode.languages.createLanguageStatusItem("rui.status", { language: LANGUAGE });
  private state: ServerState = "starting";
  private detail = "";

  constructor() {
    this.item.name = "RUI language server";
    this.item.command = { command: "rui.showLog", title: "Log" };
    this.show();
  }

  set(state: ServerState, detail = ""): void {
    this.state = state;
    this.detail = detail;
    this.show();
  }

  private show(): void {
    this.item.text = `RUI: ${LABELS[this.state]}`;
    this.item.detail = this.detail;
    this.item.busy = this.state === "starting";
    this.item.severity =
      this.state === "failed" ? vscode.LanguageStatusSeverity.Error : vscode.LanguageStatusSeverity.Information;
  }

  dispose(): void {
    this.item.dispose();
  }
}
