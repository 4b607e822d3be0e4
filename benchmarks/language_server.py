"""Response times of the language server after edits, compared with VS Code's JSON server. Both get the same edits.

The peer uses the JSON Schema of RUI. The client requests its diagnostics, because it delays notifications by half a
second. Our server sends notifications.
"""

from __future__ import annotations

import statistics
import time
from typing import NamedTuple

from benchmarks import answers
from benchmarks.editor import OURS, Editor, peer
from benchmarks.sample import sample_text

ERROR = 1
BLOCKS, ROUNDS = 4, 8
BURST = 20
VALID, BREAKING, AT_ONCE = "an edit that keeps it valid", "one that breaks it", f"{BURST} edits at once"


class Size(NamedTuple):
    """A document, and how many times faster than the peer the server must be after each kind of edit; 0: no limit."""

    length: int
    indent: int | None
    valid: float = 0
    breaking: float = 0
    burst: float = 0


SIZES = {
    "3 KB": Size(3_000, 2),
    "30 KB": Size(30_000, 2),
    "250 KB": Size(250_000, 2, valid=3, breaking=3, burst=2),
    "250 KB on one line": Size(250_000, None, valid=3, breaking=3, burst=2),
    "2 MB": Size(2_000_000, 2, valid=3, breaking=3),
}
LIMITED = "250 KB"
"""The size with a memory limit."""

MAX_MEMORY = 70.0
"""Maximum resident memory of the server in megabytes with a document of 250 KB."""

MAX_START = 2.6
"""Maximum time from the start to the first diagnostics, as a multiple of the peer's."""


def typing(text: str, editors: list[Editor]) -> dict[str, list[list[float]]]:
    """Return the seconds of each kind of edit near the middle of a text, for each editor."""
    lines = text.split("\n")
    line = next(number for number, line in enumerate(lines) if number >= len(lines) // 2 and '"title":' in line)
    title = lines[line].index('"title":', len(lines[line]) // 2 if len(lines) == 1 else 0)
    at = lines[line].index('"', title + len('"title":')) + 1
    kinds = {
        VALID: [(line, at, at, "x")],
        BREAKING: [(line, at - 1, at, "")],
        "": [(line, at - 1, at - 1, '"')],
        AT_ONCE: [(line, at, at, "y")] * BURST,
    }
    seconds: dict[str, list[list[float]]] = {name: [[] for _ in editors] for name in kinds}
    for _ in range(BLOCKS):
        for which, editor in enumerate(editors):
            for number in range(ROUNDS + 1):
                for name, edits in kinds.items():
                    found, took = editor.edit(*edits)
                    faults = [one for one in found if one["severity"] == ERROR]  # a long text causes a warning
                    assert bool(faults) == (name == BREAKING), (editor.pulls, name, faults[:3])
                    if number:  # Skip the first round after a change of editors: the other server may still be busy.
                        seconds[name][which].append(took)
    del seconds[""]
    return seconds


def print_typing(commands: list[list[str]]) -> bool:
    """Print the table of edits; return whether all ratios keep their limits."""
    print("\nFrom didChange to the diagnostics of that version: median ms, and how many times faster than the peer")
    print(f"  {'':22}{'':30}{'ours':>9}{'peer':>10}{'faster':>9}{'limit':>8}")
    kept = True
    for name, size in SIZES.items():
        text = sample_text(size.length, indent=size.indent)
        limits = {VALID: size.valid, BREAKING: size.breaking, AT_ONCE: size.burst}
        editors = [Editor(command, pulls=command is not OURS) for command in commands]
        try:
            for editor in editors:
                editor.open(text)
            for what, taken in typing(text, editors).items():
                medians = [statistics.median(one) * 1e3 for one in taken]
                limit = limits[what]
                ratio = medians[1] / medians[0] if len(medians) > 1 else None
                print(f"  {name:22}{what:30}{medians[0]:9.2f}{_verdict(medians[1:], ratio, limit)}")
                kept = kept and (ratio is None or ratio >= limit)
            memory = "".join(f"{editor.memory():10.0f}" for editor in editors)
            print(f"  {name:22}{'memory, MB':29}{memory}")
            if name == LIMITED:
                kept = _kept(name, "memory, MB", editors[0].memory(), MAX_MEMORY) and kept
        finally:
            for editor in editors:
                editor.__exit__(None)
    return kept


def _kept(name: str, what: str, found: float, limit: float) -> bool:
    """Print a figure and its limit; return whether it is kept."""
    print(f"  {name:22}{what:30}{found:9.2f}{'':19}{limit:8.0f}  {'ok' if found <= limit else 'MISSED'}")
    return found <= limit


def _verdict(peers: list[float], ratio: float | None, limit: float) -> str:
    if ratio is None:
        return ""
    return f"{peers[0]:10.2f}{ratio:9.1f}" + (f"{limit:8.0f}  {'ok' if ratio >= limit else 'MISSED'}" if limit else "")


def print_starting(commands: list[list[str]]) -> bool:
    """Print the time of a start; return whether it keeps its limit."""
    text = sample_text(250_000)
    replies: list[list[float]] = [[] for _ in commands]
    firsts: list[list[float]] = [[] for _ in commands]
    for _ in range(7):
        for number, command in enumerate(commands):
            with Editor(command, pulls=command is not OURS) as editor:
                replies[number].append(editor.start_up)
                start = time.perf_counter()
                editor.open(text)
                firsts[number].append(editor.start_up + time.perf_counter() - start)
    print("\nFrom the start of the process, median ms")
    for what, all_taken in (("to the reply to initialize", replies), ("to the first diagnostics, 250 KB", firsts)):
        medians = [statistics.median(taken) * 1e3 for taken in all_taken]
        print(f"  {what:52}" + "".join(f"{median:10.1f}" for median in medians))
    if len(commands) == 1:
        return True
    ratio = statistics.median(firsts[0]) / statistics.median(firsts[1])
    verdict = "ok" if ratio <= MAX_START else "MISSED"
    print(f"  {'as many times the peer`s':52}{ratio:10.2f}{'':10}  limit {MAX_START}  {verdict}")
    return ratio <= MAX_START


def main() -> bool:
    """Print the times; return whether all keep their limits."""
    other = peer()
    commands = [OURS] if other is None else [OURS, other]
    typed = print_typing(commands)
    started = print_starting(commands)
    # A list, so that all of them run.
    return all([typed, started, answers.main()])


if __name__ == "__main__":
    main()
