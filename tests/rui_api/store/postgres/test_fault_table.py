"""The table of faults in docs/operations.md: a test reproduces each row."""

import re
from pathlib import Path

import pytest

FOLDER = Path(__file__).parent
PAGE = FOLDER.parents[3] / "docs" / "operations.md"

TESTS = {
    "the server stops, crashes or restarts": "../test_faults.py::test_server[stopped, crashed]",
    "the server hangs": "../test_faults.py::test_server[frozen]",
    "the primary is killed, a synchronous standby is promoted": "test_failover.py::test_failover_under_load[kill]",
    "the primary hangs, the standby is promoted": "test_failover.py::test_failover_under_load[freeze]",
    "the primary is cut off from the service, the standby is promoted":
        "test_failover.py::test_failover_under_load[cut_off]",
    "a proxy connects to the promoted standby, and keeps old connections to the primary":
        "test_failover.py::test_failover_of_an_address",
    "the primary is cut off from its synchronous standby, which is promoted":
        "test_failover.py::test_failover_under_load[isolate]",
    "the synchronous standby is lost": "test_sessions.py::test_a_lost_synchronous_standby",
    "the primary is away, with `--store-read`": "test_failover.py::test_reads_from_replicas",
    "a replica lags behind": "test_failover.py::test_reads_from_replicas",
    "all replicas are away": "test_failover.py::test_reads_from_replicas",
    "one of several servers does not answer": "test_sessions.py::test_a_silent_first_host",
    "connections are cut": "../test_faults.py::test_connections_that_are_cut_are_not_noticed",
    "the table is locked": "test_sessions.py::test_a_lock_uses_no_more_backends_than_configured",
    "conflicts (SQLSTATE 40001) in 30 % of the inserts":
        "test_sessions.py::test_serialization_failures_in_a_third_of_the_inserts",
    "the database is read-only": "../test_faults.py::test_server[read_only]",
    "the disk is full": "../test_faults.py::test_server[full]",
    "tables or database are missing": "../test_faults.py::test_server[tables_renamed, database_renamed]",
    "an answer is lost while a commit waits for the standby":
        "test_sessions.py::test_a_lost_answer_is_not_acknowledged_without_the_standby",
}  # fmt: skip


def test_every_row_has_a_test() -> None:
    table = PAGE.read_text().partition("| Fault | Storing |")[2].partition("\n\n")[0]
    rows = [line.split(" | ") for line in table.splitlines()[2:]]
    assert [row[0].removeprefix("| ") for row in rows] == [*TESTS]
    assert {row[4].removesuffix(" |") for row in rows} == {"nothing"}


@pytest.mark.parametrize("test", TESTS.values())
def test_the_test_exists(test: str) -> None:
    file, _, name = test.partition("::")
    function, _, faults = name.partition("[")
    source = (FOLDER / file).read_text()
    assert f"def {function}(" in source
    for fault in re.findall(r"\w+", faults):
        assert f"def {fault}(" in source
