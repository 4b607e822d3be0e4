"""`rui store delete`: what was deleted is gone from the service, the files, and every copy."""

import json
from collections.abc import Callable
from pathlib import Path

import pytest

from rui_api.app import create_app
from rui_api.commands.store import main
from rui_api.config.options import Settings
from rui_common.describe import minimal_example
from tests.rui_api.live import UUID, Service, running

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


def delete(url: str, *ids: object, code: int = 0) -> None:
    assert main(["delete", *map(str, ids), "--reason", "a complaint", "--store", url]) == code


PATHS = ("/api/specs/{}", "/specs/{}", "/specs/{}/rui.json",
         "/specs/{}/compare/{other}", "/specs/{other}/compare/{}", "/?copy={}")  # fmt: skip


def test_a_running_service_answers_gone(new_store: Callable[[str], str], capsys: pytest.CaptureFixture[str]) -> None:
    """The command runs in another process than the service, which needs no restart."""
    url = new_store("rui")
    with running(create_app(Settings(store=url))) as service:
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


@pytest.mark.parametrize("content", [document, long_document])
def test_the_content_is_not_in_the_files(tmp_path: Path, content: Callable[[], dict[str, object]]) -> None:
    """Neither in the database nor in its write-ahead log, while the service has both open."""
    url = f"sqlite:///{tmp_path}/rui.db"

    def contains(text: str) -> bool:
        return any(text.encode() in path.read_bytes() for path in tmp_path.glob("rui.db*"))

    with running(create_app(Settings(store=url))) as service:
        saved = service.store(content())
        others = [service.store(document(f"another {number}")) for number in range(5)]
        assert contains(SECRET)
        delete(url, saved["specId"])
        assert not contains(SECRET)
        assert not contains(saved["contentHash"])
        assert contains(saved["specId"]) and contains("a complaint")
        for other in others:
            assert service.client.get(other["url"]).json() == other


def test_copies_carry_deletions_in_both_directions(
    new_store: Callable[[str], str], capsys: pytest.CaptureFixture[str]
) -> None:
    live, backup, old_backup = (new_store(name) for name in ("live", "backup", "old"))
    with running(create_app(Settings(store=live))) as service:
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
        check_gone(restored, service, saved, kept)


def check_gone(url: str, service: Service, saved: dict[str, str], kept: dict[str, str]) -> None:
    with running(create_app(Settings(store=url))) as copy:
        assert copy.client.get(f"/api/specs/{saved['specId']}").status_code == 410
        there = copy.client.get(f"/api/specs/{kept['specId']}").json()
    assert there["normalizedRui"] == kept["normalizedRui"]
    assert service.client.get(f"/api/specs/{kept['specId']}").status_code == 200


def test_what_is_deleted_from_a_backup_is_not_in_its_files(tmp_path: Path) -> None:
    live, backup = f"sqlite:///{tmp_path}/live.db", f"sqlite:///{tmp_path}/backup.db"
    with running(create_app(Settings(store=live))) as service:
        saved = service.store(document())
        assert main(["copy", live, backup]) == 0
        assert saved["contentHash"].encode() in (tmp_path / "backup.db").read_bytes()
        delete(live, saved["specId"])
        assert main(["copy", live, backup]) == 0
    assert not any(saved["contentHash"].encode() in path.read_bytes() for path in tmp_path.glob("backup.db*"))


def test_unknown_and_repeated_ids(new_store: Callable[[str], str], capsys: pytest.CaptureFixture[str]) -> None:
    url = new_store("rui")
    with running(create_app(Settings(store=url))) as service:
        saved = service.store(document())
        delete(url, UUID, saved["specId"], saved["specId"].upper(), code=1)
        out, err = capsys.readouterr()
        assert out == f"{saved['specId']}: deleted\n"
        assert err == f"rui store: {UUID}: there is no such spec\n"
        assert service.client.get(f"/api/specs/{UUID}").status_code == 404
        delete(url, saved["specId"])
        assert capsys.readouterr().out.endswith(": a complaint\n")


@pytest.mark.parametrize(("arguments", "words"), [
    (["delete", UUID], "--reason"), (["delete", UUID, "--reason", " "], "--reason: a text is needed"),
    (["delete", "--reason", "x"], "ID"), (["delete", "12", "--reason", "x"], "neither the id of a spec nor"),
    (["delete", UUID, "--reason", "x", "--store", "sqlite:///{}/none.db"], "none.db"),
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
    with running(create_app(Settings(store=f"sqlite:///{tmp_path}/rui.db"))) as service:
        saved = service.store(document())
    assert main(["delete", str(saved["specId"]), "--reason", "x"]) == 0
    assert capsys.readouterr().out == f"{saved['specId']}: deleted\n"
