// Finds a Python that can run the server. Nothing is downloaded. Failed attempts are returned for the error message.
import { execFile } from "node:child_process";

export const MIN_PYTHON: readonly [number, number] = [3, 11];

/** A command that cannot be used, and the reason. */
export interface Attempt {
  readonly command: readonly string[];
  readonly reason: string;
}

export interface Interpreter {
  readonly command: readonly string[];
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
export async function findInterpreter(configured: string): Promise<Interpreter | Attempt[]> {
  const attempts: Attempt[] = [];
  for (const command of candidates(configured)) {
    const result = await queryVersion(command);
    if ("version" in result) {
      return { command, version: result.version };
    }
    attempts.push({ command, reason: result.reason });
  }
  return attempts;
}

async function queryVersion(command: readonly string[]): Promise<{ version: string } | { reason: string }> {
  const [program, ...rest] = command;
  return new Promise((resolve) => {
    execFile(program ?? "", [...rest, "-I", "-S", "-c", PRINT_VERSION], { timeout: TIMEOUT_MS }, (error, stdout) => {
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
