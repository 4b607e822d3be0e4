// This part: files that are opened or dropped.

const MAX_FILE = 2_000_000;
const MAX_NAME = 60;

// A file that is not opened. The message is a sentence for the reader.
class FileError extends Error {}

// Returns the text of a file, and a sentence for the reader. Throws a `FileError` if a character may be lost.
async function readFile(file, limit) {
  const name = file.name.length > MAX_NAME ? `${file.name.slice(0, MAX_NAME)}…` : file.name;
  if (file.size > MAX_FILE) throw new FileError(`${name} has ${inWords(file.size)}. ${limit}`);
  const bytes = await file.arrayBuffer().catch(() => {
    throw new FileError(`${name} cannot be read. It may be a folder, or have been moved or changed.`);
  });
  if (!bytes.byteLength) throw new FileError(`${name} is empty.`);
  const text = decode(bytes);
  // A text with NULs is UTF-16, or no text.
  if (text === null || text.includes("\0")) throw new FileError(`${name} is not UTF-8. Save the file with the encoding UTF-8.`);
  return [text, `${name} is open.`];
}

// Returns the text without its byte-order mark, or null for bytes that are not UTF-8.
function decode(bytes) {
  try {
    return new TextDecoder("utf-8", { fatal: true }).decode(bytes);
  } catch {
    return null;
  }
}
