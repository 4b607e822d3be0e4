// The language status item (state of the server) and the status bar item (number of errors in the document).
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
  private readonly bar = vscode.window.createStatusBarItem("rui.findings", vscode.StatusBarAlignment.Left, 0);
  private readonly listeners: vscode.Disposable[];
  private state: ServerState = "starting";
  private detail = "";

  constructor() {
    this.item.name = "RUI language server";
    this.item.command = { command: "rui.showLog", title: "Log" };
    this.bar.name = "RUI errors and warnings";
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
    this.item.text = `RUI: ${LABELS[this.state]}`;
    this.item.detail = this.detail;
    this.item.busy = this.state === "starting";
    this.item.severity =
      this.state === "failed" ? vscode.LanguageStatusSeverity.Error : vscode.LanguageStatusSeverity.Information;
    const document = vscode.window.activeTextEditor?.document;
    if (document?.languageId !== LANGUAGE) {
      this.bar.hide();
      return;
    }
    if (this.state === "failed") {
      this.showFailure();
    } else {
      this.showCounts(vscode.languages.getDiagnostics(document.uri));
    }
    this.bar.accessibilityInformation = { label: String(this.bar.tooltip) };
    this.bar.show();
  }

  private showFailure(): void {
    this.bar.text = "$(error) RUI";
    this.bar.tooltip = `RUI: ${this.detail}`;
    this.bar.command = "rui.showLog";
    this.bar.backgroundColor = new vscode.ThemeColor("statusBarItem.errorBackground");
  }

  private showCounts(diagnostics: readonly vscode.Diagnostic[]): void {
    const errors = diagnostics.filter(({ severity }) => severity === vscode.DiagnosticSeverity.Error).length;
    const warnings = diagnostics.length - errors;
    if (diagnostics.length === 0) {
      this.bar.text = "RUI $(check)";
      this.bar.tooltip = "RUI: no errors";
    } else {
      this.bar.text = `RUI $(error) ${errors} $(warning) ${warnings}`;
      this.bar.tooltip = `RUI: ${count(errors, "error")}, ${count(warnings, "warning")}`;
    }
    this.bar.command = "workbench.actions.view.problems";
    this.bar.backgroundColor = undefined;
  }

  dispose(): void {
    this.item.dispose();
    this.bar.dispose();
    this.listeners.forEach((listener) => listener.dispose());
  }
}

function count(number: number, noun: string): string {
  return `${number || "no"} ${noun}${number === 1 ? "" : "s"}`;
}
