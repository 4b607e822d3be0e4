// The language client: starts the server, restarts it after a crash, and reports errors.
import { homedir } from "node:os";
import * as vscode from "vscode";
import {
  CloseAction,
  type CloseHandlerResult,
  ErrorAction,
  type ErrorHandler,
  LanguageClient,
  type LanguageClientOptions,
  RevealOutputChannelOn,
  type ServerOptions,
  State,
  TransportKind,
} from "vscode-languageclient/node";
import { createMiddleware } from "./middleware";
import { type Launch, LaunchError, resolveLaunch } from "./server";
import { LANGUAGE, type Status } from "./status";

const MAX_RESTARTS = 5;

export class Server implements vscode.Disposable {
  private client: LanguageClient | undefined;
  private pending: Promise<void> = Promise.resolve();
  private readonly started = new vscode.EventEmitter<void>();
  private readonly watcher = vscode.workspace.createFileSystemWatcher("**/*.rui.json");

  /** Fires after each start of the server. */
  readonly onDidStart = this.started.event;

  /** The command of the last start. */
  launched: Launch | undefined;

  constructor(
    private readonly context: vscode.ExtensionContext,
    private readonly log: vscode.LogOutputChannel,
    private readonly status: Status,
  ) {}

  /** Starts or restarts the server. Concurrent calls run one after the other. */
  restart(): Promise<void> {
    this.pending = this.pending.then(() => this.restartNow());
    return this.pending;
  }

  /** Executes a command of the server. Rejects with a message for the user if the server is not running. */
  async request<T>(command: string, args: readonly unknown[]): Promise<T> {
    await this.pending;
    if (this.client?.state !== State.Running) {
      throw new Error("The RUI language server is not running. Its log shows the reason.");
    }
    return this.client.sendRequest<T>("workspace/executeCommand", { command, arguments: args });
  }

  /** Sends a request of LSP. Returns undefined if the server does not run, or refuses it. */
  async send<T>(method: string, params: object): Promise<T | undefined> {
    return this.isRunning ? this.client?.sendRequest<T>(method, params).catch(() => undefined) : undefined;
  }

  get isRunning(): boolean {
    return this.client?.state === State.Running;
  }

  private async restartNow(): Promise<void> {
    await this.stop();
    this.status.set("starting");
    this.launched = undefined;
    try {
      const launch = await this.resolve();
      this.launched = launch;
      this.log.info(`Starting ${launch.origin}: ${[launch.command, ...launch.args].join(" ")}`);
      await this.run(launch);
    } catch (error) {
      this.showError(error);
    }
  }

  private async run(launch: Launch): Promise<void> {
    const policy = new RestartPolicy(this.log);
    const client = this.createClient(launch, policy);
    this.client = client;
    try {
      // If the server ends before its first response, `client.start()` never settles.
      await Promise.race([client.start(), policy.startFailed]);
    } catch (error) {
      await this.stop();
      const reason = error instanceof Error ? error.message : String(error);
      const command = [launch.command, ...launch.args].join(" ");
      throw new LaunchError(`RUI cannot start ${launch.origin}: ${command} is not a language server (${reason}).`, launch.setting);
    }
    const info = client.initializeResult?.serverInfo;
    this.log.info(`Running: ${info?.name ?? "server"} ${info?.version ?? ""}`);
  }

  private resolve(): Promise<Launch> {
    const settings = vscode.workspace.getConfiguration("rui");
    return resolveLaunch(
      {
        command: [settings.get<string | string[]>("server.command", [])].flat().map(expand),
        interpreter: expand(settings.get<string>("interpreter", "")),
      },
      this.context.extensionPath,
      { excluded: untrustedFolders(), cwd: this.context.extensionPath },
    );
  }

  private createClient(launch: Launch, policy: RestartPolicy): LanguageClient {
    // By default the working folder would be the workspace, in which Windows searches programs and libraries.
    const options = { cwd: this.context.extensionPath };
    const run = { command: launch.command, args: [...launch.args], options, transport: TransportKind.stdio };
    const serverOptions: ServerOptions = { run, debug: run };
    const clientOptions: LanguageClientOptions = {
      documentSelector: documentSchemes().map((scheme) => ({ language: LANGUAGE, scheme })),
      outputChannel: this.log,
      initializationOptions: { isWorkspaceTrusted: vscode.workspace.isTrusted },
      synchronize: { fileEvents: this.watcher },
      diagnosticPullOptions: { onChange: true, onSave: false, onTabs: false },
      // This extension shows errors itself. The client's own messages only go to the log.
      revealOutputChannelOn: RevealOutputChannelOn.Never,
      initializationFailedHandler: () => false,
      errorHandler: policy,
      middleware: createMiddleware(),
    };
    const client = new LanguageClient("rui", "RUI", serverOptions, clientOptions);
    policy.limit = client.createDefaultErrorHandler(MAX_RESTARTS);
    client.onDidChangeState(({ newState }) => {
      if (newState === State.Running) {
        this.status.set("running", [launch.origin, ...limitations()].join(". "));
        policy.hasRun = true;
        this.started.fire();
      } else if (policy.hasGivenUp) {
        this.offer(`The RUI language server crashed ${MAX_RESTARTS + 1} times in 3 minutes.`, {
          Restart: () => this.restart(),
          "Show Log": () => this.log.show(),
        });
      } else {
        this.status.set(newState === State.Starting ? "starting" : "stopped");
      }
    });
    return client;
  }

  private showError(error: unknown): void {
    const message = error instanceof Error ? error.message : String(error);
    const setting = error instanceof LaunchError ? error.setting : "rui.server.command";
    this.offer(message, {
      "Open Settings": () => vscode.commands.executeCommand("workbench.action.openSettings", setting),
      "Show Log": () => this.log.show(),
      "Try Again": () => this.restart(),
    });
  }

  /** Reports why the server does not run, with buttons. */
  private offer(message: string, actions: Record<string, () => unknown>): void {
    this.log.error(message);
    this.status.set("not running", message);
    void vscode.window.showErrorMessage(message, ...Object.keys(actions)).then((choice) => {
      if (choice !== undefined) {
        void actions[choice]?.();
      }
    });
  }

  private async stop(): Promise<void> {
    const client = this.client;
    this.client = undefined;
    if (client !== undefined && client.state !== State.Stopped) {
      // Throws if the start failed. Then there is no process to stop.
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

/** Returns the URI schemes of documents that are edited. Others, such as those of comparisons, are ignored. */
export function documentSchemes(): string[] {
  const folders = (vscode.workspace.workspaceFolders ?? []).map(({ uri }) => uri.scheme);
  return [...new Set(["file", "untitled", "vscode-vfs", ...folders])];
}

/** Returns the folders of the workspace if it is not trusted. */
function untrustedFolders(): string[] {
  return vscode.workspace.isTrusted ? [] : (vscode.workspace.workspaceFolders ?? []).map(({ uri }) => uri.fsPath);
}

/** Describes what does not work in this workspace, for the language status. */
function limitations(): string[] {
  const sentences: string[] = [];
  if (!vscode.workspace.isTrusted) {
    sentences.push("Restricted Mode: rui.toml, and workspace settings that name a program, a file or a service, are ignored");
  }
  if (vscode.workspace.workspaceFolders?.some(({ uri }) => uri.scheme !== "file")) {
    sentences.push("Virtual workspace: only open documents are validated");
  }
  return sentences;
}

/** Expands the home directory, the workspace folder and environment variables in a setting. */
function expand(value: string): string {
  const folder = vscode.workspace.workspaceFolders?.[0]?.uri.fsPath ?? "";
  return value
    .replace(/^~(?=$|[/\\])/, homedir())
    .replaceAll("${userHome}", homedir())
    .replaceAll("${workspaceFolder}", folder)
    .replace(/\$\{env:(\w+)\}/g, (_, name: string) => process.env[name] ?? "");
}

/** Restarts a server that ends unexpectedly, up to `MAX_RESTARTS` times in three minutes. */
class RestartPolicy implements ErrorHandler {
  /** Whether the server has run. If not, it is not restarted: `startFailed` rejects instead. */
  hasRun = false;
  /** Whether it has ended too often, and is not restarted any more. */
  hasGivenUp = false;
  /** The client's own policy, which counts. */
  limit!: ErrorHandler;
  readonly startFailed: Promise<never>;
  private rejectStart: (reason: Error) => void = () => undefined;

  constructor(private readonly log: vscode.LogOutputChannel) {
    this.startFailed = new Promise((_, reject) => (this.rejectStart = reject));
    this.startFailed.catch(() => undefined);
  }

  error(): { action: ErrorAction; handled?: boolean } {
    return { action: ErrorAction.Continue, handled: true };
  }

  async closed(): Promise<CloseHandlerResult> {
    if (!this.hasRun) {
      this.rejectStart(new Error("the process ended immediately"));
      return { action: CloseAction.DoNotRestart, handled: true };
    }
    const { action } = await this.limit.closed();
    this.hasGivenUp = action === CloseAction.DoNotRestart;
    if (!this.hasGivenUp) {
      this.log.warn("The server ended unexpectedly. Restarting it.");
    }
    return { action, handled: true };
  }
}
