import * as vscode from "vscode";
import { Server } from "./client";
import { documentOf, newDocument, publish, showNormalForm, showVocabulary } from "./commands";
import { Previews } from "./preview";
import { Status } from "./status";

/** What other extensions and tests may use. */
export interface Api {
  readonly server: Server;
}

const NEEDS_RESTART = ["rui.server.command", "rui.importStrategy", "rui.interpreter"];

export function activate(context: vscode.ExtensionContext): Api {
  const log = vscode.window.createOutputChannel("RUI", { log: true });
  const status = new Status();
  const server = new Server(context, log, status);
  const previews = new Previews(context, server, log);

  const command = (name: string, run: (given?: unknown) => Promise<unknown>) =>
    vscode.commands.registerCommand(name, async (given?: unknown) => {
      try {
        return await run(given);
      } catch (error) {
        const message = error instanceof Error ? error.message : String(error);
        log.error(`${name}: ${message}`);
        void vscode.window.showErrorMessage(message);
        return undefined;
      }
    });

  context.subscriptions.push(
    log,
    status,
    previews,
    server,
    server.onDidStart(() => previews.refresh()),
    command("rui.restart", () => server.restart()),
    command("rui.showLog", async () => log.show()),
    command("rui.publishDocument", (given) => publish(server, given)),
    command("rui.openPreview", async (given) => {
      const uri = documentOf(given);
      return uri === undefined ? undefined : previews.show(uri);
    }),
    command("rui.new", () => newDocument(server)),
    command("rui.showNormalForm", (given) => showNormalForm(server, given)),
    command("rui.showVocabulary", () => showVocabulary(context)),
    vscode.workspace.onDidChangeConfiguration((event) => {
      if (NEEDS_RESTART.some((name) => event.affectsConfiguration(name))) {
        void server.restart();
      }
    }),
    vscode.workspace.onDidGrantWorkspaceTrust(() => void server.restart()),
  );
  void server.restart();
  return { server };
}
