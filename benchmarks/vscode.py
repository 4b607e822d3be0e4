"""Delays of the extension in the real workbench: of the first diagnostics, and of a squiggle after a key.

The first delay begins with the activation of the extension. The second begins with a key in a long file and ends with
the squiggle on the screen. There is no peer: the milliseconds depend on the machine.
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

STARTS, KEYS, SIZE = 5, 12, 250_000

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


def squiggles(code: Workbench) -> tuple[list[float], list[float]]:
    """Return milliseconds from a key that breaks a long document to its squiggle, and from the fix to its removal."""
    text = sample_text(SIZE)
    lines = text.split("\n")
    line = next(number for number, line in enumerate(lines) if number > len(lines) // 2 and '"title": "' in line)
    path = code.write("long.rui.json", text)
    code.show(path)
    code.diagnostics(path)
    code.put_cursor(path, line, lines[line].index('"title') + 1)
    code.page.wait_for_timeout(2_000)
    times: tuple[list[float], list[float]] = ([], [])
    for _ in range(KEYS + 1):
        for which, key in enumerate(("x", "Backspace")):
            code.page.evaluate(f"() => {{ window.took = ({WATCH})({'false' if which else 'true'}) }}")
            code.page.keyboard.press(key)
            times[which].append(float(code.page.evaluate("() => window.took")))
    return times[0][1:], times[1][1:]


def main() -> bool:
    """Print both delays; return whether the first diagnostics keep their limit."""
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
            breaking, fixing = squiggles(code)
    median = statistics.median(first)
    kept = median <= MAX_FIRST
    print("\nThe extension in the workbench: median ms, and the slowest")
    print(f"  {'start to first diagnostics, warm':44}{median:>7.0f}{max(first):>7.0f}", end="")
    print(f"   limit {MAX_FIRST}: {'pass' if kept else 'MISS'}")
    for name, times in (("a key to its squiggle, 250 KB", breaking), ("a key to no squiggle, 250 KB", fixing)):
        print(f"  {name:44}{statistics.median(times):>7.0f}{max(times):>7.0f}")
    return kept
