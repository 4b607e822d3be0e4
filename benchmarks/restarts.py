"""Failed requests during a hundred graceful restarts under load: `python -m benchmarks restarts`.

There is no peer: the number of failures must be 0.
"""

from __future__ import annotations

import statistics
import tempfile

from tests.rui_api.restarts import restart

ROUNDS = 100
KINDS = ("busy, connection kept", "with pauses", "a connection for each request")


def main(rounds: int = ROUNDS) -> bool:
    """Restart `rounds` times; print the responses of each kind of client and the time of a stop."""
    with tempfile.TemporaryDirectory() as folder:
        loads, took = restart(rounds, f"sqlite:///{folder}/rui.db")
    print(f"\n{rounds} restarts under load (SIGTERM, wait, start)")
    print(f"  {'clients':32}{'answers':>10}{'stored':>10}{'refused':>10}{'failed':>10}{'limit':>8}")
    for kind, load in zip(KINDS, loads, strict=True):
        verdict = "ok" if not load.failures else "MISSED"
        print(
            f"  {kind:32}{load.answers.total():>10}{len(load.stored):>10}{load.refused:>10}{len(load.failures):>10}"
            f"{0:>8}  {verdict}"
        )
        for failure in load.failures[:5]:
            print(f"    {failure}")
    print(f"  stopping took {statistics.median(took):.2f} s, at most {max(took):.2f} s")
    return not any(load.failures for load in loads)
