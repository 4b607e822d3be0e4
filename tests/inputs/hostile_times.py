"""The CPU time of every entry for a text that grows.

A random text repeats a short fragment (`hostile_texts`). It goes through every entry (`hostile_entries`) at two sizes,
and the CPU time of each entry is measured.

1. Every text goes through the entries at `SIZES`; one of `SEARCH_EACH` goes through `SEARCHES`, which take longest.
2. Entries whose time grows by more than `MAX_GROWTH` per doubling are measured again, twice, and the minimum counts.
3. Those that still do, and for one text of `LARGE_EACH` all entries, continue at the largest size.
4. An entry fails if its time grows by more than `MAX_GROWTH` per doubling, from the first size at which it takes longer
   than `FLOOR` to the last one, or if it takes more than `MAX_SECONDS` at any size. It is measured again before.

A single step may grow faster, because a text may change from one sort of errors to another one at a size.
"""

import gc
import json
import signal
import time
from collections.abc import Callable, Collection, Iterable, Iterator, Sequence
from math import log2

from rui_common.vocabulary.rules import MAX_BODY_BYTES
from tests.inputs.hostile_entries import ALL_ENTRIES, Subject
from tests.inputs.hostile_texts import Pattern

SIZES = (4_096, 16_384)
LARGE_EACH = 10
SEARCHES = ("fix all", "quick fixes", "lsp codeAction")
SEARCH_EACH = 4
FIRST = ("read", "diagnose", "lsp didOpen", "lsp didClose")
"""Entries that others need."""
FLOOR = 0.02
MAX_GROWTH = 2.6
MAX_SECONDS = 3.0
PATIENCE = 5.0
"""Seconds of an entry after which it is stopped and fails."""

Times = dict[str, dict[int, float]]
"""Seconds by entry and size."""


class TooSlowError(Exception):
    """An entry has taken longer than `PATIENCE`."""


def shown(pattern: Pattern) -> str:
    """Return a pattern as JSON, its longer parts cut."""
    return json.dumps([part if len(part) < 100 else f"{part[:20]}…{part[-60:]}" for part in pattern])


def measure(pattern: Pattern, entries: Collection[str], sizes: Sequence[int], *, is_large: bool = False) -> Times:
    """Return the times of entries at some sizes, and at the largest one if they grow too fast or if `is_large`."""
    times: Times = {}
    run(pattern, sizes, entries, times)
    for _ in range(2):
        growing = _growing(times)
        if growing:
            run(pattern, sizes, growing, times)
    last = entries if is_large else _growing(times)
    if last:
        run(pattern, [MAX_BODY_BYTES], last, times)
    if any(judge(times)):
        run(pattern, [*sizes, MAX_BODY_BYTES], last, times)
    return times


def entries_for(number: int) -> list[str]:
    """Return the entries that the text with this number goes through."""
    return [entry for entry in ALL_ENTRIES if entry not in SEARCHES or number % SEARCH_EACH == 0]


def run(pattern: Pattern, sizes: Iterable[int], entries: Collection[str], times: Times) -> None:
    """Add the time of each entry at each size, or reduce it if it is smaller now. Those of `FIRST` run, too."""
    needed = {*entries, *FIRST}
    for size in sizes:
        subject = Subject(pattern.text(size))
        for entry, function in ALL_ENTRIES.items():
            if entry not in needed:
                continue
            seconds = _seconds(function, subject)
            known = times.setdefault(entry, {})
            known[size] = min(seconds, known.get(size, seconds))
            if seconds >= PATIENCE:
                break


def _seconds(function: Callable[[Subject], object], subject: Subject) -> float:
    """Return the seconds of CPU; `PATIENCE` if the function was stopped."""
    signal.signal(signal.SIGVTALRM, _stop)
    gc.disable()
    start = time.process_time()
    signal.setitimer(signal.ITIMER_VIRTUAL, PATIENCE)
    try:
        function(subject)
    except TooSlowError:
        return PATIENCE
    finally:
        signal.setitimer(signal.ITIMER_VIRTUAL, 0)
        gc.enable()
    return time.process_time() - start


def _stop(*_: object) -> None:
    raise TooSlowError


def _growing(times: Times) -> list[str]:
    return [entry for entry, seconds in times.items() if _growth(seconds) > MAX_GROWTH]


def _growth(seconds: dict[int, float]) -> float:
    """Return the growth per doubling from the first size that takes longer than `FLOOR` to the largest size."""
    sizes = sorted(seconds)
    first = next((size for size in sizes if seconds[size] > FLOOR), sizes[-1])
    if first == sizes[-1]:  # from a time that is too short to be measured
        first = sizes[max(0, len(sizes) - 2)]
    before = max(FLOOR, seconds[first])
    doublings = max(1.0, log2(sizes[-1] / first))
    return float((seconds[sizes[-1]] / before) ** (1 / doublings))


def judge(times: Times) -> Iterator[str]:
    """Yield a line for each entry that fails."""
    for entry, seconds in times.items():
        growth = _growth(seconds)
        if growth > MAX_GROWTH or max(seconds.values()) > MAX_SECONDS:
            shown = ", ".join(f"{size / 1024:.0f} KB {seconds[size] * 1e3:.0f} ms" for size in sorted(seconds))
            yield f"{entry} grows {growth:.1f} times per doubling: {shown}"
