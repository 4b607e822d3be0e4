"""Reading, validating and normalizing a body in one process: the service's own way beside zod, ajv and pydantic.

CPU by the operating system's accounting, each in a process of its own, in turns. A body is bytes at the start and an
answer in bytes at the end, of valid RUIs with all of their names looked at; `benchmarks/peers/` has what is compared
with. With faults the peers are only shown: they look for fewer, never at names once something else is wrong, and say
neither what would be right nor what was meant.
"""

from __future__ import annotations

import json
import statistics
import subprocess
import sys
import tempfile
from collections.abc import Callable, Iterator
from contextlib import ExitStack, contextmanager
from pathlib import Path

from benchmarks.hostile_bodies import hostile_bodies
from benchmarks.peers.inprocess import cpu_of, ours
from benchmarks.sample import sample, sample_text, to_text
from benchmarks.service import ROOT, node_environment, rounds
from benchmarks.validating import with_faults
from rui_api.process import settle

ROUNDS = 9
OURS = "ours"
PEERS = {"zod": 2.0, "ajv": 0.0, "pydantic": 4.0}
"""The peers, and how many times as long each has to take at least; 0 where that is only shown."""
SIZES = {"2.5 KB": (1_000, None, 2_000), "250 KB": (250_000, None, 24), "250 KB, indented": (250_000, 2, 24)}
"""What `sample` is asked for, to get a body of this size, as programs send it or as people keep it in files; runs a
round, of all alike. More than half of an indented one are spaces."""
LIMITS = {"2.5 KB": 12.0, "250 KB": 1_100.0, "250 KB, indented": 1_100.0}
"""Microseconds that a valid body may take on a quiet machine; so the quietest round counts."""
WHERE_SET = {
    "2.5 KB": {"zod": 20.0, "ajv": 16.0, "pydantic": 35.0},
    "250 KB": {"zod": 2_180.0, "ajv": 1_760.0, "pydantic": 5_950.0},
}
"""Microseconds that these peers took for such bodies on the machine that the limits were set on, in programs of the
same contract. How much longer they take here says how this machine compares; that is shown, and no verdict."""
FAULTS = 50
MAX_WITH_FAULTS = 3_000.0
MAX_HOSTILE = 50.0


def main() -> bool:
    """Print all of it; whether every limit is kept."""
    settle()  # as the service does when it starts
    kept = True
    for name, (asked, indent, runs) in SIZES.items():
        body = sample_text(asked, indent=indent).encode()
        assert b'"valid":true' in ours(body)
        kept &= _beside_peers(f"valid ({name})", body, runs, LIMITS[name], PEERS, WHERE_SET.get(name))
        if asked > 100_000:
            body = to_text(with_faults(sample(asked, indent=indent), FAULTS), indent).encode()
            errors = json.loads(ours(body))
            assert (len(errors["errors"]), errors["truncated"]) == (FAULTS, False)
            only_shown = dict.fromkeys(PEERS, 0.0)
            kept &= _beside_peers(f"{FAULTS} faults ({name})", body, runs, MAX_WITH_FAULTS, only_shown)
    return _hostile() and kept


def _beside_peers(
    title: str, body: bytes, runs: int, limit: float, peers: dict[str, float], where_set: dict[str, float] | None = None
) -> bool:
    """Print what a body takes us and the peers.

    Args:
        title: what it is.
        body: the body.
        runs: how often in a round.
        limit: the most microseconds that it may take.
        peers: how many times as long each has to take at least; 0 where that is only shown.
        where_set: what the peers took where the limit was set, if that is known.

    Returns:
        Whether all that is kept.
    """
    taken = _taken(body, runs)
    print(f"\nIn process, decode + rules + references + encode, {len(body):,} bytes, {title}")
    median, quietest = statistics.median(taken[OURS]), min(taken[OURS])
    shown = f"{median:10.1f} µs, quietest {quietest:.1f}"
    kept = _print("this service", shown, f"≤ {limit:,.0f} µs", quietest <= limit)
    for peer, least in peers.items():
        if peer not in taken:
            kept = False  # `node_environment` says why
            continue
        ratio = statistics.median(other / own for other, own in zip(taken[peer], taken[OURS], strict=True))
        shown = f"{statistics.median(taken[peer]):10.1f} µs   {ratio:5.1f} times ours"
        kept &= _print(peer, shown, f"≥ {least:.0f}" if least else "", ratio >= least)
    slower = [min(taken[peer]) / there for peer, there in (where_set or {}).items() if peer in taken]
    if slower:
        low, high = min(slower), max(slower)
        print(f"  Here the peers take {low:.1f} to {high:.1f} times as long as where the limit was set; by that, the")
        print(f"  service would take {quietest / high:,.1f} to {quietest / low:,.1f} µs there.")
    return kept


def _taken(body: bytes, runs: int) -> dict[str, list[float]]:
    """Microseconds of CPU that the body takes us and the peers, round by round."""
    with ExitStack() as stack:
        file = Path(stack.enter_context(tempfile.TemporaryDirectory())) / "body.json"
        file.write_bytes(body)
        here = [sys.executable, "-m", "benchmarks.peers.inprocess"]
        asked = {name: stack.enter_context(_process(here)) for name in (OURS, "pydantic")}
        environment = node_environment()
        if environment is not None:
            command = ["node", str(ROOT / "benchmarks" / "peers" / "inprocess.mjs")]
            node = stack.enter_context(_process(command, environment))
            asked |= dict.fromkeys(("zod", "ajv"), node)
        for name, ask in asked.items():  # compiled, and its memory got, by the time that counts
            ask(name, file, max(runs, 3000 // (1 + len(body) // 10_000)))
        measures = {name: lambda name=name, ask=ask: ask(name, file, runs) for name, ask in asked.items()}
        return rounds(measures, ROUNDS)


def _print(name: str, shown: str, limit: str, kept: bool) -> bool:
    print(f"  {name:24}{shown:48}{limit:>12}  {('ok' if kept else 'MISSED') if limit else ''}")
    return kept


def _hostile() -> bool:
    bodies = hostile_bodies()
    taken = {
        name: min(cpu_of(lambda body=body: ours(body), 1) for _ in range(3)) / 1e3 for name, body in bodies.items()
    }
    worst = sorted(taken, key=lambda name: -taken[name])[:5]
    print(f"\nIn process, {len(bodies)} hostile bodies of up to 256 KB, the quietest of three runs")
    kept = True
    for name in worst:
        kept &= _print(name, f"{taken[name]:10.1f} ms", f"≤ {MAX_HOSTILE:.0f} ms", taken[name] <= MAX_HOSTILE)
    return kept


@contextmanager
def _process(
    command: list[str], environment: dict[str, str] | None = None
) -> Iterator[Callable[[str, Path, int], float]]:
    """A function that asks a process what a peer takes for a body in a file, in so many runs."""
    with subprocess.Popen(
        command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True, env=environment, cwd=ROOT
    ) as process:
        assert process.stdin is not None
        assert process.stdout is not None

        def measure(peer: str, file: Path, runs: int) -> float:
            process.stdin.write(f"{peer} {file} {runs}\n")
            process.stdin.flush()
            return float(process.stdout.readline().split()[0])

        yield measure
        process.stdin.close()


if __name__ == "__main__":
    main()
