"""`rui store copy`."""

import asyncio
import os
import signal
import sqlite3
import subprocess
import sys
from collections.abc import Awaitable, Callable
from contextlib import closing
from pathlib import Path
from typing import TypeVar

import pytest

from rui_api.commands.store import main
from rui_api.http.responses import to_json
from rui_api.routes.specs import new_spec
from rui_api.store.base import DeletedSpec, StorageUnavailable, Store, StoredSpec
from rui_api.store.copy import PAGE
from rui_api.store.factory import open_store
from rui_cli.main import main as rui
from rui_common.describe import full_example
from rui_common.editing.normal_form import normalize
from rui_common.hashing import content_hash
from tests.rui_api.live import process
from tests.rui_api.load import Load

COUNT = 2 * PAGE + 7
Result = TypeVar("Result")


def specs(count: int = COUNT) -> list[StoredSpec]:
    made = []
    for number in range(count):
        rui = full_example()
        rui["meta"] = {"title": f"größe {number}\0", "big": 10**40, "float": 1e22, "nested": {"b": [], "a": None}}
        made.append(new_spec(to_json(normalize(rui)), content_hash(rui)))
    return made


def with_store(url: str, scenario: Callable[[Store], Awaitable[Result]], *, create: bool = True) -> Result:
    async def run() -> Result:
        store = open_store(url, deadline=60, create=create)
        try:
            await store.open()
            return await scenario(store)
        finally:
            await store.close()

    return asyncio.run(run())


def keep(url: str, kept: list[StoredSpec]) -> None:
    async def scenario(store: Store) -> None:
        for start in range(0, len(kept), PAGE):
            await asyncio.gather(*(store.store(spec) for spec in kept[start : start + PAGE]))

    with_store(url, scenario)


def everything(url: str) -> list[StoredSpec | DeletedSpec]:
    async def scenario(store: Store) -> list[StoredSpec | DeletedSpec]:
        listed = await store.list_ids("", 10_000)
        return [found for one in listed if (found := await store.fetch(one.spec_id)) is not None]

    return with_store(url, scenario, create=False)


@pytest.fixture(params=["sqlite sqlite", "sqlite postgres", "postgres sqlite", "postgres postgres"])
def stores(request: pytest.FixtureRequest, tmp_path: Path) -> list[str]:
    """URLs of the source and the target."""
    return [
        f"sqlite:///{tmp_path}/{name}.db" if sort == "sqlite" else request.getfixturevalue("postgres").new_schema()
        for name, sort in zip(("from", "to"), request.param.split(), strict=True)
    ]


def check_copy(stores: list[str], capsys, words: str, code: int = 0) -> str:
    assert rui(["store", "copy", *stores]) == code
    out, err = capsys.readouterr()
    assert out == f"{words}\n"
    return err


def test_copy_everything_and_again(stores: list[str], capsys) -> None:
    kept = specs()
    keep(stores[0], kept)
    assert check_copy(stores, capsys, f"{COUNT} copied, 0 there already, 0 failed") == ""
    assert everything(stores[1]) == everything(stores[0]) == sorted(kept, key=lambda spec: spec.spec_id)
    assert check_copy(stores, capsys, f"0 copied, {COUNT} there already, 0 failed") == ""


def test_copy_goes_on(stores: list[str], capsys) -> None:
    kept = specs()
    keep(stores[0], kept)
    keep(stores[1], [*kept[::3], *specs(1)])
    there = len(kept[::3])
    assert check_copy(stores, capsys, f"{COUNT - there} copied, {there} there already, 0 failed") == ""
    assert len(everything(stores[1])) == COUNT + 1


def test_nothing_to_copy(stores: list[str], capsys) -> None:
    keep(stores[0], [])
    check_copy(stores, capsys, "0 copied, 0 there already, 0 failed")


def changed(spec: StoredSpec, **values: object) -> StoredSpec:
    return spec._replace(**values)


def test_what_is_wrong_is_not_copied(stores: list[str], capsys) -> None:
    good, hashed, broken, other = specs(4)
    hashed = changed(hashed, content_hash="sha256:" + "0" * 64)
    broken = changed(broken, rui=broken.rui[:-1])
    keep(stores[0], [good, hashed, broken, other])
    keep(stores[1], [changed(other, created_at="2000")])
    err = check_copy(stores, capsys, "1 copied, 0 there already, 3 failed", code=1)
    assert sorted(err.splitlines()) == sorted([
        f"rui store: {hashed.spec_id}: its content does not have its hash",
        f"rui store: {broken.spec_id}: its content is not readable",
        f"rui store: {other.spec_id}: another spec has its id there",
    ])  # fmt: skip
    assert {spec.spec_id for spec in everything(stores[1])} == {good.spec_id, other.spec_id}


def test_copy_while_a_service_stores(tmp_path: Path, postgres, capsys) -> None:
    """Copy while the service runs, stop it, copy the rest; a service on the other store then has all specs."""
    load, url, target = Load(), f"sqlite:///{tmp_path}/rui.db", postgres.new_schema()
    base = ("--base-url", "http://rui.example.org")
    with process("--store", url, *base) as (child, service), load.on(service.url, clients=2):
        load.wait_for(100)
        assert main(["copy", url, target]) == 0
        load.wait_for(10)
        child.send_signal(signal.SIGKILL)
    assert main(["copy", url, target]) == 0
    assert " 0 failed" in capsys.readouterr().out
    with process("--store", target, *base) as (_, service):
        load.check_kept(service.client)


def test_interrupted_copy(tmp_path: Path) -> None:
    """After kill -9 during a copy, the next run copies the rest."""
    source, target = f"sqlite:///{tmp_path}/from.db", f"sqlite:///{tmp_path}/to.db"
    keep(source, specs(8 * PAGE))
    command = [sys.executable, "-m", "rui_api.commands.store", "copy", source, target]
    with subprocess.Popen(command, stdout=subprocess.DEVNULL) as child:
        while not (tmp_path / "to.db-wal").exists():
            assert child.poll() is None
        child.kill()
    done = subprocess.run(command, capture_output=True, text=True, check=True)
    assert done.stdout.endswith(" there already, 0 failed\n")
    assert everything(target) == everything(source)


def at(spec: StoredSpec, created_at: str) -> StoredSpec:
    return spec._replace(created_at=created_at)


def test_a_spec_dated_in_the_future_hides_nothing(stores: list[str], capsys) -> None:
    command = ["--since", "last", *stores]
    future, *later = specs(2 * PAGE + 2)
    keep(stores[0], [at(future, "2999-01-31T00:00:00.000Z")])
    check_copy(command, capsys, "1 copied, 0 there already, 0 failed")
    keep(stores[0], later)
    check_copy(command, capsys, f"{len(later)} copied, 0 there already, 0 failed")
    check_copy(command, capsys, "0 copied, 0 there already, 0 failed")
    assert everything(stores[1]) == everything(stores[0])


def test_copy_since_the_last_copy(stores: list[str], capsys) -> None:
    command = ["--since", "last", *stores]
    old = [at(spec, f"2026-01-31T0{number}:00:00.000Z") for number, spec in enumerate(specs(5))]
    keep(stores[0], old)
    check_copy(command, capsys, "5 copied, 0 there already, 0 failed")
    check_copy(command, capsys, "0 copied, 0 there already, 0 failed")
    late, new = specs(2)
    late = at(late, "2026-01-31T03:50:00.000Z")
    new = at(new, "2026-01-31T05:00:00.000Z")
    keep(stores[0], [late, new])
    assert main(["delete", old[0].spec_id, "--reason", "x", "--store", stores[1]]) == 0
    assert main(["delete", old[1].spec_id, "--reason", "x", "--store", stores[0]]) == 0
    capsys.readouterr()
    check_copy(command, capsys, "2 copied, 0 there already, 0 failed, 1 deleted")
    assert len(everything_but_deleted(stores[1])) == 5


def everything_but_deleted(url: str) -> list[StoredSpec]:
    return [spec for spec in everything(url) if isinstance(spec, StoredSpec)]


@pytest.mark.parametrize("kind", ["sqlite", "postgres"])
def test_ctrl_c(kind: str, tmp_path: Path, request: pytest.FixtureRequest) -> None:
    """The first SIGINT ends a copy at once; the next run copies the rest."""
    source, target = f"sqlite:///{tmp_path}/from.db", f"sqlite:///{tmp_path}/to.db"
    if kind == "postgres":
        source, target = (request.getfixturevalue("postgres").new_schema() for _ in range(2))
    keep(source, specs(8 * PAGE))
    command = [sys.executable, "-m", "rui_api.commands.store", "copy", source, target]
    with subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True) as child:
        while not number_of_specs(target):
            assert child.poll() is None
        child.send_signal(signal.SIGINT)
        out, err = child.communicate(timeout=20)
    assert (out, err, child.returncode) == ("", "rui store: interrupted; run it again to go on\n", 130)
    assert number_of_specs(target) < 8 * PAGE
    assert main(["copy", source, target]) == 0
    assert everything(target) == everything(source)


def number_of_specs(url: str) -> int:
    try:
        return len(everything(url))
    except StorageUnavailable:
        return 0


@pytest.mark.parametrize(("arguments", "words"), [
    (["copy", "sqlite:///{}/none.db", "sqlite:///{}/to.db", "--since", "noon"], "--since: invalid choice: 'noon'"),
    (["copy", "sqlite:///{}/none.db", "sqlite:///{}/to.db"], "none.db"),
    (["copy", "postgresql://rui@127.0.0.1:1/rui", "sqlite:///{}/to.db"], "PostgreSQL: "),
    (["copy", "postgresql://rui@/rui?host={}/none", "sqlite:///{}/to.db"], "No such file or directory"),
    (["copy", "sqlite:///{}/a.db", "sqlite:///{}/a.db"], "the same store"),
    (["copy", "sqlite:///{0}/a.db", "sqlite:///{0}/../{0.name}/a.db"], "the same store"),
    (["copy", "sqlite:///{}/a.db"], "TO"), (["copy", "a.db", "b.db"], "a store is named as"), ([], "COMMAND"),
    (["move", "a", "b"], "move"), (["copy", "postgresql://rui:secret@127.0.0.1:1/rui", "sqlite:///x"], "PostgreSQL: "),
    (["copy", "sqlite://u:secret@h/d", "sqlite:///x"], "sqlite://u:***@h/d"),
    (["postgresql://u:secret@h/d"], "'postgresql://***@h/d'"),
    (["delete", "--store", "a", "--reason", "x", "postgresql://u:secret@h/d"], "neither the id"),
    (["copy", "mysql://u:secret@h/d", "sqlite:///x"], "mysql://u:***@h"),
    (["copy", "postgresql://h/d?prepared=no", "sqlite:///x"], "prepared=on or prepared=off"),
    (["copy", "postgresql://u:12?secret@127.0.0.1:1/d", "sqlite:///x"], "u:***@"),
])  # fmt: skip
def test_what_cannot_be_done(tmp_path: Path, capsys, arguments: list[str], words: str) -> None:
    assert main([argument.format(tmp_path) for argument in arguments]) == 2
    out, err = capsys.readouterr()
    assert (out, err.count("\n")) == ("", 1)
    assert words in err
    assert "secret" not in err
    assert list(tmp_path.iterdir()) == []


@pytest.mark.parametrize("link", [os.symlink, os.link])
def test_a_copy_onto_itself_is_no_backup(tmp_path: Path, capsys, link: Callable[[Path, Path], None]) -> None:
    keep(f"sqlite:///{tmp_path}/a.db", specs(1))
    link(tmp_path / "a.db", tmp_path / "backup.db")
    assert main(["copy", f"sqlite:///{tmp_path}/a.db", f"sqlite:///{tmp_path}/backup.db"]) == 2
    assert capsys.readouterr().err == "rui store: FROM and TO are the same store\n"


def test_corrupt_source(tmp_path: Path, capsys) -> None:
    path = tmp_path / "from.db"
    keep(f"sqlite:///{path}", specs(500))
    with closing(sqlite3.connect(path)) as connection:
        connection.execute("PRAGMA wal_checkpoint(TRUNCATE)")
    with path.open("r+b") as file:
        file.seek(path.stat().st_size // 2)
        file.write(b"\xff" * 200_000)
    assert main(["copy", f"sqlite:///{path}", f"sqlite:///{tmp_path}/to.db"]) == 2
    assert "malformed" in capsys.readouterr().err


def test_a_store_that_goes_away_while_it_is_copied(tmp_path: Path, capsys, monkeypatch: pytest.MonkeyPatch) -> None:
    async def gone(*_: object, **__: object) -> None:
        raise StorageUnavailable("gone")

    keep(f"sqlite:///{tmp_path}/from.db", specs(5))
    monkeypatch.setattr("rui_api.commands.store.copy", gone)
    assert main(["copy", f"sqlite:///{tmp_path}/from.db", f"sqlite:///{tmp_path}/to.db"]) == 2
    assert capsys.readouterr().err == "rui store: gone\n"
