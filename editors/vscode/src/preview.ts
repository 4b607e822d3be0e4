// The preview: the inspector's page of a document, updated after each edit. A click on a node moves the cursor to it, and
// the node at the cursor is highlighted.
import { randomBytes } from "node:crypto";
import * as vscode from "vscode";
import type { Server } from "./client";

/** Messages of the page: it is loaded, or the user clicked on a node that starts at an offset in code points. */
type PageMessage = { readonly kind: "ready" } | { readonly kind: "clicked"; readonly start: number };

const VIEW = "rui.preview";

/** The folder of stylesheets and scripts. */
const STATIC = ["bundled", "libs", "rui_inspector", "static"];

export class Previews implements vscode.Disposable {
  private readonly open = new Map<string, Preview>();
  private readonly listeners: vscode.Disposable[];

  constructor(
    private readonly context: vscode.ExtensionContext,
    private readonly server: Server,
    private readonly log: vscode.LogOutputChannel,
  ) {
    this.listeners = [
      vscode.workspace.onDidChangeTextDocument(({ document }) => this.find(document)?.update()),
      vscode.workspace.onDidOpenTextDocument((document) => this.find(document)?.update()),
      vscode.window.onDidChangeTextEditorSelection(({ textEditor }) => this.find(textEditor.document)?.markCursor()),
      vscode.workspace.onDidCloseTextDocument((document) => {
        if (document.isUntitled) {
          this.find(document)?.dispose();
        }
      }),
      // Restores previews after the window is reloaded.
      vscode.window.registerWebviewPanelSerializer(VIEW, {
        deserializeWebviewPanel: async (panel, state: { uri?: string } | undefined) => {
          if (state?.uri === undefined) {
            panel.dispose();
            return;
          }
          panel.webview.options = this.options();
          await this.add(vscode.Uri.parse(state.uri), panel);
        },
      }),
    ];
  }

  /** Opens the preview of a document to the side, or reveals it. */
  async show(uri: vscode.Uri): Promise<void> {
    const existing = this.open.get(uri.toString());
    if (existing !== undefined) {
      existing.reveal();
      return;
    }
    const name = uri.path.split("/").pop() ?? "RUI";
    const column = { viewColumn: vscode.ViewColumn.Beside, preserveFocus: true };
    await this.add(uri, vscode.window.createWebviewPanel(VIEW, `Preview ${name}`, column, this.options()));
  }

  /** Renders all previews again, after a restart of the server. */
  refresh(): void {
    this.open.forEach((preview) => preview.update());
  }

  dispose(): void {
    [...this.open.values()].forEach((preview) => preview.dispose());
    this.listeners.forEach((listener) => listener.dispose());
  }

  private find(document: vscode.TextDocument): Preview | undefined {
    return this.open.get(document.uri.toString());
  }

  private options(): vscode.WebviewPanelOptions & vscode.WebviewOptions {
    const root = vscode.Uri.joinPath(this.context.extensionUri, ...STATIC);
    return { enableScripts: true, localResourceRoots: [root], enableFindWidget: true };
  }

  private async add(uri: vscode.Uri, panel: vscode.WebviewPanel): Promise<void> {
    const preview = new Preview(uri, panel, this.context, this.server, this.log);
    this.open.set(uri.toString(), preview);
    panel.onDidDispose(() => this.open.delete(uri.toString()));
    await preview.load();
  }
}

class Preview implements vscode.Disposable {
  private readonly nonce = randomBytes(16).toString("base64url");
  private rendering: Promise<void> | undefined;
  private isStale = false;
  private isLoaded = false;
  private isDisposed = false;

  constructor(
    private readonly uri: vscode.Uri,
    private readonly panel: vscode.WebviewPanel,
    private readonly context: vscode.ExtensionContext,
    private readonly server: Server,
    private readonly log: vscode.LogOutputChannel,
  ) {
    panel.iconPath = vscode.Uri.joinPath(context.extensionUri, "media", "icon.png");
    panel.webview.onDidReceiveMessage((message: PageMessage) => {
      if (message.kind === "ready") {
        this.update();
      } else if (message.kind === "clicked" && Number.isInteger(message.start)) {
        void this.select(message.start);
      }
    });
    panel.onDidDispose(() => {
      this.isDisposed = true;
    });
  }

  reveal(): void {
    this.panel.reveal(undefined, true);
  }

  /** Shows the first page. Later pages are sent to its script, which keeps the scroll position. */
  async load(): Promise<void> {
    // The server can only render open documents.
    await vscode.workspace.openTextDocument(this.uri).then(undefined, () => undefined);
    const html = await this.html();
    if (this.isDisposed) {
      return;
    }
    this.isLoaded = html !== undefined;
    if (html !== undefined) {
      const stylesheet = `<link rel="stylesheet" href="${this.file("preview/preview.css")}">`;
      this.panel.webview.html = html.replace("</head>", () => `${stylesheet}\n</head>`);
    } else {
      this.panel.webview.html =
        "<p>No preview: the RUI language server is not running. See the log for the reason.</p>";
    }
  }

  /** Renders the current text. At most one request runs at a time; the last text is always rendered. */
  update(): void {
    this.isStale = true;
    this.rendering ??= this.renderUntilCurrent().finally(() => {
      this.rendering = undefined;
    });
  }

  private async renderUntilCurrent(): Promise<void> {
    while (this.isStale && !this.isDisposed) {
      this.isStale = false;
      if (!this.isLoaded) {
        await this.load();
      } else if (this.panel.visible) {
        // VS Code discards hidden pages. A page that is shown again sends "ready" and is rendered then.
        const html = await this.html();
        if (html !== undefined && !this.isStale) {
          this.post({ kind: "page", html, uri: this.uri.toString() });
          this.markCursor();
        }
      }
    }
  }

  /** Sends a message to the page. The result is not awaited: it never settles if the page is being discarded. */
  private post(message: object): void {
    if (!this.isDisposed) {
      void this.panel.webview.postMessage(message);
    }
  }

  private file(name: string): string {
    const uri = vscode.Uri.joinPath(this.context.extensionUri, ...STATIC, name);
    return this.panel.webview.asWebviewUri(uri).toString();
  }

  private async html(): Promise<string | undefined> {
    if (this.isDisposed) {
      return undefined;
    }
    const source = this.panel.webview.cspSource;
    try {
      const { html } = await this.server.request<{ html: string }>("rui.preview", [
        {
          uri: this.uri.toString(),
          stylesheet: this.file("inspector.css"),
          script: this.file("preview/preview.js"),
          policy: `default-src 'none'; style-src ${source}; img-src ${source} data:; script-src 'nonce-${this.nonce}'`,
          nonce: this.nonce,
        },
      ]);
      return html;
    } catch (error) {
      // The last page stays until the server runs again.
      this.log.error(`Preview: ${error instanceof Error ? error.message : String(error)}`);
      return undefined;
    }
  }

  /** Highlights the node at the cursor. */
  markCursor(): void {
    const editors = [vscode.window.activeTextEditor, ...vscode.window.visibleTextEditors];
    const editor = editors.find((candidate) => candidate?.document.uri.toString() === this.uri.toString());
    if (editor === undefined || this.isDisposed || !this.panel.visible) {
      return;
    }
    const prefix = new vscode.Range(new vscode.Position(0, 0), editor.selection.active);
    this.post({ kind: "cursor", offset: codePointCount(editor.document.getText(prefix)) });
  }

  /** Moves the cursor to an offset in code points. */
  private async select(start: number): Promise<void> {
    const document = await vscode.workspace.openTextDocument(this.uri);
    const position = document.positionAt(codeUnitOffset(document.getText(), start));
    const uri = this.uri.toString();
    const visible = vscode.window.visibleTextEditors.find((candidate) => candidate.document.uri.toString() === uri);
    const viewColumn = visible?.viewColumn ?? vscode.ViewColumn.One;
    const editor = await vscode.window.showTextDocument(document, { viewColumn });
    editor.selection = new vscode.Selection(position, position);
    editor.revealRange(new vscode.Range(position, position), vscode.TextEditorRevealType.InCenterIfOutsideViewport);
  }

  dispose(): void {
    this.panel.dispose();
  }
}

/** Counts the code points of a text. The editor counts UTF-16 code units. */
function codePointCount(text: string): number {
  let count = text.length;
  for (let index = 0; index < text.length - 1; index++) {
    if ((text.codePointAt(index) ?? 0) > 0xffff) {
      count--;
    }
  }
  return count;
}

/** Converts an offset in code points to one in UTF-16 code units. */
function codeUnitOffset(text: string, codePoints: number): number {
  let offset = 0;
  for (let count = 0; count < codePoints && offset < text.length; count++) {
    offset += (text.codePointAt(offset) ?? 0) > 0xffff ? 2 : 1;
  }
  return offset;
}
