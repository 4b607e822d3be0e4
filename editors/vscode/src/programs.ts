// Finds programs by absolute paths. The system would search a name in the working directory, too, on Windows first.
import { accessSync, constants, lstatSync } from "node:fs";
import * as path from "node:path";

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
