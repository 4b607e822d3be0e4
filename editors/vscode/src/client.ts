// The language client: starts the server, keeps it running, and says so when it cannot.
import { homedir } from "node:os";
import * as vscode from "vscode";
import {
  CloseAction,
  ErrorAction,
  type ErrorHandler,
  LanguageClient,
  type LanguageClientOptions,
  RevealOutputChannelOn,
  type ServerOptions,
  State,
  TransportKind,
} from "vscode-languageclient/node";
import { type Launch, launchOf, NoServerError } from "./server";
import { LANGUAGE, type Status } from "./status";

const MAX_RESTARTS = 5;
const WITHIN = 3 * 60 * 1000;

export class Server implements vscode.Disposable {
  private client: LanguageClient | undefined;
  private turn: Promise<void> = Promise.resolve();
  private readonly started = new vscode.EventEmitter<void>();
  private readonly watcher = vscode.workspace.createFileSystemWatcher("**/*.rui.json");

  /** The server runs, for the first time or again. */
  readonly onDidStart = this.started.event;

  /** The command that was chosen last, and where it comes from. */
  launched: Launch | undefined;

  constructor(
    private readonly context: vscode.ExtensionContext,
    private readonly log: vscode.LogOutputChannel,
    private readonly status: Status,
  ) {}

  /** Starts the server, or starts it again; also after a start that failed. One after the other. */
  restart(): Promise<void> {
    this.turn = this.turn.then(() => this.startAgain());
    return this.turn;
  }

  /** Sends a request; rejects with words for a person if the server does not run. */
  async request<T>(command: string, args: readonly unknown[]): Promise<T> {
    await this.turn;
    if (this.client?.state !== State.Running) {
      throw new Error("The RUI language server is not running; the log says why.");
    }
    return this.client.sendRequest<T>("workspace/executeCommand", { command, arguments: args });
  }

  get isRunning(): boolean {
    return this.client?.state === State.Running;
  }

  private async startAgain(): Promise<void> {
    await this.stop();
    this.status.set("starting");
    this.launched = undefined;
    try {
      const launch = await this.launch();
      this.launched = launch;
      this.log.info(`Starting ${launch.from}: ${[launch.command, ...launch.args].join(" ")}`);
      await this.run(launch);
    } catch (error) {
      this.complain(error);
    }
  }

  private async run(launch: Launch): Promise<void> {
    const patience = new Patience(this.log, (why) => this.status.set("failed", why));
    const client = this.make(launch, patience);
    this.client = client;
    try {
      // A client whose server ends before it has said anything waits for ever.
      await Promise.race([client.start(), patience.neverRan]);
    } catch (error) {
      await this.stop();
      const why = error instanceof Error ? error.message : String(error);
      const command = [launch.command, ...launch.args].join(" ");
      throw new NoServerError(`RUI cannot start ${launch.from}: ${command} does not answer as a language server (${why}).`, launch.setting);
    }
    const info = client.initializeResult?.serverInfo;
    this.log.info(`Running: ${info?.name ?? "server"} ${info?.version ?? ""}`);
  }

  private launch(): Promise<Launch> {
    const settings = vscode.workspace.getConfiguration("rui");
    return launchOf(
      {
        command: [settings.get<string | string[]>("server.command", [])].flat().map(expand),
        importStrategy: settings.get<string>("importStrategy", "useBundled"),
        interpreter: expand(settings.get<string>("interpreter", "")),
      },
      this.context.extensionPath,
    );
  }

  private make(launch: Launch, patience: Patience): LanguageClient {
    const run = { command: launch.command, args: [...launch.args], transport: TransportKind.stdio };
    const serverOptions: ServerOptions = { run, debug: run };
    const clientOptions: LanguageClientOptions = {
      documentSelector: schemes().map((scheme) => ({ language: LANGUAGE, scheme })),
      outputChannel: this.log,
      traceOutputChannel: this.log,
      synchronize: { fileEvents: this.watcher },
      diagnosticPullOptions: { onChange: true, onSave: false, onTabs: false },
      // What a person has to know, this extension says, once; what the client has to say besides is in the log.
      revealOutputChannelOn: RevealOutputChannelOn.Never,
      initializationFailedHandler: () => false,
      errorHandler: patience,
      middleware: {
        // VS Code's own request would go to the server's name for it; ours shows progress and offers the address.
        provideCodeLenses: async (document, token, next) =>
          (await next(document, token))?.map((lens) => {
            if (lens.command?.command === "rui.publish") {
              lens.command = { ...lens.command, command: "rui.publishDocument" };
            }
            return lens;
          }),
      },
    };
    const client = new LanguageClient("rui", "RUI", serverOptions, clientOptions);
    client.registerFeature({
      fillClientCapabilities: (capabilities) => {
        capabilities.experimental = {
          ...(capabilities.experimental as object | undefined),
          commands: { commands: ["editor.action.showReferences"] },
        };
      },
      initialize: () => undefined,
      getState: () => ({ kind: "static" }),
      clear: () => undefined,
    });
    client.onDidChangeState(({ newState }) => {
      const state = newState === State.Running ? "running" : newState === State.Starting ? "starting" : "stopped";
      this.status.set(state, newState === State.Running ? [launch.from, ...limits()].join(". ") : "");
      if (newState === State.Running) {
        patience.hasRun = true;
        this.started.fire();
      }
    });
    return client;
  }

  /** One message that says what to do; the log has the rest. */
  private complain(error: unknown): void {
    const message = error instanceof Error ? error.message : String(error);
    this.log.error(message);
    this.status.set("failed", message);
    const settings = error instanceof NoServerError ? error.setting : "rui.server.command";
    void vscode.window.showErrorMessage(message, "Open Settings", "Show Log", "Try Again").then((chosen) => {
      if (chosen === "Open Settings") {
        void vscode.commands.executeCommand("workbench.action.openSettings", settings);
      } else if (chosen === "Show Log") {
        this.log.show();
      } else if (chosen === "Try Again") {
        void this.restart();
      }
    });
  }

  private async stop(): Promise<void> {
    const client = this.client;
    this.client = undefined;
    if (client !== undefined && client.state !== State.Stopped) {
      // A client whose start failed throws here; then there is nothing to stop.
      await client.stop(5_000).catch((error: unknown) => this.log.debug(`Stopping: ${String(error)}`));
    }
    await client?.dispose(0).catch(() => undefined);
  }

  async dispose(): Promise<void> {
    this.watcher.dispose();
    this.started.dispose();
    await this.stop();
  }
}

/** Where documents are that people write: not what is shown of them in a comparison, say. */
function schemes(): string[] {
  const folders = (vscode.workspace.workspaceFolders ?? []).map(({ uri }) => uri.scheme);
  return [...new Set(["file", "untitled", "vscode-vfs", ...folders])];
}

/** What does not work here, in words. */
function limits(): string[] {
  const isVirtual = vscode.workspace.workspaceFolders?.some(({ uri }) => uri.scheme !== "file");
  return [
    ...(vscode.workspace.isTrusted ? [] : ["Restricted Mode: settings of this workspace that name a program or a service do not count"]),
    ...(isVirtual ? ["Files that are not on a disk are checked while they are open"] : []),
  ];
}

/** A setting with what people put into paths: the home directory, the open folder, the environment. */
function expand(value: string): string {
  const folder = vscode.workspace.workspaceFolders?.[0]?.uri.fsPath ?? "";
  return value
    .replace(/^~(?=$|[/\\])/, homedir())
    .replaceAll("${userHome}", homedir())
    .replaceAll("${workspaceFolder}", folder)
    .replace(/\$\{env:(\w+)\}/g, (_, name: string) => process.env[name] ?? "");
}

/** Restarts a server that stopped by itself, but not for ever. */
class Patience implements ErrorHandler {
  /** A server that never ran is not started again: whoever started it is told why. */
  hasRun = false;
  /** Rejects if the server ends before it has run. */
  readonly neverRan: Promise<never>;
  private reject: (why: Error) => void = () => undefined;
  private restarts: number[] = [];

  constructor(
    private readonly log: vscode.LogOutputChannel,
    private readonly giveUp: (why: string) => void,
  ) {
    this.neverRan = new Promise((_, reject) => (this.reject = reject));
    this.neverRan.catch(() => undefined);
  }

  error(): { action: ErrorAction; handled?: boolean } {
    return { action: ErrorAction.Continue, handled: true };
  }

  closed(): { action: CloseAction; handled: boolean; message?: string } {
    if (!this.hasRun) {
      this.reject(new Error("it ended at once"));
      return { action: CloseAction.DoNotRestart, handled: true };
    }
    const now = Date.now();
    this.restarts = [...this.restarts.filter((time) => now - time < WITHIN), now];
    if (this.restarts.length <= MAX_RESTARTS) {
      this.log.warn("The server stopped by itself; starting it again.");
      return { action: CloseAction.Restart, handled: true };
    }
    const message = "The RUI language server stopped several times; RUI: Restart Language Server starts it again.";
    this.giveUp(message);
    return { action: CloseAction.DoNotRestart, handled: false, message };
  }
}
