"""Two PostgreSQL servers with synchronous replication: failover under load.

The service is given both servers. Something else promotes the standby: here the test, in production Patroni or an
operator.
"""

import signal
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import ExitStack, contextmanager

import httpx
import pytest

from rui_common.describe import minimal_example
from tests.rui_api.live import JSON, process
from tests.rui_api.load import Load, wait_until
from tests.rui_api.postgres import Postgres, postgres_server, require
from tests.rui_api.proxy import Proxy, proxy

RECOVERY = 3.0
"""Seconds after the promotion within which specs are stored again."""
SLACK = 3.0
"""Seconds that a test grants a busy machine."""


class Pair:
    """A primary server that is reached through a proxy, and its synchronous standby."""

    def __init__(self, primary: Postgres, standby: Postgres, way: Proxy) -> None:
        self.primary = primary
        self.standby = standby
        self.way = way

    def url(self, database: str, *, standby_first: bool = False) -> str:
        hosts = [f"127.0.0.1:{self.way.port}", f"127.0.0.1:{self.standby.port}"]
        if standby_first:
            hosts.reverse()
        return f"postgresql://rui@{','.join(hosts)}/{database}"


@contextmanager
def replication() -> Iterator[Pair]:
    require()
    with ExitStack() as stack:
        primary = stack.enter_context(postgres_server("-c", "fsync=off", "-c", "synchronous_standby_names=*"))
        standby = stack.enter_context(postgres_server("-c", "fsync=off", primary=primary))
        yield Pair(primary, standby, stack.enter_context(proxy(primary.port)))


@pytest.fixture
def pair() -> Iterator[Pair]:
    with replication() as running:
        yield running


@pytest.fixture(scope="module")
def lasting_pair() -> Iterator[Pair]:
    """A pair for tests that leave it as it is."""
    with replication() as running:
        yield running


class Validating:
    """A client that validates all the time. `slowest` is its longest response time."""

    def __init__(self, url: str) -> None:
        self.slowest = 0.0
        self.statuses: set[int] = set()
        self._url = url
        self._ends = False

    def __enter__(self) -> "Validating":
        self._thread = threading.Thread(target=self._run)
        self._thread.start()
        return self

    def __exit__(self, *_: object) -> None:
        self._ends = True
        self._thread.join()

    def _run(self) -> None:
        with httpx.Client(base_url=self._url, headers=JSON, timeout=30) as client:
            while not self._ends:
                begun = time.monotonic()
                self.statuses.add(client.post("/api/validate", json=minimal_example()).status_code)
                self.slowest = max(self.slowest, time.monotonic() - begun)
                time.sleep(0.01)


def kill(pair: Pair) -> None:
    pair.primary.stop(signal.SIGKILL)


def freeze(pair: Pair) -> None:
    pair.primary.freeze()


def cut_off(pair: Pair) -> None:
    pair.way.cut()


@pytest.mark.parametrize("fault", [kill, freeze, cut_off])
def test_failover_under_load(pair: Pair, fault: Callable[[Pair], None]) -> None:
    """No acknowledged spec is lost, specs are stored soon after the promotion, and validation goes on."""
    database = pair.primary.new_database().rpartition("/")[2]
    load = Load()
    with process("--store", pair.url(database)) as (_, service):
        with Validating(service.url) as validating, load.on(service.url, clients=4):
            load.wait_for(40)
            fault(pair)
            wait_until(lambda: load.statuses[503] > 3, "the clients are answered 503")
            known = len(load.acknowledged)
            pair.standby.promote()
            begun = time.monotonic()
            wait_until(lambda: len(load.acknowledged) > known, "specs are stored on the new primary")
            assert time.monotonic() - begun < RECOVERY + SLACK
            load.wait_for(40)
            come_back(pair, fault)
            load.wait_for(40)
        assert set(load.statuses) == {201, 503}
        assert load.slowest < 2 + SLACK
        assert validating.statuses == {200}
        assert validating.slowest < 0.5 + SLACK
        check_all_there(pair.standby, database, load)
        assert service.client.get("/api/ready").status_code == 200


def test_failover_of_an_address(pair: Pair) -> None:
    """A proxy that follows the primary keeps the old connections, on which nothing arrives any more."""
    database = pair.primary.new_database().rpartition("/")[2]
    load = Load()
    with process("--store", f"postgresql://rui@127.0.0.1:{pair.way.port}/{database}") as (_, service):
        with load.on(service.url, clients=4):
            load.wait_for(40)
            pair.primary.freeze()
            wait_until(lambda: load.statuses[503] > 3, "the clients are answered 503")
            known = len(load.acknowledged)
            pair.standby.promote()
            pair.way.redirect(pair.standby.port)
            begun = time.monotonic()
            wait_until(lambda: len(load.acknowledged) > known, "specs are stored on the new primary")
            assert time.monotonic() - begun < RECOVERY + SLACK
            load.wait_for(20)
        check_all_there(pair.standby, database, load)


def come_back(pair: Pair, fault: Callable[[Pair], None]) -> None:
    """Let the old primary run again, which is not the primary any more. Clients must not return to it."""
    if fault is freeze:
        pair.primary.thaw()
    if fault is cut_off:
        pair.way.heal()


def check_all_there(server: Postgres, database: str, load: Load) -> None:
    """The server has every acknowledged spec."""
    rows = server.execute("SELECT spec_id::text FROM rui_specs", url=server.url(database))
    assert {*load.acknowledged} <= {row[0] for row in rows}


def test_a_standby_that_is_listed_first(lasting_pair: Pair) -> None:
    database = lasting_pair.primary.new_database().rpartition("/")[2]
    with process("--store", lasting_pair.url(database, standby_first=True)) as (_, service):
        assert service.post("/api/specs", minimal_example()).status_code == 201
