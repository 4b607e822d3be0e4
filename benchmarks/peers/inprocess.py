"""Measure the Python peers in a separate process; `inprocess.mjs` measures those on Node.

The process reads lines ``PEER FILE RUNS`` and prints the microseconds of CPU time per run and the size of the response.
"""

from __future__ import annotations

import sys
import time
from collections.abc import Callable
from pathlib import Path

from pydantic import ValidationError

from benchmarks.peers.pydantic_contract import validated
from rui_api.commands.serve import freeze_gc
from rui_api.http.error_responses import invalid_json
from rui_api.http.request_body import InvalidBody
from rui_api.routes.specs import validate_body


def ours(body: bytes) -> bytes:
    """Return the response body of POST /api/validate, created as the service does."""
    try:
        return validate_body(body).content
    except InvalidBody as fault:
        return invalid_json(fault.reason, close=False).content


def pydantic(body: bytes) -> bytes:
    """Return the normal form, or pydantic's error report."""
    try:
        return validated(body)
    except ValidationError as fault:
        return fault.json(include_url=False).encode()


def cpu_of(work: Callable[[], object], runs: int) -> float:
    """Return the microseconds of CPU time per run."""
    before = time.process_time()
    for _ in range(runs):
        work()
    return (time.process_time() - before) / runs * 1e6


def main() -> None:
    """Process the lines of standard input."""
    freeze_gc()  # as the service does when it starts
    for line in sys.stdin:
        peer, file, runs = line.split()
        work = {"ours": ours, "pydantic": pydantic}[peer]
        body = Path(file).read_bytes()
        print(cpu_of(lambda work=work, body=body: work(body), int(runs)), len(work(body)), flush=True)


if __name__ == "__main__":
    main()
