"""The lines of the log about outages: their start, each reason, a reminder every minute, and their end."""

import logging
import sqlite3
from contextlib import closing
from pathlib import Path

import pytest

from rui_api.store import outage_log
from rui_api.store.base import StorageUnavailable
from rui_api.store.outage_log import OutageLog
from tests.rui_api.live import Service
from tests.rui_api.store.test_sqlite_store import check_down, check_up, service_on

LOCKED = "the database is locked"
FULL = "the disk is full"
UP = ""

ENDED = "answers again"


@pytest.mark.parametrize(("events", "lines"), [
    ([(0, UP), (1, UP)], []),
    ([(0, LOCKED), (1, LOCKED), (59, LOCKED)], [LOCKED]),
    ([(0, LOCKED), (30, LOCKED), (60, LOCKED), (90, LOCKED), (120, LOCKED)], [LOCKED] * 3),
    ([(0, LOCKED), (1, FULL), (2, LOCKED), (3, FULL), (61, FULL)], [LOCKED, FULL, FULL]),
    ([(0, LOCKED), (3, UP)], [LOCKED, f"{ENDED} after 3.0 s"]),
    ([(0, LOCKED), (1, UP), (2, LOCKED), (4, UP)], [LOCKED, f"{ENDED} after 1.0 s", LOCKED, f"{ENDED} after 2.0 s"]),
    ([(0, LOCKED), (1, UP), (2, FULL), (3, UP)], [LOCKED, f"{ENDED} after 1.0 s", FULL, f"{ENDED} after 1.0 s"]),
    # A store that serves every second request; then a longer outage.
    ([(0, LOCKED), (0.1, UP), (0.2, LOCKED), (0.3, UP)], [LOCKED, f"{ENDED} after 0.1 s"]),
    ([(0, LOCKED), (0.1, UP), (0.2, LOCKED), (0.9, LOCKED), (1.5, LOCKED), (9, LOCKED)],
     [LOCKED, f"{ENDED} after 0.1 s", LOCKED]),
])  # fmt: skip
def test_lines(events: list[tuple[float, str]], lines: list[str], caplog) -> None:
    """Each event is a time and the outcome of a request: a reason, or `UP`."""
    times = []
    outages = OutageLog(clock=lambda: times[-1])
    with caplog.at_level(logging.INFO, "rui_api.store"):
        for time, reason in events:
            times.append(time)
            outages.report("write", StorageUnavailable(reason) if reason else None)
    logged = [record.getMessage().removeprefix("store ").removeprefix("unavailable: ") for record in caplog.records]
    assert logged == lines


def test_operations_fail_apart(caplog) -> None:
    outages = OutageLog()
    for operation, reason in (("write", FULL), ("read", UP), ("write", FULL), ("read", LOCKED), ("write", UP)):
        outages.report(operation, StorageUnavailable(reason) if reason else None)
    assert [record.getMessage() for record in caplog.records] == [
        f"store unavailable: {FULL}",
        f"store unavailable: {LOCKED}",
    ]


def messages(caplog) -> list[str]:
    return [record.getMessage() for record in caplog.records if record.name == "rui_api.store"]


def test_the_log_has_the_words_of_the_database_for_each_reason(tmp_path: Path, monkeypatch, caplog) -> None:
    monkeypatch.setattr(outage_log, "OUTAGE_INTERVAL", 0)
    path = tmp_path / "rui.db"
    with service_on(path) as service, caplog.at_level(logging.INFO, "rui_api"):
        check_up(service)
        check_locked(service, path)
        path.rename(tmp_path / "away.db")
        check_down(service)
        (tmp_path / "away.db").rename(path)
        check_up(service)
        check_locked(service, path)
        check_up(service)
    assert [line.partition(f"{path}: ")[2] or line.partition(" after ")[0] for line in messages(caplog)] == [
        "database is locked", "No such file or directory", "store answers again",
        "database is locked", "store answers again",
    ]  # fmt: skip


def check_locked(service: Service, path: Path) -> None:
    with closing(sqlite3.connect(path, isolation_level=None)) as other:
        other.execute("BEGIN IMMEDIATE")
        assert service.client.get("/api/ready").status_code == 503
