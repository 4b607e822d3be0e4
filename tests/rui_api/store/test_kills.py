"""After kill -9, a crash of PostgreSQL or a power cut, all acknowledged specs are complete."""

import asyncio
import json
import os
import random
import signal
import sqlite3
import subprocess
import sys
import uuid
from contextlib import closing
from hashlib import sha256
from pathlib import Path

import pytest

from rui_api.store.base import StoredSpec
from rui_api.store.factory import open_store
from tests.rui_api import disk, power
from tests.rui_api.live import process
from tests.rui_api.load import Load, wait_until
from tests.rui_api.postgres import Postgres

ROUNDS = 8


@pytest.mark.skipif(os.name != "posix", reason="needs SIGKILL")
def test_kill_9_under_load(tmp_path: Path) -> None:
    load = Load()
    arguments = ("--store", f"sqlite:///{tmp_path}/rui.db", "--base-url", "http://rui.example.org")
    for _ in range(ROUNDS):
        with process(*arguments) as (child, service), load.on(service.url, clients=4):
            load.wait_for(15)
            child.send_signal(signal.SIGKILL)
    with process(*arguments) as (_, service):
        load.check_kept(service.client)
    assert {*load.statuses} <= {201, 503}


def test_postgres_killed_and_frozen_under_load(postgres: Postgres) -> None:
    load = Load()
    with process("--store", postgres.new_database()) as (_, service):
        with load.on(service.url):
            for how in (signal.SIGQUIT, signal.SIGKILL, None, signal.SIGKILL, signal.SIGQUIT, None):
                load.wait_for(40)
                failed = load.statuses[503]
                (postgres.stop(how) if how else postgres.freeze())
                wait_until(lambda: load.statuses[503] > failed, "the clients are answered 503")  # noqa: B023
                (postgres.start() if how else postgres.thaw())
            load.wait_for(40)
        load.check_kept(service.client)
    assert set(load.statuses) == {201, 503}


def write_specs(url: str, acknowledgements: str) -> None:
    """Program of the process that loses power: store specs, and write the acknowledged ids to a file."""
    chance = random.Random(1)

    async def run() -> None:
        store = open_store(url, deadline=60)

        async def one() -> None:
            rui = json.dumps(chance.choices("abcdefgh", k=chance.choice([10, 300, 20_000]))).encode()
            spec = StoredSpec(str(uuid.uuid4()), "now", sha256(rui).hexdigest(), "0.1", "0.1", rui)
            await store.store(spec)
            os.write(acknowledged, f"{spec.spec_id} {spec.content_hash}\n".encode())

        for _ in range(16):
            await asyncio.gather(*(one() for _ in range(chance.choice([1, 2, 6]))))
        await store.close()

    acknowledged = os.open(acknowledgements, os.O_WRONLY | os.O_CREAT | os.O_APPEND, 0o600)
    asyncio.run(run())


def test_power_loss(tmp_path: Path) -> None:
    """Cut the power before and after every sync, and at random moments.

    Synced writes survive completely; any part of later writes may survive.
    """
    disk.require()
    there, log = tmp_path / "disk", tmp_path / "log"
    there.mkdir()
    under = disk.Disk(tmp_path, str(there), log=log)
    code = "import sys; from tests.rui_api.store.test_kills import write_specs; write_specs(*sys.argv[1:])"
    url, acknowledged = f"sqlite:///{there}/rui.db", str(there / "acknowledged")
    subprocess.run([sys.executable, "-c", code, url, acknowledged], check=True, env={**os.environ, **under.environment})
    operations = power.read(log)
    syncs = [number for number, operation in enumerate(operations) if operation.kind == "S"]
    assert len(syncs) > 16
    chance, most = random.Random(1), 0
    for number in sorted({*syncs, *(at + 1 for at in syncs), *chance.sample(range(len(operations)), 15)}):
        for keeps in (0.0, 0.5):
            image = tmp_path / "image"
            files = power.cut(operations[:number], keeps, chance)
            acknowledged = power.acknowledged(operations[:number], "acknowledged")
            power.write(image, {name: data for name, data in files.items() if not name.endswith("-shm")})
            check_image(image / "rui.db", acknowledged)
            most = max(most, len(acknowledged))
    assert most > 30


def check_image(path: Path, acknowledged: dict[str, str]) -> None:
    if not path.exists():
        assert not acknowledged
        return
    with closing(sqlite3.connect(path)) as connection:
        assert connection.execute("PRAGMA integrity_check").fetchall() == [("ok",)]
        made = connection.execute("SELECT 1 FROM sqlite_master WHERE name = 'specs'").fetchone()
        specs = [StoredSpec(*row) for row in connection.execute("SELECT * FROM specs")] if made else []
        found = {spec.spec_id: (spec.content_hash, spec.rui) for spec in specs}
    assert acknowledged.items() <= {spec_id: content_hash for spec_id, (content_hash, _) in found.items()}.items()
    assert all(sha256(rui).hexdigest() == content_hash for content_hash, rui in found.values()), "half a spec"
