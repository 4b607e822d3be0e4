// The client's middleware: what VS Code shows of the server's answers.
import * as vscode from "vscode";
import type { CodeAction, Command, LanguageClient, Middleware, Range } from "vscode-languageclient/node";

const STATUS_MS = 8_000;

export function createMiddleware(): Middleware {
  return {
    // The extension adds commas itself: an edit of the formatter is lost if another key follows at once.
    provideOnTypeFormattingEdits: () => [],
    provideDocumentFormattingEdits: async (document, options, token, next) => {
      try {
        return await next(document, options, token);
      } catch (error) {
        if (error instanceof Error && error.message.startsWith("Not formatted")) {
          void vscode.window.setStatusBarMessage(`$(warning) ${error.message}`, STATUS_MS);
          return [];
        }
        throw error;
      }
    },
    handleDiagnostics: (uri, diagnostics, next) => next(uri, diagnostics.map(withOfflinePage)),
    provideDiagnostics: async (document, previousResultId, token, next) => {
      const report = await withoutErrors(async () => next(document, previousResultId, token));
      if (token.isCancellationRequested) {
        // Its report is empty, and would clear the diagnostics. After this error, the client requests them again.
        throw new vscode.CancellationError();
      }
      if (report && "items" in report) {
        report.items.forEach(withOfflinePage);
      }
      return report;
    },
    provideWorkspaceDiagnostics: async (resultIds, token, reporter, next) =>
      withOfflinePages(
        await withoutErrors(async () => next(resultIds, token, (part) => reporter(withOfflinePages(part) ?? null))),
      ),
  };
}

/**
 * Returns null after an error, which the client has logged: after an exception, it would not request the diagnostics of
 * the document again.
 */
async function withoutErrors<T>(request: () => Promise<T>): Promise<T | null> {
  try {
    return await request();
  } catch {
    return null;
  }
}

function withOfflinePages<T extends { items: object[] } | null | undefined>(report: T): T {
  for (const item of report?.items ?? []) {
    if ("items" in item) {
      (item.items as vscode.Diagnostic[]).forEach(withOfflinePage);
    }
  }
  return report;
}

/** Lets the code of a diagnostic lead to the page of its rule in this extension, which needs no network. */
function withOfflinePage(diagnostic: vscode.Diagnostic): vscode.Diagnostic {
  const code = typeof diagnostic.code === "object" ? diagnostic.code.value : diagnostic.code;
  if (code !== undefined) {
    const { data } = diagnostic as { data?: { rule?: string } };
    const argument = encodeURIComponent(JSON.stringify([{ rule: data?.rule || code }]));
    diagnostic.code = { value: code, target: vscode.Uri.parse(`command:rui.explain?${argument}`) };
  }
  return diagnostic;
}

interface SnippetEdit {
  readonly range: Range;
  readonly snippet: { readonly value: string };
}

/**
 * Lets code actions insert snippets, an edit of LSP 3.18 that this version of the client cannot convert.
 * `fillClientCapabilities` announces it.
 */
export function supportSnippetEdits(client: LanguageClient): void {
  const converter = client.protocol2CodeConverter as { asCodeActionResult: typeof convert };
  const original = converter.asCodeActionResult;
  async function convert(
    items: (Command | CodeAction)[],
    token?: vscode.CancellationToken,
  ): Promise<(vscode.Command | vscode.CodeAction)[]> {
    const snippets = items.map(takeSnippetEdit);
    const actions = await original(items, token);
    snippets.forEach((found, index) => {
      const action = actions[index];
      if (found !== undefined && action instanceof vscode.CodeAction) {
        const uri = vscode.Uri.parse(found.uri);
        const range = client.protocol2CodeConverter.asRange(found.edit.range);
        const text = withoutIndentation(found.edit.snippet.value, uri, range.start);
        action.edit = new vscode.WorkspaceEdit();
        action.edit.set(uri, [vscode.SnippetTextEdit.replace(range, new vscode.SnippetString(text))]);
      }
    });
    return actions;
  }
  converter.asCodeActionResult = convert;
}

/**
 * Removes the indentation of the line at `position` from the further lines of a snippet: VS Code adds it again when it
 * inserts the snippet.
 */
function withoutIndentation(snippet: string, uri: vscode.Uri, position: vscode.Position): string {
  const document = vscode.workspace.textDocuments.find((one) => one.uri.toString() === uri.toString());
  const before = document?.lineAt(position.line).text.slice(0, position.character) ?? "";
  const indentation = /^\s*/.exec(before)?.[0] ?? "";
  return snippet.replaceAll(`\n${indentation}`, "\n");
}

/** Removes the edit of an action if it inserts a snippet, and returns the insertion. */
function takeSnippetEdit(item: Command | CodeAction): { uri: string; edit: SnippetEdit } | undefined {
  const change = "edit" in item ? item.edit?.documentChanges?.[0] : undefined;
  if (change === undefined || !("edits" in change)) {
    return undefined;
  }
  const edit = change.edits[0] as unknown;
  if (typeof edit !== "object" || edit === null || !("snippet" in edit)) {
    return undefined;
  }
  delete (item as CodeAction).edit;
  return { uri: change.textDocument.uri, edit: edit as SnippetEdit };
}
