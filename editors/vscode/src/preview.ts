// The inspector's own rendering of the document that is being written, beside it. It follows every edit; a click in it
// leads to the place in the text, and the node at the cursor is marked in it.
import { randomBytes } from "node:crypto";
import * as vscode from "vscode";
import type { Server } from "./client";

/** What the page says: it is there, or a person clicked on what begins at an offset, in code points. */
type Said = { readonly kind: "ready" } | { readonly kind: "clicked"; readonly start: number };

const VIEW = "rui.preview";

const MEDIA = ["media"];

/** What the inspector's pages look like, where the server has it, too. */
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
      vscode.workspace.onDidChangeTextDocument(({ document }) => this.of(document)?.follow()),
      vscode.workspace.onDidOpenTextDocument((document) => this.of(document)?.follow()),
      vscode.window.onDidChangeTextEditorSelection(({ textEditor }) => this.of(textEditor.document)?.mark()),
      vscode.workspace.onDidCloseTextDocument((document) => {
        if (document.isUntitled) {
          this.of(document)?.dispose();
        }
      }),
      // A window that is loaded again has its previews again.
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

  /** Shows the preview of a document to the side, or brings it to the front. */
  async show(uri: vscode.Uri): Promise<void> {
    const existing = this.open.get(uri.toString());
    if (existing !== undefined) {
      existing.reveal();
      return;
    }
    const name = uri.path.split("/").pop() ?? "RUI";
    const where = { viewColumn: vscode.ViewColumn.Beside, preserveFocus: true };
    await this.add(uri, vscode.window.createWebviewPanel(VIEW, `Preview ${name}`, where, this.options()));
  }

  /** Renders all again, as after a restart of the server. */
  refresh(): void {
    this.open.forEach((preview) => preview.follow());
  }

  dispose(): void {
    [...this.open.values()].forEach((preview) => preview.dispose());
    this.listeners.forEach((listener) => listener.dispose());
  }

  private of(document: vscode.TextDocument): Preview | undefined {
    return this.open.get(document.uri.toString());
  }

  private options(): vscode.WebviewPanelOptions & vscode.WebviewOptions {
    const roots = [MEDIA, STATIC].map((folder) => vscode.Uri.joinPath(this.context.extensionUri, ...folder));
    return { enableScripts: true, localResourceRoots: roots, enableFindWidget: true };
  }

  private async add(uri: vscode.Uri, panel: vscode.WebviewPanel): Promise<void> {
    const preview = new Preview(uri, panel, this.context, this.server, this.log);
    this.open.set(uri.toString(), preview);
    panel.onDidDispose(() => this.open.delete(uri.toString()));
    await preview.begin();
  }
}

class Preview implements vscode.Disposable {
  private readonly nonce = randomBytes(16).toString("base64url");
  private rendering: Promise<void> | undefined;
  private isStale = false;
  private isBegun = false;
  private isGone = false;

  constructor(
    private readonly uri: vscode.Uri,
    private readonly panel: vscode.WebviewPanel,
    private readonly context: vscode.ExtensionContext,
    private readonly server: Server,
    private readonly log: vscode.LogOutputChannel,
  ) {
    panel.iconPath = vscode.Uri.joinPath(context.extensionUri, "media", "icon.png");
    panel.webview.onDidReceiveMessage((said: Said) => {
      if (said.kind === "ready") {
        this.follow();
      } else if (said.kind === "clicked" && Number.isInteger(said.start)) {
        void this.select(said.start);
      }
    });
    panel.onDidDispose(() => {
      this.isGone = true;
    });
  }

  reveal(): void {
    this.panel.reveal(undefined, true);
  }

  /** The first page is shown as a whole; all that follow go to the script in it, which keeps the reader's place. */
  async begin(): Promise<void> {
    // The server knows the document only while it is open.
    await vscode.workspace.openTextDocument(this.uri).then(undefined, () => undefined);
    const html = await this.html();
    if (this.isGone) {
      return;
    }
    this.isBegun = html !== undefined;
    if (html !== undefined) {
      const own = `<link rel="stylesheet" href="${this.file(MEDIA, "preview.css")}">`;
      this.panel.webview.html = html.replace("</head>", () => `${own}\n</head>`);
    } else {
      this.panel.webview.html = "<p>There is no preview, as the RUI language server does not run. The log says why.</p>";
    }
  }

  /** Renders again, one after the other, and what is newest at the end. */
  follow(): void {
    this.isStale = true;
    this.rendering ??= this.renderUntilFresh().finally(() => {
      this.rendering = undefined;
    });
  }

  private async renderUntilFresh(): Promise<void> {
    while (this.isStale && !this.isGone) {
      this.isStale = false;
      if (!this.isBegun) {
        await this.begin();
      } else if (this.panel.visible) {
        // A page that nobody sees is thrown away. It says that it is ready when it is there again, and is rendered then.
        const html = await this.html();
        if (html !== undefined && !this.isStale) {
          this.post({ kind: "page", html, uri: this.uri.toString() });
          this.mark();
        }
      }
    }
  }

  /** Tells the page something. Whether that arrives nobody waits for: of a page that is just thrown away, it is never said. */
  private post(message: object): void {
    if (!this.isGone) {
      void this.panel.webview.postMessage(message);
    }
  }

  private file(folder: string[], name: string): string {
    return this.panel.webview.asWebviewUri(vscode.Uri.joinPath(this.context.extensionUri, ...folder, name)).toString();
  }

  private async html(): Promise<string | undefined> {
    if (this.isGone) {
      return undefined;
    }
    const source = this.panel.webview.cspSource;
    try {
      const { html } = await this.server.request<{ html: string }>("rui.preview", [
        {
          uri: this.uri.toString(),
          stylesheet: this.file(STATIC, "inspector.css"),
          script: this.file(MEDIA, "preview.js"),
          policy: `default-src 'none'; style-src ${source}; img-src ${source} data:; script-src 'nonce-${this.nonce}'`,
          nonce: this.nonce,
        },
      ]);
      return html;
    } catch (error) {
      // What was shown stays; it follows again as soon as the server does.
      this.log.error(`Preview: ${error instanceof Error ? error.message : String(error)}`);
      return undefined;
    }
  }

  /** Marks the node that the cursor is in. */
  mark(): void {
    const editors = [vscode.window.activeTextEditor, ...vscode.window.visibleTextEditors];
    const editor = editors.find((one) => one?.document.uri.toString() === this.uri.toString());
    if (editor === undefined || this.isGone || !this.panel.visible) {
      return;
    }
    const before = new vscode.Range(new vscode.Position(0, 0), editor.selection.active);
    this.post({ kind: "cursor", offset: codePoints(editor.document.getText(before)) });
  }

  /** Puts the cursor where a node begins; offsets of the page are in code points. */
  private async select(start: number): Promise<void> {
    const document = await vscode.workspace.openTextDocument(this.uri);
    const position = document.positionAt(codeUnits(document.getText(), start));
    const shown = vscode.window.visibleTextEditors.find((one) => one.document.uri.toString() === this.uri.toString());
    const viewColumn = shown?.viewColumn ?? vscode.ViewColumn.One;
    const editor = await vscode.window.showTextDocument(document, { viewColumn });
    editor.selection = new vscode.Selection(position, position);
    editor.revealRange(new vscode.Range(position, position), vscode.TextEditorRevealType.InCenterIfOutsideViewport);
  }

  dispose(): void {
    this.panel.dispose();
  }
}

const isPair = (unit: number) => unit >= 0xd800 && unit < 0xdc00;

/** How many code points a text has; the editor counts UTF-16 code units. */
function codePoints(text: string): number {
  let count = text.length;
  for (let at = 0; at < text.length - 1; at++) {
    if (isPair(text.charCodeAt(at)) && (text.codePointAt(at) ?? 0) > 0xffff) {
      count--;
    }
  }
  return count;
}

/** Where in a text so many code points end, in code units. */
function codeUnits(text: string, points: number): number {
  let at = 0;
  for (let left = points; left > 0 && at < text.length; left--) {
    at += (text.codePointAt(at) ?? 0) > 0xffff ? 2 : 1;
  }
  return at;
}
