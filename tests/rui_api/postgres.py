"""A PostgreSQL server on loopback, from the packages of the distribution, that tests may kill, freeze and restart."""

import asyncio
import os
import pwd
import shutil
import signal
import socket
import subprocess
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from itertools import count
from pathlib import Path

import asyncpg

from tests.rui_api.live import wait_until
from tests.support.ports import free_port
from tests.support.skipping import skip

numbers = count()


def program(name: str) -> str | None:
    """Debian keeps the programs of the server out of the PATH."""
    newest_first = sorted(Path("/usr/lib/postgresql").glob(f"*/bin/{name}"), reverse=True)
    return next((str(path) for path in newest_first), shutil.which(name, path=f"{os.environ['PATH']}:/usr/sbin"))


def missing(*programs: str) -> str:
    """Return the names of missing programs, by default of those of PostgreSQL."""
    return ", ".join(name for name in programs or ("initdb", "postgres") if program(name) is None)


def need(*programs: str) -> None:
    """Skip with the names of missing programs; in CI, fail."""
    if absent := missing(*programs):
        skip(f"missing: {absent}")


class Postgres:
    """One server with its data in `folder`.

    With `primary` it is a standby of that server.

    Attributes:
        data: the folder of its cluster.
    """

    def __init__(self, folder: Path, *options: str, primary: "Postgres | None" = None) -> None:
        self.data = folder / "data"
        self._options = options
        self._user = other_user(folder)
        self.port = free_port()
        if primary is None:
            self._run("initdb", "-D", str(self.data), "-U", "rui", "-A", "trust", "-E", "UTF8", "--no-locale", "-N")
        else:
            self._run("pg_basebackup", "-D", str(self.data), "-d", primary.url(), "-R", "-c", "fast", "-N")
        self._process: subprocess.Popen[bytes] | None = None

    def url(self, database: str = "postgres") -> str:
        return f"postgresql://rui@127.0.0.1:{self.port}/{database}"

    def new_database(self) -> str:
        """Return the URL of a new empty database."""
        name = f"test{next(numbers)}"
        self.execute(f"CREATE DATABASE {name}")
        return self.url(name)

    def new_schema(self) -> str:
        """Return the URL of a new empty schema in a shared database, which is faster than a new database."""
        name = f"test{next(numbers)}"
        self.execute(f"CREATE SCHEMA {name}")
        return f"{self.url()}?search_path={name}"

    def execute(self, *statements: str, url: str = "") -> list[object]:
        """Run SQL and return the rows of the last statement."""

        async def run() -> list[object]:
            connection = await asyncpg.connect(url or self.url(), timeout=60)
            try:
                return [await connection.fetch(statement) for statement in statements][-1]
            finally:
                await connection.close()

        return asyncio.run(run())

    def log(self) -> str:
        return (self.data / "../log").read_text()

    @contextmanager
    def transaction(self, url: str, statement: str) -> Iterator[None]:
        """Keep a transaction open that has run `statement`."""
        with asyncio.Runner() as runner:
            connection = runner.run(asyncpg.connect(url, timeout=60))
            runner.run(connection.execute(f"BEGIN; {statement}"))
            yield
            runner.run(connection.close())

    def start(self, *options: str) -> None:
        command = [
            str(program("postgres")), "-D", str(self.data), "-p", str(self.port), "-c", "listen_addresses=127.0.0.1",
            "-c", "unix_socket_directories=", *self._options, *options,
        ]  # fmt: skip
        log = Path(self.data, "..", "log").resolve().open("ab")
        with log:
            self._process = subprocess.Popen(command, stdout=log, stderr=log, cwd="/", **self._user)
        wait_until(self._is_up, "PostgreSQL answers")

    def _is_up(self) -> bool:
        assert self._process is not None and self._process.poll() is None, self.log()
        with suppress(Exception):
            self.execute("SELECT 1")
            return True
        return False

    def stop(self, how: signal.Signals = signal.SIGINT) -> None:
        """Stop the server: SIGINT in order, SIGQUIT with recovery at the next start, SIGKILL for every process."""
        if self._process is not None:
            self.thaw()
            pids = [self._process.pid]
            if how == signal.SIGKILL:
                os.kill(self._process.pid, signal.SIGSTOP)  # so that it starts no process that is not in the list
                pids = self.pids()
            for pid in pids:
                with suppress(ProcessLookupError):
                    os.kill(pid, how)
            self._process.wait(60)
            # A server does not start while a process of its data is left.
            wait_until(lambda: not any(Path(f"/proc/{pid}/exe").exists() for pid in pids), "its processes have ended")
            self._process = None

    def freeze(self) -> None:
        for pid in self.pids():
            os.kill(pid, signal.SIGSTOP)

    def thaw(self) -> None:
        for pid in self.pids():
            with suppress(ProcessLookupError):
                os.kill(pid, signal.SIGCONT)

    def pids(self) -> list[int]:
        assert self._process is not None
        listed = subprocess.run(["ps", "-o", "pid=", "--ppid", str(self._process.pid)],
                                capture_output=True, text=True, check=False)  # fmt: skip
        return [self._process.pid, *map(int, listed.stdout.split())]

    def _run(self, name: str, *arguments: str) -> None:
        done = subprocess.run([str(program(name)), *arguments], capture_output=True, text=True, cwd="/",
                              check=False, **self._user)  # fmt: skip
        assert done.returncode == 0, done.stderr


@contextmanager
def postgres_server(*options: str, primary: Postgres | None = None) -> Iterator[Postgres]:
    """Run a server with an empty cluster, or as a standby of `primary`; delete its data at the end."""
    with tempfile.TemporaryDirectory(prefix="rui-postgres-") as folder:
        server = Postgres(Path(folder), *options, primary=primary)
        server.start()
        try:
            yield server
        finally:
            server.stop(signal.SIGQUIT)


def other_user(folder: Path) -> dict[str, object]:
    """Return the arguments of `Popen` for programs that refuse to run as root, and give them `folder`."""
    if os.geteuid() != 0:
        return {}
    user = next(account for account in pwd.getpwall() if account.pw_name in ("postgres", "nobody"))
    os.chown(folder, user.pw_uid, -1)
    return {"user": user.pw_uid, "group": user.pw_gid, "extra_groups": []}


@contextmanager
def pgbouncer(server: Postgres, mode: str = "transaction", user: str = "rui", **settings: str) -> Iterator[str]:
    """Run pgbouncer in front of a server; yield the URL of the server through it, without a database.

    Its connections to the server are those of `user`. Other settings are those of pgbouncer.
    """
    need("pgbouncer")
    with tempfile.TemporaryDirectory(prefix="rui-pgbouncer-") as folder:
        port = free_port()
        lines = [
            "[databases]", f"* = host=127.0.0.1 port={server.port} user={user}", "[pgbouncer]",
            "listen_addr = 127.0.0.1", f"listen_port = {port}", "unix_socket_dir =", "auth_type = any",
            f"pool_mode = {mode}", f"logfile = {folder}/log",
            *(f"{name} = {value}" for name, value in ({"default_pool_size": "4"} | settings).items()),
        ]  # fmt: skip
        Path(folder, "ini").write_text("\n".join(lines) + "\n")
        command = [str(program("pgbouncer")), "-q", f"{folder}/ini"]
        with subprocess.Popen(command, cwd="/", **other_user(Path(folder))) as child:
            try:
                wait_for_port(port)
                yield f"postgresql://rui@127.0.0.1:{port}"
            finally:
                child.kill()


def wait_for_port(port: int) -> None:
    def is_open() -> bool:
        with suppress(OSError):
            socket.create_connection(("127.0.0.1", port), timeout=1).close()
            return True
        return False

    wait_until(is_open, f"port {port} is open")
