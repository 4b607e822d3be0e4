"""Delays of the extension in the real workbench, next to VS Code's JSON server in the same run.

Measured are the start of the server to its first diagnostics; opening a file to its first diagnostics while the server
runs; and a key in a long file to its squiggle on the screen. The limits in milliseconds are for two quiet cores.
"""

from __future__ import annotations

import statistics
import tempfile
from pathlib import Path

from benchmarks.sample import sample_text
from editors.build_vsix import build
from tests.editors import tools
from tests.editors.workbench import Workbench, workbench

MAX_FIRST = 500
"""Maximum milliseconds from the start of the server to its first diagnostics, with existing byte code."""

MAX_OPEN = 400
"""Maximum milliseconds from opening a file to its first diagnostics, while the server runs."""

MAX_SQUIGGLE = 150
"""Maximum milliseconds from a key to its squiggle in a document of 250 KB."""

STARTS, OPENED, KEYS, SIZE = 5, 9, 12, 250_000

# A restart does the same as an activation: it finds Python, starts the server and sends the open document.
FIRST = """
const { server } = vscode.extensions.getExtension("rui-toolkit.rui").exports;
await server.stop();
await until(() => found(path).length === 0);
const start = performance.now();
void server.restart();
await until(() => found(path).length > 0);
return performance.now() - start;
"""

# The file is outside of the workspace, so that nothing is known of it before it is opened.
OPEN = """
const changed = new Promise((resolve) => {
  const listener = vscode.languages.onDidChangeDiagnostics(() => {
    if (found(path).length > 0) { listener.dispose(); resolve(); }
  });
});
const start = performance.now();
await show(path);
await changed;
return performance.now() - start;
"""

# Runs in the page: measures from a key to the first frame with a squiggle, or without one.
WATCH = """
(expected) => new Promise((resolve) => {
  addEventListener("keydown", () => {
    const start = performance.now();
    const look = () => {
      const there = document.querySelector(".squiggly-error") !== null;
      there === expected ? resolve(performance.now() - start) : requestAnimationFrame(look);
    };
    look();
  }, { once: true, capture: true });
})
"""


def first_diagnostics(code: Workbench) -> list[float]:
    """Return the milliseconds of several starts. The first start is not counted."""
    path = code.write("first.rui.json", sample_text(3_000).replace('"type": "Page"', '"type": "Pag"', 1))
    code.show(path)
    code.diagnostics(path, until="all.length > 0")
    return [code.js(FIRST, path=path) for _ in range(STARTS + 1)][1:]


def opened(code: Workbench, suffix: str) -> list[float]:
    """Return the milliseconds from opening files with an error to their diagnostics. The first file is not counted."""
    text = sample_text(3_000).replace('"type": "Page",', '"type": "Page"', 1)
    times = []
    for number in range(OPENED + 1):
        path = code.folder.parent / f"opened-{number}{suffix}"
        path.write_text(text)
        times.append(float(code.js(OPEN, path=path)))
    return times[1:]


def squiggles(code: Workbench, name: str) -> tuple[list[float], list[float]]:
    """Return milliseconds from a key that breaks a long document to its squiggle, and from the fix to its removal."""
    text = sample_text(SIZE)
    lines = text.split("\n")
    line = next(number for number, line in enumerate(lines) if number > len(lines) // 2 and '"title": "' in line)
    path = code.write(name, text)
    code.show(path)
    code.diagnostics(path)
    code.put_cursor(path, line, lines[line].index('"title') + 1)
    code.page.wait_for_timeout(2_000)
    # An x before the quote is no JSON; within the key it would be valid JSON.
    code.page.keyboard.press("ArrowLeft")
    times: tuple[list[float], list[float]] = ([], [])
    for _ in range(KEYS + 1):
        for which, key in enumerate(("x", "Backspace")):
            code.page.evaluate(f"() => {{ window.took = ({WATCH})({'false' if which else 'true'}) }}")
            code.page.keyboard.press(key)
            times[which].append(float(code.page.evaluate("() => window.took")))
            code.page.wait_for_timeout(300)
    return times[0][1:], times[1][1:]


def report(name: str, times: list[float], peer: list[float] | None = None, limit: float | None = None) -> bool:
    """Print a row; return whether the median keeps its limit."""
    median = statistics.median(times)
    print(f"  {name:44}{min(times):>6.0f}{median:>8.0f}{max(times):>9.0f}", end="")
    if peer is not None:
        other = statistics.median(peer)
        print(f"   JSON server {min(peer):.0f} {other:.0f} {max(peer):.0f}: {median / other:.2f} of it", end="")
    is_kept = limit is None or median <= limit
    if limit is not None:
        print(f"   limit {limit:.0f}: {'ok' if is_kept else 'MISSED'}", end="")
    print()
    return is_kept


def main() -> bool:
    """Print the delays; return whether they keep their limits."""
    try:
        tools.workbench(), tools.chromium()
    except tools.MissingToolError as missing:
        print(f"  ({missing}, so there is nothing to measure in)")
        return True
    with tempfile.TemporaryDirectory() as temporary:
        folder = Path(temporary)
        with workbench(build(folder / "rui.vsix"), folder / "workbench") as code:
            first = first_diagnostics(code)
            code.tidy()
            own_files, json_files = opened(code, ".rui.json"), opened(code, ".json")
            code.tidy()
            own_keys = squiggles(code, "long.rui.json")
            code.tidy()
            json_keys = squiggles(code, "long.json")
    print("\nThe extension in the workbench: ms, best, median and slowest; the same of VS Code's JSON server")
    kept = [
        report("start to first diagnostics, warm", first, limit=MAX_FIRST),
        report("opening a file to its diagnostics", own_files, json_files, MAX_OPEN),
        report("a key to its squiggle, 250 KB", own_keys[0], json_keys[0], MAX_SQUIGGLE),
        report("a key to no squiggle, 250 KB", own_keys[1], json_keys[1]),
    ]
    return all(kept)
