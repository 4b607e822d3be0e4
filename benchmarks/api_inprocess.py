"""Read, validate and normalize a body in process, compared with zod, ajv and pydantic.

The benchmark measures CPU time, with each peer in a process of its own, in turns. The input is bytes and the output
the bytes of the response. `benchmarks/peers/` contains the peers. For invalid bodies the peers do less: they find fewer
errors, and neither suggest values nor check names after another error.
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

from benchmarks.peers.inprocess import ours
from benchmarks.sample import sample, sample_text, to_text
from benchmarks.service import ROOT, node_environment, rounds
from benchmarks.slips import with_faults

ROUNDS = 9
OURS = "ours"
MIN_RATIOS = {"zod": 2.0, "ajv": 0.0, "pydantic": 4.0}
"""Minimum ratio of the time of each peer to ours; 0 for no limit."""
MIN_RATIOS_FURTHER = {"zod": 1.5, "ajv": 0.0, "pydantic": 0.0}
"""Those of documents with further properties in their open objects."""
MIN_RATIOS_INVALID = {"zod": 0.0, "ajv": 0.0, "pydantic": 0.0}
BODIES = {"2.5 KB": (1_000, None, 2_000), "250 KB": (250_000, None, 24), "250 KB, indented": (250_000, 2, 24)}
"""Arguments of `sample`, and the number of runs per round."""
FAULTS = 50
WARM_UP_RUNS = 3_000


def main() -> bool:
    """Print times and ratios; return whether every ratio keeps its limit."""
    passed = True
    for name, (size, indent, runs) in BODIES.items():
        body = sample_text(size, indent=indent).encode()
        assert b'"valid":true' in ours(body)
        passed &= _compare(f"valid ({name})", body, runs, MIN_RATIOS)
        body = sample_text(size, indent=indent, further=True).encode()
        assert b'"valid":true' in ours(body)
        passed &= _compare(f"with further properties ({name})", body, runs, MIN_RATIOS_FURTHER)
        if size > 100_000:
            body = to_text(with_faults(sample(size, indent=indent), FAULTS), indent).encode()
            response = json.loads(ours(body))
            assert len(response["errors"]) == FAULTS
            assert not response["truncated"]
            passed &= _compare(f"{FAULTS} faults ({name})", body, runs, MIN_RATIOS_INVALID)
    return passed


def _compare(title: str, body: bytes, runs: int, min_ratios: dict[str, float]) -> bool:
    times = _measure(body, runs)
    print(f"\nIn process, decode + rules + references + encode, {len(body):,} bytes, {title}")
    print(f"  {'this service':24}{statistics.median(times[OURS]):10.1f} µs")
    passed = True
    for peer, min_ratio in min_ratios.items():
        if peer not in times:  # `node_environment` has printed why
            passed = False
            continue
        ratio = statistics.median(other / own for other, own in zip(times[peer], times[OURS], strict=True))
        line = f"  {peer:24}{statistics.median(times[peer]):10.1f} µs {ratio:6.1f} times ours"
        if min_ratio:
            verdict = "ok" if ratio >= min_ratio else "MISSED"
            line += f"  limit ≥ {min_ratio:.1f}  {verdict}"
        print(line)
        passed = passed and ratio >= min_ratio
    return passed


def _measure(body: bytes, runs: int) -> dict[str, list[float]]:
    """Return the microseconds of CPU time per run of each peer, by round."""
    with ExitStack() as stack:
        file = Path(stack.enter_context(tempfile.TemporaryDirectory())) / "body.json"
        file.write_bytes(body)
        python = [sys.executable, "-m", "benchmarks.peers.inprocess"]
        processes = {name: stack.enter_context(_process(python)) for name in (OURS, "pydantic")}
        environment = node_environment()
        if environment is not None:
            command = ["node", str(ROOT / "benchmarks" / "peers" / "inprocess.mjs")]
            node = stack.enter_context(_process(command, environment))
            processes |= dict.fromkeys(("zod", "ajv"), node)
        warm_up_runs = max(runs, WARM_UP_RUNS // (1 + len(body) // 10_000))
        for name, measure in processes.items():
            measure(name, file, warm_up_runs)
        measures = {name: lambda name=name, measure=measure: measure(name, file, runs)
                    for name, measure in processes.items()}  # fmt: skip
        return rounds(measures, ROUNDS)


@contextmanager
def _process(
    command: list[str], environment: dict[str, str] | None = None
) -> Iterator[Callable[[str, Path, int], float]]:
    """Start a process; yield a function that measures a peer in it."""
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
