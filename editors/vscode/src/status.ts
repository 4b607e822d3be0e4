// The item in the status bar: what the server is doing, and how many faults the document has.
import * as vscode from "vscode";

export const LANGUAGE = "rui-json";

export type ServerState = "starting" | "running" | "stopped" | "failed";

const WORDS: Record<ServerState, string> = {
  starting: "starting",
  running: "running",
  stopped: "stopped",
  failed: "not running",
};

export class Status implements vscode.Disposable {
  private readonly item = vscode.languages.createLanguageStatusItem("rui.status", { language: LANGUAGE });
  private readonly bar = vscode.window.createStatusBarItem("rui.findings", vscode.StatusBarAlignment.Left, 0);
  private readonly listeners: vscode.Disposable[];
  private state: ServerState = "starting";
  private detail = "";

  constructor() {
    this.item.name = "RUI language server";
    this.item.command = { command: "rui.showLog", title: "Log" };
    this.bar.name = "RUI findings";
    this.bar.command = "workbench.actions.view.problems";
    this.listeners = [
      vscode.languages.onDidChangeDiagnostics(() => this.show()),
      vscode.window.onDidChangeActiveTextEditor(() => this.show()),
    ];
    this.show();
  }

  set(state: ServerState, detail = ""): void {
    this.state = state;
    this.detail = detail;
    this.show();
  }

  private show(): void {
    this.item.text = `RUI: ${WORDS[this.state]}`;
    this.item.detail = this.detail;
    this.item.busy = this.state === "starting";
    this.item.severity =
      this.state === "failed" ? vscode.LanguageStatusSeverity.Error : vscode.LanguageStatusSeverity.Information;
    const document = vscode.window.activeTextEditor?.document;
    if (document?.languageId !== LANGUAGE) {
      this.bar.hide();
      return;
    }
    const found = vscode.languages.getDiagnostics(document.uri);
    const errors = found.filter((one) => one.severity === vscode.DiagnosticSeverity.Error).length;
    const others = found.length - errors;
    const failed = this.state === "failed";
    this.bar.text = failed ? "$(error) RUI" : errors + others ? `RUI $(error) ${errors} $(warning) ${others}` : "RUI $(check)";
    const words = errors + others ? `${count(errors, "error")}, ${count(others, "warning")}` : "no faults";
    this.bar.tooltip = `RUI: ${failed ? this.detail : words}`;
    this.bar.accessibilityInformation = { label: this.bar.tooltip };
    this.bar.command = failed ? "rui.showLog" : "workbench.actions.view.problems";
    this.bar.backgroundColor = failed ? new vscode.ThemeColor("statusBarItem.errorBackground") : undefined;
    this.bar.show();
  }

  dispose(): void {
    this.item.dispose();
    this.bar.dispose();
    this.listeners.forEach((listener) => listener.dispose());
  }
}

function count(number: number, word: string): string {
  return `${number || "no"} ${word}${number === 1 ? "" : "s"}`;
}
