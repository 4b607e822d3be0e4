// Finds a Python that can run the server. Nothing is downloaded. Failed attempts are returned for the error message.
// Programs are started by absolute paths: the system would search a name in the working directory, on Windows first.
import { execFile } from "node:child_process";
import { accessSync, constants, lstatSync } from "node:fs";
import * as path from "node:path";

export const MIN_PYTHON: readonly [number, number] = [3, 11];

/** Where programs are searched, and run. */
export interface Surroundings {
  /** The folders of an untrusted workspace. No program is found in them by its name. */
  readonly excluded: readonly string[];
  /** The working folder, outside of the workspace. */
  readonly cwd: string;
}

/** A command that cannot be used, and the reason. */
export interface Attempt {
  readonly command: readonly string[];
  readonly reason: string;
}

export interface Interpreter {
  readonly program: string;
  readonly args: readonly string[];
  readonly version: string;
}

const PRINT_VERSION = "import sys; print('%d.%d.%d' % sys.version_info[:3])";
const TIMEOUT_MS = 10_000;

/** The commands to try, in order. */
function candidates(configured: string): string[][] {
  if (configured) {
    return [[configured]];
  }
  if (process.platform === "win32") {
    return [["py", "-3"], ["python3"], ["python"]];
  }
  const versions = ["3.14", "3.13", "3.12", "3.11"].map((version) => [`python${version}`]);
  return [["python3"], ...versions, ["python"]];
}

/** Returns the first Python that is new enough, or all failed attempts. */
export async function findInterpreter(configured: string, where: Surroundings): Promise<Interpreter | Attempt[]> {
  const attempts: Attempt[] = [];
  for (const command of candidates(configured)) {
    const [name = "", ...args] = command;
    const program = findProgram(name, where.excluded);
    if (program === undefined) {
      const isPath = path.basename(name) !== name;
      attempts.push({ command, reason: isPath ? "it is not an absolute path" : "program not found" });
      continue;
    }
    const result = await queryVersion(program, args, where.cwd);
    if ("version" in result) {
      return { program, args, version: result.version };
    }
    attempts.push({ command, reason: result.reason });
  }
  return attempts;
}

async function queryVersion(
  program: string,
  args: readonly string[],
  cwd: string,
): Promise<{ version: string } | { reason: string }> {
  const options = { timeout: TIMEOUT_MS, cwd };
  return new Promise((resolve) => {
    execFile(program, [...args, "-I", "-S", "-c", PRINT_VERSION], options, (error, stdout) => {
      const version = /^(\d+)\.(\d+)\.\d+/.exec(stdout);
      if (version === null) {
        const isMissing = (error as NodeJS.ErrnoException | null)?.code === "ENOENT";
        resolve({ reason: isMissing ? "program not found" : "it did not print a Python version" });
      } else if (isOlder([Number(version[1]), Number(version[2])])) {
        resolve({ reason: `it is Python ${version[0]}` });
      } else {
        resolve({ version: version[0] });
      }
    });
  });
}

function isOlder([major, minor]: [number, number]): boolean {
  return major < MIN_PYTHON[0] || (major === MIN_PYTHON[0] && minor < MIN_PYTHON[1]);
}

/**
 * Returns the absolute path of a program, or undefined if it is not on the PATH. Relative folders of the PATH are not
 * searched, nor those inside of `excluded` folders.
 */
export function findProgram(name: string, excluded: readonly string[]): string | undefined {
  if (path.isAbsolute(name)) {
    return name;
  }
  if (path.basename(name) !== name) {
    return undefined;
  }
  const file = process.platform === "win32" && path.extname(name) !== ".exe" ? `${name}.exe` : name;
  return (process.env["PATH"] ?? "")
    .split(path.delimiter)
    .filter((folder) => path.isAbsolute(folder) && !excluded.some((parent) => contains(parent, folder)))
    .map((folder) => path.join(folder, file))
    .find(isProgram);
}

function contains(parent: string, folder: string): boolean {
  const relative = path.relative(parent, folder);
  return relative.split(path.sep)[0] !== ".." && !path.isAbsolute(relative);
}

function isProgram(file: string): boolean {
  try {
    accessSync(file, constants.X_OK);
    // `stat` fails for the links to apps of the Microsoft Store.
    return !lstatSync(file).isDirectory();
  } catch {
    return false;
  }
}
