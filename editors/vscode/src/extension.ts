import * as vscode from "vscode";
import { Server } from "./client";
import { explain, newDocument, Pages, showVocabulary, targetOf } from "./commands";
import { addCommas } from "./editing";
import { Previews } from "./preview";
import { Publisher } from "./publishing";
import { Status } from "./status";

/** The API for other extensions and tests. */
export interface Api {
  readonly server: Server;
}

const RESTART_SETTINGS = ["rui.server.command", "rui.interpreter"];

/**
 * Starts the server. VS Code activates the extension when a RUI document is opened or the workspace contains one, so
 * that the server usually runs before the first document is opened.
 */
export function activate(context: vscode.ExtensionContext): Api {
  const log = vscode.window.createOutputChannel("RUI", { log: true });
  const status = new Status();
  const server = new Server(context, log, status);
  const pages = new Pages();
  const publisher = new Publisher(context.workspaceState, server, pages);
  const previews = new Previews(context, server, log);

  const command = (name: string, run: (argument?: unknown) => Promise<unknown>) =>
    vscode.commands.registerCommand(name, async (argument?: unknown) => {
      try {
        return await run(argument);
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
    pages,
    publisher,
    previews,
    server,
    addCommas(server),
    server.onDidStart(() => previews.refresh()),
    command("rui.restart", () => server.restart()),
    command("rui.showLog", async () => log.show()),
    command("rui.publishDocument", (argument) => publisher.publish(argument)),
    command("rui.openLastVersion", (argument) => publisher.openLast(argument)),
    command("rui.compareWithLastVersion", (argument) => publisher.compare(argument)),
    command("rui.openPreview", async (argument) => {
      const uri = targetOf(argument);
      return uri === undefined ? undefined : previews.show(uri);
    }),
    command("rui.openPreviewInBrowser", async (argument) => {
      const uri = targetOf(argument)?.toString();
      return uri === undefined ? undefined : server.request("rui.preview", [{ uri }]);
    }),
    command("rui.new", () => newDocument(server)),
    command("rui.explain", (argument) => explain(server, pages, argument)),
    command("rui.showVocabulary", () => showVocabulary(context)),
    vscode.workspace.onDidChangeConfiguration((event) => {
      if (RESTART_SETTINGS.some((name) => event.affectsConfiguration(name))) {
        void server.restart();
      }
    }),
    vscode.workspace.onDidGrantWorkspaceTrust(() => void server.restart()),
  );
  void server.restart();
  return { server };
}
