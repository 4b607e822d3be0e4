"""Random typing in the editor of the front page: `python -m benchmarks playground_soak --seconds 1200`.

A real browser types, deletes, pastes, completes, fixes, formats and undoes. At rest, the editor shows what `rui check`
prints for the same text. The memory of the page and of the processes of the service stays flat.
"""

from __future__ import annotations

import argparse
import json
import random
import statistics
import subprocess
import sys
import tempfile
import time
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from benchmarks.memory import megabytes
from benchmarks.sample import sample
from rui_common.syntax.document import read
from tests.rui_api.live import process
from tests.rui_inspector.browser import chromium
from tests.rui_inspector.editor import CHECKED, CONTENT, PASTE, PLAYGROUND

SECONDS = 1_200.0
EDITS = 20
"""Edits between two rests."""

MAX_TEXT = 20_000
FLAT = 5.0
"""Maximum growth in megabytes from the second fifth of the time to the last. In the first, caches are filled."""

CHARACTERS = '{}[]",:"""   abcdefghij0123456789.-/é𝒳\n'
KEYS = (
    "ArrowLeft", "ArrowRight", "ArrowUp", "ArrowDown", "Home", "End", "Enter", "Backspace", "Delete", "Tab",
    "Shift+ArrowDown", "Control+z", "Control+z", "Control+y", "Control+Space", "Control+.", "Escape", "F8",
)  # fmt: skip
BUTTONS = ("#FIX-ALL", "#FORMAT", "#UNDO", "#TAB-wireframe", "#TAB-faults", "#TAB-data")


class Typist:
    """Edits the text at random, as a reproducible sequence."""

    def __init__(self, page: Any, seed: int) -> None:
        self._page = page
        self._chance = random.Random(seed)
        self._pieces = [json.dumps(sample(2_500, seed=number), indent=2) for number in range(20)]

    def write(self) -> None:
        """Replace the text by another document."""
        self._page.keyboard.press("Escape")  # closes a menu
        self._page.evaluate(f"{PLAYGROUND}.view.focus()")
        self._page.keyboard.press("Control+a")
        self._page.locator(CONTENT).evaluate(PASTE, self._chance.choice(self._pieces))

    def edit(self) -> None:
        """Make one random edit."""
        chance = self._chance
        kind = chance.random()
        if kind < 0.1:
            length = self._page.evaluate(f"{PLAYGROUND}.doc.length")
            anchor = chance.randint(0, length)
            self._page.evaluate(f"{PLAYGROUND}.view.dispatch({{selection: {{anchor: {anchor}}}}})")
            self._page.evaluate(f"{PLAYGROUND}.view.focus()")
        elif kind < 0.55:
            self._page.keyboard.type("".join(chance.choices(CHARACTERS, k=chance.randint(1, 6))))
        elif kind < 0.92:
            self._page.keyboard.press(chance.choice(KEYS))
        elif kind < 0.96:
            piece = chance.choice(self._pieces)
            start = chance.randrange(len(piece))
            self._page.locator(CONTENT).evaluate(PASTE, piece[start : start + chance.randint(1, 400)])
        else:
            self._page.locator(chance.choice(BUTTONS)).evaluate("button => button.click()")


def main(options: Sequence[str] = ()) -> bool:
    """Type for the given time. Print differences and the memory, and return whether there are none and it is flat."""
    parser = argparse.ArgumentParser(prog="python -m benchmarks playground_soak")
    parser.add_argument("--seconds", type=float, default=SECONDS)
    parser.add_argument("--seed", type=int, default=1)
    chosen = parser.parse_args(list(options))
    with (
        tempfile.TemporaryDirectory() as folder,
        process("--store", f"sqlite:///{folder}/rui.db", stderr=subprocess.DEVNULL) as (child, service),
        chromium() as browser,
    ):
        page = browser.new_page()
        errors: list[str] = []
        page.on("pageerror", lambda error: errors.append(str(error)))
        page.goto(service.url)
        typist = Typist(page, chosen.seed)
        rests = differences = 0
        memory: list[tuple[float, float]] = []
        session = page.context.new_cdp_session(page)
        began = time.monotonic()
        while time.monotonic() - began < chosen.seconds:
            if rests % 15 == 0 or page.evaluate(f"{PLAYGROUND}.doc.length") > MAX_TEXT:
                typist.write()
            for _ in range(EDITS):
                typist.edit()
            page.locator(CHECKED).wait_for()
            rests += 1
            differences += not _agrees(page)
            if rests % 5 == 0:
                session.send("HeapProfiler.collectGarbage")
                heap = session.send("Runtime.getHeapUsage")["usedSize"] / 1e6
                memory.append((heap, _service_memory(child.pid)))
                if rests % 50 == 0:
                    print(f"  {rests:6} rests, page {heap:6.1f} MB, service {memory[-1][1]:6.1f} MB", flush=True)
    return _judge(rests, differences, errors, memory)


def _agrees(page: Any) -> bool:
    """Compare the marks of the editor with the output of `rui check`; print a difference."""
    text = page.evaluate(f"{PLAYGROUND}.doc.toString()")
    shown = sorted(page.evaluate(f"{PLAYGROUND}.marks"))
    expected = sorted(_checked(text)) if text.strip() else []
    if shown == expected:
        return True
    print(f"  difference: {text!r}\n    editor {shown}\n    rui check {expected}", flush=True)
    return False


def _checked(text: str) -> list[list[str]]:
    command = [sys.executable, "-m", "rui_cli", "check", "--format", "json", "-"]
    output = subprocess.run(command, input=text.encode("utf-8", "replace"), capture_output=True, check=False).stdout
    lines = read(text).lines

    def place(end: dict[str, int]) -> str:
        line, character = lines.position(end["offset"])
        return f"{line}:{character}"

    return [[item["code"], place(item["range"]["start"]), place(item["range"]["end"])] for item in json.loads(output)]


def _service_memory(pid: int) -> float:
    """Return the megabytes of a process and its children."""
    children = Path(f"/proc/{pid}/task/{pid}/children").read_text(encoding="ascii").split()
    return megabytes(pid) + sum(megabytes(int(child)) for child in children)


def _judge(rests: int, differences: int, errors: list[str], memory: list[tuple[float, float]]) -> bool:
    fifth = max(1, len(memory) // 5)
    print(f"  {rests} rests, {differences} differences, {len(errors)} errors of the page")
    for error in errors[:5]:
        print(f"    {error}")
    kept = not differences and not errors
    for name, values in zip(("page", "service"), zip(*memory, strict=True), strict=True):
        growth = statistics.median(values[-fifth:]) - statistics.median(values[fifth : 2 * fifth])
        is_flat = growth <= FLAT
        kept = kept and is_flat
        print(
            f"  memory of the {name} from the second fifth of the time to the last: {growth:+.1f} MB, limit {FLAT:+.1f}"
        )
    print(f"  {'ok' if kept else 'MISSED'}")
    return kept
