"""One way of reading, validating and normalizing, in a process of its own, as `inprocess.mjs` has those on Node.

Reads lines ``PEER FILE RUNS``, does the work so often, and says the microseconds of CPU that one took, and the answer's
size.
"""

from __future__ import annotations

import sys
import time
from collections.abc import Callable
from pathlib import Path

from pydantic import ValidationError

from benchmarks.peers.pydantic_contract import validated
from rui_api.http.error_responses import invalid_json
from rui_api.http.request_body import InvalidBody
from rui_api.process import settle
from rui_api.routes.specs import validate_body


def ours(body: bytes) -> bytes:
    """What POST /api/validate answers, made as the service makes it."""
    try:
        return validate_body(body).content
    except InvalidBody as fault:
        return invalid_json(fault.why, close=False).content


def pydantic(body: bytes) -> bytes:
    """The normal form, or pydantic's own words for what is wrong."""
    try:
        return validated(body)
    except ValidationError as fault:
        return fault.json(include_url=False).encode()


def cpu_of(work: Callable[[], object], runs: int) -> float:
    """Microseconds of CPU that one run takes."""
    before = time.process_time()
    for _ in range(runs):
        work()
    return (time.process_time() - before) / runs * 1e6


def main() -> None:
    """Answer the lines."""
    settle()  # as the service does when it starts
    for line in sys.stdin:
        peer, file, runs = line.split()
        work, body = {"ours": ours, "pydantic": pydantic}[peer], Path(file).read_bytes()
        print(cpu_of(lambda work=work, body=body: work(body), int(runs)), len(work(body)), flush=True)


if __name__ == "__main__":
    main()
