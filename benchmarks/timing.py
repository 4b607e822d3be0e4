"""Times of several functions in turns, so that other load of the machine affects all of them equally."""

from __future__ import annotations

import gc
import statistics
import time
from collections.abc import Callable


def side_by_side(functions: dict[str, Callable[[], object]], rounds: int = 40) -> dict[str, list[float]]:
    """Run each function once a round, in turn.

    Args:
        functions: functions to measure, by name.
        rounds: number of rounds.

    Returns:
        The seconds of every run, by name; the first round, which warms caches, is left out.
    """
    seconds: dict[str, list[float]] = {name: [] for name in functions}
    for number in range(rounds + 1):
        for name, function in functions.items():
            gc.collect()
            start = time.perf_counter()
            function()
            took = time.perf_counter() - start
            if number:
                seconds[name].append(took)
    return seconds


def print_ratios(title: str, seconds: dict[str, list[float]], peer: str, limits: dict[str, float]) -> bool:
    """Print a table of times and of ratios to `peer`, taken round by round.

    Args:
        title: heading of the table.
        seconds: result of `side_by_side`.
        peer: name of the function to compare with.
        limits: maximum ratios by name. Ratios without a limit are only printed.

    Returns:
        Whether every median ratio keeps its limit.
    """
    print(f"\n{title}")
    print(f"  {'':44}{'min ms':>9}{'median ms':>11}{'ratio':>8}{'limit':>8}")
    kept = True
    for name, taken in seconds.items():
        ratio = statistics.median(one / other for one, other in zip(taken, seconds[peer], strict=True))
        limit = limits.get(name)
        verdict = "" if limit is None else f"{limit:8.1f}  {'ok' if ratio <= limit else 'MISSED'}"
        kept = kept and (limit is None or ratio <= limit)
        shown = "" if name == peer else f"{ratio:8.2f}"
        print(f"  {name:44}{min(taken) * 1e3:9.2f}{statistics.median(taken) * 1e3:11.2f}{shown:>8}{verdict}")
    return kept
