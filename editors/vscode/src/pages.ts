// Read-only documents of this extension: the pages of rules. They are never saved.
import * as vscode from "vscode";

const SCHEME = "rui-page";

export class Pages implements vscode.TextDocumentContentProvider, vscode.Disposable {
  private readonly texts = new Map<string, string>();
  private readonly changed = new vscode.EventEmitter<vscode.Uri>();
  private readonly registrations: vscode.Disposable[];

  readonly onDidChange = this.changed.event;

  constructor() {
    this.registrations = [
      vscode.workspace.registerTextDocumentContentProvider(SCHEME, this),
      vscode.workspace.onDidCloseTextDocument(({ uri }) => {
        if (uri.scheme === SCHEME) {
          this.texts.delete(uri.path);
        }
      }),
    ];
  }

  /** Stores a text under a name that editors show, and returns its address. */
  put(name: string, text: string): vscode.Uri {
    const uri = vscode.Uri.from({ scheme: SCHEME, path: `/${name}` });
    this.texts.set(uri.path, text);
    this.changed.fire(uri);
    return uri;
  }

  provideTextDocumentContent(uri: vscode.Uri): string {
    return this.texts.get(uri.path) ?? "";
  }

  dispose(): void {
    this.changed.dispose();
    this.registrations.forEach((registration) => registration.dispose());
  }
}
