// Which command starts the language server: the setting, then the environment if that is wanted, then what is bundled.
import { execFile } from "node:child_process";
import { existsSync } from "node:fs";
import * as path from "node:path";
import { type Attempt, findInterpreter, NEEDED } from "./python";

/** What the settings say about starting the server. */
export interface Wanted {
  readonly command: readonly string[];
  readonly importStrategy: string;
  readonly interpreter: string;
}

/** A command that starts the server, and in words where it comes from. */
export interface Launch {
  readonly command: string;
  readonly args: readonly string[];
  readonly from: string;
  /** The setting to look at if it does not start. */
  readonly setting: string;
}

/** The server cannot be started; `message` says what is missing, `setting` names the setting to look at. */
export class NoServerError extends Error {
  constructor(
    message: string,
    readonly setting: string,
  ) {
    super(message);
  }
}

const PATIENCE = 10_000;

export async function launchOf(wanted: Wanted, extensionPath: string): Promise<Launch> {
  const [program, ...args] = wanted.command;
  if (program !== undefined) {
    if (path.isAbsolute(program) && !existsSync(program)) {
      throw new NoServerError(`rui.server.command names ${program}, and there is no such file.`, "rui.server.command");
    }
    return { command: program, args, from: "the setting rui.server.command", setting: "rui.server.command" };
  }
  if (wanted.importStrategy === "fromEnvironment") {
    const found = await fromEnvironment(wanted.interpreter);
    if (found !== undefined) {
      return found;
    }
  }
  return bundled(wanted.interpreter, extensionPath);
}

async function fromEnvironment(interpreter: string): Promise<Launch | undefined> {
  const found = await findInterpreter(interpreter);
  if (!Array.isArray(found)) {
    const [program, ...rest] = found.command;
    const args = [...rest, "-m", "rui_cli", "lsp"];
    if (program !== undefined && (await succeeds(program, [...rest, "-c", "import rui_cli, rui_lsp"]))) {
      const from = `rui of the environment of ${found.command.join(" ")}`;
      return { command: program, args, from, setting: "rui.interpreter" };
    }
  }
  const isThere = await succeeds("rui", ["lsp", "--help"]);
  return isThere ? { command: "rui", args: ["lsp"], from: "rui on the PATH", setting: "rui.importStrategy" } : undefined;
}

async function bundled(interpreter: string, extensionPath: string): Promise<Launch> {
  const found = await findInterpreter(interpreter);
  if (Array.isArray(found)) {
    throw new NoServerError(missing(interpreter, found), "rui.interpreter");
  }
  const [program, ...rest] = found.command;
  const entry = path.join(extensionPath, "bundled", "rui_server.py");
  // -I and -S: nothing of the user's environment can get between the server and what it was tested with.
  return {
    command: program ?? "python3",
    args: [...rest, "-I", "-S", entry],
    from: `the bundled server, under Python ${found.version} (${found.command.join(" ")})`,
    setting: "rui.interpreter",
  };
}

function missing(interpreter: string, tried: readonly Attempt[]): string {
  const needed = NEEDED.join(".");
  if (interpreter) {
    return `rui.interpreter names ${interpreter}, but ${tried[0]?.why ?? "it does not run"}. Python ${needed} or newer is needed.`;
  }
  const told = tried.map((attempt) => `${attempt.command.join(" ")}: ${attempt.why}`).join("; ");
  return `RUI needs Python ${needed} or newer, and found none (${told}). Install it, or set rui.interpreter.`;
}

async function succeeds(program: string, args: readonly string[]): Promise<boolean> {
  return new Promise((resolve) => {
    execFile(program, [...args], { timeout: PATIENCE }, (error) => resolve(error === null));
  });
}
