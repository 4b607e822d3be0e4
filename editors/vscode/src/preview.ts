// The inspector's own rendering of the document that is being written, beside it. It follows every edit; a click in it
// leads to the place in the text, and the node at the cursor is marked in it.
import { randomBytes } from "node:crypto";
import * as vscode from "vscode";
import type { Server } from "./client";

/** What the page says: a person clicked on what stands from one offset to another, in code points. */
interface Clicked {
  readonly kind: "clicked";
  readonly start: number;
}

export class Previews implements vscode.Disposable {
  private readonly open = new Map<string, Preview>();
  private readonly listeners: vscode.Disposable[];

  constructor(
    private readonly context: vscode.ExtensionContext,
    private readonly server: Server,
    private readonly log: vscode.LogOutputChannel,
  ) {
    this.listeners = [
      vscode.workspace.onDidChangeTextDocument(({ document }) => this.open.get(document.uri.toString())?.follow()),
      vscode.window.onDidChangeTextEditorSelection(({ textEditor }) =>
        this.open.get(textEditor.document.uri.toString())?.mark(textEditor),
      ),
      vscode.workspace.onDidCloseTextDocument(({ uri }) => this.open.get(uri.toString())?.dispose()),
    ];
  }

  /** Shows the preview of a document to the side, or brings it to the front. */
  async show(uri: vscode.Uri): Promise<void> {
    const key = uri.toString();
    const existing = this.open.get(key);
    if (existing !== undefined) {
      existing.reveal();
      return;
    }
    const preview = new Preview(uri, this.context, this.server, this.log, () => this.open.delete(key));
    this.open.set(key, preview);
    await preview.render();
  }

  /** The HTML that a preview shows now, for tests. */
  htmlOf(uri: vscode.Uri): string | undefined {
    return this.open.get(uri.toString())?.html;
  }

  /** Does what a click in a preview does, for tests. */
  async click(uri: vscode.Uri, start: number): Promise<void> {
    await this.open.get(uri.toString())?.select(start);
  }

  dispose(): void {
    [...this.open.values()].forEach((preview) => preview.dispose());
    this.listeners.forEach((listener) => listener.dispose());
  }
}

class Preview implements vscode.Disposable {
  private readonly panel: vscode.WebviewPanel;
  private rendering: Promise<void> | undefined;
  private isStale = false;

  constructor(
    private readonly uri: vscode.Uri,
    private readonly context: vscode.ExtensionContext,
    private readonly server: Server,
    private readonly log: vscode.LogOutputChannel,
    private readonly closed: () => void,
  ) {
    const name = uri.path.split("/").pop() ?? "RUI";
    const media = vscode.Uri.joinPath(context.extensionUri, "media");
    this.panel = vscode.window.createWebviewPanel(
      "rui.preview",
      `Preview ${name}`,
      { viewColumn: vscode.ViewColumn.Beside, preserveFocus: true },
      { enableScripts: true, localResourceRoots: [media], enableFindWidget: true },
    );
    this.panel.webview.onDidReceiveMessage((message: Clicked) => {
      if (message.kind === "clicked" && Number.isInteger(message.start)) {
        void this.select(message.start);
      }
    });
    this.panel.onDidDispose(this.closed);
  }

  get html(): string {
    return this.panel.webview.html;
  }

  reveal(): void {
    this.panel.reveal(undefined, true);
  }

  /** Renders again, one after the other, and what is newest at the end. */
  follow(): void {
    this.isStale = true;
    this.rendering ??= this.renderUntilFresh().finally(() => {
      this.rendering = undefined;
    });
  }

  private async renderUntilFresh(): Promise<void> {
    while (this.isStale) {
      this.isStale = false;
      await this.render();
    }
  }

  async render(): Promise<void> {
    const nonce = randomBytes(16).toString("base64url");
    const media = (name: string) =>
      this.panel.webview.asWebviewUri(vscode.Uri.joinPath(this.context.extensionUri, "media", name)).toString();
    const source = this.panel.webview.cspSource;
    try {
      const { html } = await this.server.request<{ html: string }>("rui.preview", [
        {
          uri: this.uri.toString(),
          stylesheet: media("inspector.css"),
          script: media("preview.js"),
          policy: `default-src 'none'; style-src ${source}; img-src ${source} data:; script-src 'nonce-${nonce}'`,
          nonce,
        },
      ]);
      this.panel.webview.html = html;
    } catch (error) {
      this.log.error(`Preview: ${String(error)}`);
      void vscode.window.showErrorMessage(`The preview cannot be shown: ${error instanceof Error ? error.message : error}`);
    }
  }

  /** Marks the node that the cursor is in. */
  mark(editor: vscode.TextEditor): void {
    const before = new vscode.Range(new vscode.Position(0, 0), editor.selection.active);
    const offset = [...editor.document.getText(before)].length;
    void this.panel.webview.postMessage({ kind: "cursor", offset });
  }

  /** Puts the cursor where a node begins; offsets of the page are in code points. */
  async select(start: number): Promise<void> {
    const document = await vscode.workspace.openTextDocument(this.uri);
    const units = [...document.getText()].slice(0, start).join("").length;
    const position = document.positionAt(units);
    const column = vscode.window.visibleTextEditors.find((one) => one.document.uri.toString() === this.uri.toString())?.viewColumn;
    const editor = await vscode.window.showTextDocument(document, { viewColumn: column ?? vscode.ViewColumn.One });
    editor.selection = new vscode.Selection(position, position);
    editor.revealRange(new vscode.Range(position, position), vscode.TextEditorRevealType.InCenterIfOutsideViewport);
  }

  dispose(): void {
    this.panel.dispose();
  }
}
