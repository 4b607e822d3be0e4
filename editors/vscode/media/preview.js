// In the preview: a click on a node tells the editor where it stands; the node at the cursor is marked.
const editor = acquireVsCodeApi();

const place = (element) => ({ start: Number(element.dataset.offset), end: Number(element.dataset.end) });

document.addEventListener("click", (event) => {
  const node = event.target.closest("[data-offset]");
  const isControl = event.target.closest("a, button, input");
  if (node && !isControl) {
    editor.postMessage({ kind: "clicked", start: place(node).start });
  }
});

window.addEventListener("message", ({ data }) => {
  if (data.kind !== "cursor") {
    return;
  }
  const nodes = [...document.querySelectorAll("[data-offset]")];
  const around = nodes.filter((node) => place(node).start <= data.offset && data.offset <= place(node).end);
  const innermost = around.sort((a, b) => place(a).end - place(a).start - (place(b).end - place(b).start))[0];
  document.querySelectorAll("[data-cursor]").forEach((node) => node.removeAttribute("data-cursor"));
  if (innermost) {
    innermost.setAttribute("data-cursor", "");
    for (let outer = innermost; outer; outer = outer.parentElement) {
      if (outer.tagName === "DETAILS") {
        outer.open = true;
      }
    }
    innermost.scrollIntoView({ block: "nearest" });
  }
});

// The page is made anew with every edit: it comes back to where the reader was.
const kept = editor.getState();
if (kept) {
  window.scrollTo(0, kept.top);
}
window.addEventListener("scroll", () => editor.setState({ top: window.scrollY }));
