// Read-only documents of this extension: the pages of rules. They are never saved.
import * as vscode from "vscode";

const SCHEME = "rui-page";

export class Pages implements vscode.Disposable {
  private readonly texts = new Map<string, string>();
  private readonly registration = vscode.workspace.registerTextDocumentContentProvider(SCHEME, {
    provideTextDocumentContent: (uri) => this.texts.get(uri.path) ?? "",
  });

  /** Stores a text under a name that editors show, and returns its address. */
  put(name: string, text: string): vscode.Uri {
    const uri = vscode.Uri.from({ scheme: SCHEME, path: `/${name}` });
    this.texts.set(uri.path, text);
    return uri;
  }

  dispose(): void {
    this.registration.dispose();
  }
}
