"""The log of outages of a store: each reason when it is new, a reminder every minute, and the end."""

import logging
from collections.abc import Sequence

import pytest

from rui_api.store import availability
from rui_api.store.availability import RequestQueue
from rui_api.store.base import StorageUnavailable


@pytest.mark.parametrize(("requests", "logged"), [
    ([(0, "")], []),
    ([(0, "away"), (1, "away"), (59, "away")], ["away"]),
    ([(0, "away"), (1, "locked"), (2, "away")], ["away", "locked"]),
    ([(0, "away"), (60, "away"), (119, "away"), (120, "away")], ["away", "away", "away"]),
    ([(0, "away"), (2, ""), (3, ""), (4, "away")], ["away", "again", "away"]),
    ([(0, "away"), (0.5, ""), (0.6, "away"), (1.2, ""), (1.7, "")], ["away", "again"]),
])  # fmt: skip
def test_lines(
    requests: Sequence[tuple[float, str]],
    logged: Sequence[str],
    caplog: pytest.LogCaptureFixture,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """Requests are their times and errors. Failures with less than a second between them are one outage."""
    outages = RequestQueue("storing", 10)
    for time, reason in requests:
        monkeypatch.setattr(availability, "monotonic", lambda time=time: 1000 + time)
        try:
            with outages.add():
                if reason:
                    raise StorageUnavailable(reason)
        except StorageUnavailable:
            assert reason
    lines = {"again": (logging.WARNING, "store answers again: storing")}
    expected = [lines.get(word, (logging.ERROR, f"store unavailable: storing: {word}")) for word in logged]
    assert [(record.levelno, record.getMessage()) for record in caplog.records] == expected
