// The preview: wireframe and tree of a document, updated after each edit. A click on a node moves the cursor to it, and the
// node at the cursor is highlighted. The page follows the scrolling of the editor.
import { randomBytes } from "node:crypto";
import * as vscode from "vscode";
import type { Server } from "./client";

/**
 * Messages of the page: it is loaded, it shows the page with a number, which keeps the last readable one if it is broken,
 * it shows another view, or a click on a node that starts at an offset in code points.
 */
type PageMessage =
  | { readonly kind: "ready" }
  | { readonly kind: "shown"; readonly number: number }
  | { readonly kind: "view"; readonly view: string }
  | { readonly kind: "clicked"; readonly start: number };

const VIEW = "rui.preview";

/** The key of the view that new previews of the workspace show: one of `VIEWS`. */
const CHOSEN_VIEW = "rui.preview.view";
const VIEWS = ["wireframe", "tree"];

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
      vscode.languages.onDidChangeDiagnostics(({ uris }) =>
        uris.forEach((uri) => this.open.get(uri.toString())?.updateWarnings()),
      ),
      vscode.window.onDidChangeTextEditorSelection(({ textEditor }) => this.find(textEditor.document)?.markCursor()),
      vscode.window.onDidChangeTextEditorVisibleRanges(({ textEditor }) =>
        this.find(textEditor.document)?.followScrolling(textEditor),
      ),
      vscode.workspace.onDidCloseTextDocument((document) => {
        if (document.isUntitled) {
          this.find(document)?.panel.dispose();
        }
      }),
    ];
  }

  /** Opens the preview of a document to the side, or reveals it. */
  async show(uri: vscode.Uri): Promise<void> {
    const existing = this.open.get(uri.toString());
    if (existing !== undefined) {
      existing.panel.reveal(undefined, true);
      return;
    }
    const name = uri.path.split("/").pop() ?? "RUI";
    const column = { viewColumn: vscode.ViewColumn.Beside, preserveFocus: true };
    const root = vscode.Uri.joinPath(this.context.extensionUri, ...STATIC);
    const options = { enableScripts: true, localResourceRoots: [root], enableFindWidget: true };
    const panel = vscode.window.createWebviewPanel(VIEW, `Preview ${name}`, column, options);
    const preview = new Preview(uri, panel, this.context, this.server, this.log);
    this.open.set(uri.toString(), preview);
    panel.onDidDispose(() => this.open.delete(uri.toString()));
    await preview.load();
  }

  /** Renders all previews again, after a restart of the server. */
  refresh(): void {
    this.open.forEach((preview) => preview.update());
  }

  dispose(): void {
    [...this.open.values()].forEach((preview) => preview.panel.dispose());
    this.listeners.forEach((listener) => listener.dispose());
  }

  private find(document: vscode.TextDocument): Preview | undefined {
    return this.open.get(document.uri.toString());
  }
}

class Preview {
  private readonly nonce = randomBytes(16).toString("base64url");
  private rendering: Promise<void> | undefined;
  private isStale = false;
  private isLoaded = false;
  /** The last page that was sent, and its number. */
  private sent = { number: 0, html: "" };
  /** The last readable page. A panel that was hidden begins with it. */
  private readable: string | undefined;
  /** The version of the text and the first visible line, as they were at the last page or scrolling. */
  private scrolled = { version: -1, line: -1 };
  private isDisposed = false;
  private warnings = "";
  /** Why there is no page. */
  private problem = "";

  constructor(
    private readonly uri: vscode.Uri,
    readonly panel: vscode.WebviewPanel,
    private readonly context: vscode.ExtensionContext,
    private readonly server: Server,
    private readonly log: vscode.LogOutputChannel,
  ) {
    panel.iconPath = vscode.Uri.joinPath(context.extensionUri, "media", "icon.png");
    panel.webview.onDidReceiveMessage((message: PageMessage) => {
      if (message.kind === "ready") {
        if (this.readable !== undefined) {
          this.postPage(this.readable);
        }
        this.update();
      } else if (message.kind === "shown") {
        if (message.number === this.sent.number) {
          this.readable = this.sent.html;
        }
      } else if (message.kind === "view" && VIEWS.includes(message.view)) {
        void context.workspaceState.update(CHOSEN_VIEW, message.view);
      } else if (message.kind === "clicked" && Number.isInteger(message.start)) {
        void this.select(message.start);
      }
    });
    panel.onDidDispose(() => {
      this.isDisposed = true;
    });
    this.noteScrolling();
  }

  /** Updates the page if the warnings have changed, such as those about an API that has been read. */
  updateWarnings(): void {
    const warnings = vscode.languages
      .getDiagnostics(this.uri)
      .filter((one) => one.severity === vscode.DiagnosticSeverity.Warning)
      .map((one) => one.message)
      .join();
    if (warnings !== this.warnings) {
      this.warnings = warnings;
      this.update();
    }
  }

  /** Notes where the editor is scrolled to, without following it. */
  private noteScrolling(): void {
    const editor = this.editor();
    if (editor !== undefined) {
      this.scrolled = { version: editor.document.version, line: editor.visibleRanges[0]?.start.line ?? 0 };
    }
  }

  /** The editor of the document: the active one, or else one that is visible. */
  private editor(): vscode.TextEditor | undefined {
    const editors = [vscode.window.activeTextEditor, ...vscode.window.visibleTextEditors];
    return editors.find((candidate) => candidate?.document.uri.toString() === this.uri.toString());
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
      const view = this.context.workspaceState.get(CHOSEN_VIEW, VIEWS[0]);
      this.panel.webview.html = html
        .replace("</head>", () => `${stylesheet}\n</head>`)
        .replace("<body ", () => `<body data-view="${view}" `);
    } else {
      this.panel.webview.html = `<p>No preview. ${escape(this.problem)}</p>`;
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
          this.postPage(html);
          this.markCursor();
          this.noteScrolling();
        }
      }
    }
  }

  private postPage(html: string): void {
    this.sent = { number: this.sent.number + 1, html };
    this.post({ kind: "page", html, number: this.sent.number, uri: this.uri.toString() });
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
      this.problem = error instanceof Error ? error.message : String(error);
      this.log.error(`Preview: ${this.problem}`);
      return undefined;
    }
  }

  /** Highlights the node at the cursor. */
  markCursor(): void {
    const editor = this.editor();
    if (editor === undefined || this.isDisposed || !this.panel.visible) {
      return;
    }
    const prefix = new vscode.Range(new vscode.Position(0, 0), editor.selection.active);
    this.post({ kind: "cursor", offset: codePointCount(editor.document.getText(prefix)) });
  }

  /** Shows what is visible in the editor after it is scrolled. An edit that moves lines is not scrolling. */
  followScrolling(editor: vscode.TextEditor): void {
    const first = editor.visibleRanges[0];
    const end = editor.visibleRanges.at(-1)?.end;
    if (first === undefined || end === undefined) {
      return;
    }
    const { document } = editor;
    const last = this.scrolled;
    this.scrolled = { version: document.version, line: first.start.line };
    if (last.version !== document.version || last.line === first.start.line || !this.panel.visible) {
      return;
    }
    const start = codePointCount(document.getText(new vscode.Range(new vscode.Position(0, 0), first.start)));
    const visible = document.getText(new vscode.Range(first.start, end));
    this.post({ kind: "scrolled", start, end: start + codePointCount(visible) });
  }

  /** Moves the cursor to an offset in code points. */
  private async select(start: number): Promise<void> {
    const document = await vscode.workspace.openTextDocument(this.uri);
    const position = document.positionAt(codeUnitOffset(document.getText(), start));
    const viewColumn = this.editor()?.viewColumn ?? vscode.ViewColumn.One;
    const editor = await vscode.window.showTextDocument(document, { viewColumn });
    editor.selection = new vscode.Selection(position, position);
    editor.revealRange(new vscode.Range(position, position), vscode.TextEditorRevealType.InCenterIfOutsideViewport);
  }
}

function escape(text: string): string {
  return text.replaceAll("&", "&amp;").replaceAll("<", "&lt;");
}

/** Counts the code points of a text. The editor counts UTF-16 code units. */
function codePointCount(text: string): number {
  return [...text].length;
}

/** Converts an offset in code points to one in UTF-16 code units. */
function codeUnitOffset(text: string, codePoints: number): number {
  return [...text].slice(0, codePoints).join("").length;
}
