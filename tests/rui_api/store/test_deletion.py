"""`rui store delete` and `purge`: what was deleted is gone from the service, the files, and every copy."""

import json
import sqlite3
from collections.abc import Callable
from contextlib import closing
from pathlib import Path

import pytest

from rui_api.app import create_app
from rui_api.commands.store import main
from rui_api.config.options import Settings
from rui_api.store.factory import migrate_store
from rui_common.describe import minimal_example
from tests.rui_api.live import UUID, Service, process, running

SECRET = "unmistakable-content-4711"


def document(title: str = SECRET) -> dict[str, object]:
    return minimal_example() | {"meta": {"title": title}}


def long_document() -> dict[str, object]:
    """A document that is compressed, and longer than a page of SQLite and PostgreSQL."""
    return document() | {"meta": {"title": "long", "x": [f"{SECRET} {number:x}" for number in range(3000)]}}


@pytest.fixture(params=["sqlite", "postgres"])
def new_store(request: pytest.FixtureRequest, tmp_path: Path) -> Callable[[str], str]:
    """Return the URL of a new store."""

    def create(name: str) -> str:
        if request.param == "sqlite":
            return f"sqlite:///{tmp_path}/{name}.db"
        return request.getfixturevalue("postgres").new_schema()

    return create


def uncached(url: str) -> Settings:
    return Settings(store=url, spec_cache_bytes=0)


def delete(url: str, *ids: object, code: int = 0) -> None:
    assert main(["delete", *map(str, ids), "--reason", "a complaint", "--store", url]) == code


PATHS = ("/api/specs/{}", "/specs/{}", "/specs/{}/rui.json", "/specs/{}?part=JSON",
         "/specs/{}/compare/{other}", "/specs/{other}/compare/{}", "/?copy={}")  # fmt: skip


def test_a_running_service_answers_gone(new_store: Callable[[str], str], capsys: pytest.CaptureFixture[str]) -> None:
    """The command runs in another process than the service, which needs no restart."""
    url = new_store("rui")
    with running(create_app(uncached(url))) as service:
        saved, other = service.store(document()), service.store(document("another"))
        etag = service.client.get(saved["url"]).headers["etag"]
        paths = [path.format(saved["specId"], other=other["specId"]) for path in PATHS]
        assert [service.client.get(path).status_code for path in paths] == [200] * len(PATHS)
        delete(url, saved["viewUrl"])
        assert capsys.readouterr().out == f"{saved['specId']}: deleted\n"
        answer = service.client.get(saved["url"], headers={"If-None-Match": etag})
        assert (answer.status_code, answer.json()) == (410, {"error": "GONE", "specId": saved["specId"]})
        assert answer.headers["cache-control"] == "no-store"
        for path in paths[1:]:
            page = service.client.get(path, headers={"Accept": "text/html"})
            assert (page.status_code, page.headers["content-type"]) == (410, "text/html; charset=utf-8")
            assert "This spec was deleted" in page.text and saved["specId"] in page.text
            assert SECRET not in page.text and "a complaint" not in page.text
        posted = service.client.post(f"/specs/{saved['specId']}/compare", data={"rui": json.dumps(document("x"))})
        assert posted.status_code == 410
        again = service.store(document())
        assert again["contentHash"] == saved["contentHash"] and again["specId"] != saved["specId"]
        assert service.client.get(again["url"]).json() == again
        assert service.client.get(other["url"]).json() == other


def test_another_process_with_a_cache(tmp_path: Path) -> None:
    url = f"sqlite:///{tmp_path}/rui.db"
    with process("--store", url, "--spec-cache-seconds", "1") as (_, service):
        saved = service.store(document())
        assert service.client.get(saved["url"]).status_code == 200
        delete(url, saved["specId"])
        while (status := service.client.get(saved["url"]).status_code) == 200:
            pass
        assert status == 410


@pytest.mark.parametrize("content", [document, long_document])
def test_the_content_is_not_in_the_files(tmp_path: Path, content: Callable[[], dict[str, object]]) -> None:
    """Neither in the database nor in its write-ahead log, while the service has both open."""
    url = f"sqlite:///{tmp_path}/rui.db"

    def contains(text: str) -> bool:
        return any(text.encode() in path.read_bytes() for path in tmp_path.glob("rui.db*"))

    assert migrate_store(url) is None
    with closing(sqlite3.connect(tmp_path / "rui.db", isolation_level=None)) as connection:
        connection.execute("DELETE FROM schema_steps WHERE step = 3")  # so that the content is not compressed
    with running(create_app(uncached(url))) as service:
        saved = service.store(content())
        others = [service.store(document(f"another {number}")) for number in range(5)]
        assert contains(SECRET)
        delete(url, saved["specId"])
        assert not contains(SECRET)
        assert not contains(saved["contentHash"])
        assert contains(saved["specId"]) and contains("a complaint")
        for other in others:
            assert service.client.get(other["url"]).json() == other


def test_purge_removes_what_other_tools_left(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    url = f"sqlite:///{tmp_path}/rui.db"
    with running(create_app(uncached(url))) as service:
        service.store(document())
        kept = service.store(document("kept"))
        with closing(sqlite3.connect(tmp_path / "rui.db", isolation_level=None)) as connection:
            connection.execute("PRAGMA secure_delete = OFF")
            connection.execute("PRAGMA wal_checkpoint(TRUNCATE)")
            connection.execute("DELETE FROM specs WHERE spec_id <> ?", (kept["specId"],))
            assert main(["purge", "--full", url]) == 0
        assert capsys.readouterr().out == "purged\n"
        assert not any(SECRET.encode() in path.read_bytes() for path in tmp_path.glob("rui.db*"))
        assert service.client.get(kept["url"]).json() == kept


def test_purge_reports_a_reader_in_its_way(tmp_path: Path, capsys: pytest.CaptureFixture[str],
                                           monkeypatch: pytest.MonkeyPatch) -> None:  # fmt: skip
    monkeypatch.setattr("rui_api.store.bulk.TIMEOUT", 0.1)
    url = f"sqlite:///{tmp_path}/rui.db"
    with running(create_app(uncached(url))) as service:
        saved = service.store(document())
    with closing(sqlite3.connect(tmp_path / "rui.db", isolation_level=None)) as reader:
        reader.execute("BEGIN")
        reader.execute("SELECT count(*) FROM specs").fetchall()
        delete(url, saved["specId"], code=1)
        assert capsys.readouterr().err.endswith(f"{tmp_path}/rui.db-wal is in use; run rui store purge\n")
        assert main(["purge", url]) == 1
        reader.execute("COMMIT")
    assert main(["purge", url]) == 0


@pytest.mark.parametrize("full", [[], ["--full"]])
def test_purge_on_postgres(postgres, full: list[str]) -> None:
    """The content is in no row any more; with --full, it is not in the files either."""
    url = postgres.new_schema()
    with running(create_app(uncached(url))) as service:
        saved, kept = service.store(document()), service.store(document("kept"))
        delete(url, saved["specId"])
        assert main(["purge", *full, url]) == 0
        assert service.client.get(saved["url"]).status_code == 410
        assert service.client.get(kept["url"]).json() == kept
    path = "SELECT current_setting('data_directory') || '/' || pg_relation_filepath('rui_specs')"
    ((path,),) = postgres.execute("CHECKPOINT", path, url=url)
    content = Path(path).read_bytes()
    assert kept["contentHash"].encode() in content
    if full:  # a vacuum leaves the bytes until their space is used again
        assert saved["contentHash"].encode() not in content


def test_copies_carry_deletions_in_both_directions(
    new_store: Callable[[str], str], capsys: pytest.CaptureFixture[str]
) -> None:
    live, backup, old_backup = (new_store(name) for name in ("live", "backup", "old"))
    with running(create_app(uncached(live))) as service:
        saved, kept = service.store(document()), service.store(document("kept"))
        assert main(["copy", live, backup]) == main(["copy", live, old_backup]) == 0
        delete(live, saved["specId"])
        capsys.readouterr()
        assert main(["copy", live, backup]) == 0
        assert capsys.readouterr().out == "0 copied, 1 there already, 0 failed, 1 deleted\n"
        check_gone(backup, service, saved, kept)
        # Restoring the backup from before the deletion.
        assert main(["copy", old_backup, live]) == 0
        assert capsys.readouterr().out == "0 copied, 1 there already, 0 failed, 1 deleted\n"
        check_gone(live, service, saved, kept)
    # A new store knows the deletion, too.
    restored = new_store("restored")
    assert main(["copy", backup, restored]) == 0
    assert main(["copy", old_backup, restored]) == 0
    assert main(["info", restored]) == 0
    assert capsys.readouterr().out.rstrip().endswith(", 1 deleted")


def check_gone(url: str, service: Service, saved: dict[str, str], kept: dict[str, str]) -> None:
    with running(create_app(uncached(url))) as copy:
        assert copy.client.get(f"/api/specs/{saved['specId']}").status_code == 410
        there = copy.client.get(f"/api/specs/{kept['specId']}").json()
    assert there["normalizedRui"] == kept["normalizedRui"]
    assert service.client.get(f"/api/specs/{kept['specId']}").status_code == 200


def test_what_is_deleted_from_a_backup_is_not_in_its_files(tmp_path: Path) -> None:
    live, backup = f"sqlite:///{tmp_path}/live.db", f"sqlite:///{tmp_path}/backup.db"
    with running(create_app(uncached(live))) as service:
        saved = service.store(document())
        assert main(["copy", live, backup]) == 0
        assert saved["contentHash"].encode() in (tmp_path / "backup.db").read_bytes()
        delete(live, saved["specId"])
        assert main(["copy", live, backup]) == 0
    assert not any(saved["contentHash"].encode() in path.read_bytes() for path in tmp_path.glob("backup.db*"))


def test_unknown_and_repeated_ids(new_store: Callable[[str], str], capsys: pytest.CaptureFixture[str]) -> None:
    url = new_store("rui")
    with running(create_app(uncached(url))) as service:
        saved = service.store(document())
        delete(url, UUID, saved["specId"], saved["specId"].upper(), code=1)
        out, err = capsys.readouterr()
        assert out == f"{saved['specId']}: deleted\n"
        assert err == f"rui store: {UUID}: there is no such spec; with --absent a copy cannot bring it back either\n"
        assert service.client.get(f"/api/specs/{UUID}").status_code == 404
        delete(url, saved["specId"])
        assert capsys.readouterr().out.endswith(": a complaint\n")
        assert main(["delete", UUID, "--absent", "--reason", "x", "--store", url]) == 0
        assert service.client.get(f"/api/specs/{UUID}").status_code == 410


@pytest.mark.parametrize(("arguments", "words"), [
    (["delete", UUID], "--reason"), (["delete", UUID, "--reason", " "], "--reason: a text is needed"),
    (["delete", "--reason", "x"], "ID"), (["delete", "12", "--reason", "x"], "neither the id of a spec nor"),
    (["delete", UUID, "--reason", "x", "--store", "sqlite:///{}/none.db"], "none.db"),
    (["purge", "sqlite:///{}/none.db"], "none.db"), (["purge", "--all"], "--all"),
])  # fmt: skip
def test_wrong_command_lines(
    tmp_path: Path,
    capsys: pytest.CaptureFixture[str],
    monkeypatch: pytest.MonkeyPatch,
    arguments: list[str],
    words: str,
) -> None:
    monkeypatch.setenv("RUI_STORE", f"sqlite:///{tmp_path}/rui.db")
    assert main([argument.format(tmp_path) for argument in arguments]) == 2
    out, err = capsys.readouterr()
    assert (out, err.count("\n")) == ("", 1)
    assert words in err
    assert list(tmp_path.iterdir()) == []


def test_the_store_of_the_settings_is_the_default(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setenv("RUI_STORE", f"sqlite:///{tmp_path}/rui.db")
    with running(create_app(uncached(f"sqlite:///{tmp_path}/rui.db"))) as service:
        service.store(document())
    assert main(["info"]) == 0
    assert "rui.db: 1 spec, stored from" in capsys.readouterr().out
