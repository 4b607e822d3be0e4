// Chooses the command that starts the language server: the setting, the environment if configured, or the bundled one.
import { execFile } from "node:child_process";
import { existsSync } from "node:fs";
import * as path from "node:path";
import { type Attempt, findInterpreter, MIN_PYTHON } from "./python";

/** The settings for starting the server. */
export interface LaunchSettings {
  readonly command: readonly string[];
  readonly importStrategy: string;
  readonly interpreter: string;
}

/** A command that starts the server. */
export interface Launch {
  readonly command: string;
  readonly args: readonly string[];
  /** A description of the server's origin, for messages. */
  readonly origin: string;
  /** The setting to change if the command does not work. */
  readonly setting: string;
}

/** The server cannot be started. `setting` is the setting to change. */
export class LaunchError extends Error {
  constructor(
    message: string,
    readonly setting: string,
  ) {
    super(message);
  }
}

const TIMEOUT_MS = 10_000;

export async function resolveLaunch(settings: LaunchSettings, extensionPath: string): Promise<Launch> {
  const [program, ...args] = settings.command;
  if (program !== undefined) {
    if (path.isAbsolute(program) && !existsSync(program)) {
      throw new LaunchError(`rui.server.command: the file ${program} does not exist.`, "rui.server.command");
    }
    return { command: program, args, origin: "the command of rui.server.command", setting: "rui.server.command" };
  }
  if (settings.importStrategy === "fromEnvironment") {
    const launch = await launchFromEnvironment(settings.interpreter);
    if (launch !== undefined) {
      return launch;
    }
  }
  return launchBundled(settings.interpreter, extensionPath);
}

async function launchFromEnvironment(configured: string): Promise<Launch | undefined> {
  const interpreter = await findInterpreter(configured);
  if (!Array.isArray(interpreter)) {
    const [program, ...rest] = interpreter.command;
    const args = [...rest, "-m", "rui_cli", "lsp"];
    if (program !== undefined && (await succeeds(program, [...rest, "-c", "import rui_cli, rui_lsp"]))) {
      const origin = `rui in the environment of ${interpreter.command.join(" ")}`;
      return { command: program, args, origin, setting: "rui.interpreter" };
    }
  }
  if (await succeeds("rui", ["lsp", "--help"])) {
    return { command: "rui", args: ["lsp"], origin: "rui on the PATH", setting: "rui.importStrategy" };
  }
  return undefined;
}

async function launchBundled(configured: string, extensionPath: string): Promise<Launch> {
  const interpreter = await findInterpreter(configured);
  if (Array.isArray(interpreter)) {
    throw new LaunchError(describeMissingPython(configured, interpreter), "rui.interpreter");
  }
  const [program, ...rest] = interpreter.command;
  const entry = path.join(extensionPath, "bundled", "rui_server.py");
  // -I and -S: the server must not import packages of the user's environment.
  return {
    command: program ?? "python3",
    args: [...rest, "-I", "-S", entry],
    origin: `the bundled server with Python ${interpreter.version} (${interpreter.command.join(" ")})`,
    setting: "rui.interpreter",
  };
}

function describeMissingPython(configured: string, attempts: readonly Attempt[]): string {
  const version = MIN_PYTHON.join(".");
  if (configured) {
    const reason = attempts[0]?.reason ?? "it does not run";
    return `rui.interpreter: ${configured} cannot be used: ${reason}. Python ${version} or newer is required.`;
  }
  const reasons = attempts.map((attempt) => `${attempt.command.join(" ")}: ${attempt.reason}`).join("; ");
  return `RUI requires Python ${version} or newer and did not find it (${reasons}). Install it, or set rui.interpreter.`;
}

async function succeeds(program: string, args: readonly string[]): Promise<boolean> {
  return new Promise((resolve) => {
    execFile(program, [...args], { timeout: TIMEOUT_MS }, (error) => resolve(error === null));
  });
}
