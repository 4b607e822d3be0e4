// An in-memory file system for the scheme "memory".
const vscode = require("vscode");

const files = new Map();
const changed = new vscode.EventEmitter();
const bytes = (text) => new TextEncoder().encode(text);
const missing = (uri) => vscode.FileSystemError.FileNotFound(uri);
const nothing = () => undefined;

exports.memory = {
  onDidChangeFile: changed.event,
  watch: () => new vscode.Disposable(nothing),
  stat: (uri) => {
    const content = files.get(uri.path);
    const isFolder = [...files.keys()].some((path) => path.startsWith(`${uri.path}/`)) || uri.path === "/virtual";
    if (content === undefined && !isFolder) {
      throw missing(uri);
    }
    const type = content === undefined ? vscode.FileType.Directory : vscode.FileType.File;
    return { type, ctime: 0, mtime: 0, size: content?.length ?? 0 };
  },
  readDirectory: (uri) =>
    [...files.keys()]
      .filter((path) => path.startsWith(`${uri.path}/`))
      .map((path) => [path.slice(uri.path.length + 1), vscode.FileType.File]),
  readFile: (uri) => {
    if (!files.has(uri.path)) {
      throw missing(uri);
    }
    return files.get(uri.path);
  },
  writeFile: (uri, content) => {
    if (uri.path.startsWith("/virtual/read-only")) {
      throw vscode.FileSystemError.NoPermissions(uri);
    }
    files.set(uri.path, content);
    changed.fire([{ type: vscode.FileChangeType.Changed, uri }]);
  },
  createDirectory: nothing,
  delete: (uri) => files.delete(uri.path),
  rename: nothing,
};

/** Adds a file. */
exports.remember = (path, text) => files.set(path, bytes(text));
