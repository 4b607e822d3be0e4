// The client's middleware: what VS Code shows of the server's answers.
import * as vscode from "vscode";
import type { Middleware } from "vscode-languageclient/node";

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
