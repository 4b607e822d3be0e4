// Chooses the command that starts the language server: that of the setting, or the bundled one.
import { existsSync } from "node:fs";
import * as path from "node:path";
import { type Attempt, findInterpreter, findProgram, MIN_PYTHON, type Surroundings } from "./python";

/** The settings for starting the server. */
export interface LaunchSettings {
  readonly command: readonly string[];
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

/** Returns the command that starts the server. Its program is an absolute path. */
export async function resolveLaunch(
  settings: LaunchSettings,
  extensionPath: string,
  where: Surroundings,
): Promise<Launch> {
  const [name, ...args] = settings.command;
  if (name !== undefined) {
    return { ...configuredCommand(name, where), args };
  }
  return launchBundled(settings.interpreter, extensionPath, where);
}

function configuredCommand(name: string, where: Surroundings): Omit<Launch, "args"> {
  const setting = "rui.server.command";
  const command = findProgram(name, where.excluded);
  if (command === undefined) {
    throw new LaunchError(`${setting}: ${name} is neither an absolute path nor a program on the PATH.`, setting);
  }
  if (!existsSync(command)) {
    throw new LaunchError(`${setting}: the file ${command} does not exist.`, setting);
  }
  return { command, origin: `the command of ${setting}`, setting };
}

async function launchBundled(configured: string, extensionPath: string, where: Surroundings): Promise<Launch> {
  const interpreter = await findInterpreter(configured, where);
  if (Array.isArray(interpreter)) {
    throw new LaunchError(describeMissingPython(configured, interpreter), "rui.interpreter");
  }
  const { program, version } = interpreter;
  const entry = path.join(extensionPath, "bundled", "rui_server.py");
  // -I and -S: the server must not import packages of the user's environment.
  return {
    command: program,
    args: [...interpreter.args, "-I", "-S", entry],
    origin: `the bundled server with Python ${version} (${program})`,
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
