"""Every command in the section "Storage" of docs/operations.md does what it says there."""

import re
import shlex
import subprocess
import sys
from pathlib import Path

from tests.api.live import process
from tests.api.load import Load
from tests.api.postgres import Postgres, program

PAGE = Path(__file__).parent.parent.parent / "docs" / "operations.md"
SECTION = PAGE.read_text(encoding="utf-8").split("\n## Storage\n")[1].split("\n## ")[0]
COMMANDS = [line for block in re.findall(r"```sh\n(.*?)```", SECTION, flags=re.DOTALL) for line in block.splitlines()]


def run(command: str, folder: Path, postgres: Postgres, database: str) -> str:
    """Run it, with the places of this test for those of the page."""
    for there, here in {
        "/var/lib/rui": f"{folder}/lib", "/var/backups/rui": f"{folder}/backups",
        "localhost/rui": f"localhost/{database}",
        "localhost/restored": f"localhost/{database}_restored", " restored": f" {database}_restored",
        "rui@localhost": f"rui@127.0.0.1:{postgres.port}",
    }.items():  # fmt: skip
        command = command.replace(there, here)
    words = shlex.split(command)
    if words[0] == "rui":
        words[:1] = [sys.executable, "-c", "from rui_cli.main import run; run()"]
    else:
        words[0] = str(program(words[0]))
    done = subprocess.run(words, capture_output=True, text=True, check=False)
    assert done.returncode == 0, f"{command}: {done.stderr}"
    return done.stdout


def test_commands(tmp_path: Path, postgres: Postgres) -> None:
    """In the order of the page; the store is in use until it is moved, and at the end everything is there."""
    url, database = f"sqlite:///{tmp_path}/lib/rui.db", postgres.new_database().rpartition("/")[2]
    load, said, there = Load(), [], ("--base-url", "http://rui.example.org")
    for name in ("lib", "backups"):
        (tmp_path / name).mkdir()
    move = next(
        number for number, command in enumerate(COMMANDS) if re.match(r"rui store copy sqlite\S+ postgres", command)
    )
    with process("--store", url, *there) as (_, service):
        with load.on(service.url, clients=1):
            load.wait_for(20)
        run(COMMANDS[move], tmp_path, postgres, database)
        said += [run(command, tmp_path, postgres, database) for command in COMMANDS[:move]]
        with load.on(service.url, clients=1):
            load.wait_for(5)
    said.append(run(COMMANDS[move], tmp_path, postgres, database))
    assert [command for command in COMMANDS[move + 1 :] if not command.startswith("rui serve ")] == []
    with process("--store", postgres.url(database), *there) as (_, service):
        load.check_kept(service.client)
    assert all(re.search(r"^\S+: [1-9]\d* specs|, 0 failed$", words, re.MULTILINE) for words in said if words), said
    assert "0 failed" in said[-1]


def test_all_commands_are_found() -> None:
    assert len(COMMANDS) == 10
    assert {command.split()[0] for command in COMMANDS} == {"rui", "pg_dump", "createdb", "pg_restore"}
