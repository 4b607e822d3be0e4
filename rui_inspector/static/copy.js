// Copying, on all pages. A button says "Copied" only after the clipboard has the text. Otherwise the page says why not; if the
// browser refuses the clipboard, it shows the text selected. inspector.js follows in the same file; the editor of the front page
// uses these functions, too.
"use strict";

const COPIED_FOR = 1_500; // milliseconds
const REFUSED = "The browser refuses the clipboard. The text is selected: copy it with Ctrl+C, on a Mac with ⌘C.";

// Why there is nothing to copy: a sentence for the reader.
class NothingToCopy extends Error {}

// A button that copies a text. `field` is an input on the page that has the text, too.
function createCopyButton(label, getText, field) {
  const button = document.createElement("button");
  button.type = "button";
  button.textContent = "Copy";
  button.setAttribute("aria-label", `Copy ${label}`);
  copyOnClick(button, getText, field);
  return button;
}

// Lets a button copy the text that `getText` promises. If the promise is rejected, nothing is copied.
function copyOnClick(button, getText, field) {
  const label = button.textContent;
  const notice = document.createElement("span");
  notice.className = "copy-notice";
  let isCopying = false;
  const say = (text) => {
    button.textContent = text || label;
    announcement().textContent = text;
  };
  const showCopied = () => {
    say("Copied");
    setTimeout(say, COPIED_FOR, "");
  };
  button.addEventListener("click", async () => {
    if (isCopying) return;
    isCopying = true;
    notice.remove();
    try {
      const text = getText();
      if ((await writeText(text)) || copySelected(await text, button)) showCopied();
      else showSelected(notice, button, await text, field, showCopied);
    } catch (error) {
      const reason = error instanceof NothingToCopy ? error.message : "The text could not be loaded.";
      button.after(notice);
      notice.replaceChildren(alertOf(`Nothing is copied. ${reason}`));
    }
    isCopying = false;
  });
}

// Writes a promised text to the clipboard, and returns whether the browser has done so. Rejects if there is no text.
async function writeText(text) {
  const { clipboard } = navigator; // absent from a page without HTTPS
  try {
    if (clipboard && globalThis.ClipboardItem) {
      // The promise itself: Safari allows the clipboard only directly after a click.
      const blob = text.then((it) => new Blob([it], { type: "text/plain" }));
      await clipboard.write([new ClipboardItem({ "text/plain": blob })]);
      return true;
    }
    await clipboard?.writeText(await text);
    return Boolean(clipboard);
  } catch {
    await text;
    return false;
  }
}

// Copies a text by the old command, which needs no HTTPS. Returns whether the browser has done so.
function copySelected(text, button) {
  const area = createArea(text);
  button.after(area); // The end of the page is inert beside a modal dialog.
  selectText(area);
  const isCopied = document.execCommand("copy");
  area.remove();
  button.focus({ preventScroll: true });
  return isCopied;
}

// Shows a text selected, for the reader to copy: in `field`, or in one of its own, which disappears with that.
function showSelected(notice, button, text, field, showCopied) {
  button.after(notice);
  if (field) {
    notice.replaceChildren(alertOf(REFUSED));
    selectText(field);
    return;
  }
  const area = createArea(text);
  area.addEventListener("copy", () => {
    if (area.selectionEnd - area.selectionStart < area.value.length) return;
    setTimeout(() => {
      notice.remove();
      button.focus({ preventScroll: true });
      showCopied();
    });
  });
  const sentence = document.createElement("label");
  sentence.append(REFUSED, area);
  notice.replaceChildren(sentence);
  selectText(area);
}

function createArea(text) {
  const area = document.createElement("textarea");
  Object.assign(area, { readOnly: true, rows: 2, value: text });
  return area;
}

function selectText(field) {
  field.focus({ preventScroll: true });
  field.select();
  field.scrollTop = 0;
}

function alertOf(sentence) {
  const element = document.createElement("span");
  element.setAttribute("role", "alert");
  element.textContent = sentence;
  return element;
}

// Where screen readers learn that a text is copied: they do not read the button again.
function announcement() {
  const last = document.querySelector("#COPIED");
  if (last) return last;
  const element = document.createElement("p");
  element.id = "COPIED";
  element.className = "visually-hidden";
  element.setAttribute("role", "status");
  document.body.append(element);
  return element;
}
