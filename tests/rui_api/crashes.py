"""Kill PostgreSQL under load, with defaults that acknowledge commits early, and look for each acknowledged spec.

`python -m tests.rui_api.crashes --rounds 10` runs that many rounds for each way to the server, of five seconds each.
"""

import argparse
import signal
import subprocess
import sys
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from typing import NamedTuple

from tests.rui_api.live import AS_SHIPPED, process, wait_until
from tests.rui_api.load import Load
from tests.rui_api.postgres import Postgres, pgbouncer, postgres_server

EARLY = ("-c", "fsync=off", "-c", "wal_writer_delay=10s", "-c", "shared_buffers=64MB")
"""Options of a server that writes its log late, unless a commit waits for it. Without a sync, as the system goes on."""
ACKNOWLEDGED = 500
"""Specs per round, before the server is killed."""


class Way(NamedTuple):
    """How the service reaches the server.

    Attributes:
        mode: the pool mode of pgbouncer, or ``""`` without.
        ignored: startup parameters that pgbouncer ignores.
        parameters: those of the URL.
    """

    mode: str = ""
    ignored: str = ""
    parameters: str = ""

    def __str__(self) -> str:
        pooler = f"pgbouncer in {self.mode} mode" if self.mode else "directly"
        return ", ".join(filter(None, [pooler, self.ignored and f"ignores {self.ignored}", self.parameters]))


IGNORED = "synchronous_commit,lock_timeout"
WAYS = (
    Way(), Way(parameters="?prepared=off"), Way("session"), Way("session", IGNORED),
    Way("session", IGNORED, "?prepared=off"), Way("transaction", IGNORED, "?prepared=off"), Way("transaction", IGNORED),
)  # fmt: skip


def main() -> int:
    """Print the acknowledged and the lost specs of each way; return 1 if any was lost."""
    parser = argparse.ArgumentParser(prog="python -m tests.rui_api.crashes")
    parser.add_argument("--rounds", type=int, default=10)
    rounds = parser.parse_args().rounds
    lost = 0
    for way in WAYS:
        found = [crash(way) for _ in range(rounds)]
        lost += sum(missing for _, missing in found)
        print(f"{way}: {sum(missing for _, missing in found)} of {sum(count for count, _ in found)} lost", flush=True)
    return min(lost, 1)


def crash(way: Way) -> tuple[int, int]:
    """Kill a server under load. Return the numbers of acknowledged and of lost specs."""
    load = Load()
    with postgres_server(*EARLY) as server:
        server.execute("ALTER ROLE rui SET synchronous_commit = off")
        with ExitStack() as stack:
            address = stack.enter_context(reached(server, way))
            options = ("--store", f"{address}/postgres{way.parameters}")
            _, service = stack.enter_context(process(*options, program=AS_SHIPPED, stderr=subprocess.DEVNULL))
            with load.on(service.url):
                wait_until(lambda: len(load.acknowledged) >= ACKNOWLEDGED, f"{ACKNOWLEDGED} specs are acknowledged")
                server.stop(signal.SIGKILL)
        server.start()
        kept = {row[0] for row in server.execute("SELECT spec_id::text FROM rui_specs")}
    return len(load.acknowledged), len(load.acknowledged.keys() - kept)


@contextmanager
def reached(server: Postgres, way: Way) -> Iterator[str]:
    """Yield the URL of the server without a database."""
    if not way.mode:
        yield server.url("").rstrip("/")
        return
    ignored = {"ignore_startup_parameters": way.ignored} if way.ignored else {}
    with pgbouncer(server, way.mode, default_pool_size="20", **ignored) as address:
        yield address


if __name__ == "__main__":
    sys.exit(main())
