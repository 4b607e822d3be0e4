"""Repositories of git, and the environment of their user, for tests of `rui git` and `rui diff`."""

import os
import subprocess
import sys
from contextlib import chdir
from pathlib import Path
from unittest import mock

from tests.rui_cli.running import rui
from tests.support.small import DOCUMENT

BIN = Path(sys.executable).parent
BASE = DOCUMENT.replace(
    "BLOCK", '{"id": "a", "type": "Text", "content": "One"},{"id": "b", "type": "Text", "content": "x"}'
)
NAME = "my app.rui.json"


LABEL = BASE.replace("One", "Two")
ADDED = BASE.replace('"content": "x"}', '"content": "x"},{"id": "c", "type": "Text", "content": "y"}')


class Repository:
    """A repository, and the environment of its user."""

    def __init__(self, root: Path, home: Path, *options: str) -> None:
        self.root = root
        self.environment = {
            **os.environ, "HOME": str(home), "XDG_CONFIG_HOME": str(home / "config"), "GIT_CONFIG_NOSYSTEM": "1",
            "GIT_EDITOR": "true", "PATH": f"{BIN}{os.pathsep}{os.environ['PATH']}",
        }  # fmt: skip
        self.environment.pop("GIT_CONFIG_GLOBAL", None)
        root.mkdir()
        home.mkdir()
        self.git("init", "--quiet", "--initial-branch", "main", *options)
        for key, value in (("user.name", "A"), ("user.email", "a@example.org"), ("gc.auto", "0")):
            self.git("config", key, value)

    @property
    def file(self) -> Path:
        return self.root / NAME

    def git(self, *arguments: str, code: int = 0) -> str:
        return self.run("git", *arguments, code=code)

    def rui(self, *arguments: str, code: int = 0) -> str:
        """Run `rui` in this process. The drivers, which git runs, are processes of their own."""
        with chdir(self.root), mock.patch.object(sys, "argv", [str(BIN / "rui")]):
            ran = rui(*arguments, environment=self.environment)
        assert ran.code == code, ran
        return ran.out + ran.err

    def run(self, *command: str, code: int = 0) -> str:
        done = subprocess.run(command, cwd=self.root, env=self.environment, capture_output=True, text=True, check=False)
        assert done.returncode == code, done
        return done.stdout + done.stderr

    def commit(self, text: str, message: str = "edit") -> None:
        self.file.write_text(text)
        self.git("add", "--all")
        self.git("commit", "--quiet", "--message", message)

    def branches(self, ours: str, theirs: str) -> None:
        """Commit a base, and two branches of it. That of ours is checked out."""
        self.commit(BASE, "base")
        self.git("checkout", "--quiet", "-b", "theirs")
        self.commit(theirs, "theirs")
        self.git("checkout", "--quiet", "main")
        self.commit(ours, "ours")
