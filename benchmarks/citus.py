"""The store on Citus: a coordinator and two workers on this machine, next to one plain PostgreSQL.

The table is distributed with the statements of docs/scale.md. Each check is printed with `ok` or `MISSED`: plans, the
commands of `rui store`, a distribution and a migration under load, and workers that are killed or frozen. Rates of
storing and fetching are ratios to plain PostgreSQL in the same run. They have no limit: three servers share the machine
that one has for itself.

Debian has no package of Citus; `HOW_TO_BUILD` builds it. No test needs it.
"""

from __future__ import annotations

import asyncio
import itertools
import json
import re
import signal
import statistics
import subprocess
import sys
import time
import uuid
from collections import Counter
from collections.abc import Callable, Iterator
from contextlib import ExitStack, contextmanager
from functools import partial
from pathlib import Path
from threading import Event, Thread

import asyncpg
import httpx

from benchmarks.filled_stores import add
from benchmarks.load import get, per_second, post
from benchmarks.sample import sample_text
from rui_api.store.factory import migrate_store
from rui_api.store.migrations import POSTGRES_STEPS
from rui_api.store.postgres import statements
from rui_api.store.postgres.bulk import NO_ID
from tests.rui_api import postgres
from tests.rui_api.live import Service, process
from tests.rui_api.load import Load, wait_until
from tests.rui_api.postgres import Postgres, postgres_server

HOW_TO_BUILD = """
  apt-get install postgresql-server-dev-15 gcc make flex liblz4-dev libzstd-dev libssl-dev libkrb5-dev
  git clone --branch v13.0.5 https://github.com/citusdata/citus && cd citus
  ./configure --without-libcurl && make with_llvm=no extension && make with_llvm=no install-extension"""
MANUAL = Path(__file__).parent.parent / "docs" / "scale.md"
OPTIONS = (
    "-c", "shared_preload_libraries=citus", "-c", "citus.node_conninfo=sslmode=prefer", "-c", "wal_level=logical",
    "-c", "max_connections=300", "-c", "citus.recover_2pc_interval=1s",
)  # fmt: skip
PLUGINS = "output_plugin_libraries"
"""A setting of PostgreSQL's later minor versions. `create_distributed_table_concurrently` needs Citus in it."""
UNCACHED = ("--spec-cache-bytes", "0")
COPIED = 20_000
FEW = 4
"""Rows of a page: so few that sorting all of a shard costs more than its index."""
SECONDS = 3.0
ROUNDS = 3
OUTAGE = 5.0
RECOVERY = 5.0
"""Seconds until specs are stored again."""
LOOK_UPS = re.compile(r"typeinfo|pg_type|pg_range")
"""Queries of asyncpg for types."""
FIRST_VERSION = (
    "DROP INDEX rui_specs_by_time", "DROP INDEX rui_specs_deleted", "DELETE FROM rui_schema_steps WHERE step > 1",
    "UPDATE rui_schema_version SET version = 1",
)  # fmt: skip


class Cluster:
    """A database of Citus on a coordinator and two workers.

    Args:
        servers: the coordinator is the first.
        name: of the database.
    """

    def __init__(self, servers: list[Postgres], name: str) -> None:
        self.coordinator, *self.workers = servers
        self.url = self.coordinator.url(name)
        for server in servers:
            server.execute(f"CREATE DATABASE {name}")
            server.execute(*self.manual("on each server"), url=server.url(name))

    def execute(self, *commands: str) -> list[tuple[object, ...]]:
        """Run SQL on the coordinator and return the rows of the last statement."""
        return [tuple(row) for row in self.coordinator.execute(*commands, url=self.url)]  # type: ignore[arg-type]

    def manual(self, title: str) -> list[str]:
        """Return the statements in docs/scale.md below the comment `title`, with the addresses of this cluster."""
        found = re.search(rf"```sql\n-- {title}\n(.*?)```", MANUAL.read_text(encoding="utf-8"), re.DOTALL)
        assert found, title
        text = found[1]
        for name, server in zip(("db0", "db1", "db2"), (self.coordinator, *self.workers), strict=True):
            text = text.replace(f"'{name}', 5432", f"'127.0.0.1', {server.port}")
        return [command.strip() for command in text.split(";") if command.strip()]

    def explain(self, statement: str, *arguments: object) -> str:
        """Return the plan with the tasks of all shards."""

        async def run() -> str:
            connection = await asyncpg.connect(self.url)
            try:
                await connection.execute("SET citus.explain_all_tasks = on")
                return "\n".join(row[0] for row in await connection.fetch(f"EXPLAIN {statement}", *arguments))
            finally:
                await connection.close()

        return asyncio.run(run())


class Checks:
    """The results so far."""

    def __init__(self) -> None:
        self.are_kept = True

    def add(self, what: str, found: object, *, passed: bool) -> None:
        self.are_kept = self.are_kept and passed
        print(f"  {'ok' if passed else 'MISSED':8}{what}: {found}", flush=True)


def main() -> bool:
    """Print the checks and the ratios, and return whether all checks passed."""
    if missing := postgres.missing():
        print(f"NOT MEASURED: {missing}")
        return False
    checks = Checks()
    with postgres_server() as plain:
        if not plain.execute("SELECT 1 FROM pg_available_extensions WHERE name = 'citus'"):
            print(f"NOT MEASURED: Citus is not installed: build it as root with\n{HOW_TO_BUILD}")
            return False
        with ExitStack() as stack:
            options = [*OPTIONS]
            if plain.execute(f"SELECT 1 FROM pg_settings WHERE name = '{PLUGINS}'"):
                options += ["-c", f"{PLUGINS}=pgoutput,citus"]
            servers = [stack.enter_context(postgres_server(*options)) for _ in range(3)]
            empty = Cluster(servers, "empty")
            print(f"\n{str(empty.execute('SELECT citus_version()')[0][0]).partition(' on ')[0]}, two workers")
            assert migrate_store(empty.url) is None
            empty.execute(*empty.manual("on the coordinator"))
            check_plans(empty, checks)
            check_size(empty, checks)
            check_look_ups(empty, checks)
            check_commands(empty, checks)
            check_migration(empty, checks)
            check_distribution(Cluster(servers, "used"), checks)
            for fault in (kill, freeze):
                check_worker(empty, checks, fault)
            compare(plain.new_database(), empty.url)
    return checks.are_kept


def check_plans(nodes: Cluster, checks: Checks) -> None:
    """Storing and fetching a spec is one task, and no task reads or sorts a whole shard."""
    add(nodes.url, COPIED)
    nodes.execute("ANALYZE rui_specs")
    spec_id = str(uuid.uuid4())
    insert = nodes.explain(statements.INSERT, spec_id, "", "", "", "", b"")
    fetch = nodes.explain(statements.SELECT, [spec_id])
    for what, plan in (("storing a spec", insert), ("fetching a spec", fetch)):
        checks.add(f"{what}: tasks", tasks(plan), passed=tasks(plan) == 1)
    pages = (
        nodes.explain(statements.PAGE, NO_ID, FEW),
        nodes.explain(statements.PAGE_BY_TIME, "2026", NO_ID, FEW),
    )
    for what, plan in zip(("fetching a spec", "a page by id", "a page by time"), (fetch, *pages), strict=True):
        scans = [task for task in plan.split("->  Task")[1:] if "Sort" in task or "Seq Scan" in task]
        checks.add(f"{what}: tasks that sort or scan", len(scans), passed=not scans)


def check_size(nodes: Cluster, checks: Checks) -> None:
    """`--store-max-bytes` counts the shards on the workers."""
    ((size,),) = nodes.execute("SELECT citus_total_relation_size('rui_specs')")
    half = int(str(size)) // 2
    with process("--store", nodes.url, "--store-max-bytes", str(half)) as (_, service):
        answer = service.client.get("/api/ready")
    checks.add("a limit of half the size: status of /api/ready", answer.status_code, passed=answer.status_code == 503)


def tasks(plan: str) -> int:
    found = re.search(r"Task Count: (\d+)", plan)
    return int(found[1]) if found else 0


def check_look_ups(nodes: Cluster, checks: Checks) -> None:
    """Sessions ask for no types (S4 of the review: 1.1 to 1.3 s per connection)."""
    name = nodes.url.rpartition("/")[2]
    nodes.coordinator.execute(f"ALTER DATABASE {name} SET log_statement = 'all'")
    begin = len(nodes.coordinator.log())
    with process("--store", nodes.url, *UNCACHED) as (_, service):
        begun = time.perf_counter()
        spec_id = service.store()["specId"]
        stored = time.perf_counter()
        assert service.client.get(f"/api/specs/{spec_id}").status_code == 200
        fetched = time.perf_counter()
    nodes.coordinator.execute(f"ALTER DATABASE {name} RESET log_statement")
    logged = nodes.coordinator.log()[begin:]
    found = len(LOOK_UPS.findall("\n".join(line for line in logged.splitlines() if "execute __asyncpg" in line)))
    checks.add("queries for types", found, passed=found == 0 and "INSERT INTO rui_specs" in logged)
    print(f"          first store {(stored - begun) * 1e3:.0f} ms, first fetch {(fetched - stored) * 1e3:.0f} ms")


def check_commands(nodes: Cluster, checks: Checks) -> None:
    """Delete, purge, info and copy in both directions."""
    with process("--store", nodes.url, *UNCACHED) as (_, service):
        spec_id = str(service.store()["specId"])
        deleted = rui_store("delete", spec_id, "--reason", "complaint 17", "--store", nodes.url)
        status = service.client.get(f"/api/specs/{spec_id}").status_code
        absent = service.client.get(f"/api/specs/{uuid.uuid4()}").status_code
    checks.add(
        "a deleted spec; an unknown one", f"{status}; {absent}", passed=(deleted, status, absent) == (0, 410, 404)
    )
    for arguments in (("purge",), ("purge", "--full"), ("info",)):
        code = rui_store(*arguments, nodes.url)
        checks.add(f"rui store {' '.join(arguments)}: exit code", code, passed=code == 0)
    with postgres_server() as other:
        for what, source, target in (("from", nodes.url, other.url()), ("into", other.url(), nodes.url)):
            if what == "into":
                nodes.execute("TRUNCATE rui_specs")
            begun = time.perf_counter()
            code = rui_store("copy", source, target)
            rate = COPIED / (time.perf_counter() - begun)
            checks.add(f"copy {what} Citus, specs/s", f"{rate:,.0f}", passed=code == 0)
    ((count, tombstones),) = nodes.execute("SELECT count(*), count(*) FILTER (WHERE content_hash = '') FROM rui_specs")
    checks.add(
        "rows and tombstones afterwards", f"{count}, {tombstones}", passed=(count, tombstones) == (COPIED + 2, 1)
    )


def rui_store(*arguments: str) -> int:
    """Run a command of `rui store`, print its error, and return its exit code."""
    command = [sys.executable, "-m", "rui_api.commands.store", *arguments]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    if done.returncode:
        print(done.stderr)
    return done.returncode


def check_migration(nodes: Cluster, checks: Checks) -> None:
    """`rui store migrate` builds the indexes of a distributed table while specs are stored."""
    nodes.execute(*FIRST_VERSION)
    load = Load()
    with process("--store", nodes.url, *UNCACHED) as (_, service), load.on(service.url):
        load.wait_for(50)
        codes = rui_store("migrate", nodes.url), rui_store("migrate", "--finish", nodes.url)
        load.wait_for(50)
    ((version,),) = nodes.execute("SELECT max(version) FROM rui_schema_version")
    checks.add("migrate under load: exit codes", codes, passed=codes == (0, 0) and version == len(POSTGRES_STEPS))
    checks.add("responses meanwhile", dict(load.statuses), passed=set(load.statuses) == {201})
    shards = nodes.execute(
        "SELECT result FROM run_command_on_shards('rui_specs', $$SELECT bool_and(indisvalid) AND count(*) = 3 "
        "FROM pg_index WHERE indrelid = '%s'::regclass$$)"
    )
    invalid = sum(result != "t" for (result,) in shards)
    checks.add("shards without the valid indexes", f"{invalid} of {len(shards)}", passed=invalid == 0 and bool(shards))


def check_distribution(nodes: Cluster, checks: Checks) -> None:
    """A table with specs is distributed while a service uses it."""
    assert migrate_store(nodes.url) is None
    add(nodes.url, COPIED)
    load = Load()
    with process("--store", nodes.url, *UNCACHED) as (_, service):
        with load.on(service.url):
            load.wait_for(50)
            nodes.execute(*nodes.manual("on the coordinator, with a table that is in use"))
            load.wait_for(50)
        load.check_kept(service.client)
    ((count,),) = nodes.execute("SELECT count(*) FROM rui_specs")
    # More may be there: a spec whose client got 503 after it was stored.
    lost = max(0, COPIED + len(load.acknowledged) - int(str(count)))
    checks.add("distributed under load: lost", lost, passed=lost == 0)
    checks.add("responses meanwhile", outcome(load.statuses, load.slowest), passed=set(load.statuses) <= {201, 503})


def kill(worker: Postgres) -> Callable[[], None]:
    """Kill a server, and return what starts it again."""
    worker.stop(signal.SIGKILL)
    return worker.start


def freeze(worker: Postgres) -> Callable[[], None]:
    """Freeze a server, and return what thaws it."""
    worker.freeze()
    return worker.thaw


def check_worker(nodes: Cluster, checks: Checks, fault: Callable[[Postgres], Callable[[], None]]) -> None:
    """One of two workers is away: nothing that was acknowledged is lost, and everything works again afterwards."""
    before, during = Load(), Load()
    with process("--store", nodes.url, *UNCACHED) as (_, service):
        with before.on(service.url):
            before.wait_for(200)
        reads: Counter[int] = Counter()
        with during.on(service.url):
            during.wait_for(50)
            recover = fault(nodes.workers[0])
            try:
                with fetching(service, list(before.acknowledged), reads):
                    time.sleep(OUTAGE)
            finally:
                recover()
            begun = time.monotonic()
            during.wait_for(50)
            again = time.monotonic() - begun
        known = before.acknowledged | during.acknowledged
        # Until Citus has finished what a worker had only prepared, its specs are not found.
        missing = sum(service.client.get(f"/api/specs/{spec_id}").status_code == 404 for spec_id in known)
        wait_until(partial(are_all_found, service, list(known)), "all acknowledged specs are found")
    name = f"a worker, {fault.__name__}"
    checks.add(f"{name}: stores", outcome(during.statuses, during.slowest), passed=set(during.statuses) <= {201, 503})
    checks.add(f"{name}: fetches meanwhile", dict(reads), passed=set(reads) <= {200, 503})
    checks.add(f"{name}: stored again after the worker is back", f"{again:.1f} s", passed=again < RECOVERY)
    print(f"          {len(known)} acknowledged specs, {missing} of them not found at first, none lost")


@contextmanager
def fetching(service: Service, spec_ids: list[str], statuses: Counter[int]) -> Iterator[None]:
    """Fetch specs one after the other while the block runs, and count the statuses."""
    ends = Event()

    def run() -> None:
        with httpx.Client(base_url=service.url, timeout=30) as client:
            for spec_id in itertools.cycle(spec_ids):
                if ends.is_set():
                    return
                statuses[client.get(f"/api/specs/{spec_id}").status_code] += 1

    thread = Thread(target=run)
    thread.start()
    try:
        yield
    finally:
        ends.set()
        thread.join()


def are_all_found(service: Service, spec_ids: list[str]) -> bool:
    return all(service.client.get(f"/api/specs/{spec_id}").status_code == 200 for spec_id in spec_ids)


def outcome(statuses: Counter[int], slowest: float) -> str:
    return f"{dict(statuses)}, the slowest {slowest:.1f} s"


def compare(plain: str, distributed: str) -> None:
    """Print the rates on both, in turns."""
    rates: dict[str, dict[str, list[float]]] = {"store": {}, "fetch": {}}
    body = itertools.repeat(post("/api/specs", sample_text(2_500, indent=None).encode()))
    with ExitStack() as stack:
        services = {
            name: stack.enter_context(process("--store", url, *UNCACHED))[1]
            for name, url in (("PostgreSQL", plain), ("Citus", distributed))
        }
        for _ in range(ROUNDS):
            for name, service in services.items():
                rate, answers = per_second(service.port, body, b"201", SECONDS)
                rates["store"].setdefault(name, []).append(rate)
                ids = [json.loads(answer.partition(b"\r\n\r\n")[2])["specId"] for answer in answers]
                requests = itertools.cycle([get(f"/api/specs/{spec_id}") for spec_id in ids])
                rates["fetch"].setdefault(name, []).append(per_second(service.port, requests, b"200", SECONDS)[0])
    for operation, measured in rates.items():
        on = {name: statistics.median(values) for name, values in measured.items()}
        print(f"  {operation}: PostgreSQL {on['PostgreSQL']:,.0f}/s, Citus {on['Citus']:,.0f}/s, "
              f"ratio {on['Citus'] / on['PostgreSQL']:.2f}")  # fmt: skip


if __name__ == "__main__":
    main()
