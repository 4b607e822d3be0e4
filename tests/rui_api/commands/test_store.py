"""`rui store list` and `rui store prune`. tests/rui_api/store/test_copy.py has the other commands."""

import asyncio
import json
import os
import signal
import sqlite3
import subprocess
import sys
import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import closing, contextmanager
from datetime import UTC, datetime, timedelta
from pathlib import Path

import pytest

from rui_api.commands.store import PAGE_SIZE, main
from rui_api.http.responses import to_json
from rui_api.store import prune as pruning
from rui_api.store.base import Store, StoredSpec, tombstone
from rui_common.describe import minimal_example
from rui_common.hashing import content_hash
from tests.rui_api.live import PATIENT, UUID, patient_service, wait_until
from tests.rui_api.load import Load
from tests.rui_api.mounts import on_small_disk
from tests.rui_api.store.helpers import spec, with_store

COUNT = 2 * PAGE_SIZE + 9


@pytest.fixture(params=["sqlite", "postgres"])
def url(request: pytest.FixtureRequest, tmp_path: Path) -> str:
    """An empty store of each kind."""
    if request.param == "sqlite":
        return f"sqlite:///{tmp_path}/rui.db"
    return request.getfixturevalue("postgres").new_database()


@pytest.fixture(autouse=True)
def _without_reports(monkeypatch: pytest.MonkeyPatch) -> None:
    """On a busy machine, commands take the ten seconds after which they report their progress."""
    monkeypatch.setattr("rui_api.commands.store.REPORT_SECONDS", 3600.0)


@pytest.fixture
def quick(monkeypatch: pytest.MonkeyPatch) -> None:
    """Prune without pauses."""
    monkeypatch.setattr(pruning, "PAUSE", 0.0)
    monkeypatch.setattr(pruning, "PAUSE_SHARE", 0)


def of_age(days: float, rui: dict[str, object] | None = None) -> StoredSpec:
    """Return a spec that was stored some days ago."""
    created = (datetime.now(UTC) - timedelta(days=days)).isoformat(timespec="milliseconds")[:23] + "Z"
    content = minimal_example() if rui is None else rui
    return spec(to_json(content))._replace(created_at=created, content_hash=content_hash(content))


def store_all(url: str, specs: Sequence[StoredSpec]) -> None:
    async def scenario(store: Store) -> None:
        for start in range(0, len(specs), 500):
            await asyncio.gather(*map(store.store, specs[start : start + 500]))

    with_store(url, scenario)


def stored(url: str) -> list[StoredSpec]:
    return with_store(url, lambda store: store.list_specs("", 100_000))


def run(capsys, *arguments: str, code: int = 0) -> tuple[str, str]:
    assert main(arguments) == code
    captured = capsys.readouterr()
    return captured.out, captured.err


# List ---------------------------------------------------------------------------------------------------------------


def test_a_list(url: str, capsys) -> None:
    specs = [of_age(number, {"meta": {"title": f"größe {number}"}}) for number in range(COUNT)]
    gone = tombstone(specs[0].spec_id, "2026-02-01T00:00:00.000Z", "complaint „17“")
    store_all(url, specs)
    store_all(url, [gone])
    specs = sorted([gone, *specs[1:]])
    text, err = run(capsys, "list", "--store", url)
    assert (len(text.splitlines()), err) == (COUNT, "")
    for line, entry in zip(text.splitlines(), specs, strict=True):
        shown = "deleted: complaint „17“"
        if entry != gone:
            shown = f"{len(entry.rui):>7} {entry.content_hash} {json.loads(entry.rui)['meta']['title']}"
        assert line == f"{entry.spec_id} {entry.created_at} {shown}"
    lines = [json.loads(line) for line in run(capsys, "list", "--format", "json", "--store", url)[0].splitlines()]
    assert [line["specId"] for line in lines] == [entry.spec_id for entry in specs]
    for line, entry in zip(lines, specs, strict=True):
        if entry == gone:
            assert line == {"specId": entry.spec_id, "deletedAt": entry.created_at, "reason": "complaint „17“"}
        else:
            title = json.loads(entry.rui)["meta"]["title"]
            assert line == {"specId": entry.spec_id, "createdAt": entry.created_at, "size": len(entry.rui),
                            "title": title, "contentHash": entry.content_hash}  # fmt: skip


@pytest.mark.parametrize(("content", "title"), [
    (b'{"meta": {"title": "\\u001b]0;owned\\u0007\\n\\u202e"}}', "�]0;owned���"), (b"{}", ""), (b"{", ""), (b"", ""),
    (b'{"meta": {"title": 7}}', ""), (b'{"meta": 7}', ""), (b"[]", ""), (b"\xff", ""),
    (b'{"meta": {}, "a": 1e999}', ""),
    (b'{"pages": ' + b"[" * 2000 + b"]" * 2000 + b', "meta": {"title": "deep"}}', ""),
    (b'{"meta": {"title": "%s"}}' % (b"x" * 200_000), "x" * 200_000),
], ids=range(11))  # fmt: skip
def test_any_title_is_one_line(tmp_path: Path, capsys, content: bytes, title: str) -> None:
    url = f"sqlite:///{tmp_path}/rui.db"
    store_all(url, [spec(content)])
    [line] = run(capsys, "list", "--store", url)[0].splitlines()
    assert line.split(" ")[-1].isprintable() and line.endswith(f" sha256:0 {title}")
    [line] = run(capsys, "list", "--format", "json", "--store", url)[0].splitlines()
    assert line.isascii() and json.loads(line)["size"] == len(content)


def test_a_reader_that_stops_and_a_full_output(tmp_path: Path) -> None:
    url = f"sqlite:///{tmp_path}/rui.db"
    store_all(url, [of_age(1) for _ in range(2_000)])
    command = [sys.executable, "-m", "rui_cli", "store", "list", "--store", url]
    with subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True) as child:
        child.stdout.readline()
        child.stdout.close()
        assert (child.wait(60), child.stderr.read()) == (141, "")
    if Path("/dev/full").exists():
        with Path("/dev/full").open("w") as full:
            done = subprocess.run(command, stdout=full, stderr=subprocess.PIPE, text=True, check=False)
        assert (done.returncode, done.stderr) == (2, "rui store: cannot go on: no space left on device\n")


# Prune --------------------------------------------------------------------------------------------------------------


def test_old_specs_are_pruned(url: str, capsys, quick: None) -> None:
    """A spec is kept if it is younger or its time is not readable; its references do not matter."""
    old, young = [of_age(91) for _ in range(25)], [of_age(89) for _ in range(3)]
    gone = of_age(200)
    stone = tombstone(gone.spec_id, "2020-01-01T00:00:00.000Z", "complaint")
    strange = [of_age(1)._replace(created_at=text) for text in ("", "2000", "yesterday")]
    successor = of_age(1, minimal_example() | {"meta": {"title": "x", "replaces": old[0].spec_id}})
    kept = [*young, *strange, successor]
    store_all(url, [*old, *kept, gone])
    store_all(url, [stone])
    size = sum(len(spec.rui) for spec in old)
    out, err = run(capsys, "prune", "--older-than", "90d", "--dry-run", "--store", url)
    assert out.endswith(f": 25 would be deleted, {size:,} bytes; {len(kept)} kept\n") and err == ""
    assert stored(url) == sorted([*old, *kept, stone])
    out, err = run(capsys, "prune", "--older-than", "90d", "--store", url)
    assert out.startswith("created before 20") and out.endswith(f"Z: 25 deleted, {size:,} bytes; {len(kept)} kept\n")
    found = {entry.spec_id: entry for entry in stored(url)}
    assert [entry for entry in found.values() if not entry.is_deleted] == sorted(kept)
    assert found[gone.spec_id] == stone
    assert {found[spec.spec_id].rui for spec in old} == {b"older than 90d"}
    assert run(capsys, "prune", "--older-than", "90d", "--store", url)[0].endswith(
        f" 0 deleted, 0 bytes; {len(kept)} kept\n"
    )


def test_a_spec_of_the_limit_itself_is_kept(tmp_path: Path, quick: None) -> None:
    before = "2026-02-01T00:00:00.000Z"
    expected = {"2026-01-31T23:59:59.999Z": True, before: False, "2026-02-01T00:00:00.001Z": False}
    specs = [spec()._replace(created_at=created) for created in expected]

    async def scenario(store: Store) -> None:
        await asyncio.gather(*map(store.store, specs))
        done = pruning.Pruned()
        async for _ in pruning.prune(store, before, done, "old"):
            pass
        assert (done.deleted, done.kept) == (1, 2)
        found = [await store.fetch(spec.spec_id) for spec in specs]
        assert [tombstone is not None and tombstone.is_deleted for tombstone in found] == [*expected.values()]

    with_store(f"sqlite:///{tmp_path}/rui.db", scenario, deadline=60)


@pytest.mark.parametrize(("last", "share"), [("", 0), ("0" * 8, 0), ("33333333", 0.2), ("f" * 8, 1)])
def test_the_share_that_was_read(last: str, share: float) -> None:
    assert pruning.Pruned(last_id=last and f"{last}-0000-4000-8000-000000000000").share == share


def test_the_content_of_pruned_specs_is_in_no_file(tmp_path: Path, capsys, monkeypatch, quick: None) -> None:
    """Also while a service has the file open, which keeps the write-ahead log."""
    url = f"sqlite:///{tmp_path}/rui.db"
    title = b"Gone without a trace"

    def is_left() -> bool:
        return any(title in path.read_bytes() for path in tmp_path.glob("rui.db*"))

    monkeypatch.setattr("rui_api.routes.specs.time", lambda: time.time() - timedelta(days=9).total_seconds())
    with patient_service(url) as service:
        for _ in range(3 * pruning.BATCH):
            service.store({**minimal_example(), "meta": {"title": title.decode()}})
        assert is_left()
        run(capsys, "prune", "--older-than", "1w", "--store", url)
        assert not is_left()
        assert service.client.get("/api/ready").status_code == 200


@pytest.mark.parametrize(("age", "before"), [
    ("1h", "2027-01-15T07:00:00.000Z"), ("36h", "2027-01-13T20:00:00.000Z"), ("1d", "2027-01-14T08:00:00.000Z"),
    ("365d", "2026-01-15T08:00:00.000Z"), ("3w", "2026-12-25T08:00:00.000Z"),
])  # fmt: skip
def test_the_time_of_an_age(tmp_path: Path, capsys, monkeypatch, age: str, before: str) -> None:
    url = f"sqlite:///{tmp_path}/rui.db"
    with_store(url, lambda store: store.open())
    monkeypatch.setattr("rui_api.commands.store.time", lambda: datetime(2027, 1, 15, 8, tzinfo=UTC).timestamp())
    out, _ = run(capsys, "prune", "--older-than", age, "--store", url)
    assert out == f"created before {before}: 0 deleted, 0 bytes; 0 kept\n"


@pytest.mark.parametrize(("age", "days"), [("36h", 1.5), ("2d", 2), ("3w", 21)])
def test_ages(tmp_path: Path, capsys, quick: None, age: str, days: float) -> None:
    url = f"sqlite:///{tmp_path}/rui.db"
    store_all(url, [of_age(days + 0.1), of_age(days - 0.1)])
    assert "1 deleted" in run(capsys, "prune", "--older-than", age, "--store", url)[0]


@pytest.mark.parametrize(
    "age", ["", "0d", "90", "d", "-1d", "1.5d", "90 d", "90D", "1y", "00001d", "123456d", "٩d", "1d1"]
)
def test_wrong_ages(tmp_path: Path, capsys, age: str) -> None:
    url = f"sqlite:///{tmp_path}/rui.db"
    store_all(url, [of_age(3650)])
    out, err = run(capsys, "prune", f"--older-than={age}", "--store", url, code=2)
    assert out == "" and err.startswith("rui store: --older-than: an age like 90d is needed") and err.count("\n") == 1
    assert not stored(url)[0].is_deleted


def test_no_age(capsys) -> None:
    assert "--older-than" in run(capsys, "prune", "--dry-run", code=2)[1]


def foreign(path: Path) -> None:
    with closing(sqlite3.connect(path)) as database:
        database.execute("CREATE TABLE other(a)")


def later(path: Path) -> None:
    store_all(f"sqlite:///{path}", [of_age(9)])
    with closing(sqlite3.connect(path)) as database:
        database.execute("PRAGMA user_version = 99")


def cut(path: Path) -> None:
    store_all(f"sqlite:///{path}", [of_age(9)])
    path.write_bytes(path.read_bytes()[:5_000])


NO_STORES: dict[str, tuple[str, Callable[[Path], object], str]] = {
    "no file": ("sqlite:///{}", lambda _: None, "no.db: No such file or directory"),
    "no folder": ("sqlite:///{}/rui.db", lambda _: None, "no.db/rui.db: No such file or directory"),
    "a folder": ("sqlite:///{}", Path.mkdir, "this is a folder: name a file in it"),
    "an empty file": ("sqlite:///{}", Path.touch, "no.db: the file is empty"),
    "a text": (
        "sqlite:///{}",
        lambda path: path.write_text("a" * 9_999),
        "file is not a database; the file is damaged",
    ),
    "half a store": ("sqlite:///{}", cut, "database disk image is malformed; the file is damaged"),
    "another program's": ("sqlite:///{}", foreign, "this is not a store of this program"),
    "a later version's": ("sqlite:///{}", later, "the store has schema version 99"),
    "a path": ("{}", lambda _: None, "a store is named as sqlite:///PATH or postgresql://…, not '"),
    "an empty text": ("", lambda _: None, "a store is named as sqlite:///PATH or postgresql://…, not ''"),
    "a blank text": (" ", lambda _: None, "a store is named as sqlite:///PATH or postgresql://…, not ' '"),
    "a database that is down": ("postgresql://rui:secret@127.0.0.1:1/rui", lambda _: None, "Connect call failed"),
}
"""What is no store: its URL, what makes it, and the error."""
ON_A_STORE = [
    ("list",), ("list", "--format", "json"), ("list", "--endpoint", "/a"), ("prune", "--older-than", "1d"),
    ("prune", "--older-than", "1d", "--dry-run"), ("delete", UUID, "--reason", "x"),
]  # fmt: skip


@pytest.mark.parametrize(("url", "make", "words"), NO_STORES.values(), ids=NO_STORES)
def test_a_command_on_what_is_no_store(
    tmp_path: Path, capsys, monkeypatch, url: str, make: Callable[[Path], object], words: str
) -> None:
    """There is the error alone, and nothing is created or changed, neither there nor in the default store."""
    place = tmp_path / "no.db"
    make(place)
    before = place.read_bytes() if place.is_file() else b""
    monkeypatch.chdir(tmp_path)
    store_all("sqlite:///rui.db", [of_age(9)])
    kept = stored("sqlite:///rui.db")
    url = url.format(place)
    commands = [(*command, f"--store={url}") for command in ON_A_STORE]
    if url:
        commands.append(("copy", url, f"sqlite:///{tmp_path}/new.db"))
    for command in commands:
        out, err = run(capsys, *command, code=2)
        assert (out, err.count("\n")) == ("", 1), command
        assert err.startswith("rui store: ") and words in err and "secret" not in err
    assert stored("sqlite:///rui.db") == kept
    assert (place.read_bytes() if place.is_file() else b"") == before
    assert not (tmp_path / "new.db").exists()


def test_a_reason_is_one_line(tmp_path: Path, capsys) -> None:
    url = f"sqlite:///{tmp_path}/rui.db"
    spec = of_age(1)
    store_all(url, [spec])
    run(capsys, "delete", spec.spec_id, "--reason", "two\n\x1b lines\u2028", "--store", url)
    for command in (["list"], ["delete", spec.spec_id, "--reason", "again"]):
        out, _ = run(capsys, *command, "--store", url)
        assert len(out.splitlines()) == 1 and "\x1b" not in out and "two" in out


def test_a_large_age_deletes_nothing(tmp_path: Path, capsys) -> None:
    url = f"sqlite:///{tmp_path}/rui.db"
    store_all(url, [of_age(3650)])
    assert "0 deleted" in run(capsys, "prune", "--older-than", "99999w", "--store", url)[0]


PRUNE = """if True:
    import asyncio, sys
    from rui_api.commands import store
    from rui_api.store import prune

    class Pausing:
        gather = asyncio.gather

        async def sleep(_):
            await asyncio.to_thread(sys.stdin.readline)

    store.REPORT_SECONDS = 3600
    if sys.argv[2:]:
        prune.asyncio = Pausing
    sys.exit(store.main(["prune", "--older-than", "1d", "--store", sys.argv[1]]))
"""
"""`rui store prune` without reports, which it writes if it takes ten seconds, as on a busy machine."""


def prune_process(url: str, *arguments: str) -> subprocess.Popen[str]:
    pipes = {"stdin": subprocess.PIPE, "stdout": subprocess.PIPE, "stderr": subprocess.PIPE}
    return subprocess.Popen([sys.executable, "-c", PRUNE, url, *arguments], text=True, **pipes)


@contextmanager
def pausing_process(url: str) -> Iterator[subprocess.Popen[str]]:
    """Prune three batches; the pause after them ends when standard input is closed, and then there are no more."""
    with prune_process(url, "pausing") as child:
        assert child.stdin is not None
        child.stdin.write("\n\n")
        child.stdin.flush()
        wait_until(lambda: deleted(url) == 3 * pruning.BATCH, "three batches are deleted")
        yield child


def deleted(url: str) -> int:
    return sum(entry.is_deleted for entry in stored(url))


@pytest.mark.parametrize("how", [signal.SIGINT, signal.SIGKILL])
def test_an_interrupted_run_goes_on(url: str, capsys, quick: None, how: signal.Signals) -> None:
    store_all(url, [of_age(10) for _ in range(500)])
    with pausing_process(url) as child:
        child.send_signal(how)
        out, err = child.communicate(timeout=PATIENT)
    count = deleted(url)
    assert 0 < count < 500
    if how == signal.SIGINT:
        assert child.returncode == 130 and err == "rui store: interrupted; run it again to go on\n"
        assert int(out.split(": ")[1].split()[0]) in range(count - pruning.BATCH, count + 1)
    assert f" {500 - count} deleted" in run(capsys, "prune", "--older-than", "1d", "--store", url)[0]


def test_pruning_while_a_service_stores(url: str) -> None:
    """No request is refused, and no acknowledged spec is lost. Pruned ones answer 410."""
    old = [of_age(10) for _ in range(150)]
    store_all(url, old)
    load = Load()
    with patient_service(url) as service:
        with load.on(service.url, clients=4), prune_process(url) as child:
            out, err = child.communicate(timeout=PATIENT)
            assert (child.returncode, err) == (0, "")
        assert ": 150 deleted, " in out
        assert set(load.statuses) == {201}
        load.check_kept(service.client)
        assert {service.client.get(f"/api/specs/{spec.spec_id}").status_code for spec in old} == {410}


def test_two_runs_at_once(url: str) -> None:
    store_all(url, [of_age(10) for _ in range(100)])
    with prune_process(url) as first, prune_process(url) as second:
        assert first.wait(PATIENT) == second.wait(PATIENT) == 0
    assert deleted(url) == 100


def test_a_database_that_goes_away(url: str, tmp_path: Path, request: pytest.FixtureRequest) -> None:
    """What was deleted is said, and the reason of the end in one line."""
    store_all(url, [of_age(10) for _ in range(300)])
    with pausing_process(url) as child:
        if url.startswith("sqlite"):
            Path(url.removeprefix("sqlite:///")).rename(tmp_path / "away.db")
            out, err = child.communicate(timeout=PATIENT)
        else:
            server = request.getfixturevalue("postgres")
            server.stop(signal.SIGKILL)
            out, err = child.communicate(timeout=PATIENT)
            server.start()
    assert child.returncode == 2 and err.count("\n") == 1 and err.startswith("rui store: ")
    assert " deleted, " in out and " 0 deleted" not in out


def prune_full_disk(folder: str) -> None:
    url = f"sqlite:///{folder}/rui.db"
    store_all(url, [of_age(10) for _ in range(40)])
    with Path(folder, "junk").open("wb") as junk:
        free = os.statvfs(folder).f_bavail * os.statvfs(folder).f_frsize
        junk.write(bytes(free - (2 << 20)))
    assert main(["prune", "--older-than", "1d", "--store", url]) == 0
    assert deleted(url) == 40


def test_pruning_on_a_full_disk(tmp_path: Path) -> None:
    on_small_disk(prune_full_disk, tmp_path, megabytes=20)


def test_progress_is_reported(tmp_path: Path, capsys, monkeypatch, quick: None) -> None:
    monkeypatch.setattr("rui_api.commands.store.REPORT_SECONDS", 0.0)
    url = f"sqlite:///{tmp_path}/rui.db"
    store_all(url, [of_age(10) for _ in range(100)])
    lines = run(capsys, "prune", "--older-than", "1d", "--store", url)[1].splitlines()
    shares = [int(line.removeprefix("rui store: ").partition("%")[0]) for line in lines]
    assert shares == sorted(shares) and len(shares) > 5 and shares[0] < 50 < shares[-1] <= 100
    assert lines[0].endswith(" read, 10 deleted")


def test_time_passes_between_batches(tmp_path: Path, capsys) -> None:
    """Requests are served meanwhile."""
    url = f"sqlite:///{tmp_path}/rui.db"
    store_all(url, [of_age(10) for _ in range(3 * pruning.BATCH)])
    begun = time.monotonic()
    run(capsys, "prune", "--older-than", "1d", "--store", url)
    assert time.monotonic() - begun >= 3 * pruning.PAUSE
