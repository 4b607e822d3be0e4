"""Failover of PostgreSQL by Patroni and etcd, under load: how long no spec is stored, and whether one is lost.

Needs Debian's packages patroni, etcd-server and python3-etcd. Each fault has a cluster of its own: two servers with a
synchronous standby. The limit is the time that Patroni takes until another server is the primary, and `RECOVERY`.
"""

from __future__ import annotations

import asyncio
import json
import os
import pwd
import shutil
import signal
import socket
import subprocess
import tempfile
import time
from collections.abc import Callable, Iterator
from contextlib import ExitStack, contextmanager, suppress
from pathlib import Path

import asyncpg
import httpx

from benchmarks.postgres_workers import descendants
from tests.rui_api.live import process
from tests.rui_api.load import Load
from tests.rui_api.postgres import program, wait_for_port

RECOVERY = 3.0
PATIENCE = 120.0
TTL = 20
"""Seconds after which Patroni's leader loses its role; the lowest value that it accepts. Its default is 30."""
CONFIGURATION = """
scope: rui
name: node{number}
restapi: {{listen: '127.0.0.1:{api}', connect_address: '127.0.0.1:{api}'}}
etcd3: {{host: '127.0.0.1:{etcd}'}}
bootstrap:
  dcs: {{ttl: {ttl}, loop_wait: 2, retry_timeout: 5, synchronous_mode: true}}
  initdb: [{{encoding: UTF8}}, {{locale: C}}, {{auth: trust}}]
postgresql:
  listen: '127.0.0.1:{port}'
  connect_address: '127.0.0.1:{port}'
  data_dir: {folder}/data
  pgpass: {folder}/pgpass
  bin_dir: {programs}
  authentication: {{superuser: {{username: rui}}, replication: {{username: rui}}}}
  pg_hba: ['host all all 127.0.0.1/32 trust', 'host replication all 127.0.0.1/32 trust']
  parameters: {{unix_socket_directories: '', fsync: 'off'}}
"""


class Node:
    """A server and its Patroni."""

    def __init__(self, number: int, folder: Path, etcd: int) -> None:
        self.port = free_port()
        self.api = free_port()
        folder.mkdir()
        hand_over(folder)
        configuration = CONFIGURATION.format(
            number=number, api=self.api, etcd=etcd, ttl=TTL, port=self.port, folder=folder,
            programs=Path(str(program("postgres"))).parent,
        )  # fmt: skip
        Path(folder, "patroni.yaml").write_text(configuration, encoding="utf-8")
        self.name = f"node{number}"
        with Path(folder, "log").open("wb") as log:
            self._process = run_as_user([str(shutil.which("patroni")), f"{folder}/patroni.yaml"], log)

    def pids(self) -> list[int]:
        return [self._process.pid, *descendants(self._process.pid), *self.server_pids()]

    def server_pids(self) -> list[int]:
        """Return the processes of PostgreSQL, which may be no descendants of Patroni."""
        found = subprocess.run(["pgrep", "-f", f"port={self.port}"], capture_output=True, text=True, check=False)
        pids = [int(pid) for pid in found.stdout.split()]
        return [*pids, *(child for pid in pids for child in descendants(pid))]

    def send(self, number: signal.Signals) -> None:
        for pid in dict.fromkeys(self.pids()):
            with suppress(ProcessLookupError):
                os.kill(pid, number)

    def state(self) -> dict[str, object]:
        with suppress(httpx.HTTPError, ValueError):
            return dict(httpx.get(f"http://127.0.0.1:{self.api}/patroni", timeout=1).json())
        return {}

    def close(self) -> None:
        self.send(signal.SIGKILL)
        self._process.wait()


def free_port() -> int:
    with socket.create_server(("127.0.0.1", 0)) as probe:
        port: int = probe.getsockname()[1]
        return port


def hand_over(folder: Path) -> None:
    """Give a folder to the user that runs PostgreSQL, which refuses to run as root."""
    if os.geteuid() == 0:
        user = pwd.getpwnam("postgres")
        os.chown(folder, user.pw_uid, user.pw_gid)


def run_as_user(command: list[str], log: object) -> subprocess.Popen[bytes]:
    options = {"user": "postgres", "group": "postgres", "extra_groups": []} if os.geteuid() == 0 else {}
    return subprocess.Popen(command, stdout=log, stderr=log, cwd="/", **options)  # type: ignore[call-overload]


@contextmanager
def cluster() -> Iterator[list[Node]]:
    """Run two nodes until the second one is a synchronous standby; the primary is the first in the list."""
    with tempfile.TemporaryDirectory(prefix="rui-patroni-", ignore_cleanup_errors=True) as name, ExitStack() as stack:
        folder = Path(name)
        hand_over(folder)
        client, peer = free_port(), free_port()
        log = stack.enter_context(Path(folder, "etcd.log").open("wb"))
        command = [
            str(shutil.which("etcd")), "--data-dir", f"{folder}/etcd", "--listen-peer-urls", f"http://127.0.0.1:{peer}",
            "--listen-client-urls", f"http://127.0.0.1:{client}", "--advertise-client-urls",
            f"http://127.0.0.1:{client}", "--unsafe-no-fsync",
        ]  # fmt: skip
        etcd = run_as_user(command, log)
        stack.callback(etcd.wait)
        stack.callback(etcd.kill)
        wait_for_port(client)
        nodes = []
        for number in range(2):
            nodes.append(Node(number, folder / str(number), client))
            stack.callback(nodes[-1].close)
            wait(lambda: nodes[-1].state().get("state") == "running", f"{nodes[-1].name} runs")
        wait(lambda: any(node.state().get("sync_standby") for node in nodes), "there is a synchronous standby")
        yield sorted(nodes, key=lambda node: node.state().get("role") != "master")


def wait(true: Callable[[], bool], what: str) -> float:
    """Wait until `true` returns True, and return how long it took."""
    begun = time.monotonic()
    while not true():
        if time.monotonic() - begun > PATIENCE:
            raise TimeoutError(what)
        time.sleep(0.02)
    return time.monotonic() - begun


def switch_over(nodes: list[Node]) -> None:
    body = json.dumps({"leader": nodes[0].name})
    httpx.post(f"http://127.0.0.1:{nodes[0].api}/switchover", content=body, timeout=60).raise_for_status()


def kill(nodes: list[Node]) -> None:
    nodes[0].send(signal.SIGKILL)


def freeze(nodes: list[Node]) -> None:
    nodes[0].send(signal.SIGSTOP)


def crash(nodes: list[Node]) -> None:
    """Kill PostgreSQL only; Patroni starts it again, or hands over."""
    for pid in nodes[0].server_pids():
        with suppress(ProcessLookupError):
            os.kill(pid, signal.SIGKILL)


FAULTS: dict[str, Callable[[list[Node]], None]] = {
    "planned switchover": switch_over,
    "PostgreSQL is killed": crash,
    "the machine of the primary is lost": kill,
    "the machine of the primary is frozen": freeze,
}


def main() -> bool:
    """Print the outages, and return whether all limits are kept."""
    missing = [name for name in ("patroni", "etcd", "pgrep") if shutil.which(name) is None]
    if missing or program("postgres") is None:
        print(f"NOT MEASURED: Patroni needs {', '.join(missing or ['PostgreSQL'])}")
        return False
    print(f"Two servers, Patroni (ttl {TTL} s) and etcd, synchronous standby; 8 clients store specs")
    print(f"  {'fault':40}{'promoted':>12}{'stored again':>14}{'lost':>6}{'slowest answer':>16}")
    kept = [measure(name, fault) for name, fault in FAULTS.items()]
    return all(kept)


def measure(name: str, fault: Callable[[list[Node]], None]) -> bool:
    """Print how long one fault takes, and return whether the limits are kept."""
    with cluster() as nodes:
        url = f"postgresql://rui@{','.join(f'127.0.0.1:{node.port}' for node in nodes)}/postgres"
        load = Load()
        with process("--store", url) as (_, service), load.on(service.url):
            load.wait_for(200)
            begun = time.monotonic()
            fault(nodes)
            known = len(load.acknowledged)
            promoted = (
                wait(lambda: primary(nodes) is not None, "there is a primary") + time.monotonic() - time.monotonic()
            )
            promoted = time.monotonic() - begun
            wait(lambda: len(load.acknowledged) > known + 8, "specs are stored again")
            stored = time.monotonic() - begun
            load.wait_for(50)
        found = primary(nodes)
        assert found is not None
        lost = len(load.acknowledged) - present(found, list(load.acknowledged))
    kept = lost == 0 and stored <= promoted + RECOVERY
    print(f"  {name:40}{promoted:10.1f} s{stored:12.1f} s{lost:6}{load.slowest:14.1f} s  {'ok' if kept else 'MISSED'}")
    return kept


def primary(nodes: list[Node]) -> Node | None:
    """Return the node that accepts writes."""
    return next((node for node in nodes if ask(node, "SHOW transaction_read_only") == "off"), None)


def present(node: Node, spec_ids: list[str]) -> int:
    """Return how many of the specs a server has."""
    return int(str(ask(node, "SELECT count(*) FROM rui_specs WHERE spec_id = ANY($1::text[]::uuid[])", spec_ids)))


def ask(node: Node, statement: str, *arguments: object) -> object:
    async def run() -> object:
        connection = await asyncpg.connect(f"postgresql://rui@127.0.0.1:{node.port}/postgres", timeout=0.5)
        try:
            return await connection.fetchval(statement, *arguments, timeout=10)
        finally:
            connection.terminate()

    with suppress(OSError, TimeoutError, asyncpg.PostgresError, asyncpg.InterfaceError):
        return asyncio.run(run())
    return None


if __name__ == "__main__":
    main()
