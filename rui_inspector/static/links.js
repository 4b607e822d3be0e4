// Links that carry a text in their fragment, which browsers do not send: documents (`#rui=`) and notes (`#notes=`). The editor of
// the front page uses these functions, too.

const LINK = "rui";
const MAX_LINKED = 1_000_000; // characters of the text
const LONG_LINK = 8_000; // characters of a link that some programs cut off

// Returns a text as the fragment with a name.
async function packed(name, text) {
  const stream = new Blob([text]).stream().pipeThrough(new CompressionStream("deflate-raw"));
  const bytes = new Uint8Array(await new Response(stream).arrayBuffer());
  let binary = "";
  for (const byte of bytes) binary += String.fromCharCode(byte);
  return `#${name}=${btoa(binary).replaceAll("+", "-").replaceAll("/", "_").replace(/=+$/, "")}`;
}

// Returns the code of a text with a name in a fragment; null for another one. Programs that send links may encode the sign.
function packedIn(fragment, name) {
  return new RegExp(`^#${name}(?:=|%3D)(.*)$`, "i").exec(fragment)?.[1] ?? null;
}

// Returns the text of a code; null for one that was cut off. A hostile one may expand to a long text, so reading is bounded.
async function unpacked(code) {
  try {
    const binary = atob(code.replaceAll("-", "+").replaceAll("_", "/"));
    const bytes = Uint8Array.from(binary, (character) => character.charCodeAt(0));
    const reader = new Blob([bytes]).stream().pipeThrough(new DecompressionStream("deflate-raw")).getReader();
    const decoder = new TextDecoder("utf-8", { fatal: true });
    let text = "";
    for (;;) {
      const { done, value } = await reader.read();
      if (done) return text + decoder.decode();
      text += decoder.decode(value, { stream: true });
      if (text.length > MAX_LINKED) return null;
    }
  } catch {
    return null;
  }
}
