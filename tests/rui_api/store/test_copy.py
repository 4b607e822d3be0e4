"""`rui store copy` and `rui store delete`."""

import asyncio
import os
from collections import Counter
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from rui_api.commands.store import main
from rui_api.config.options import Settings
from rui_api.http.responses import to_json
from rui_api.routes.specs import new_spec
from rui_api.store.availability import StoreOptions
from rui_api.store.base import Entry, Store, StoredSpec
from rui_api.store.copy import COPIED, PAGE_SIZE, UNCHANGED, copy
from rui_api.store.factory import opened_store
from rui_common.describe import full_example, minimal_example
from rui_common.editing.normal_form import normalize
from rui_common.hashing import content_hash
from rui_common.validation.analysis import validate
from tests.rui_api.live import PATIENT, UUID, patient_app, running
from tests.rui_api.postgres import Postgres, need, pgbouncer, postgres_server
from tests.rui_api.store.helpers import with_store

COUNT = 2 * PAGE_SIZE + 7
SECRET = "unmistakable-content-4711"


def specs(count: int = COUNT) -> list[StoredSpec]:
    made = []
    for number in range(count):
        rui = full_example()
        rui["meta"] = {"title": f"größe {number}\0", "big": 10**40, "float": 1e22, "nested": {"b": [], "a": None}}
        made.append(new_spec(to_json(normalize(validate(rui).tree)), content_hash(rui)))
    return made


def keep(url: str, kept: list[StoredSpec]) -> None:
    async def scenario(store: Store) -> None:
        await store.ready()
        await asyncio.gather(*(store.store(spec) for spec in kept))

    with_store(url, scenario, deadline=60, max_waiting=10_000)


def everything(url: str) -> list[StoredSpec]:
    async def scenario(store: Store) -> list[StoredSpec]:
        return await store.list_specs("", 10_000)

    return with_store(url, scenario, create=False)


@pytest.fixture(params=["sqlite sqlite", "sqlite postgres", "postgres sqlite"])
def stores(request: pytest.FixtureRequest, tmp_path: Path) -> list[str]:
    """URLs of the source and the target."""
    return [
        f"sqlite:///{tmp_path}/{name}.db" if sort == "sqlite" else request.getfixturevalue("postgres").new_schema()
        for name, sort in zip(("from", "to"), request.param.split(), strict=True)
    ]


def check_copy(arguments: list[str], capsys, words: str, code: int = 0) -> str:
    assert main(["copy", *arguments]) == code
    out, err = capsys.readouterr()
    assert out == f"{words}\n"
    return err


def test_copy_goes_on(stores: list[str], capsys) -> None:
    keep(stores[0], [])
    assert check_copy(stores, capsys, "0 copied, 0 there already, 0 failed") == ""
    kept = specs()
    keep(stores[0], kept)
    keep(stores[1], kept[::3])
    there = len(kept[::3])
    assert check_copy(stores, capsys, f"{COUNT - there} copied, {there} there already, 0 failed") == ""
    assert everything(stores[1]) == sorted(kept, key=lambda spec: spec.spec_id)
    keep(stores[1], specs(1))
    check_copy(stores, capsys, f"0 copied, {COUNT} there already, 0 failed")


def test_wrong_specs_are_not_copied(stores: list[str], capsys) -> None:
    good, hashed, broken, other = specs(4)
    hashed = hashed._replace(content_hash="sha256:" + "0" * 64)
    broken = broken._replace(rui=broken.rui[:-1])
    keep(stores[0], [good, hashed, broken, other])
    keep(stores[1], [other._replace(created_at="2000")])
    err = check_copy(stores, capsys, "1 copied, 0 there already, 3 failed", code=1)
    assert sorted(err.splitlines()) == sorted([
        f"rui store: {hashed.spec_id}: its content does not have its hash",
        f"rui store: {broken.spec_id}: its content is not readable",
        f"rui store: {other.spec_id}: another spec has its id there",
    ])  # fmt: skip
    assert {spec.spec_id for spec in everything(stores[1])} == {good.spec_id, other.spec_id}


class Faulty:
    """A store that changes the specs that it reads."""

    def __init__(self, store: Store, change: Callable[[StoredSpec | None], StoredSpec | None]) -> None:
        self._store = store
        self._change = change

    def __getattr__(self, name: str) -> Any:
        return getattr(self._store, name)

    async def fetch(self, spec_id: str) -> StoredSpec | None:
        return self._change(await self._store.fetch(spec_id))


@pytest.mark.parametrize(("name", "change", "reason"), [
    ("source", lambda _: None, "it is not there any more"),
    ("target", lambda _: None, "it was not read back as it was written"),
    ("target", lambda spec: spec and spec._replace(rui=b"{}"), "it was not read back as it was written"),
])  # fmt: skip
def test_a_store_that_reads_wrong_specs(
    tmp_path: Path, name: str, change: Callable[[StoredSpec | None], StoredSpec | None], reason: str
) -> None:
    [kept] = specs(1)

    async def scenario(source: Store) -> None:
        await source.store(kept)
        async with opened_store(f"sqlite:///{tmp_path}/to.db", StoreOptions(deadline=PATIENT)) as target:
            stores = {"source": source, "target": target}
            counts, failed = await copy(**stores | {name: Faulty(stores[name], change)})
        assert (counts[COPIED], failed) == (0, {kept.spec_id: reason})

    with_store(f"sqlite:///{tmp_path}/from.db", scenario)


def test_each_part_of_the_target_is_listed_once(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Else a copy would take the square of the number of specs."""
    monkeypatch.setattr("rui_api.store.copy.PAGE_SIZE", 2)
    kept = specs(8)
    listed: list[str] = []

    async def scenario(source: Store) -> None:
        async with opened_store(f"sqlite:///{tmp_path}/to.db", StoreOptions(deadline=PATIENT)) as target:
            for store in (source, target):
                await asyncio.gather(*map(store.store, kept))
            list_entries = target.list_entries

            async def list_and_note(after: str, limit: int) -> list[Entry]:
                listed.append(after)
                return await list_entries(after, limit)

            monkeypatch.setattr(target, "list_entries", list_and_note)
            assert await copy(source, target) == (Counter({UNCHANGED: 8}), {})

    with_store(f"sqlite:///{tmp_path}/from.db", scenario)
    assert listed == ["", *sorted(spec.spec_id for spec in kept)[1:-1:2]]


def test_copy_since_the_last_copy(stores: list[str], capsys) -> None:
    """What the target lacks is copied, whatever its date; the other specs are not compared."""
    command = ["--since", "last", *stores]
    old = [spec._replace(created_at="2999-01-31T00:00:00.000Z") for spec in specs(5)]
    keep(stores[0], old)
    check_copy(command, capsys, "5 copied, 0 there already, 0 failed")
    keep(stores[0], specs(PAGE_SIZE))
    for spec, url in zip(old, reversed(stores), strict=False):
        assert main(["delete", spec.spec_id, "--reason", "x", "--store", url]) == 0
    capsys.readouterr()
    check_copy(command, capsys, f"{PAGE_SIZE} copied, 0 there already, 0 failed, 1 deleted")
    check_copy(command, capsys, "0 copied, 0 there already, 0 failed")
    found = everything(stores[1])
    assert [spec.is_deleted for spec in found].count(False) == PAGE_SIZE + 3
    assert len(found) == PAGE_SIZE + 5


@pytest.mark.parametrize(("arguments", "words"), [
    (["copy", "sqlite:///{}/none.db", "sqlite:///{}/to.db", "--since", "noon"], "--since: invalid choice: 'noon'"),
    (["copy", "sqlite:///{}/none.db", "sqlite:///{}/to.db"], "none.db"), (["copy", "sqlite:///{}/a.db"], "TO"),
    (["copy", "postgresql://rui@/rui?host={}/none", "sqlite:///{}/to.db"], "No such file or directory"),
    (["copy", "sqlite:///{0}/a.db", "sqlite:///{0}/../{0.name}/a.db"], "No such file"),
    (["copy", "a.db", "b.db"], "a store is named as"),
    (["lst"], "unknown command lst (did you mean list?)"), (["move", "a", "b"], "unknown command move (copy, list, "),
    (["copy", "postgresql://rui:secret@127.0.0.1:1/rui", "sqlite:///x"], "PostgreSQL: "),
    (["copy", "sqlite://u:secret@h/d", "sqlite:///x"], "sqlite://u:***@h/d"),
    (["copy", "postgresql://u:12?secret@127.0.0.1:1/d", "sqlite:///x"], "u:***@"),
    (["postgresql://u:secret@h/d"], "unknown command postgresql://***@h/d (copy, list, "),
    (["delete", UUID], "--reason"),
    (["delete", UUID, "--reason", " "], "--reason: a text is needed"), (["delete", "--reason", "x"], "ID"),
    (["delete", "12", "--reason", "x"], "neither the id of a spec nor"),
    ([], "name a command: copy, list, delete, prune;"),
    (["delete", UUID, "--reas", "x"], "--reason"),
    (["list", "--stor", "x"], "unknown option --stor (did you mean --store?)"),
    (["delete", UUID, "--reason", "x", "--store", "sqlite:///{}/none.db"], "none.db"),
])  # fmt: skip
def test_wrong_command_lines(tmp_path: Path, capsys, arguments: list[str], words: str) -> None:
    assert main([argument.format(tmp_path) for argument in arguments]) == 2
    out, err = capsys.readouterr()
    assert (out, err.count("\n")) == ("", 1)
    assert words in err
    assert "secret" not in err
    assert list(tmp_path.iterdir()) == []


def test_the_default_store_is_that_of_the_working_directory(tmp_path: Path, capsys, monkeypatch) -> None:
    monkeypatch.chdir(tmp_path)
    for arguments in (["list"], ["prune", "--older-than", "9d"], ["delete", UUID, "--reason", "x"]):
        assert main(arguments) == 2
        assert capsys.readouterr().err == "rui store: rui.db: No such file or directory; --store names another store\n"


SAME = "rui store: FROM and TO are the same store\n"


@pytest.mark.parametrize("link", [os.symlink, os.link])
def test_a_copy_onto_itself_is_no_backup(tmp_path: Path, capsys, link: Callable[[Path, Path], None]) -> None:
    keep(f"sqlite:///{tmp_path}/a.db", specs(1))
    link(tmp_path / "a.db", tmp_path / "backup.db")
    (tmp_path / "linked").symlink_to(tmp_path)
    for source in ("a.db", "a.db?mode=ro", "linked/a.db", "../" + tmp_path.name + "/a.db"):
        assert main(["copy", f"sqlite:///{tmp_path}/{source}", f"sqlite:///{tmp_path}/backup.db"]) == 2
        assert capsys.readouterr().err == SAME


def test_a_database_has_many_names(postgres: Postgres, capsys) -> None:
    """A copy onto itself is refused, whatever the names of host, user and database are in the URLs."""
    url = postgres.new_database()
    keep(url, specs(2))
    name = url.rpartition("/")[2]
    postgres.execute("CREATE ROLE other SUPERUSER LOGIN")
    with pgbouncer(postgres) as pooler:
        others = [
            f"postgresql://rui@localhost:{postgres.port}/{name}", f"postgres://other@127.0.0.1:{postgres.port}/{name}",
            f"{url}?application_name=backup", f"postgresql://rui@/{name}?host=127.0.0.1&port={postgres.port}",
            f"postgresql://rui@127.0.0.1:1,localhost:{postgres.port}/{name}", f"{pooler}/{name}?prepared=off",
        ]  # fmt: skip
        for pair in ([url, other] for other in [url, *others]):
            for arguments in (pair, [*reversed(pair), "--since", "last"]):
                assert main(["copy", *arguments]) == 2, pair
                assert capsys.readouterr().err == SAME


def test_copies_within_a_server(postgres: Postgres, tmp_path: Path, capsys) -> None:
    """Another schema, another database, and a server that was restored from a backup are other stores."""
    need("pg_basebackup")
    kept = specs(3)
    first, second, third = postgres.new_schema(), postgres.new_schema(), postgres.new_database()
    keep(first, kept)
    for pair in ([first, second], [second, third]):
        check_copy(pair, capsys, "3 copied, 0 there already, 0 failed")
    with postgres_server("-c", "fsync=off", primary=postgres) as restored:
        restored.execute("SELECT pg_promote()")
        name = third.rpartition("/")[2]
        keep(third, specs(1))
        check_copy([third, restored.url(name)], capsys, "1 copied, 3 there already, 0 failed")


def test_a_restore_into_an_empty_store_says_what_may_be_back(stores: list[str], capsys) -> None:
    """A tombstone that is only in the lost store cannot be kept."""
    keep(stores[0], specs(1))
    err = check_copy(stores, capsys, "1 copied, 0 there already, 0 failed")
    assert err == "rui store: TO was empty. If FROM is a backup, what was deleted after it was made is stored again\n"
    assert check_copy(stores, capsys, "0 copied, 1 there already, 0 failed") == ""


# Deletion -----------------------------------------------------------------------------------------------------------


def document(title: str = SECRET) -> dict[str, object]:
    return minimal_example() | {"meta": {"title": title}}


def delete(url: str, *ids: object, code: int = 0) -> None:
    assert main(["delete", *map(str, ids), "--reason", "a complaint", "--store", url]) == code


PATHS = ("/api/specs/{}", "/specs/{}", "/specs/{}/rui.json",
         "/specs/{}/compare/{other}", "/specs/{other}/compare/{}", "/?copy={}")  # fmt: skip


@pytest.mark.parametrize("kind", ["sqlite", "postgres"])
def test_a_running_service_answers_gone(kind: str, tmp_path: Path, request, capsys, monkeypatch) -> None:
    """The command runs in another process than the service, which needs no restart."""
    url = f"sqlite:///{tmp_path}/rui.db"
    if kind == "postgres":
        url = request.getfixturevalue("postgres").new_schema()
    with running(patient_app(Settings(store=url))) as service:
        saved, other = service.store(document()), service.store(document("another"))
        etag = service.client.get(saved["url"]).headers["etag"]
        paths = [path.format(saved["specId"], other=other["specId"]) for path in PATHS]
        assert [service.client.get(path).status_code for path in paths] == [200] * len(PATHS)
        delete(url, UUID, saved["viewUrl"], saved["specId"].upper(), code=1)
        out, err = capsys.readouterr()
        assert out == f"{saved['specId']}: deleted\n"
        assert err == f"rui store: {UUID}: there is no such spec\n"
        answer = service.client.get(saved["url"], headers={"If-None-Match": etag})
        assert (answer.status_code, answer.json()) == (410, {"error": "GONE", "specId": saved["specId"]})
        assert answer.headers["cache-control"] == "no-store"
        for path in paths[1:]:
            page = service.client.get(path, headers={"Accept": "text/html"})
            assert (page.status_code, page.headers["content-type"]) == (410, "text/html; charset=utf-8")
            assert "This spec was deleted" in page.text and saved["specId"] in page.text
            assert SECRET not in page.text and "a complaint" not in page.text
        again = service.store(document())
        assert again["contentHash"] == saved["contentHash"] and again["specId"] != saved["specId"]
        assert service.client.get(other["url"]).json() == other
    monkeypatch.setenv("RUI_STORE", url)
    assert main(["delete", str(saved["specId"]), "--reason", "x"]) == 0, "the store of the settings is the default"
    assert capsys.readouterr().out.endswith(": a complaint\n")


@pytest.mark.parametrize("count", [1, 3_000], ids=["short", "longer than a page of SQLite"])
def test_deleted_content_is_not_in_the_files(tmp_path: Path, count: int) -> None:
    """Neither in the database nor in its write-ahead log, while the service has both open; nor in a backup."""
    url, backup = f"sqlite:///{tmp_path}/rui.db", f"sqlite:///{tmp_path}/backup.db"

    def contains(text: str, name: str = "rui.db") -> bool:
        return any(text.encode() in path.read_bytes() for path in tmp_path.glob(f"{name}*"))

    with running(patient_app(Settings(store=url))) as service:
        saved = service.store(document(" ".join(f"{SECRET} {number:x}" for number in range(count))))
        other = service.store(document("another"))
        assert main(["copy", url, backup]) == 0
        assert contains(SECRET) and contains(SECRET, "backup.db")
        delete(url, saved["specId"])
        assert not contains(SECRET) and not contains(saved["contentHash"])
        assert contains(saved["specId"]) and contains("a complaint")
        assert main(["copy", url, backup]) == 0
        assert not contains(SECRET, "backup.db")
        assert service.client.get(other["url"]).json() == other


def test_copies_carry_deletions_in_both_directions(stores: list[str], tmp_path: Path, capsys) -> None:
    live, backup = stores
    old_backup = f"sqlite:///{tmp_path}/old.db"
    gone, kept = specs(2)
    keep(live, [gone, kept])
    assert main(["copy", live, backup]) == main(["copy", live, old_backup]) == 0
    delete(live, gone.spec_id)
    capsys.readouterr()
    for pair in ([live, backup], [old_backup, live]):
        check_copy(pair, capsys, "0 copied, 1 there already, 0 failed, 1 deleted")
    tombstone = next(spec for spec in everything(live) if spec.is_deleted)
    for url in (live, backup):
        assert everything(url) == sorted([tombstone, kept], key=lambda spec: spec.spec_id)
