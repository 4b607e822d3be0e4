// This part: files that are opened or dropped.

const MAX_FILE = 2_000_000;
const MAX_NAME = 60;

// A file that is not opened: a sentence for the reader, and what its text would be in the encoding that it may have.
class FileError extends Error {
  constructor(sentence, guess = "") {
    super(sentence);
    this.guess = guess;
  }
}

// Returns the text of a file, and a sentence for the reader. Throws a `FileError` if a character may be lost or guessed.
async function readFile(file, limit) {
  const name = nameOf(file);
  if (file.size > MAX_FILE) throw new FileError(`${name} has ${inWords(file.size)}. ${limit}`);
  const bytes = await file.arrayBuffer().then((buffer) => new Uint8Array(buffer), () => {
    throw new FileError(`${name} cannot be read. It may be a folder, or have been moved or changed.`);
  });
  if (!bytes.length) throw new FileError(`${name} is empty.`);
  const encoding = encodingOf(bytes);
  if (encoding.startsWith("utf-32")) throw new FileError(`${name} is UTF-32. Save it as UTF-8.`);
  const text = decode(bytes, encoding);
  if (text === null || text.includes("\0")) throw refusal(name, bytes, encoding);
  const was = encoding === "utf-8" ? "" : " It was UTF-16; here it is UTF-8.";
  return [text, `${name} is open.${was}`];
}

function nameOf(file) {
  return file.name.length > MAX_NAME ? `${file.name.slice(0, MAX_NAME)}…` : file.name;
}

// The Unicode encoding of bytes, by the byte-order mark or by the NULs in the two characters that begin JSON.
function encodingOf(bytes) {
  const marks = { "255 254 0 0": "utf-32le", "0 0 254 255": "utf-32be", "255 254": "utf-16le", "254 255": "utf-16be" };
  const nuls = { "1000": "utf-32le", "0001": "utf-32be", "1010": "utf-16le", "0101": "utf-16be" };
  const four = [...bytes.slice(0, 4)];
  return marks[four.join(" ")] ?? marks[four.slice(0, 2).join(" ")] ?? nuls[four.map((byte) => Math.sign(byte)).join("")] ?? "utf-8";
}

// Returns the text without its byte-order mark, or null for bytes that are none in this encoding.
function decode(bytes, encoding) {
  try {
    return new TextDecoder(encoding, { fatal: true }).decode(bytes);
  } catch {
    return null;
  }
}

function refusal(name, bytes, encoding) {
  if (encoding !== "utf-8") return new FileError(`${name} looks like UTF-16, and is broken. Save it as UTF-8.`);
  if (bytes.some((byte) => byte < 9 || (byte > 13 && byte < 32))) return new FileError(`${name} is not a text file.`);
  const valid = new TextEncoder().encode(new TextDecoder("utf-8", { ignoreBOM: true }).decode(bytes));
  const at = bytes.findIndex((byte, index) => byte !== valid[index]);
  const line = bytes.slice(0, at).filter((byte) => byte === 10).length + 1;
  const guess = decode(bytes, "windows-1252"); // a character for each byte
  const word = /[^\s"]*$/.exec(guess.slice(Math.max(0, at - 20), at))[0] + /^[^\s"]*/.exec(guess.slice(at, at + 20))[0];
  return new FileError(`${name} is not UTF-8 (line ${line}). Save it as UTF-8, or open it as Windows-1252 if “${word}” is right.`, guess);
}
