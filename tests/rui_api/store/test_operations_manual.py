"""Run every command in the section "Storage" of docs/operations.md."""

import re
import shlex
import subprocess
import sys
from pathlib import Path

from rui_api.commands.store import main
from tests.rui_api.live import UUID, process
from tests.rui_api.load import Load
from tests.rui_api.postgres import Postgres, program

PAGE = Path(__file__).parent.parent.parent.parent / "docs" / "operations.md"
SECTION = PAGE.read_text(encoding="utf-8").split("\n## Storage\n")[1].split("\n## ")[0]
COMMANDS = [line for block in re.findall(r"```sh\n(.*?)```", SECTION, flags=re.DOTALL) for line in block.splitlines()]


def run(command: str, folder: Path, postgres: Postgres, database: str) -> str:
    """Run a command with the paths of this test instead of those of the page."""
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
    """Run the commands in the order of the page, while a service uses the store; at the end no spec is missing."""
    url, target = f"sqlite:///{tmp_path}/lib/rui.db", postgres.new_database()
    database, load = target.rpartition("/")[2], Load()
    for name in ("lib", "backups"):
        (tmp_path / name).mkdir()
    with process("--store", url) as (_, service):
        with load.on(service.url, clients=1):
            load.wait_for(20)
        count = len(load.acknowledged)
        assert main(["copy", url, target]) == 0
        spec_id = next(iter(load.acknowledged))
        commands = [command.replace(UUID, spec_id) for command in COMMANDS]
        output = [words for command in commands if (words := run(command, tmp_path, postgres, database))]
        assert service.client.get(f"/api/specs/{spec_id}").status_code == 410
    assert [line.partition(": ")[2] or line for words in output for line in words.splitlines()] == [
        f"{count} copied, 0 there already, 0 failed", "0 copied, 0 there already, 0 failed",
        f"0 copied, {count} there already, 0 failed", f"{count} copied, 0 there already, 0 failed",
        f"0 copied, {count} there already, 0 failed", "deleted",
    ]  # fmt: skip


def test_all_commands_are_found() -> None:
    assert len(COMMANDS) == 9
    assert {command.split()[0] for command in COMMANDS} == {"rui", "pg_dump", "createdb", "pg_restore"}
