// Finds a Python that can run the server. Nothing is ever downloaded; what was tried is remembered, to be told.
import { execFile } from "node:child_process";

export const NEEDED: readonly [number, number] = [3, 11];

/** One attempt: a command, and why it does not do. */
export interface Attempt {
  readonly command: readonly string[];
  readonly why: string;
}

/** A Python that does. */
export interface Interpreter {
  readonly command: readonly string[];
  readonly version: string;
}

const ASK = "import sys; print('%d.%d.%d' % sys.version_info[:3])";
const PATIENCE = 10_000;

/** The commands that may be a Python, in the order in which they are tried. */
export function candidates(configured: string): string[][] {
  if (configured) {
    return [[configured]];
  }
  const named = ["3.14", "3.13", "3.12", "3.11"].map((version) => [`python${version}`]);
  const general = [["python3"], ["python"]];
  return process.platform === "win32" ? [["py", "-3"], ...general] : [["python3"], ...named, ["python"]];
}

/** The first Python that is new enough, or everything that was tried. */
export async function findInterpreter(configured: string): Promise<Interpreter | Attempt[]> {
  const tried: Attempt[] = [];
  for (const command of candidates(configured)) {
    const answer = await versionOf(command);
    if ("version" in answer) {
      return { command, version: answer.version };
    }
    tried.push({ command, why: answer.why });
  }
  return tried;
}

async function versionOf(command: readonly string[]): Promise<{ version: string } | { why: string }> {
  const [program, ...rest] = command;
  return new Promise((resolve) => {
    execFile(program ?? "", [...rest, "-I", "-S", "-c", ASK], { timeout: PATIENCE }, (error, stdout) => {
      const found = /^(\d+)\.(\d+)\.\d+/.exec(stdout);
      if (found === null) {
        const missing = (error as NodeJS.ErrnoException | null)?.code === "ENOENT";
        resolve({ why: missing ? "there is no such program" : "it did not say its version" });
      } else if (isOlder([Number(found[1]), Number(found[2])])) {
        resolve({ why: `it is Python ${found[0]}` });
      } else {
        resolve({ version: found[0] });
      }
    });
  });
}

function isOlder([major, minor]: [number, number]): boolean {
  return major < NEEDED[0] || (major === NEEDED[0] && minor < NEEDED[1]);
}
