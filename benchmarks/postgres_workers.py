"""Specs per second with two workers on PostgreSQL, compared with one, and the processor time that each part takes.

Two workers can only store twice as much if two cores are free for them: PostgreSQL and the clients need processor time,
too. So each worker is limited to a share of a core, with a control group of Linux, which leaves the rest to the others.
Without the right to make control groups, the ratio without a limit is printed, and the one that the processor times
allow.
"""

from __future__ import annotations

import itertools
import os
import statistics
import subprocess
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import NamedTuple

from benchmarks.load import per_second, post
from benchmarks.sample import sample_text
from tests.rui_api import postgres
from tests.rui_api.live import process

ROUNDS = 5
SECONDS = 3.0
SHARE = 0.1
"""Of a core, for each worker."""
LIMIT = 1.5
CONTROL_GROUPS = Path("/sys/fs/cgroup/cpu")
PERIOD = 20_000
TICK = 1 / os.sysconf("SC_CLK_TCK")


class Cost(NamedTuple):
    """Microseconds of processor time per spec."""

    workers: float
    postgres: float
    clients: float


def main() -> bool:
    """Print rates, ratio and processor times, and return whether the ratio keeps its limit."""
    kept = True
    with postgres.postgres_server() as server:
        for share in (SHARE, 0.0):
            if share and not can_limit():
                print("NOT MEASURED: workers with a share of a core: no right to make control groups")
                continue
            rates, costs = measure(server, share)
            ratio = statistics.median(two / one for one, two in zip(rates[1], rates[2], strict=True))
            report(rates, costs, share)
            print(f"  ratio {ratio:.2f}")
            if share:
                kept = ratio >= LIMIT
                print(f"  limit {LIMIT}  {'ok' if kept else 'MISSED'}")
    return kept


def report(rates: dict[int, list[float]], costs: dict[int, list[Cost]], share: float) -> None:
    """Print rates and processor times, and the ratio that these allow on this machine."""
    limited = f"each worker has {share:.0%} of a core" if share else "no limit"
    cores = os.cpu_count() or 1
    print(f"\nSpecs of 2.5 KB, 32 connections, {cores} cores, {limited}")
    for workers, measured in rates.items():
        cost = Cost(*map(statistics.median, zip(*costs[workers], strict=True)))
        print(f"  {workers} worker(s): {statistics.median(measured):7,.0f} specs/s; processor time per spec in µs: "
              f"workers {cost.workers:.0f}, PostgreSQL {cost.postgres:.0f}, clients {cost.clients:.0f}")  # fmt: skip
        if not share:
            print(f"    {cores} cores allow {cores * 1e6 / sum(cost):,.0f}, {workers} worker(s) allow "
                  f"{workers * 1e6 / cost.workers:,.0f} specs/s")  # fmt: skip


def measure(server: postgres.Postgres, share: float) -> tuple[dict[int, list[float]], dict[int, list[Cost]]]:
    """Return the rates and the costs of each round by the number of workers. The services run in turns."""
    requests = itertools.repeat(post("/api/specs", sample_text(2_500, indent=None).encode()))
    rates: dict[int, list[float]] = {1: [], 2: []}
    costs: dict[int, list[Cost]] = {1: [], 2: []}
    url = server.new_database()
    for number in range(ROUNDS):
        for workers in (1, 2) if number % 2 else (2, 1):
            with process("--store", url, "--workers", str(workers)) as (child, service):
                pids = descendants(child.pid) or [child.pid]
                with limited_to(pids, share):
                    per_second(service.port, requests, b"201", 1.0)
                    before = Cost(cpu(pids), cpu(descendants(server.pid)), time.process_time())
                    rate, answers = per_second(service.port, requests, b"201", SECONDS)
                    after = Cost(cpu(pids), cpu(descendants(server.pid)), time.process_time())
                rates[workers].append(rate)
                costs[workers].append(Cost(*(1e6 * (b - a) / len(answers) for a, b in zip(before, after, strict=True))))
    return rates, costs


def descendants(pid: int) -> list[int]:
    """Return the processes that `pid` has started."""
    listed = subprocess.run(["ps", "-o", "pid=", "--ppid", str(pid)], capture_output=True, text=True, check=False)
    children = [int(line) for line in listed.stdout.split() if Path(f"/proc/{line.strip()}").exists()]
    return [*children, *(pid for child in children for pid in descendants(child))]


def cpu(pids: list[int]) -> float:
    """Return the processor time of running processes in seconds."""
    seconds = 0.0
    for pid in pids:
        fields = Path(f"/proc/{pid}/stat").read_text(encoding="utf-8").rpartition(")")[2].split()
        seconds += (int(fields[11]) + int(fields[12])) * TICK
    return seconds


def can_limit() -> bool:
    return os.access(CONTROL_GROUPS, os.W_OK) and Path(CONTROL_GROUPS, "cpu.shares").exists()


@contextmanager
def limited_to(pids: list[int], share: float) -> Iterator[None]:
    """Limit each process to `share` of a core; 0: no limit."""
    groups = []
    if share:
        for pid in pids:
            group = CONTROL_GROUPS / f"rui-benchmark-{pid}"
            group.mkdir()
            groups.append(group)
            Path(group, "cpu.cfs_period_us").write_text(str(PERIOD))
            Path(group, "cpu.cfs_quota_us").write_text(str(int(PERIOD * share)))
            Path(group, "cgroup.procs").write_text(str(pid))
    try:
        yield
    finally:
        for group in groups:
            for pid in Path(group, "cgroup.procs").read_text().split():
                Path(CONTROL_GROUPS, "cgroup.procs").write_text(pid)
            group.rmdir()


if __name__ == "__main__":
    main()
